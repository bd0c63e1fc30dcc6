"""States and actions of a table: their names, and the number of each cell. Does not import JAX."""

import functools
import math
from dataclasses import dataclass

VERSION = 1
"""Version of the features of all games: tables with another version cannot be used."""


@dataclass(frozen=True)
class Feature:
    """A feature that distinguishes states.

    Attributes:
      name: such as "own trumps"; may be empty if the values suffice.
      values: the meaning of each value, from 0 on.
    """

    name: str
    values: tuple[str, ...]

    def describe(self, value: int) -> str:
        """Return a value in words: "own trumps: none"."""
        return f"{self.name}: {self.values[value]}" if self.name else self.values[value]


@dataclass(frozen=True)
class Situation:
    """A kind of decision.

    Attributes:
      name: such as "leading".
      features: a state is one value of each.
      actions: the options in words; each stands for one action of the game at most.
    """

    name: str
    features: tuple[Feature, ...]
    actions: tuple[str, ...]

    @property
    def num_states(self) -> int:
        return math.prod(len(feature.values) for feature in self.features)

    def describe(self, state: int) -> str:
        """Return a state of this situation in words."""
        words = []
        # The last feature varies fastest.
        for feature in reversed(self.features):
            state, value = divmod(state, len(feature.values))
            words.append(feature.describe(value))
        return ", ".join([self.name, *reversed(words)])


@dataclass(frozen=True)
class Layout:
    """The situations of a game, one after the other.

    States are numbered over all situations. A cell is a state and one of its actions; the cells of a
    state follow each other.
    """

    situations: tuple[Situation, ...]

    @functools.cached_property
    def first_states(self) -> tuple[int, ...]:
        """The first state of each situation, and the number of states."""
        return _sums([s.num_states for s in self.situations])

    @functools.cached_property
    def first_cells(self) -> tuple[int, ...]:
        """The first cell of each situation, and the number of cells."""
        return _sums([s.num_states * len(s.actions) for s in self.situations])

    @property
    def num_states(self) -> int:
        return self.first_states[-1]

    @property
    def num_cells(self) -> int:
        return self.first_cells[-1]

    @functools.cached_property
    def width(self) -> int:
        """The largest number of actions of a state."""
        return max(len(s.actions) for s in self.situations)

    @functools.cached_property
    def actions(self) -> tuple[str, ...]:
        """The actions of all situations by number; equal ones have one number."""
        return tuple(dict.fromkeys(name for s in self.situations for name in s.actions))

    def place(self, cell: int) -> tuple[int, int]:
        """Return the state and the action of a cell, by number."""
        number = _last(self.first_cells, cell)
        situation = self.situations[number]
        state, action = divmod(cell - self.first_cells[number], len(situation.actions))
        # Numbers of actions run over all situations, in which equal names share one.
        name = situation.actions[action]
        return self.first_states[number] + state, self.actions.index(name)

    def cell(self, state: int, action: int) -> int | None:
        """Return the cell of a state and an action, or None if the state lacks the action."""
        if not (0 <= state < self.num_states and 0 <= action < len(self.actions)):
            return None
        number = _last(self.first_states, state)
        own = self.situations[number].actions
        if self.actions[action] not in own:
            return None
        row = state - self.first_states[number]
        return self.first_cells[number] + row * len(own) + own.index(self.actions[action])

    def describe(self, state: int) -> str:
        """Return a state in words."""
        number = _last(self.first_states, state)
        return self.situations[number].describe(state - self.first_states[number])


def _sums(sizes: list[int]) -> tuple[int, ...]:
    return tuple(sum(sizes[:end]) for end in range(len(sizes) + 1))


def _last(firsts: tuple[int, ...], number: int) -> int:
    """Return the last entry that is not above a number."""
    return max(i for i, first in enumerate(firsts[:-1]) if first <= number)
