"""Variance reduction by control variates: AIVAT at random choices, and fast versions of slow players.

Source: N. Burch, M. Schmid, M. Moravčík, D. Morrill and M. Bowling, "AIVAT: A New Variance Reduction
Technique for Agent Evaluation in Imperfect Information Games", AAAI 2018.

A player that draws its actions from known probabilities is sometimes lucky. Its luck at a decision is a
value after the chosen action, less the expectation of that value over all legal actions. The
expectation of luck is 0 for any value. Here the value is the return when one player plays on in all
seats. Greedy players have no such luck.

A search plays much like its policy, which is faster. If the policy replaces the search, its result is
therefore a control variate of the deal. Its expectation is the mean over further deals.

The coefficients of one half of the deals are estimated on the other half. So the mean stays unbiased.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import loops, stages, xla
from jaxcards.agent import OpenHandsAgent, RandomAgent
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.errors import UserError
from jaxcards.evaluation.batches import batches, numbers
from jaxcards.evaluation.calls import Parts
from jaxcards.evaluation.intervals import Interval, student_quantile
from jaxcards.evaluation.seatings import advantage, seatings
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.rollouts import Player, chooser, deal_keys, recorded_rollout
from jaxcards.xla import prng

FEWEST_DEALS = 20
EXTRA = 8
"""Further deals of the fast players for each deal of the slow ones."""
_LANES = 2048  # playouts side by side
_BATCH = 64  # deals whose states are in memory

Play = Callable[[tuple[Player, Player], int], np.ndarray]
"""(A and B, number of deals) -> float64[number]: A less B in the first deals of the seed."""


def check_reducible(game: Game, num_deals: int, score: str) -> None:
    """Raise `UserError` where the variance cannot be reduced."""
    if isinstance(game, Match):
        raise UserError("variance reduction works on single deals: leave matches out")
    if score != "points":
        raise UserError(f"variance reduction works on points: leave the score {score!r} out")
    if num_deals < FEWEST_DEALS:
        raise UserError(f"variance reduction needs at least {FEWEST_DEALS} deals, not {num_deals}")


def reduced_interval(
    game: Game,
    agents: tuple[Any, Any],
    params: tuple[Any, Any],
    differences: np.ndarray,
    seed: int,
    title: str,
    play: Play,
) -> Interval | None:
    """Return the difference of two players with reduced variance; None if nothing is known of both.

    Args:
      game, agents, params: of the evaluation.
      differences: float64[num_deals], A less B in each deal.
      seed: of the deals.
      title: of the progress bar.
      play: plays deals of the seed by other agents with the same parameters.
    """
    num_deals, controls, more = len(differences), [], np.zeros(0)
    if any(map(has_probabilities, agents)):
        controls.append(luck(game, agents, params, num_deals, seed, title))
    fast = fast_version(agents[0]), fast_version(agents[1])
    if fast != agents and (fast[0] != fast[1] or params[0] is not params[1]):
        values = play(fast, num_deals * (1 + EXTRA))
        more = values[num_deals:]
        controls.append(values[:num_deals] - more.mean())
    if not controls:
        return None
    return adjusted(differences, np.stack(controls, axis=1), more)


def adjusted(differences: np.ndarray, controls: np.ndarray, more: np.ndarray) -> Interval:
    """Return the mean of differences less their regression on control variates, with its interval.

    Args:
      differences: float64[n].
      controls: float64[n, k], of expectation 0.
      more: float64[m], the further deals whose mean the last control variate leaves out; else empty.
    """
    residuals, used = np.array(differences, np.float64), []
    for half in (0, 1):
        mine, other = slice(half, None, 2), slice(1 - half, None, 2)
        centred = controls[other] - controls[other].mean(axis=0)
        target = differences[other] - differences[other].mean()
        factors = np.linalg.lstsq(centred, target, rcond=None)[0]
        residuals[mine] -= controls[mine] @ factors
        used.append(factors)
    number = len(residuals)
    variance = residuals.var(ddof=1) / number
    if len(more):
        # The expectation of the last control variate is itself an estimate.
        variance += np.mean(used, axis=0)[-1] ** 2 * more.var(ddof=1) / len(more)
    mean, half_width = float(residuals.mean()), student_quantile(number - 1) * float(variance) ** 0.5
    return Interval(mean, mean - half_width, mean + half_width)


# ---- Players ----------------------------------------------------------------------------------------


def has_probabilities(agent: Any) -> bool:
    """Return whether an agent draws actions from probabilities that it names."""
    if isinstance(agent, Parts):
        return has_probabilities(agent.calls) or has_probabilities(agent.cards)
    named = isinstance(agent, RandomAgent) or hasattr(agent, "probabilities")
    return named and not getattr(agent, "greedy", False)


def fast_version(agent: Any) -> Any:
    """Return the policy of a search, which takes the same parameters; other agents unchanged."""
    if isinstance(agent, Parts):
        return dataclasses.replace(agent, cards=fast_version(agent.cards))
    return getattr(agent, "base", agent)


def _probabilities(agent: Any, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
    """Return the probabilities of a decision: float32[num_actions]; 0 where they are unknown."""
    if isinstance(agent, Parts):
        calls = _probabilities(agent.calls, params[0], observation, legal)
        cards = _probabilities(agent.cards, params[1], observation, legal)
        return jnp.where(agent.game.is_call(observation, legal), calls, cards)
    mask = legal.mask().astype(jnp.float32)
    if not has_probabilities(agent):
        return jnp.zeros_like(mask)
    if isinstance(agent, RandomAgent):
        return mask
    return mask * jnp.asarray(agent.probabilities(params, observation, legal), jnp.float32)


def _playout_player(agents: tuple[Any, Any], params: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the player that plays on: a greedy network if there is one, random play last."""

    def quick(agent: Any) -> Any:
        fast = fast_version(agent)
        if isinstance(fast, Parts):
            return dataclasses.replace(fast, calls=quick(fast.calls), cards=quick(fast.cards))
        if isinstance(fast, NetworkAgent):
            return dataclasses.replace(fast.fast_policy, greedy=True)
        return fast

    def rank(agent: Any) -> int:
        cards = agent.cards if isinstance(agent, Parts) else agent
        if isinstance(cards, RandomAgent | OpenHandsAgent):
            return 2
        return 0 if isinstance(cards, NetworkAgent) else 1

    players = [(quick(agent), own) for agent, own in zip(agents, params, strict=True)]
    return min(players, key=lambda player: rank(player[0]))


