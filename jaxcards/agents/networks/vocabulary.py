"""What the inputs and outputs of a network mean, by name: one network for many rules of a game.

Games of the same name have features and actions of the same names, though not all of them have all. A
network whose first layer has a row for every bit by name, and whose last layer has a column for every
action by name, fits all of them: for one game its rows and columns are picked out. The rules are inputs
as well; for one game they are constant, and become a part of the first layer's bias. So the network of
a game is an ordinary one of its own size, and what is learned under some rules serves the others.
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
      rules: what the rules may say, such as "match_bonus >= 100"; the rows of these come next.
      outputs: names of actions, in the order of the last layer's columns; of a critic, one name.
    """

    inputs: tuple[str, ...]
    rules: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def num_inputs(self) -> int:
        """Rows of the first layer."""
        return len(self.inputs) + len(self.rules)

    def inputs_of(self, game: Game, features: jax.Array) -> jax.Array:
        """Return features of a game, and its rules, as an input of the network of all games.

        Args:
          game: any game that has no other names.
          features: float32[..., num_features] of the game; of a critic, `full_state_features`.

        Returns:
          float32[..., num_inputs]; features that the game does not have are 0.

        Raises:
          UserError: as `for_game`.
        """
        table = game.full_state_table if self.outputs == _VALUE else game.feature_table
        places = self._rows(bit_names(table), self.inputs, "feature", game)
        sources = np.full(len(self.inputs), len(places))  # behind the last feature comes a 0
        sources[places] = np.arange(len(places))
        rules = self._told(game)
        *batch, _ = features.shape
        spread = jnp.pad(features, [(0, 0)] * len(batch) + [(0, 1)])[..., sources]
        return jnp.concatenate([spread, jnp.broadcast_to(rules, (*batch, len(rules)))], -1)

    def outputs_of(self, game: Game) -> np.ndarray:
        """Return the output that stands for each action of a game: int[num_actions].

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
          game: any game that has no other names.
          params: of a `BitsNetwork` with `num_inputs` inputs and an output for each of `outputs`.

        Returns:
          The parameters of a `BitsNetwork` with `game.num_features` inputs and `game.num_actions`
          outputs.

        Raises:
          UserError: the game has a feature or an action whose name is unknown.
        """
        inputs = self._rows(bit_names(game.feature_table), self.inputs, "feature", game)
        return self._picked(game, params, inputs, self.outputs_of(game))

    def for_critic(self, game: Game, params: Any) -> Any:
        """Return the parameters of the critic of one game; see `for_game`."""
        inputs = self._rows(bit_names(game.full_state_table), self.inputs, "feature", game)
        return self._picked(game, params, inputs, np.array([0]))

    def _picked(self, game: Game, params: Any, inputs: np.ndarray, outputs: np.ndarray) -> Any:
        layers = dict(params["params"])
        first, *_, last = sorted(layers, key=lambda name: int(name.rpartition("_")[2]))
        rows = layers[first]["kernel"]
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
    """A policy that a run begins with. All are equal: they do not change how a learner learns.

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
    """Return the parameters of a policy of other names, which plays as a given one does.

    Args:
      params: of the given policy.
      known: its names.
      wanted: the names of the other.
      fresh: parameters of the other before any training, which stay where nothing is known: in the
        columns of unknown actions, and in what leads to further units of wider layers. They may be
        traced. Rows of unknown inputs are 0, and so is what leads from further units to known ones.
      game: its rules hold where the other policy is not told about them.

    Raises:
      UserError: a hidden layer of the other is narrower, or it has another number of them.
    """
    layers, others = dict(params["params"]), dict(fresh["params"])
    names = sorted(layers, key=lambda name: int(name.rpartition("_")[2]))
    widths = [layers[name]["bias"].shape[0] for name in names[:-1]]
    wider = [others[name]["bias"].shape[0] for name in names[:-1] if name in others]
    if len(layers) != len(others) or any(map(operator.gt, widths, wider)):
        raise UserError(f"it has hidden = {widths}: the run needs as many layers, as wide or wider")
    first, last = names[0], names[-1]
    rows = dict(zip(known.inputs + known.rules, np.asarray(layers[first]["kernel"]), strict=True))
    told, nothing = wanted.inputs + wanted.rules, np.zeros(widths[0], np.float32)
    facts_of_game = facts(game.rules)
    constant = [rule for rule in known.rules if rule not in told and _holds(rule, facts_of_game)]
    bias = layers[first]["bias"] + sum((rows[rule] for rule in constant), nothing)
    layers[first] = {"kernel": np.stack([rows.get(name, nothing) for name in told]), "bias": bias}
    for name in names[:-1]:
        layers[name] = _widened(layers[name], others[name])
    columns = {name: column for column, name in enumerate(known.outputs)}
    places = np.array([columns.get(name, 0) for name in wanted.outputs])
    is_known = np.array([name in columns for name in wanted.outputs])
    kernel = _with_rows(layers[last]["kernel"], others[last]["kernel"].shape[0])
    known_ones = {"kernel": kernel[:, places], "bias": layers[last]["bias"][places]}
    layers[last] = {  # the fresh ones may be traced
        part: jnp.where(is_known, values, others[last][part]) for part, values in known_ones.items()
    }
    return jax.tree.map(jnp.asarray, {**params, "params": layers})


def begun(name: str, start: Start, wanted: Vocabulary, fresh: Any, game: Game) -> Any:
    """Return the parameters that a run begins with, which play as those of `start` do; see `moved`.

    Args:
      name: of the player whose policy `start` is, for errors.

    Raises:
      UserError: as `moved`.
    """
    try:
        return moved(start.params, start.names, wanted, fresh, game)
    except UserError as error:
        raise UserError(f"the run cannot begin with {name}: {error}") from None


def _widened(layer: dict[str, Any], fresh: dict[str, Any]) -> dict[str, Any]:
    """Return a layer with the inputs and units of a fresh one: its units see no further inputs."""
    units = layer["bias"].shape[0]
    kernel = _with_rows(layer["kernel"], fresh["kernel"].shape[0])
    return {
        "kernel": jnp.concatenate([kernel, fresh["kernel"][:, units:]], -1),
        "bias": jnp.concatenate([layer["bias"], fresh["bias"][units:]]),
    }


def _with_rows(kernel: Any, rows: int) -> Any:
    """Return a kernel with so many rows, the further ones 0."""
    return jnp.pad(kernel, ((0, rows - kernel.shape[0]), (0, 0)))


def bit_names(table: Iterable[Feature]) -> list[str]:
    """Return the name of every bit of features."""
    return [name for feature in table for name in feature.bit_names()]


def facts(rules: Any) -> dict[str, int]:
    """Return the rules of a deal as numbers by name.

    A choice of texts is a fact for the text that was chosen, and so on for each entry of a tuple of a
    fixed length. Left out is what only matches ask for, and lists of any length.
    """
    found: dict[str, int] = {}
    for name, annotation in settings.annotations(type(rules)).items():
        value = getattr(rules, name)
        if rules.__dataclass_fields__[name].metadata.get("of_match"):
            continue
        if isinstance(value, str):
            found[f"{name} = {value}"] = 1
        elif isinstance(value, tuple):
            if Ellipsis not in typing.get_args(annotation):
                found |= {f"{name}[{place}]": int(entry) for place, entry in enumerate(value)}
        else:
            found[name] = int(value)
    return found


def _conditions(rules: Sequence[Any]) -> tuple[str, ...]:
    """Return the features that tell rules apart: "push >= 1", "match_bonus >= 100"."""
    every = [facts(one) for one in rules]
    found = []
    for name in _union(every):
        values = sorted({one.get(name, 0) for one in every})
        found += [f"{name} >= {value}" for value in values[1:]]
    return tuple(found)


def _holds(condition: str, known: dict[str, int]) -> bool:
    name, _, level = condition.rpartition(" >= ")
    return known.get(name, 0) >= int(level)


def _union(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return every name once, in the order in which they come."""
    return tuple(dict.fromkeys(name for names in lists for name in names))
