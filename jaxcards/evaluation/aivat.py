"""Variance reduction by control variates: AIVAT at random choices, and the policies of searches.

Source: N. Burch, M. Schmid, M. Moravčík, D. Morrill and M. Bowling, "AIVAT: A New Variance Reduction
Technique for Agent Evaluation in Imperfect Information Games", AAAI 2018.

A player that draws its actions from known probabilities is sometimes lucky. Its luck at a decision is
the value of the chosen action, less the expectation of that value over all legal actions. The
expectation of luck is 0, whatever the values are. Here they are means of playouts by the same players.
Greedy players have no such luck.

A search plays much like its policy, which is faster. The difference of the policies in the same deals,
less its mean over further deals, is therefore another control variate. The factors of one half of the
deals are estimated on the other half, so the mean stays unbiased.
"""

import functools
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import loops, stages, xla
from jaxcards.errors import UserError
from jaxcards.evaluation.batches import batches, numbers
from jaxcards.evaluation.intervals import Interval, student_quantile
from jaxcards.evaluation.seatings import advantage, seatings
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.opponents.names import Opponent
from jaxcards.rollouts import chooser, deal_keys
from jaxcards.xla import prng

PLAYOUTS = 16  # for each likely action
EXTRA = 8  # further deals of policies for each deal of searches
_UNLIKELY = 0.003  # actions of a smaller probability have no playouts of their own
_PLAYOUT_SEED = 0x7F4A7C15  # keeps the random numbers of playouts and deals apart
_LANES = 128  # actions whose playouts are side by side
_BATCH = 64  # deals whose states are in memory


def check_reducible(game: Game, agents: Sequence[Any], params: Sequence[Any], plain: bool) -> None:
    """Raise `UserError` where no variance can be reduced. Only points and own calls are `plain`."""
    if isinstance(game, Match) or not plain:
        raise UserError("variance reduction excludes matches, scores, and calls by one player")
    pairs = combinations(zip(agents, params, strict=True), 2)
    if not any(any(means(*zip(*pair, strict=True))) for pair in pairs):
        raise UserError(
            "no variance can be reduced between these players: name random, a sampled network, or a "
            "search against another policy, without players of other engines"
        )


def means(agents: tuple[Any, Any], params: tuple[Any, Any]) -> tuple[bool, bool]:
    """Return whether a pair has luck to remove, and policies to stand in for searches."""
    if any(isinstance(agent, Opponent) for agent in agents):
        return False, False
    fast, own = policies(agents, params)
    # Of equal policies the difference is 0 in every deal: it explains nothing.
    equal = fast[0] == fast[1] and jax.tree.all(jax.tree.map(np.array_equal, *own))
    return any(map(has_luck, agents)), fast != agents and not equal


def has_luck(agent: Any) -> bool:
    """Return whether an agent draws its actions from probabilities that it names."""
    return hasattr(agent, "probabilities") and not getattr(agent, "greedy", False)


def policies(agents: tuple[Any, Any], params: tuple[Any, Any]) -> Any:
    """Return (A and B, their parameters) where policies play for searches."""

    def policy(agent: Any, own: Any) -> tuple[Any, Any]:
        return agent.without_search(own) if hasattr(agent, "without_search") else (agent, own)

    return tuple(zip(*map(policy, agents, params), strict=True))


def adjusted(differences: np.ndarray, controls: np.ndarray, more: np.ndarray) -> Interval:
    """Return the mean of differences less their regression on control variates, with its interval.

    Args:
      differences: float64[n].
      controls: float64[n, k], of expectation 0.
      more: float64[m], the deals whose mean the last control variate leaves out; zeros without.
    """
    # The factors for the even deals are the least squares of the odd ones, and the reverse.
    residuals, factors = differences.copy(), []
    for half in (0, 1):
        mine, other = slice(half, None, 2), slice(1 - half, None, 2)
        # Centred, so that the fit has a constant as well.
        centred, target = (part - part.mean(axis=0) for part in (controls[other], differences[other]))
        factors.append(np.linalg.lstsq(centred, target, rcond=None)[0])
        residuals[mine] -= controls[mine] @ factors[-1]
    # The mean that is left out is itself an estimate.
    of_mean = np.mean(factors, axis=0)[-1] ** 2 * more.var(ddof=1) / len(more)
    variance = residuals.var(ddof=1) / len(residuals) + of_mean
    mean, half_width = residuals.mean(), student_quantile(len(residuals) - 1) * variance**0.5
    return Interval(float(mean), float(mean - half_width), float(mean + half_width))


