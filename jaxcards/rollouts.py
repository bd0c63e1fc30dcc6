"""Playing whole deals, and matches of them, with any agents in one compiled loop."""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import loops
from jaxcards.agent import Agent, OpenHandsAgent, RandomAgent, act, check_agent
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.seats import by_seat
from jaxcards.contract.forms import forms_of
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.loops import Carry, Choose, Illegal, Trajectory
from jaxcards.stages import Stage
from jaxcards.xla import prng
from jaxcards.xla.pytrees import pytree

_FIRST, _SECOND = 0x243F6A88, 0x9E3779B9  # keep seed 0 and deal 0 apart: the hash maps 0 to 0

Player = Agent | OpenHandsAgent
"""A player of a deal."""


@pytree
class Rollout(NamedTuple):
    """A finished deal.

    Attributes:
      state: the final state.
      points: int32[num_players]; see `Game.points`.
      returns: float32[num_players]; see `Game.returns`.
      illegal: the first illegal action, which `require_legal` reports; None without this check.
    """

    state: Any
    points: jax.Array
    returns: jax.Array
    illegal: Illegal | None = None


def rollout(
    game: Game,
    agents: Player | Sequence[Player],
    params: Any,
    key: jax.Array,
    *,
    state: Any = None,
    seats: jax.Array | Sequence[int] | None = None,
    check: bool | None = None,
) -> Rollout:
    """Play one deal to its end. A pure function: batch it with `jax.vmap`, compile it with `jit`.

    A `Match` is played deal by deal. A batch of matches runs until the longest of them is over: matches
    that end earlier save no time. `recorded_rollout` records the decisions. For fresh deals of
    `RandomAgent`, each stage of a deal is compiled separately, because copies of that agent cost
    nothing; `throughput.staged_rollout` does so for any agents. The deals are always the same.

    Args:
      game: the game to play.
      agents: one agent for every seat, or a list of them.
      params: the agent's parameters, or a list of those of each agent.
      key: PRNG key of the deal; it deals the cards and makes every choice.
      state: the first state; a fresh deal from `key` if None.
      seats: int32[num_players], which agent of the list plays each seat; by default agent i plays
        seat i. It may be traced: all seatings of a duplicate deal are then one batch.
      check: whether to look for illegal actions. By default only outside `jax.jit`, `jax.vmap` and
        the like. Under them `check=True` fills `illegal` of the result: call `require_legal` on it.

    Returns:
      The finished deal. XLA does not compute unused parts of it: a batch that uses only the points pays
      nothing for observations and history.

    Raises:
      UserError: if the number of agents or of parameters does not match the players or `seats`, or
        `seats` does not name an agent for each seat; if an agent has no `act`, or is for another game;
        or if an action is illegal and actions are checked outside `jax.jit` and the like.
    """
    everyone = agents if isinstance(agents, Sequence) else [agents]
    # Random players are cheap to copy, so each stage is compiled separately.
    staged = state is None and all(isinstance(agent, RandomAgent) for agent in everyone)
    return play_deal(game, agents, params, key, state, seats, staged=staged, round=None, check=check)


def play_deal(
    game: Game,
    agents: Player | Sequence[Player],
    params: Any,
    key: jax.Array,
    state: Any,
    seats: Any,
    *,
    staged: bool,
    round: Any,
    check: bool | None,
) -> Rollout:
    """Play one deal to its end; see `rollout` and `throughput.staged_rollout`."""
    choose = chooser(game, agents, params, key, seats)
    check, at_once = _checks(check, (key, params, state, seats))
    start, fresh = _start(game, key, state, round), state is None
    # The key of the deal also gives the decisions, by sub-keys that no dealt card uses.
    words = prng.key_words(key)
    final, illegal = loops.play(
        game, choose, start, words, staged=staged, fresh=fresh, round=round, check=check
    )
    if at_once:
        require_legal(game, illegal)
    return finished(game, final, illegal)


def recorded_rollout(
    game: Game,
    agents: Player | Sequence[Player],
    params: Any,
    key: jax.Array,
    *,
    state: Any = None,
    seats: jax.Array | Sequence[int] | None = None,
    check: bool | None = None,
) -> tuple[Rollout, Trajectory]:
    """Play one deal to its end and record every decision.

    A `Match` is played step by step for `max_steps`, the length of the longest possible match. This
    takes a multiple of the time of `rollout`.

    Args, errors: as for `rollout`.

    Returns:
      The finished deal, which is that of `rollout`, and its decisions.
    """
    choose = chooser(game, agents, params, key, seats)
    check, at_once = _checks(check, (key, params, state, seats))
    start = _start(game, key, state)
    final, illegal, steps = loops.record(game, choose, start, prng.key_words(key), check)
    if at_once:
        require_legal(game, illegal)
    return finished(game, final, illegal), steps


def finished(game: Game, state: Any, illegal: Illegal | None = None) -> Rollout:
    """Return the `Rollout` of a final state: with its points and returns."""
    return Rollout(state, game.points(state), game.returns(state), illegal)


