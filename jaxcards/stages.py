"""Stages of a deal: the compile-time knowledge about the next decision.

A step has code for all cases: calls, a lead, a card in between, the end of a trick. Deals that run side
by side need all of it in every step, unless all of them are known to be at the same place. They often
are: once everyone has called, every deal plays its first card, then its second. A `Stage`, passed with
the state, lets the game leave out impossible cases. The next state is the same, bit for bit.
"""

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self, Union

import jax
import jax.numpy as jnp

from jaxcards.cards import tricks


@dataclasses.dataclass(frozen=True)
class Stage:
    """The static knowledge about the next decision. Hashable, so that Python's `if` can test it.

    Attributes:
      plays: True if a card is to be played to a trick or the deal is over. False if another decision
        comes, or the deal waits until all others play as well. None if unknown.
      leads: whether the table is empty, while cards are played; None if unknown.
      completes: whether the card completes the trick, while cards are played; None if unknown.
      after: if some tricks are shorter than others, the number of cards of a full trick that come after
        this one; a deal with fewer to come waits. None if all tricks are equally long.
      phase: the game's number of the phase of the decision; deals in another phase wait. None if
        unknown.
      last: True if every player has at most one card to play, so that all plays are forced.
    """

    plays: bool | None = None
    leads: bool | None = None
    completes: bool | None = None
    after: int | None = None
    phase: int | None = None
    last: bool = False


# The stages that most games need; `ANY` promises nothing.
ANY = Stage()
CALLS = Stage(plays=False)
PLAYS = Stage(plays=True)
LEAD = Stage(plays=True, leads=True, completes=False)
FOLLOW = Stage(plays=True, leads=False, completes=False)
COMPLETE = Stage(plays=True, leads=False, completes=True)


class Repeat(NamedTuple):
    """A part of a deal that is repeated.

    Attributes:
      times: number of repetitions; a traced int32 or uint32 scalar if it depends on the round.
      parts: the parts of one repetition, in order.
    """

    times: Any
    parts: tuple[Union[Stage, "Repeat"], ...]


Schedule = tuple[Repeat, ...]
"""The parts of a deal, from its beginning to the end of the longest one."""


def of_calls_and_tricks(num_calls: int, num_tricks: Any, num_players: int) -> Schedule:
    """Return the schedule of at most `num_calls` calls, then of tricks; see `of_tricks`."""
    return (Repeat(num_calls, (CALLS,)), *of_tricks(num_tricks, num_players))


def of_phases(most: Mapping[int, int]) -> Schedule:
    """Return the schedule of the decisions before the first trick, phase by phase.

    A deal goes through phases in the order of the mapping, each of them once, or leaves some out.

    Args:
      most: for each phase of the game, the largest number of decisions in it.
    """
    calls = [(dataclasses.replace(CALLS, phase=phase), times) for phase, times in most.items()]
    return tuple(Repeat(times, (stage,)) for stage, times in calls if times)


def of_tricks(number: Any, num_players: int) -> Schedule:
    """Return the schedule of at most `number` tricks in which every player plays one card.

    Args:
      number: 1 or more; a traced int32 or uint32 scalar if it depends on the round.
      num_players: 2 or more.
    """
    return with_last(number, (LEAD, *(FOLLOW,) * (num_players - 2), COMPLETE))


def with_last(number: Any, trick: Sequence[Stage]) -> Schedule:
    """Return the schedule of at most `number` tricks; in the last one, all plays are forced.

    Args:
      number: see `of_tricks`.
      trick: the stage of each card of a trick.
    """
    # The last trick is separate: with one card in each hand, every play is forced.
    last = [dataclasses.replace(stage, last=True) for stage in trick]
    return Repeat(number - 1, _in_runs(trick)), Repeat(1, _in_runs(last))


