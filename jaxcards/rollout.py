"""Playing whole deals with any agents in one compiled scan."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import prng
from jaxcards.actions import ActionSet
from jaxcards.agents.agent import Agent
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.seats import by_seat


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
) -> Rollout:
    """Plays one deal to its end. A pure function: batch it with `jax.vmap`, compile it with `jit`.

    Args:
      game: what is played.
      agents: one agent for every seat, or a list of them.
      params: the agent's parameters, or a list of those of each agent.
      key: PRNG key of the deal; it deals the cards and makes every choice.
      state: where to begin; a fresh deal from `key` if None.
      seats: int32[num_players], which agent of the list plays each seat; by default agent i plays
        seat i. It may be traced: all seatings of a duplicate deal are then one batch.
      trajectory: return every decision as well.

    Returns:
      The finished deal. What a caller does not use of it, XLA does not compute: a batch that keeps
      the points alone pays nothing for observations and history.

    Raises:
      UserError: if the number of agents or of parameters fits neither players nor `seats`, or `seats`
        does not name an agent for each seat.
    """
    players, parameters = _players(game, agents, params, seats)
    assignment = None if seats is None else jnp.asarray(seats, jnp.int32)
    words = prng.key_words(key)
    start = game.init(key) if state is None else state

    def decide(state: Any, time: jax.Array) -> tuple[Any, Trajectory | None]:
        player = state.current_player
        observation = game.observe(state, player)
        legal = game.legal_actions(state)
        decision_key = prng.wrap(prng.fold(words, time))
        actions = [
            agent.act(own, observation, legal, decision_key)
            for agent, own in zip(players, parameters, strict=True)
        ]
        which = player if assignment is None else by_seat(list(assignment), player)
        action = by_seat(actions, which)
        step = None
        if trajectory:
            step = Trajectory(player, observation, legal, action, ~state.terminated)
        return game.step(state, action), step

    final, steps = jax.lax.scan(decide, start, jnp.arange(game.max_steps, dtype=jnp.uint32))
    return Rollout(final, game.points(final), game.returns(final), steps)


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
