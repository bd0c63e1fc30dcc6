"""Names of a network's inputs and outputs: one network for many rules of a game.

Games of the same name share the names of features and actions, but each may lack some of them. The
first layer of a shared network has a row for every bit by name. The last layer has a column for every
action by name. A game picks out its rows and columns. The rules are inputs as well. For one game they
are constant, and become a part of the first layer's bias. So the network of a game is an ordinary one
of its own size, and experience with some rules helps with the others.
"""

import dataclasses
import operator
import typing
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import settings
from jaxcards.cards.features import Feature
from jaxcards.errors import UserError
from jaxcards.game import Game

_VALUE = ("value",)  # the output of a critic


@dataclasses.dataclass(frozen=True)
class Vocabulary:
    """The names of a network's inputs and outputs.

    Attributes:
      inputs: names of bits of features, in the order of the first layer's rows.
      rules: facts about rules, such as "match_bonus >= 100"; their rows come next.
      outputs: names of actions, in the order of the last layer's columns; of a critic, one name.
    """

    inputs: tuple[str, ...]
    rules: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def num_inputs(self) -> int:
        """Number of rows of the first layer."""
        return len(self.inputs) + len(self.rules)

    def inputs_of(self, game: Game, features: jax.Array) -> jax.Array:
        """Return features of a game, and its rules, as an input of the network of all games.

        Args:
          game: any game without further names.
          features: float32[..., num_features] of the game; of a critic, `full_state_features`.

        Returns:
          float32[..., num_inputs]; features that the game lacks are 0.

        Raises:
          UserError: as `for_game`.
        """
        table = game.full_state_table if self.outputs == _VALUE else game.feature_table
        places = self._rows(bit_names(table), self.inputs, "feature", game)
        sources = np.full(len(self.inputs), len(places))  # the index after the last feature selects a 0
        sources[places] = np.arange(len(places))
        rules = self._told(game)
        *batch, _ = features.shape
        spread = jnp.pad(features, [(0, 0)] * len(batch) + [(0, 1)])[..., sources]
        return jnp.concatenate([spread, jnp.broadcast_to(rules, (*batch, len(rules)))], -1)

    def outputs_of(self, game: Game) -> np.ndarray:
        """Return the index of the output for each action of a game: int[num_actions].

        Raises:
          UserError: as `for_game`.
        """
        return self._rows(game.action_names(), self.outputs, "action", game)

    def mask_of(self, game: Game, mask: jax.Array) -> jax.Array:
        """Return the mask of legal outputs: bool[..., outputs], from bool[..., num_actions]."""
        outputs = jnp.zeros((*mask.shape[:-1], len(self.outputs)), bool)
        return outputs.at[..., self.outputs_of(game)].set(mask)

    def for_game(self, game: Game, params: Any) -> Any:
        """Return the parameters of the policy of one game, picked out of those of all.

        Args:
          game: any game without further names.
          params: of a `BitsNetwork` with `num_inputs` inputs and an output for each of `outputs`.

        Returns:
          The parameters of a `BitsNetwork` with `game.num_features` inputs and `game.num_actions`
          outputs.

        Raises:
          UserError: if the game has a feature or an action whose name is unknown.
        """
        inputs = self._rows(bit_names(game.feature_table), self.inputs, "feature", game)
        return self._picked(game, params, inputs, self.outputs_of(game))

    def for_critic(self, game: Game, params: Any) -> Any:
        """Return the parameters of the critic of one game; see `for_game`."""
        inputs = self._rows(bit_names(game.full_state_table), self.inputs, "feature", game)
        return self._picked(game, params, inputs, np.array([0]))

    def _picked(self, game: Game, params: Any, inputs: np.ndarray, outputs: np.ndarray) -> Any:
        layers = dict(params["params"])
        # By number: as texts, "Dense_10" would come before "Dense_2".
        first, *_, last = sorted(layers, key=lambda name: int(name.rpartition("_")[2]))
        rows = layers[first]["kernel"]
        # A rule is a constant input of 1 or 0: add the rows of those that hold to the bias.
        of_rules = np.flatnonzero(self._told(game))
        bias = layers[first]["bias"] + rows[of_rules + len(self.inputs)].sum(0)
        layers[first] = {"kernel": rows[inputs], "bias": bias}
        kernel, bias = layers[last]["kernel"], layers[last]["bias"]
        layers[last] = {"kernel": kernel[:, outputs], "bias": bias[outputs]}
        return {**params, "params": layers}

    def _told(self, game: Game) -> np.ndarray:
        """Return an indicator of the `rules` that hold in a game: float32[rules], 0 or 1."""
        known = facts(game.rules)
        return np.array([_holds(condition, known) for condition in self.rules], np.float32)

    def _rows(self, names: Sequence[str], known: tuple[str, ...], what: str, game: Game) -> np.ndarray:
        places = {name: place for place, name in enumerate(known)}
        for name in names:
            if name not in places:
                raise UserError(
                    f"the player cannot play {game.id or game.name}: it has not learned the {what} "
                    f"{name!r}"
                )
        return np.array([places[name] for name in names])


