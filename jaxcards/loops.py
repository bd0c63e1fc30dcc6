"""The compiled loops that play deals: decision by decision, stage by stage, match by match.

`rollouts` and `throughput` choose among them; all give the same deals, bit for bit. A `Choose` function
decides, so that nothing here knows agents.
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

_UNROLLED = 2  # up to so many repeats are compiled one after the other, without a loop

Carry = tuple[Any, jax.Array]
"""A state, and where the random numbers of the next decision are: see `prng.place`."""

Choose = Callable[[Game, Carry, Stage], tuple[jax.Array, tuple[jax.Array, Any, ActionSet]]]
"""(game, carry, stage) -> the action, and who chose it: player, observation, legal actions."""


@pytree
class Trajectory(NamedTuple):
    """The decisions of a deal; every leaf has a leading axis of `game.max_steps`.

    Attributes:
      player: int32, who decided.
      observation: what the player saw.
      legal: what was legal.
      action: int32, what was chosen.
      valid: bool, False for the steps after the end of the deal.
    """

    player: jax.Array
    observation: Any
    legal: ActionSet
    action: jax.Array
    valid: jax.Array


def play(
    game: Game, choose: Choose, start: Any, key: prng.KeyWords, *, staged: bool, fresh: bool, round: Any
) -> Any:
    """Plays a deal, or a match deal by deal, to its end; returns the final state.

    Args:
      game: what is played.
      choose: makes the decisions.
      start: the state to begin with.
      key: two words, from which the random numbers of all decisions come.
      staged: compile each stage of the game's schedule by itself.
      fresh: whether `start` is a fresh deal or match.
      round: the round that the deal is of, if that is known, else None.
    """
    carry = start, prng.place(key, 0)
    if isinstance(game, Match):
        final, _ = by_deals(game, choose, tied(carry, key[0]), staged, fresh)
    elif not staged:
        (final, _), _ = by_decisions(game, choose, carry, keep=False)
    elif round is None:
        final, _ = by_stages(game, choose, game.schedule(), tied(carry, key[0]))
    else:  # what is the same for the whole round, such as the size of the hands, stays so
        final, _ = by_stages(game, choose, game.schedule(round), carry)
    return final


def by_decisions(
    game: Game, choose: Choose, carry: Carry, keep: bool
) -> tuple[Carry, Trajectory | None]:
    """Plays as many decisions as the longest deal may have; returns them if `keep`, else None."""

    def once(carry: Carry, _: None) -> tuple[Carry, Trajectory | None]:
        state, place = carry
        action, (player, observation, legal) = choose(game, carry, stages.ANY)
        step = Trajectory(player, observation, legal, action, ~state.terminated) if keep else None
        return (game.step(state, action), place + jnp.uint32(prng.PLACE_STEP)), step

    return jax.lax.scan(once, carry, length=game.max_steps)


class _Deals(NamedTuple):
    """What is carried from deal to deal of a match.

    The next deal stands beside the last one: what is not used of the last one in the end, such as its
    history, depends on nothing that is carried, so that XLA does not compute it.

    Attributes:
      match: the match with all deals so far; the last one lies on the table.
      fresh: the deal to be played next.
      place: uint32, of the random numbers of its first decision.
      number: int32, deals played so far.
    """

    match: MatchState
    fresh: Any
    place: jax.Array
    number: jax.Array


def by_deals(match: Match, choose: Choose, carry: Carry, staged: bool, fresh: bool) -> Carry:
    """Plays a match deal by deal, as many deals as the longest match of a batch has.

    Matches that are over wait: under `jax.vmap` a loop leaves what it carries for them as it is. Fresh
    matches of a game with rounds play the same round at the same time, and each of them all rounds.
    """

    def deal(carry: _Deals, schedule: Schedule) -> _Deals:
        played, place = by_stages(match.game, choose, schedule, (carry.fresh, carry.place))
        after, fresh = match.close(dataclasses.replace(carry.match, deal=played))
        return _Deals(after, fresh, place, carry.number + 1)

    def goes_on(carry: _Deals) -> jax.Array:
        # The bound ends the loop even for a game whose `match_over` never says so.
        return ~carry.match.over & (carry.number < match.max_match_deals)

    game, (state, place) = match.game, carry
    start = _Deals(state, state.deal, place, tied(jnp.int32(0), place))
    if staged and fresh and game.num_rounds > 1:
        # The number of the loop is the same for all matches, and so is what depends on it.
        done = jax.lax.fori_loop(
            0, game.num_rounds, lambda round, carry: deal(carry, game.schedule(round)), start
        )
    else:
        schedule = game.schedule() if staged else plain(game)
        done = jax.lax.while_loop(goes_on, lambda carry: deal(carry, schedule), start)
    return done.match, done.place


def plain(game: Game) -> Schedule:
    """Returns a schedule that fits any game, and a deal that has begun already."""
    return (Repeat(game.max_steps, (stages.ANY,)),)


def by_stages(game: Game, choose: Choose, schedule: Schedule, carry: Carry) -> Carry:
    """Plays on through the stages of a schedule, each of them compiled by itself."""

    def decide(carry: Carry, stage: Stage) -> Carry:
        state, place = carry
        # A deal that waits makes no decision, so that its later ones, and those of the next deal of a
        # match, keep their random numbers.
        decides = ~stages.is_idle(state, stage)
        if stage.last:
            action = game.legal_actions(state, stage).only()
        else:
            action, _ = choose(game, carry, stage)
        after = game.step(state, action, stage)
        return after, place + jnp.where(decides, jnp.uint32(prng.PLACE_STEP), 0)

    def part(carry: Carry, part: Stage | Repeat) -> Carry:
        return repeat(carry, part) if isinstance(part, Repeat) else decide(carry, part)

    def repeat(carry: Carry, repeated: Repeat) -> Carry:
        def once(carry: Carry, _: None) -> tuple[Carry, None]:
            return functools.reduce(part, repeated.parts, carry), None

        if not isinstance(repeated.times, int):  # scan needs to know it while compiling
            times = jnp.asarray(repeated.times, jnp.int32)
            return jax.lax.fori_loop(0, times, lambda _, c: once(c, None)[0], carry)
        short = repeated.times <= _UNROLLED
        unroll = max(repeated.times, 1) if short else 1
        return jax.lax.scan(once, carry, length=repeated.times, unroll=unroll)[0]

    state, place = functools.reduce(part, schedule, carry)
    return jax.tree.map(_settled, state), place


def _settled(leaf: jax.Array) -> jax.Array:
    """Returns a leaf of a final state, computed once.

    The last trick is in no loop, so that XLA would compute it again for each value that depends on it.
    """
    return fence(leaf) if jnp.issubdtype(leaf.dtype, jnp.integer) else leaf