def luck(game: Game, agents: Any, params: Any, num_deals: int, seed: int, title: str) -> np.ndarray:
    """Return the luck of A less that of B in each deal: float64[num_deals], of expectation 0.

    The arguments are those of `duplicate.evaluate`, whose deals are played again.
    """
    size = min(getattr(agent, "largest_batch", _BATCH) for agent in agents)
    fast, own = policies(agents, params)
    record, play_out, of_deals = _recorder(game, agents, size), _playouts(game, fast), []
    for first, count in batches(num_deals, size, title):
        begin = jnp.uint32(seed), jnp.uint32(first)
        states, chance, action = record(params, *begin)
        chance = np.asarray(chance)[:count]
        # places: int32[n, 4], deal, seating, step and action of each action with playouts.
        places = np.argwhere(chance).astype(np.int32)
        # Late decisions, whose playouts are short, are together.
        places = places[np.argsort(places[:, 2], kind="stable")]
        values = [np.zeros((0, game.num_players))]
        for part in range(0, len(places), _LANES):
            # A short last part repeats its rows; their values are cut off below.
            padded = np.resize(places[part : part + _LANES], (_LANES, 4))
            values.append(np.asarray(play_out(own, states, padded, *begin)))
        where = tuple(places.T)
        # 1 - p for the chosen action and -p for the others: the weighted sum of the values is the luck.
        weight = (where[3] == np.asarray(action)[where[:3]]) - chance[where].astype(np.float64)
        lucky = np.zeros((*chance.shape[:2], game.num_players))
        # Many steps and actions add to the same deal and seating, which `+=` would not do.
        np.add.at(lucky, where[:2], weight[:, None] * np.concatenate(values)[: len(places)])
        of_deals.append(advantage(game, lucky))
    return np.concatenate(of_deals)


@functools.lru_cache(maxsize=8)
def _recorder(game: Game, agents: tuple[Any, Any], size: int) -> Any:
    """Compile a batch of recorded deals.

    Returns:
      (params, seed, first deal) -> states, the probabilities of their actions, and the actions; each of
      shape [deals, seatings, steps, …]. Probabilities are 0 where the action has no luck.
    """

    def play_seating(params: Any, key: jax.Array, seats: jax.Array) -> tuple[Any, ...]:
        choose = chooser(game, agents, params, key, seats)

        def once(carry: loops.Carry, _: None) -> tuple[loops.Carry, Any]:
            # The random numbers are those of `rollout`, so these are the deals of the evaluation.
            state, place = carry
            action, (player, *seen) = choose(game, carry, stages.ANY)
            of_a, of_b = (
                agent.probabilities(own, *seen) if has_luck(agent) else jnp.zeros(game.num_actions)
                for agent, own in zip(agents, params, strict=True)
            )
            chance = jnp.where(seats[player] == 0, of_a, of_b)
            # An unlikely action has the value of the likeliest one: any value is unbiased.
            kept = jnp.where(chance < _UNLIKELY, 0, chance)
            taken = jnp.where(kept[action] > 0, action, kept.argmax())
            # The likeliest action also gets the probability of the unlikely ones.
            kept = kept.at[kept.argmax()].add(1 - kept.sum())
            # A forced action has no luck.
            lucky = ~state.terminated & (chance.sum() > 0) & ((kept > 0).sum() > 1)
            after = game.step(state, action), place + jnp.uint32(prng.PLACE_STEP)
            return after, (state, jnp.where(lucky, kept, 0), taken)

        start = game.init(key), prng.place(prng.key_words(key), 0)
        return jax.lax.scan(once, start, length=game.max_steps)[1]  # type: ignore[no-any-return]

    def play_batch(params: Any, seed: jax.Array, first: jax.Array) -> Any:
        every_deal = jax.vmap(jax.vmap(play_seating, in_axes=(None, None, 0)), in_axes=(None, 0, None))
        return every_deal(params, deal_keys(seed, numbers(first, size)), jnp.asarray(seatings(game)))

    return xla.jit(play_batch, split=True)


@functools.lru_cache(maxsize=8)
def _playouts(game: Game, agents: tuple[Any, Any]) -> Any:
    """Compile a batch of playouts.

    Returns:
      (params, recorded states, int32[lanes, 4]: deal, seating, step, action; seed, first deal) -> the
      mean returns after the actions: float32[lanes, num_players].
    """
    tables = jnp.asarray(seatings(game))

    def value(params: Any, states: Any, row: jax.Array, seed: jax.Array, first: jax.Array) -> jax.Array:
        deal, seating, step, action = row
        state = jax.tree.map(lambda leaf: leaf[deal, seating, step], states)
        start = game.step(state, action)

        def play_out(key: jax.Array) -> jax.Array:
            choose = chooser(game, agents, params, key, tables[seating])

            def once(carry: loops.Carry) -> loops.Carry:
                action, _ = choose(game, carry, stages.ANY)
                return game.step(carry[0], action), carry[1] + jnp.uint32(prng.PLACE_STEP)

            begin = start, prng.place(prng.key_words(key), 0)
            end, _ = jax.lax.while_loop(lambda carry: ~carry[0].terminated, once, begin)
            return game.returns(end)

        # Each decision has its own random numbers. Its actions share them, so that they compare well.
        number = ((first + deal) * len(tables) + seating) * game.max_steps + step
        keys = deal_keys(seed ^ jnp.uint32(_PLAYOUT_SEED), numbers(number * PLAYOUTS, PLAYOUTS))
        return jax.vmap(play_out)(keys).mean(axis=0)

    return xla.jit(jax.vmap(value, in_axes=(None, None, 0, None, None)), split=True)
