"""Playing whole deals, and matches of them, with any agents in one compiled loop."""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import stages
from jaxcards.agent import Agent, RandomAgent
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.dealing import check_range
from jaxcards.cards.seats import by_seat
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import Match, MatchState
from jaxcards.stages import Repeat, Schedule, Stage
from jaxcards.xla import prng
from jaxcards.xla.fence import fence

_FIRST, _SECOND = 0x243F6A88, 0x9E3779B9  # keep seed 0 and deal 0 apart: the hash maps 0 to 0
_UNROLLED = 2  # as many repeats, or fewer, are compiled one by one: no loop around them

Carry = tuple[Any, jax.Array]
"""A state, and where the random numbers of the next decision are: see `prng.place`."""


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


Choose = Callable[[Game, Carry], tuple[jax.Array, tuple[jax.Array, Any, ActionSet]]]
"""(game, carry) -> the action, and who chose it: the player, the observation, the legal actions."""


class Rollout(NamedTuple):
    """A finished deal.

    Attributes:
      state: the final state.
      points: int32[num_players]; see `Game.points`.
      returns: float32[num_players]; see `Game.returns`.
      trajectory: the decisions, or None.
    """

    state: Any
    points: jax.Array
    returns: jax.Array
    trajectory: Trajectory | None


def rollout(
    game: Game,
    agents: Agent | Sequence[Agent],
    params: Any,
    key: jax.Array,
    *,
    state: Any = None,
    seats: jax.Array | Sequence[int] | None = None,
    trajectory: bool = False,
    staged: bool | None = None,
    round: Any = None,
) -> Rollout:
    """Plays one deal to its end. A pure function: batch it with `jax.vmap`, compile it with `jit`.

    A `Match` is played deal by deal, and a batch of matches until the longest of them is over: those
    that are over take their part of the time until then. With `trajectory` it is played step by step
    instead, as many steps as the longest match could ever have, which is slower by a multiple.

    Args:
      game: what is played.
      agents: one agent for every seat, or a list of them.
      params: the agent's parameters, or a list of those of each agent.
      key: PRNG key of the deal; it deals the cards and makes every choice.
      state: where to begin; a fresh deal from `key` if None.
      seats: int32[num_players], which agent of the list plays each seat; by default agent i plays
        seat i. It may be traced: all seatings of a duplicate deal are then one batch.
      trajectory: return every decision as well.
      staged: compile every stage of `Game.schedule` by itself. The result is the same; playing is
        faster, compiling slower by as many copies of the agents as there are stages. A given `state`
        must then be the beginning of a deal, or a match at one. By default that is done for fresh
        deals of `RandomAgent`, which costs nothing to copy.
      round: in games whose deals differ in length from round to round (`Game.num_rounds`), the round of
        this one, an int or int scalar below their number. If it is the same for a whole batch
        (`in_axes=None`), a staged rollout takes the time of that round, not that of the longest. By
        default a random one. With `state`, the round that it is of.

    Returns:
      The finished deal. What a caller does not use of it, XLA does not compute: a batch that keeps
      the points alone pays nothing for observations and history.

    Raises:
      UserError: if the number of agents or of parameters fits neither players nor `seats`, or `seats`
        does not name an agent for each seat; if both `trajectory` and `staged` are asked for; if the
        game has no such round.
    """
    players, parameters = _players(game, agents, params, seats)
    if staged is None:
        fresh = state is None and not trajectory
        staged = fresh and all(isinstance(agent, RandomAgent) for agent in players)
    elif staged and trajectory:
        raise UserError("trajectory=True needs staged=False: stages keep no decisions")
    assignment = None if seats is None else jnp.asarray(seats, jnp.int32)
    words = prng.key_words(key)

    def choose(game: Game, carry: Carry) -> tuple[jax.Array, tuple[jax.Array, Any, ActionSet]]:
        state, place = carry
        player = state.current_player
        observation = game.observe(state, player)
        legal = game.legal_actions(state)
        decision_key = prng.wrap(prng.fold_at(words, place))
        actions = [
            agent.act(own, observation, legal, decision_key)
            for agent, own in zip(players, parameters, strict=True)
        ]
        which = player if assignment is None else by_seat(list(assignment), player)
        return by_seat(actions, which), (player, observation, legal)

    start = _start(game, key, state, round), prng.place(words, 0)
    steps = None
    if isinstance(game, Match) and not trajectory:
        final, _ = _by_deals(game, choose, _own(start, words[0]), staged, state is None)
    elif staged:
        if round is None:
            final, _ = _by_stages(game, choose, game.schedule(), _own(start, words[0]))
        else:  # what is the same for the whole round, such as the size of the hands, stays so
            final, _ = _by_stages(game, choose, game.schedule(round), start)
    else:
        (final, _), steps = _by_decisions(game, choose, start, trajectory)
    return Rollout(final, game.points(final), game.returns(final), steps)


def deal_keys(seed: Any, numbers: jax.Array) -> jax.Array:
    """Returns the keys of deals of a seed: raw, uint32[n, 2].

    This is what "deal n of seed s" means wherever deals are counted: in `simulate`, `evaluate`, the
    evaluations of a training run, and `jaxcards.throughput`. The hash of `xla.prng` makes the keys,
    which is cheaper than `jax.random.fold_in`. Both words depend on both numbers, and deals of one seed
    never share a key: the first word is a bijection of the number.

    Args:
      seed: uint32 scalar.
      numbers: uint32[n], of the deals.
    """
    return jnp.stack(deal_key_words(jnp.asarray(seed, jnp.uint32), numbers), axis=-1)