@dataclasses.dataclass(frozen=True)
class Start:
    """The first policy of a run. All instances are equal, because they do not affect the compiled code.

    Attributes:
      names: of its inputs and outputs.
      params: its parameters.
    """

    names: Vocabulary = dataclasses.field(compare=False)
    params: Any = dataclasses.field(compare=False, repr=False)


def policy_vocabulary(games: Sequence[Game]) -> Vocabulary:
    """Return the vocabulary of a policy for several games of the same name."""
    return Vocabulary(
        _union(bit_names(game.feature_table) for game in games),
        _conditions([game.rules for game in games]),
        _union(game.action_names() for game in games),
    )


def critic_vocabulary(games: Sequence[Game]) -> Vocabulary:
    """Return the vocabulary of a critic for several games of the same name."""
    return Vocabulary(
        _union(bit_names(game.full_state_table) for game in games),
        _conditions([game.rules for game in games]),
        _VALUE,
    )


def moved(params: Any, known: Vocabulary, wanted: Vocabulary, fresh: Any, game: Game) -> Any:
    """Return parameters of a policy with other names, which plays as a given one does.

    Args:
      params: of the given policy.
      known: its names.
      wanted: the names of the other policy.
      fresh: initial parameters of the other policy; may be traced. They stay in the columns of unknown
        actions, and in the weights into further units of wider layers. Rows of unknown inputs are 0,
        and so are the weights from further units to known ones.
      game: its rules hold if the other policy has no inputs for them.

    Raises:
      UserError: if a hidden layer of the other policy is narrower, or it has another number of layers.
    """
    layers, others = dict(params["params"]), dict(fresh["params"])
    names = sorted(layers, key=lambda name: int(name.rpartition("_")[2]))
    # Hidden layers may only get wider: known units stay in front, and further ones follow.
    widths = [layers[name]["bias"].shape[0] for name in names[:-1]]
    wider = [others[name]["bias"].shape[0] for name in names[:-1] if name in others]
    if len(layers) != len(others) or any(map(operator.gt, widths, wider)):
        raise UserError(f"it has hidden = {widths}: the run needs equally many, at least as wide")
    first, last = names[0], names[-1]
    # rows: the first layer's weights by the name of the input.
    rows = dict(zip(known.inputs + known.rules, np.asarray(layers[first]["kernel"]), strict=True))
    told, nothing = wanted.inputs + wanted.rules, np.zeros(widths[0], np.float32)
    facts_of_game = facts(game.rules)
    # Rules that the other policy does not see are constant: they go into the bias.
    constant = [rule for rule in known.rules if rule not in told and _holds(rule, facts_of_game)]
    bias = layers[first]["bias"] + sum((rows[rule] for rule in constant), nothing)
    # A new input starts with weights of 0, so it changes nothing at first.
    layers[first] = {"kernel": np.stack([rows.get(name, nothing) for name in told]), "bias": bias}
    for name in names[:-1]:
        layers[name] = _widened(layers[name], others[name])
    columns = {name: column for column, name in enumerate(known.outputs)}
    # An unknown action takes column 0 for now; `fresh` replaces it below.
    places = np.array([columns.get(name, 0) for name in wanted.outputs])
    is_known = np.array([name in columns for name in wanted.outputs])
    # Further units of the last hidden layer start without influence.
    kernel = _with_rows(layers[last]["kernel"], others[last]["kernel"].shape[0])
    known_ones = {"kernel": kernel[:, places], "bias": layers[last]["bias"][places]}
    layers[last] = {  # `fresh` may be traced
        part: jnp.where(is_known, values, others[last][part]) for part, values in known_ones.items()
    }
    return jax.tree.map(jnp.asarray, {**params, "params": layers})