# ---- Luck -------------------------------------------------------------------------------------------


def luck(
    game: Game,
    agents: tuple[Any, Any],
    params: tuple[Any, Any],
    num_deals: int,
    seed: int,
    title: str = "",
) -> np.ndarray:
    """Return the luck of A less that of B in each deal: float64[num_deals], of expectation 0.

    Args:
      game, agents, params: of the evaluation.
      num_deals, seed: as for `duplicate.evaluate`, whose decisions are played again.
      title: of the progress bar.
    """
    player, own = _playout_player(agents, params)
    record, play_out = _recorder(game, agents), _playouts(game, player)
    found = [np.zeros(0)]
    for first, count in batches(num_deals, _BATCH, f"{title}, luck"):
        states, chance, mask, action = record(params, jnp.uint32(seed), jnp.uint32(first))
        # mask: bool[deals, seatings, steps, num_actions], the legal actions of decisions to correct.
        mask, action = np.array(mask), np.asarray(action)
        mask[count:] = False
        *place, choice = np.nonzero(mask)
        # Decisions of the same step have playouts of similar length.
        order = np.argsort(place[2], kind="stable")
        *place, choice = (part[order] for part in (*place, choice))
        where = np.stack([*place, choice], axis=1).astype(np.int32)
        values = np.zeros((len(where), game.num_players))
        for begin in range(0, len(where), _LANES):
            # The last lanes repeat a decision.
            index = np.minimum(np.arange(begin, begin + _LANES), len(where) - 1)
            # Random playouts draw independently of the actions that were taken.
            key = jnp.uint32((seed + first + begin + 1) % 2**32)
            part = np.asarray(play_out(own, states, where[index], key))
            values[begin : begin + _LANES] = part[: len(where) - begin]
        chance = np.asarray(chance, np.float64)
        total = np.where(mask, chance, 0).sum(axis=-1)[tuple(place)]
        taken = choice == action[tuple(place)]
        weight = taken - chance[(*place, choice)] / np.where(total > 0, total, 1)
        lucky = np.zeros((*mask.shape[:2], game.num_players))
        np.add.at(lucky, (place[0], place[1]), weight[:, None] * values)
        found.append(advantage(game, lucky)[:count])
    return np.concatenate(found)