def require_legal(game: Game, illegal: Illegal | None, first: int = 0) -> None:
    """Raise `UserError` if a deal has an illegal action. The text names deal, decision and player.

    Args:
      game: the game that was played.
      illegal: of the `Rollout` of one deal, or of a batch, with `check=True`. It is read on the host.
      first: the number of the first deal of the batch.
    """
    if illegal is None:
        raise UserError("the actions were not checked: call rollout with check=True")
    # In a batch the leading axes are the deals and, in duplicates, their seatings.
    step, player, action = (np.asarray(part) for part in illegal)
    if (step < 0).all():
        return
    # Report the first illegal action of the first deal that has one.
    deal = tuple(int(place) for place in np.argwhere(step >= 0)[0])
    number = int(action[deal])
    if 0 <= number < game.num_actions:
        fault = f"{number} ({game.action_to_string(number)}), which is not legal there"
    else:
        fault = f"{number}, which does not exist"
    of_deal = f"deal {first + deal[0]}, " if deal else ""
    of_seating = f"seating {deal[1]}, " if len(deal) > 1 else ""
    raise UserError(
        f"{game.id or game.name}: {of_deal}{of_seating}decision {int(step[deal])}: player "
        f"{int(player[deal])} chose action {fault}; an agent must return an action of `legal`"
    )


def _checks(check: bool | None, values: Any) -> tuple[bool, bool]:
    """Return whether to look for illegal actions, and whether to report them at once.

    Args:
      check: the caller's choice; None for the default.
      values: the caller's other arguments.
    """
    around = jnp.zeros(())  # inside `jax.jit` and `jax.lax.scan`, an operation gives a tracer
    # The other arguments may all be constants even while tracing.
    leaves = jax.tree.leaves((values, around))
    traced = any(isinstance(leaf, jax.core.Tracer) for leaf in leaves)
    wanted = not traced if check is None else check
    return wanted, wanted and not traced


def chooser(
    game: Game, agents: Player | Sequence[Player], params: Any, key: jax.Array, seats: Any
) -> Choose:
    """Return the function that chooses each action: the agent of the seat to act. See `rollout`."""
    players, parameters = _players(game, agents, params, seats)
    assignment = None if seats is None else jnp.asarray(seats, jnp.int32)
    words = prng.key_words(key)

    def choose(
        game: Game, carry: Carry, stage: Stage
    ) -> tuple[jax.Array, tuple[jax.Array, Any, ActionSet]]:
        state, place = carry
        player = state.current_player
        observation = game.observe(state, player)
        legal = game.legal_actions(state, stage)
        # The key depends on the number of the decision only, so recorded and staged deals agree.
        decision_key = prng.wrap(prng.fold_at(words, place))
        # which: the agent of the seat; seats may share agents, as in a duplicate.
        which = player if assignment is None else by_seat(list(assignment), player)

        # An expensive agent skips its work where another agent is to act.
        def asked(number: int) -> jax.Array:
            mine = len(players) == 1 or which == number
            return mine & ~state.terminated

        # All agents compute an action; one of them is selected.
        actions = [
            act(agent, own, state, observation, legal, decision_key, functools.partial(asked, number))
            for number, (agent, own) in enumerate(zip(players, parameters, strict=True))
        ]
        return by_seat(actions, which), (player, observation, legal)

    return choose


def deal_keys(seed: Any, numbers: jax.Array) -> jax.Array:
    """Return the raw keys of deals of a seed: uint32[n, 2].

    This defines "deal n of seed s" for `simulate`, `evaluate`, the evaluations of a training run, and
    `jaxcards.throughput`. The hash of `xla.prng` makes the keys, which is cheaper than
    `jax.random.fold_in`. Both words depend on both numbers. Deals of one seed never share a key,
    because the first word is a bijection of the number.

    Args:
      seed: uint32 scalar.
      numbers: uint32[n], of the deals.
    """
    # `mixed` depends on the seed only; the deal's number enters both words.
    mixed = prng.mix(jnp.asarray(seed, jnp.uint32) + jnp.uint32(_FIRST))
    first = prng.mix(mixed ^ prng.mix(numbers + jnp.uint32(_SECOND)))
    return jnp.stack((first, prng.mix(mixed + numbers)), axis=-1)


def _players(
    game: Game, agents: Player | Sequence[Player], params: Any, seats: Any
) -> tuple[list[Player], list[Any]]:
    for agent in agents if isinstance(agents, Sequence) else [agents]:
        check_agent(agent, game)
    if not isinstance(agents, Sequence):
        return [agents], [params]
    players, parameters = list(agents), list(params)
    if len(players) != len(parameters):
        raise UserError(f"{len(players)} agents need one set of parameters each, not {len(parameters)}")
    if seats is None and len(players) not in (1, game.num_players):
        raise UserError(
            f"{game.id or game.name} has {game.num_players} seats: give one agent, "
            f"{game.num_players} agents, or seats="
        )
    if seats is not None:
        _check_seats(game, len(players), seats)
    return players, parameters


def _start(game: Game, key: jax.Array, state: Any, round: Any = None) -> Any:
    """Return a fresh deal, or the given state. Raise `UserError` unless it is a state of one deal."""
    if state is None:
        return game.init(key, round)
    forms = forms_of(game)
    if forms:
        where = f"{game.id or game.name}: rollout"
        forms.state.check(state, where, "state", "use jax.vmap(jaxcards.rollout)")
    return state


def _check_seats(game: Game, number: int, seats: Any) -> None:
    """Raise `UserError` unless every player has one of the agents. Traced values are not checked."""
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
