"""Several rules of a game that one network learns at the same time."""

import dataclasses
import functools
import typing
from collections.abc import Sequence
from typing import Any, Literal

import jax.numpy as jnp
import numpy as np

from jaxcards import registry, settings
from jaxcards.agents.learners.match_deals import DealOfMatch
from jaxcards.agents.networks.network import BitsNetwork
from jaxcards.agents.networks.vocabulary import Vocabulary, critic_vocabulary, facts, policy_vocabulary
from jaxcards.errors import UserError
from jaxcards.game import Game


@dataclasses.dataclass(frozen=True)
class Mixture:
    """Games of the same name that share the deals of an update evenly.

    Attributes:
      games: one or more; the first is evaluated.
    """

    games: tuple[Game, ...]

    @classmethod
    def of(
        cls, game: Game, presets: Sequence[str], variants: int, seed: int, matches: bool = False
    ) -> "Mixture":
        """Return a game with presets of the same name, and with random rules.

        Args:
          game: the first of the games.
          presets: names of further presets.
          variants: the number of random rules. Each is one of the games with one or two changed
            settings, the same number of players, and a subset of the games' actions.
          seed: of the random rules.
          matches: whether the deals are of matches; see `jaxcards.agents.learners.match_deals`.

        Raises:
          UserError: an unknown preset, or matches for a game without a target.
        """
        games = [game, *(registry.make(f"{game.name}/{preset}") for preset in presets)]
        rng = np.random.default_rng(seed)
        actions = {name for one in games for name in one.action_names()}
        drawn: list[Game] = []
        while len(drawn) < variants:
            # Draw again if the rules are not allowed or known already.
            found = _variant(games, rng)
            if found is None or found in [*games, *drawn]:
                continue
            # The first games decide which actions the network has; a variant may not need more.
            if actions >= set(found.action_names()):
                drawn.append(found)
        # Games with equal rules are equal, even under different ids: keep each once.
        chosen = list(dict.fromkeys([*games, *drawn]))
        return cls(tuple(map(DealOfMatch, chosen) if matches else chosen))

    @functools.cached_property
    def policy(self) -> Vocabulary | None:
        """The vocabulary of the policy; None with one game, whose own names suffice."""
        return policy_vocabulary(self.games) if len(self.games) > 1 else None

    @functools.cached_property
    def critic(self) -> Vocabulary | None:
        """The vocabulary of the critic, likewise."""
        return critic_vocabulary(self.games) if len(self.games) > 1 else None

    def policy_network(self, hidden: tuple[int, ...], precision: str) -> BitsNetwork:
        """Return the Flax module of the policy of all games, with such layers; see `NetworkAgent`."""
        game, words = self.games[0], self.policy
        sizes = (game.num_features, game.num_actions)
        if words:
            sizes = (words.num_inputs, len(words.outputs))
        return BitsNetwork(sizes[0], hidden, sizes[1], jnp.dtype(precision))

    def policy_params(self, game: Game, params: Any) -> Any:
        """Return the parameters of the policy of one game, from those of all."""
        return self.policy.for_game(game, params) if self.policy else params


def _variant(games: Sequence[Game], rng: np.random.Generator) -> Game | None:
    """Return one of the games with one or two changed settings; None if such rules are not allowed."""
    base = games[int(rng.integers(len(games)))]
    rules = base.rules
    names = [name for name in settings.annotations(type(rules)) if _may_change(rules, name)]
    chosen = rng.choice(names, size=int(rng.integers(1, 3)), replace=False)
    changes = {}
    for name in map(str, chosen):
        others = [value for value in _values(games, rules, name) if value != getattr(rules, name)]
        if others:
            changes[name] = others[rng.integers(len(others))]
    try:
        # Rules check themselves: some settings exclude each other.
        made = dataclasses.replace(rules, **changes)
    except UserError:
        return None
    text = ", ".join(f"{name}={value!r}" for name, value in changes.items())
    # A variant that looks the same to the network teaches nothing new.
    return type(base)(made, f"{base.id} ({text})") if facts(made) != facts(rules) else None


def _may_change(rules: Any, name: str) -> bool:
    """Return whether a setting may differ between games: players and settings of matches may not."""
    return name != "num_players" and not rules.__dataclass_fields__[name].metadata.get("of_match")


def _values(games: Sequence[Game], rules: Any, name: str) -> list[Any]:
    """Return values to try for a setting: any choice, or a value of the games, halved or doubled."""
    annotation = settings.annotations(type(rules))[name]
    if annotation is bool:
        return [False, True]
    if typing.get_origin(annotation) is Literal:
        return list(typing.get_args(annotation))
    found = {getattr(game.rules, name) for game in games}
    if annotation is int:
        found |= {getattr(rules, name) // 2, getattr(rules, name) * 2}
    # A fixed order, so that a seed always draws the same rules.
    return sorted(found)