def deal_key_words(seed: jax.Array, numbers: jax.Array) -> prng.KeyWords:
    """Returns the first and the second words of `deal_keys`: uint32[n] each."""
    mixed = prng.mix(seed + jnp.uint32(_FIRST))
    first = prng.mix(mixed ^ prng.mix(numbers + jnp.uint32(_SECOND)))
    return first, prng.mix(mixed + numbers)


def _start(game: Game, key: jax.Array, state: Any, round: Any) -> Any:
    """Returns the state to begin with: the given one, or a fresh deal of the given or of any round."""
    if round is not None:
        check_range("round", round, game.num_rounds)
    return game.init(key, round) if state is None else state


def _own(carry: Any, word: jax.Array) -> Any:
    """Returns what is carried as a value of each deal of a batch: no change but for `jax.vmap`.

    What a loop begins with and is the same in all deals, such as a count of 0, is found to be each
    deal's own only by tracing the loop again, and a loop inside of it as often for every time.

    Args:
      carry: what a loop carries.
      word: what differs between the deals of a batch.
    """
    return jax.tree.map(lambda leaf: jnp.where(word == word, leaf, leaf), carry)


def _by_decisions(
    game: Game, choose: Choose, carry: Carry, keep: bool
) -> tuple[Carry, Trajectory | None]:
    """Plays as many decisions as the longest deal may have, and keeps them if that is wanted."""

    def once(carry: Carry, _: None) -> tuple[Carry, Trajectory | None]:
        state, place = carry
        action, (player, observation, legal) = choose(game, carry)
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
      number: int32, number of deals.
    """

    match: MatchState
    fresh: Any
    place: jax.Array
    number: jax.Array


def _by_deals(match: Match, choose: Choose, carry: Carry, staged: bool, fresh: bool) -> Carry:
    """Plays a match deal by deal, as many deals as the longest match of a batch has.

    Matches that are over wait: under `jax.vmap` a loop leaves what it carries for them as it is. Fresh
    matches of a game with rounds play the same round at the same time, and every one plays them all.
    """

    def deal(carry: _Deals, schedule: Schedule) -> _Deals:
        played, place = _by_stages(match.game, choose, schedule, (carry.fresh, carry.place))
        after, fresh = match.close(dataclasses.replace(carry.match, deal=played))
        return _Deals(after, fresh, place, carry.number + 1)

    def goes_on(carry: _Deals) -> jax.Array:
        # The bound holds whatever a game does.
        return ~carry.match.over & (carry.number < match.max_match_deals)

    game, (state, place) = match.game, carry
    start = _Deals(state, state.deal, place, _own(jnp.int32(0), place))
    if staged and fresh and game.num_rounds > 1:
        # The number of the loop is the same for all matches, and so is what depends on it.
        done = jax.lax.fori_loop(
            0, game.num_rounds, lambda round, carry: deal(carry, game.schedule(round)), start
        )
    else:
        schedule = game.schedule() if staged else _plain(game)
        done = jax.lax.while_loop(goes_on, lambda carry: deal(carry, schedule), start)
    return done.match, done.place


def _plain(game: Game) -> Schedule:
    """The schedule of any game, and of a deal that has begun already."""
    return (Repeat(game.max_steps, (stages.ANY,)),)


def _by_stages(game: Game, choose: Choose, schedule: Schedule, carry: Carry) -> Carry:
    """Plays on through the stages of a schedule, each of them compiled by itself."""

    def decide(carry: Carry, stage: Stage) -> Carry:
        state, place = carry
        state = state if stage == stages.ANY else game.at(state, stage)
        # A deal that waits makes no decision, so that its later ones, and those of the next deal of a
        # match, keep their random numbers.
        decides = ~(state.terminated if stage == stages.ANY else state.idle)
        if stage.last:
            action = game.legal_actions(state).only()
        else:
            action, _ = choose(game, (state, place))
        state = game.step(state, action)
        state = state if stage == stages.ANY else game.at(state, stages.ANY)
        return state, place + jnp.where(decides, jnp.uint32(prng.PLACE_STEP), 0)

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

    No loop ends with the last trick, so that XLA would play it again for all that depends on it.
    """
    return fence(leaf) if jnp.issubdtype(leaf.dtype, jnp.integer) else leaf


def _players(
    game: Game, agents: Agent | Sequence[Agent], params: Any, seats: Any
) -> tuple[list[Agent], list[Any]]:
    if not isinstance(agents, Sequence):
        return [agents], [params]
    players, parameters = list(agents), list(params)
    if len(players) != len(parameters):
        raise UserError(f"{len(players)} agents need as many parameters, not {len(parameters)}")
    if seats is None and len(players) not in (1, game.num_players):
        raise UserError(
            f"{game.id or game.name} has {game.num_players} seats: give one agent, "
            f"{game.num_players} agents, or seats="
        )
    if seats is not None:
        _check_seats(game, len(players), seats)
    return players, parameters


def _check_seats(game: Game, number: int, seats: Any) -> None:
    """Raises `UserError` unless every player has one of the agents. Traced values pass unseen."""
    if np.shape(seats) != (game.num_players,):
        raise UserError(
            f"seats= names the agent of each of the {game.num_players} seats; it has shape "
            f"{list(np.shape(seats))}"
        )
    if isinstance(seats, jax.core.Tracer):
        return
    wrong = [int(agent) for agent in seats if not 0 <= int(agent) < number]
    if wrong:
        raise UserError(f"seats= names agent {wrong[0]}; allowed are 0 to {number - 1}")