def begun(name: str, start: Start, wanted: Vocabulary, fresh: Any, game: Game) -> Any:
    """Return the first parameters of a run, which play as those of `start` do; see `moved`.

    Args:
      name: of the player whose policy `start` is, for errors.

    Raises:
      UserError: as `moved`.
    """
    try:
        return moved(start.params, start.names, wanted, fresh, game)
    except UserError as error:
        raise UserError(f"the run cannot start from {name}: {error}") from None


def _widened(layer: dict[str, Any], fresh: dict[str, Any]) -> dict[str, Any]:
    """Return a layer with the inputs and units of a fresh one; its units ignore further inputs."""
    units = layer["bias"].shape[0]
    kernel = _with_rows(layer["kernel"], fresh["kernel"].shape[0])
    return {
        "kernel": jnp.concatenate([kernel, fresh["kernel"][:, units:]], -1),
        "bias": jnp.concatenate([layer["bias"], fresh["bias"][units:]]),
    }


def _with_rows(kernel: Any, rows: int) -> Any:
    """Return a kernel padded with rows of 0 to the given number of rows."""
    return jnp.pad(kernel, ((0, rows - kernel.shape[0]), (0, 0)))


def bit_names(table: Iterable[Feature]) -> list[str]:
    """Return the name of every bit of features."""
    return [name for feature in table for name in feature.bit_names()]


def facts(rules: Any) -> dict[str, int]:
    """Return the rules of a deal as numbers by name.

    A choice among texts becomes a fact for the chosen text, and so does each entry of a tuple of a
    fixed length. Settings of matches, and lists of any length, are left out.
    """
    found: dict[str, int] = {}
    for name, annotation in settings.annotations(type(rules)).items():
        value = getattr(rules, name)
        if rules.__dataclass_fields__[name].metadata.get("of_match"):
            continue
        if isinstance(value, str):
            found[f"{name} = {value}"] = 1
        elif isinstance(value, tuple):
            # An ellipsis is in the type of a list of any length.
            if Ellipsis not in typing.get_args(annotation):
                found |= {f"{name}[{place}]": int(entry) for place, entry in enumerate(value)}
        else:
            found[name] = int(value)
    return found


def _conditions(rules: Sequence[Any]) -> tuple[str, ...]:
    """Return the features that distinguish rules: "push >= 1", "match_bonus >= 100"."""
    every = [facts(one) for one in rules]
    found = []
    for name in _union(every):
        values = sorted({one.get(name, 0) for one in every})
        # Every rule reaches the lowest value, which therefore needs no feature.
        found += [f"{name} >= {value}" for value in values[1:]]
    return tuple(found)


def _holds(condition: str, known: dict[str, int]) -> bool:
    name, _, level = condition.rpartition(" >= ")
    # A setting that the rules lack counts as 0.
    return known.get(name, 0) >= int(level)


def _union(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return every name once, in the order of first occurrence."""
    return tuple(dict.fromkeys(name for names in lists for name in names))