@functools.lru_cache(maxsize=8)
def _recorder(game: Game, agents: tuple[Any, Any]) -> Any:
    """Compile a batch of recorded deals.

    Returns:
      (params, seed, first deal) -> the state, the probabilities, the legal actions of decisions to
      correct, and the action; each of shape [deals, seatings, steps, …].
    """
    tables = jnp.asarray(seatings(game))

    def play_seating(params: Any, key: jax.Array, seats: jax.Array) -> tuple[Any, ...]:
        start = game.init(key)
        _, steps = recorded_rollout(game, agents, params, key, seats=seats, check=False)

        def emit(state: Any, action: jax.Array, after: Any) -> tuple[Any, ...]:
            del after
            player = state.current_player
            observation, legal = game.observe(state, player), game.legal_actions(state)
            chances = [
                _probabilities(agent, own, observation, legal)
                for agent, own in zip(agents, params, strict=True)
            ]
            chance = jnp.where(seats[player] == 0, chances[0], chances[1])
            # A forced action has no luck.
            asked = (action != IDLE) & (legal.count() > 1) & (chance.sum() > 0)
            return state, chance, legal.mask() & asked, action

        actions = jnp.where(steps.valid, steps.action.astype(jnp.uint32), jnp.uint32(IDLE))
        return loops.replay(game, start, actions, emit)[1]  # type: ignore[no-any-return]

    def play_batch(params: Any, seed: jax.Array, first: jax.Array) -> Any:
        every_seating = jax.vmap(play_seating, in_axes=(None, None, 0))
        keys = deal_keys(seed, numbers(first, _BATCH))
        return jax.vmap(every_seating, in_axes=(None, 0, None))(params, keys, tables)

    return xla.jit(play_batch, split=True)


@functools.lru_cache(maxsize=8)
def _playouts(game: Game, agent: Any) -> Any:
    """Compile a batch of playouts: (params, states, decisions and actions, seed) -> returns."""

    def play_out(params: Any, states: Any, where: jax.Array, key: jax.Array) -> jax.Array:
        deal, seating, step, action = where
        state = jax.tree.map(lambda leaf: leaf[deal, seating, step], states)
        choose, start = chooser(game, agent, params, key, None), game.step(state, action)

        def once(carry: loops.Carry) -> loops.Carry:
            chosen, _ = choose(game, carry, stages.ANY)
            return game.step(carry[0], chosen), carry[1] + jnp.uint32(prng.PLACE_STEP)

        place = prng.place(prng.key_words(key), 0)
        # The batch ends with its longest deal.
        end, _ = jax.lax.while_loop(lambda carry: ~carry[0].terminated, once, (start, place))
        return game.returns(end)

    def play_all(params: Any, states: Any, where: jax.Array, seed: jax.Array) -> jax.Array:
        keys = deal_keys(seed, numbers(0, _LANES))
        return jax.vmap(play_out, in_axes=(None, None, 0, 0))(params, states, where, keys)

    return xla.jit(play_all, split=True)
