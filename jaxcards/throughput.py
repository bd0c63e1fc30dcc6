"""Random play at the highest speed: what engines are compared by.

One compiled loop plays batch after batch; the host only starts it. Keys are made inside of it from a
counter, which costs nothing next to the deal; a loop over stacked keys lost half of the speed.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards import compile, prng
from jaxcards.agents.random import RandomAgent
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.rollout import rollout

_IN_CACHE = 4096  # deals whose states fit the cache of a core; more are played in parts
_FIRST, _SECOND = 0x243F6A88, 0x9E3779B9  # keep seed 0 and deal 0 apart: the hash maps 0 to 0


class Tally(NamedTuple):
    """What came of many deals.

    Attributes:
      points: int32[batch, num_players], `Game.points` summed over the deals of each place in the
        batch. Add them up as 64-bit integers on the host.
      lowest: int32, the smallest sum of `Game.progress` over the players of a deal.
      highest: int32, the largest such sum. Equal to `lowest` in games in which every deal gives away
        the same card points.
      unfinished: int32, deals that were not over after `game.max_steps` decisions: 0.
    """

    points: jax.Array
    lowest: jax.Array
    highest: jax.Array
    unfinished: jax.Array


def random_play(game: Game, batch: int, num_batches: int) -> jax.stages.Wrapped:
    """Returns a compiled function from a uint32 seed to the `Tally` of `batch * num_batches` deals.

    Everyone plays `RandomAgent`, through the public `rollout`. It is a `jax.jit` function: calling
    it returns before the deals are played, so wait (`jax.block_until_ready`) before reading a clock.

    Args:
      game: what is played.
      batch: deals side by side.
      num_batches: batches one after the other.

    Raises:
      UserError: if the deals of one seed would be 2**32 or more, or less than one.
    """
    check_sizes(batch, num_batches)
    agent = RandomAgent()
    side_by_side = min(batch, _IN_CACHE) if jax.default_backend() == "cpu" else batch

    def play(key: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        done = rollout(game, agent, (), key)
        return done.points, game.progress(done.state).sum(), ~done.state.terminated

    def lanes_from(seed: jax.Array, first_lane: jax.Array, lanes: int) -> Tally:
        """Plays some places of all batches; the entries of the tally are one for each place."""
        # A sum over places inside the loop would be a barrier.
        zeros = jnp.zeros(lanes, jnp.int32)
        limits = jnp.iinfo(jnp.int32)
        points = jnp.zeros((lanes, game.num_players), jnp.int32)
        start = Tally(points, zeros + limits.max, zeros + limits.min, zeros)

        def one_batch(number: jax.Array, tally: Tally) -> Tally:
            first = number.astype(jnp.uint32) * jnp.uint32(batch) + first_lane
            keys = counter_keys(seed, first + jnp.arange(lanes, dtype=jnp.uint32))
            points, total, unfinished = jax.vmap(play)(keys)
            return Tally(
                tally.points + points,
                jnp.minimum(tally.lowest, total),
                jnp.maximum(tally.highest, total),
                tally.unfinished + unfinished,
            )

        return jax.lax.fori_loop(0, num_batches, one_batch, start)

    def play_all(seed: jax.Array) -> Tally:
        whole, rest = divmod(batch, side_by_side)
        firsts = jnp.arange(whole, dtype=jnp.uint32) * side_by_side
        parts = jax.lax.map(lambda first: lanes_from(seed, first, side_by_side), firsts)
        tally = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), parts)
        if rest:
            last = lanes_from(seed, jnp.uint32(batch - rest), rest)
            tally = jax.tree.map(lambda a, b: jnp.concatenate([a, b]), tally, last)
        return Tally(tally.points, tally.lowest.min(), tally.highest.max(), tally.unfinished.sum())

    return compile.jit(play_all)


def check_sizes(batch: int, num_batches: int) -> None:
    """Raises `UserError` if the deals of one seed would be 2**32 or more, or less than one."""
    if batch < 1 or num_batches < 1 or batch * num_batches >= 2**32:
        raise UserError(
            f"batch and num_batches must be at least 1 and their product below 2**32, "
            f"not {batch} and {num_batches}"
        )


def counter_keys(seed: jax.Array, numbers: jax.Array) -> jax.Array:
    """Returns raw keys, uint32[n, 2], of the deals `numbers` (uint32[n]) of a uint32 seed.

    Cheaper than `jax.random.fold_in`, by the hash of `jaxcards.prng`. Both words depend on both
    numbers, and deals of one seed never share a key: the first word is a bijection of the number.
    """
    return jnp.stack(counter_words(jnp.asarray(seed, jnp.uint32), numbers), axis=-1)


def counter_words(seed: jax.Array, numbers: jax.Array) -> prng.KeyWords:
    """Returns the first and the second words of `counter_keys`: uint32[n] each."""
    mixed = prng.mix(seed + jnp.uint32(_FIRST))
    first = prng.mix(mixed ^ prng.mix(numbers + jnp.uint32(_SECOND)))
    return first, prng.mix(mixed + numbers)