def _in_runs(trick: Sequence[Stage]) -> tuple[Stage | Repeat, ...]:
    """Return the cards of a trick, with consecutive equal stages as a `Repeat`."""
    # Equal neighbours become one loop, so that their code is compiled once.
    runs = [(stage, len(list(run))) for stage, run in itertools.groupby(trick)]
    return tuple(stage if times == 1 else Repeat(times, (stage,)) for stage, times in runs)


def num_decisions(schedule: Sequence[Stage | Repeat]) -> int:
    """Return the largest number of decisions of a schedule."""
    return sum(
        part.times * num_decisions(part.parts) if isinstance(part, Repeat) else 1 for part in schedule
    )


def known(fact: bool | None, otherwise: jax.Array) -> jax.Array:
    """Return whether a condition holds: bool, a constant if the stage determines it.

    Args:
      fact: the value of a field of the stage; None if unknown.
      otherwise: bool scalar, computed from the state; XLA drops it if there is a fact.
    """
    return otherwise if fact is None else jnp.bool_(fact)


def is_idle(state: Any, stage: Stage) -> jax.Array:
    """Return whether a state has nothing to decide in a stage: bool; see `Staged.idle`.

    A state of a game without stages, which has no `idle`, decides until it has `terminated`.
    """
    return state.idle(stage) if hasattr(type(state), "idle") else state.terminated


class Staged:
    """The base class of the states of games: their shared members, above all those about stages.

    Attributes:
      public: the part of the deal that everybody sees, a frozen dataclass. `current_player` and `trick`
        read its fields `current_player` and `table` (see `tricks.pack`), unless a game packs them in
        its own way. If stages name a phase it has `phase`, uint32, by the game's own numbers.
      playing: bool, the calls are over and the cards are played, or have been.
      terminated: bool, the deal is over.
      ends_early: whether a deal can end with fewer cards played than in other deals (static).
    """

    public: Any
    playing: Any
    terminated: Any
    ends_early: Any

    def with_public(self, **changes: Any) -> Self:
        """Return the state with other values of some fields of `public`."""
        public = dataclasses.replace(self.public, **changes)
        return dataclasses.replace(self, public=public)  # type: ignore[type-var]

    @property
    def current_player(self) -> jax.Array:
        """int32: the player to act."""
        return self.public.current_player

    def trick(self, stage: Stage) -> tricks.Trick:
        """Return the trick on the table."""
        # An empty table is a constant, so XLA removes the code for following suit.
        empty = stage.leads or stage.plays is False
        return tricks.unpack(jnp.uint32(tricks.EMPTY_TABLE) if empty else self.public.table)

    def idle(self, stage: Stage) -> jax.Array:
        """Return whether a deal has nothing to decide in a stage: bool.

        The deal is over, or it waits because it has left the stage already or has not reached it.
        """
        # Without knowledge of the stage, only the end of the deal stops decisions.
        if stage.plays is None:
            return self.terminated
        # All deals play cards here; one waits only if it can end before the others.
        if stage.plays:
            return self.terminated if self.ends_early else jnp.bool_(False)
        if stage.phase is not None:
            return self.public.phase != stage.phase
        # In a stage of calls, a deal that plays already waits for the others.
        return self.terminated | self.playing

    def deciding(self, stage: Stage) -> jax.Array:
        """Return the phase of a deal that does not wait: uint32, a constant if the stage names it."""
        return self.public.phase if stage.phase is None else jnp.uint32(stage.phase)

    def phase_after(self, phase: jax.Array, stage: Stage) -> jax.Array:
        """Return the phase after an action that leads to `phase`: uint32; a deal that waits stays."""
        return phase if stage.phase is None else jnp.where(self.idle(stage), self.public.phase, phase)

    def plays(self, is_card: jax.Array, stage: Stage) -> jax.Array:
        """Return whether an action plays a card: bool.

        Args:
          is_card: bool, whether the action is a played card.
          stage: of the decision; if it says that cards are played, `is_card` is ignored.
        """
        return ~self.idle(stage) if stage.plays else is_card
