"""Hints: the choice of a trained player, the value of each choice, and the reason."""

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.search.agent import CLEAR, SearchAgent
from jaxcards.agents.search.analysis import Candidates
from jaxcards.cards.actions import ActionSet
from jaxcards.champions.catalogue import search_by, with_rollout_policy
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.view.structure import View
from jaxcards.view.text import Text


@dataclasses.dataclass(frozen=True)
class Worth:
    """The evaluation of an action.

    Attributes:
      action: its number.
      policy: the policy's probability of it.
      value: the expected return of the deal, mean over the worlds, or None if it was not searched.
      error: its standard error.
    """

    action: int
    policy: float
    value: float | None
    error: float | None


@dataclasses.dataclass(frozen=True)
class Hint:
    """Every legal action, the recommended one first, and the reason for it.

    Attributes:
      worths: the evaluations.
      reason: without the names of actions; see `said`.
      other: the action that the reason compares with, or None.
    """

    worths: tuple[Worth, ...]
    reason: Text
    other: int | None = None

    def said(self, view: View) -> Text:
        """Return the reason in full.

        Args:
          view: of the player to act.
        """
        more = {} if self.other is None else {"other": view.short(self.other)}
        return Text(self.reason.key, **self.reason.args, **more, unit=Text(f"unit.{view.gain_unit}"))


class Hints:
    """Gives hints from a player's view; compiled on first use.

    Args:
      game: of single deals.
      agent: the policy, which also plays the worlds out. A `SearchAgent` counts as its base, with its
        own belief and handling of calls. The hint leaves the policy's choice for a lead of `CLEAR`.
      params: its parameters.
      worlds: deals to play out for each action, 2 or more.
      name: of the policy: "champion" or "heuristic".

    Attributes:
      search: the search that finds the hints.
      ready: whether a hint was given, so that everything is compiled.
    """

    def __init__(self, game: Game, agent: Agent, params: Any, *, worlds: int, name: str) -> None:
        self.game, self.params, self.worlds, self.name = game, params, worlds, name
        candidates = min(max(game.action_layout.most, 2), _MOST)
        self.search = SearchAgent.around(
            game, agent, worlds=worlds, candidates=candidates, threshold=CLEAR
        )
        self._of_deal, self._of_view = jax.jit(self._found_in), jax.jit(self._found)
        # A program of its own: it is compiled in a second, the search in up to twenty.
        self._of_policy = jax.jit(self.search.likeliest)
        self.ready = False

    def _found_in(self, params: Any, deal: Any, key: jax.Array) -> Any:
        observation = self.game.observe(deal, deal.current_player)
        return self._found(params, observation, self.game.legal_actions(deal), key)

    def _found(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> Any:
        found = self.search.analyse(params, observation, legal, key)
        return found, self.search.choice(found, legal)

    def hint(self, deal: Any, number: int) -> Hint:
        """Return a hint for the player to act, which reads only this player's view.

        Args:
          deal: an untraced state that is not over.
          number: distinguishes the hints of one game, and determines the worlds.
        """
        found, chosen = jax.device_get(self._of_deal(self.params, deal, _key(number)))
        return self._hint(found, chosen)

    def hint_from(
        self, observation: Any, legal: ActionSet, number: int, *, values: bool = True
    ) -> Hint:
        """Return the same hint from an observation of the player to act, and its legal actions.

        Without `values` the hint has the policy's probabilities alone, without a search.
        """
        if not values:
            return self._preferences(self._of_policy(self.params, observation, legal, _key(number)))
        found, chosen = jax.device_get(self._of_view(self.params, observation, legal, _key(number)))
        return self._hint(found, chosen)

    def _preferences(self, found: Candidates) -> Hint:
        actions = found.action.tolist()[: int(found.legal.sum())]
        policy = jnp.exp(found.score).tolist()
        worths = [Worth(action, policy[i], None, None) for i, action in enumerate(actions)]
        reason = Text("hint.policy", player=Text(f"hint.{self.name}"))
        return Hint(tuple(worths), Text("hint.only") if len(actions) == 1 else reason)

    def _hint(self, found: Any, chosen: Any) -> Hint:
        self.ready = True
        worths = [
            Worth(
                int(found.action[i]), float(found.policy[i]),
                float(found.value[i]), float(found.value_error[i]),
            )
            for i in range(int(found.legal.sum()))
        ]  # fmt: skip
        first = int(chosen)
        worths.sort(key=lambda worth: (worth.action != first, -(worth.value or 0.0)))
        return Hint(tuple(worths), *self._reason(found, first, len(worths)))

    def _reason(self, found: Any, chosen: int, number: int) -> tuple[Text, int | None]:
        """Return the reason for the choice, and the action that it compares with."""
        if number == 1:
            return Text("hint.only"), None
        played = {"player": Text(f"hint.{self.name}"), "worlds": self.worlds}
        # The first candidate is the policy's choice, and gains are relative to it.
        gains = [(float(found.gain[i]), float(found.gain_error[i])) for i in range(number)]
        actions = [int(action) for action in found.action[:number]]
        if chosen != actions[0]:
            gain, error = gains[actions.index(chosen)]
            return Text("hint.better", **played, gain=gain, error=error), actions[0]
        rest = range(1, number)
        # The choice stayed with the policy. Find the candidate that is most surely better.
        place = max(rest, key=lambda i: gains[i][0] - CLEAR * gains[i][1])
        gain, error = gains[place]
        # Only in calls can the policy's choice stand against a clearly better one; see `SearchAgent`.
        if gain > CLEAR * error:
            return Text("hint.calls", **played, gain=gain, error=error), actions[place]
        # The likeliest candidate that is not clearly worse.
        equal = next((i for i in rest if gains[i][0] >= -CLEAR * gains[i][1]), None)
        if equal is None:
            return Text("hint.best", **played), None
        return Text("hint.equal", **played), actions[equal]


def hints(game: Game, load: Callable[[str], tuple[Agent, Any]], worlds: int) -> Hints:
    """Return the hints of the shipped player, or of the heuristic if no network knows the rules.

    Args:
      game: of single deals.
      load: returns an agent and its parameters by the name of a player, and raises `UserError` if it
        does not know the rules.
      worlds: see `Hints`.
    """
    name = "champion"
    try:
        champion, params = with_rollout_policy(*load(name))
        agent: Agent = search_by(game, champion)
    except UserError:
        name = "heuristic"
        agent, params = load(name)
    return Hints(game, agent, params, worlds=worlds, name=name)


def _key(number: int) -> jax.Array:
    # The second word spells "Hint", and keeps these keys apart from those of deals.
    return jnp.array([number, 0x48696E74], jnp.uint32)


_MOST = 16  # candidates; in an auction of forty bids the most likely ones of the policy
