"""The compiled loops that play deals: decision by decision, stage by stage, match by match.

`rollouts` and `throughput` choose among them; all give the same deals, bit for bit. A `Choose` function
decides, which keeps this module independent of agents.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.match import Match, MatchState
from jaxcards.stages import Repeat, Schedule, Stage
from jaxcards.xla import prng
from jaxcards.xla.fence import fence
from jaxcards.xla.leaves import tied
from jaxcards.xla.pytrees import pytree

_UNROLLED = 2  # repeats up to this number are unrolled
_LONG = 64  # a phase of more decisions, such as an auction, ends when every deal has left it

Carry = tuple[Any, jax.Array]
"""A state, and the place of the random numbers of the next decision: see `prng.place`."""


@pytree
class Illegal(NamedTuple):
    """The first illegal action of a deal; later ones may follow from it.

    Attributes:
      step: int32, the number of the decision; -1 if every action was legal.
      player: int32, who chose the action; -1 if every action was legal.
      action: int32, the action; -1 if every action was legal.
    """

    step: jax.Array
    player: jax.Array
    action: jax.Array


Choose = Callable[[Game, Carry, Stage], tuple[jax.Array, tuple[jax.Array, Any, ActionSet]]]
"""(game, carry, stage) -> the action, and who chose it: player, observation, legal actions."""


@pytree
class Trajectory(NamedTuple):
    """The decisions of a deal; every leaf has a leading axis of `game.max_steps`.

    Attributes:
      player: int32, who decided.
      observation: the player's observation.
      legal: the legal actions.
      action: int32, the chosen action.
      valid: bool, False for the steps after the end of the deal.
    """

    player: jax.Array
    observation: Any
    legal: ActionSet
    action: jax.Array
    valid: jax.Array


class _Progress(NamedTuple):
    """The carry of the loops: a `Carry`, and the first illegal action so far.

    Attributes:
      state, place: see `Carry`.
      illegal: the first illegal action, with its place as `step` (uint32); None without this check.
    """

    state: Any
    place: jax.Array
    illegal: Illegal | None

    def after(self, state: Any, place: jax.Array) -> "_Progress":
        """Return the progress after a decision."""
        return self._replace(state=state, place=place)

    def noting(
        self, stage: Stage, action: jax.Array, player: jax.Array, legal: ActionSet
    ) -> tuple["_Progress", jax.Array]:
        """Return the progress, and the action. The first illegal action is recorded in the progress."""
        if self.illegal is None:
            return self, action
        # Fences, because all leaves of the carry depend on action and verdict.
        action = fence(action)
        wrong = ~legal.contains(action) & ~stages.is_idle(self.state, stage)
        # A negative player: none is recorded yet. A fence takes integers, so the flag becomes one.
        first = fence((wrong & (self.illegal.player < 0)).astype(jnp.uint32)) != 0
        found = Illegal(self.place, player.astype(jnp.int32), action.astype(jnp.int32))
        noted = jax.tree.map(lambda a, b: jnp.where(first, a, b), found, self.illegal)
        return self._replace(illegal=noted), action


def _begin(start: Any, key: prng.KeyWords, check: bool) -> _Progress:
    """Return the progress before the first decision."""
    # A place identifies the decision; only `_end` turns it into a number, once a deal.
    place = prng.place(key, 0)
    # The place before decision 0 stands for "no illegal action": it becomes step -1.
    none = Illegal(place - jnp.uint32(prng.PLACE_STEP), jnp.int32(-1), jnp.int32(-1))
    return _Progress(start, place, none if check else None)


def _end(progress: _Progress, key: prng.KeyWords) -> tuple[Any, Illegal | None]:
    """Return the final state, and the first illegal action with the number of its decision."""
    if progress.illegal is None:
        return progress.state, None
    step = prng.number_at(key, progress.illegal.step).astype(jnp.int32)
    return progress.state, progress.illegal._replace(step=step)


def play(
    game: Game,
    choose: Choose,
    start: Any,
    key: prng.KeyWords,
    *,
    staged: bool,
    fresh: bool,
    round: Any,
    check: bool = False,
) -> tuple[Any, Illegal | None]:
    """Play a deal, or a match deal by deal, to its end.

    Args:
      game: the game to play.
      choose: makes the decisions.
      start: the first state.
      key: two words, the source of the random numbers of all decisions.
      staged: compile each stage of the game's schedule separately.
      fresh: whether `start` is a fresh deal or match.
      round: the round of the deal, if it is known, else None.
      check: whether to look for illegal actions.

    Returns:
      The final state; and the first illegal action, or None without `check`.
    """
    begin = _begin(start, key, check)
    if isinstance(game, Match):
        # Under vmap all leaves of the carry must be batched from the start; see `tied`.
        final = _by_deals(game, choose, tied(begin, key[0]), staged, fresh)
    elif not staged:
        final, _ = _by_decisions(game, choose, begin, keep=False)
    elif round is None:
        final = _by_stages(game, choose, game.schedule(), tied(begin, key[0]))
    else:  # values that are constant for a round, such as the size of the hands, stay constant
        final = _by_stages(game, choose, game.schedule(round), begin)
    return _end(final, key)


def record(
    game: Game, choose: Choose, start: Any, key: prng.KeyWords, check: bool = False
) -> tuple[Any, Illegal | None, Trajectory]:
    """Play a deal, or a match step by step, to its end, and record every decision.

    Args, returns: as for `play`, and the decisions.
    """
    final, steps = _by_decisions(game, choose, _begin(start, key, check), keep=True)
    assert steps is not None
    return *_end(final, key), steps


def replay(
    game: Game, start: Any, actions: jax.Array, emit: Callable[[Any, jax.Array, Any], Any] | None = None
) -> tuple[Any, Any]:
    """Play given actions, which are trusted as in `Game.step`. A pure function of one deal: batch it.

    Args:
      game: of single deals, or a match.
      start: the state before the first action.
      actions: uint32[n], in order; `actions.IDLE` leaves the state unchanged.
      emit: from a state, the action taken in it and the state after it to any pytree; None for nothing.

    Returns:
      The state after the last action; and the results of `emit`, with a leading axis of n.
    """

    def once(state: Any, action: jax.Array) -> tuple[Any, Any]:
        after = game.step(state, action)
        return after, None if emit is None else emit(state, action, after)

    return jax.lax.scan(once, start, actions)


def _by_decisions(
    game: Game, choose: Choose, begin: _Progress, keep: bool
) -> tuple[_Progress, Trajectory | None]:
    """Play until the longest deal would be over; return the decisions if `keep`, else None."""

    def once(now: _Progress, _: None) -> tuple[_Progress, Trajectory | None]:
        # One iteration is one decision of every deal; a finished deal repeats its last state.
        state = now.state
        action, (player, observation, legal) = choose(game, (state, now.place), stages.ANY)
        step = Trajectory(player, observation, legal, action, ~state.terminated) if keep else None
        noted, action = now.noting(stages.ANY, action, player, legal)
        # The place moves on after the end as well, when no decision reads it.
        return noted.after(game.step(state, action), now.place + jnp.uint32(prng.PLACE_STEP)), step

    return jax.lax.scan(once, begin, length=game.max_steps)


class _Deals(NamedTuple):
    """The carry from deal to deal of a match.

    The next deal stands beside the last one. Unused parts of the last one, such as its history,
    therefore depend on no carried value, and XLA does not compute them.

    Attributes:
      match: the match with all deals so far; the last one lies on the table.
      progress: of the next deal, which is its state.
      number: int32, deals played so far.
    """

    match: MatchState
    progress: _Progress
    number: jax.Array


def _by_deals(
    match: Match, choose: Choose, begin: _Progress, staged: bool, fresh: bool
) -> _Progress:
    """Play a match deal by deal, until the longest match of a batch is over.

    Finished matches wait: under `jax.vmap` a loop leaves their carry unchanged. Fresh matches of
    one deal for each round play the same round at the same time.
    """

    def deal(carry: _Deals, schedule: Schedule) -> _Deals:
        # `played` carries the finished deal; `close` scores it and deals the next.
        played = _by_stages(match.game, choose, schedule, carry.progress)
        after, following = match.close(dataclasses.replace(carry.match, deal=played.state))
        return _Deals(after, played._replace(state=following), carry.number + 1)

    def goes_on(carry: _Deals) -> jax.Array:
        # The bound ends the loop even for a game whose `match_over` is never True.
        return ~carry.match.over & (carry.number < match.max_match_deals)

    game, state = match.game, begin.state
    start = _Deals(state, begin._replace(state=state.deal), tied(jnp.int32(0), begin.place))
    if staged and fresh and 1 < game.num_rounds == match.max_match_deals:
        # Every fresh match then plays exactly one deal for each round.
        # The loop counter is the same for all matches, and so are values that depend on it.
        done = jax.lax.fori_loop(
            0, game.num_rounds, lambda round, carry: deal(carry, game.schedule(round)), start
        )
    else:
        schedule = game.schedule() if staged else plain(game)
        done = jax.lax.while_loop(goes_on, lambda carry: deal(carry, schedule), start)
    return done.progress._replace(state=done.match)


def plain(game: Game) -> Schedule:
    """Return a schedule that fits any game, and a deal that has already begun."""
    return (Repeat(game.max_steps, (stages.ANY,)),)


def _by_stages(game: Game, choose: Choose, schedule: Schedule, begin: _Progress) -> _Progress:
    """Play on through the stages of a schedule, each of them compiled separately."""

    def decide(now: _Progress, stage: Stage) -> _Progress:
        state, place, _ = now
        # A waiting deal makes no decision, so that its later decisions, and those of the next deal of a
        # match, keep their random numbers.
        decides = ~stages.is_idle(state, stage)
        # With one card left for each player, the play is forced: no agent is asked.
        if stage.last:
            action = game.legal_actions(state, stage).only()
        else:
            action, (player, _, legal) = choose(game, (state, place), stage)
            now, action = now.noting(stage, action, player, legal)
        after = game.step(state, action, stage)
        return now.after(after, place + jnp.where(decides, jnp.uint32(prng.PLACE_STEP), 0))

    def part(now: _Progress, part: Stage | Repeat) -> _Progress:
        return repeat(now, part) if isinstance(part, Repeat) else decide(now, part)

    def repeat(now: _Progress, repeated: Repeat) -> _Progress:
        def once(now: _Progress, _: None) -> tuple[_Progress, None]:
            return functools.reduce(part, repeated.parts, now), None

        # A traced number of times, such as the hand size of a round of Rikiki.
        if not isinstance(repeated.times, int):  # scan needs a static length
            times = jnp.asarray(repeated.times, jnp.int32)
            return jax.lax.fori_loop(0, times, lambda _, c: once(c, None)[0], now)
        (stage, *more) = repeated.parts
        if repeated.times > _LONG and isinstance(stage, Stage) and not more:
            # Under `jax.vmap` the loop runs until no deal of the batch is in the phase.
            return jax.lax.while_loop(
                lambda now: ~stages.is_idle(now.state, stage), lambda now: decide(now, stage), now
            )
        # One or two repeats are unrolled, which leaves no loop.
        short = repeated.times <= _UNROLLED
        # A scan needs an `unroll` of 1 or more even for 0 repeats, as in a game without calls.
        unroll = max(repeated.times, 1) if short else 1
        return jax.lax.scan(once, now, length=repeated.times, unroll=unroll)[0]

    end = functools.reduce(part, schedule, begin)
    return end._replace(state=jax.tree.map(_settled, end.state))


def _settled(leaf: jax.Array) -> jax.Array:
    """Return a leaf of a final state, computed once.

    The last trick is outside all loops, so XLA would compute it again for each value that depends on
    it.
    """
    return fence(leaf) if jnp.issubdtype(leaf.dtype, jnp.integer) else leaf
