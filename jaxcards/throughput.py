"""Many deals at the highest speed, for comparing engines.

One compiled loop plays batch after batch; the host only starts it. Keys are made inside the loop from a
counter, which costs nothing next to the deal; reading keys from an array in memory would cost time.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, Mesh, PartitionSpec

from jaxcards import xla
from jaxcards.agent import Agent, RandomAgent
from jaxcards.cards.arguments import check_integer
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.rollouts import Rollout, deal_keys, play_deal
from jaxcards.xla.fence import fence
from jaxcards.xla.pytrees import pytree

IN_CACHE = 4096  # deals whose states fit the cache of a core; more are played in parts
_AXIS = "deals"


@pytree
class Tally(NamedTuple):
    """Sums and extremes over many deals.

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


Tallied = tuple[Tally, jax.Array | None]
"""A tally, and a checksum of the other results that stops XLA from removing the work.

The checksum is uint32[batch], the sum over the deals of each place modulo 2**32, or None.
"""

Play = Callable[[Any, jax.Array, jax.Array], Tallied]
"""(operand, key of a deal, uint32 number of its batch) -> the result of this deal.

Leaves have no batch axis. Operand and number are the same for all deals of a batch.
"""

Part = Callable[[Any, jax.Array, jax.Array, int], Any]
"""Some places of a batch, computed side by side.

(operand, uint32 seed, uint32 number of the first place, static number of places) -> a pytree whose
leaves have a leading axis of these places.
"""


def staged_rollout(
    game: Game,
    agents: Agent | Sequence[Agent],
    params: Any,
    key: jax.Array,
    *,
    state: Any = None,
    seats: jax.Array | Sequence[int] | None = None,
    round: Any = None,
    check: bool | None = None,
) -> Rollout:
    """Play one deal to its end, with every stage of `Game.schedule` compiled separately.

    The result is that of `rollout`. Playing is faster; compiling is slower, because each stage has a
    copy of the agents.

    Args:
      game, agents, params, key, seats, check: as for `rollout`.
      state: the first state, the beginning of a deal or a match at one; a fresh deal from `key` if
        None.
      round: the round of the deal, an int or int scalar below `Game.num_rounds`, in games whose deals
        differ in length from round to round. If it is the same for a whole batch (`in_axes=None`), the
        batch takes the time of that round instead of the longest. By default a random one. With
        `state`, the round of that state.

    Raises:
      UserError: see `rollout`; and if the round does not exist.
    """
    return play_deal(game, agents, params, key, state, seats, staged=True, round=round, check=check)


def random_play(game: Game, batch: int, num_batches: int, devices: int = 1) -> jax.stages.Wrapped:
    """Return a compiled function from a uint32 seed to the `Tally` of `batch * num_batches` deals.

    Every player is `RandomAgent`, through the public `rollout`. If a game has rounds
    (`Game.num_rounds`), every batch is of one round, and batches take the rounds in turn. The result is
    a `jax.jit` function: calling it returns before the deals are played, so wait
    (`jax.block_until_ready`) before reading a clock.

    Args:
      game: the game to play.
      batch: deals side by side, on all devices together.
      num_batches: batches one after the other.
      devices: how many devices share a batch evenly; the deals are the same for any number.

    Raises:
      UserError: if the number of deals of one seed is not from 1 to 2**32 - 1, or if there are fewer
        devices, or they cannot share a batch evenly.
    """
    check_sizes(batch, num_batches)
    run = tallied(random_deal(game), batch, devices)
    return xla.jit(lambda seed: run((), seed, num_batches)[0])


def random_deal(game: Game) -> Play:
    """Return the play of one deal by `RandomAgent`; its operand is ignored."""

    def play(operand: Any, key: jax.Array, number: jax.Array) -> Tallied:
        del operand
        round = round_of(game, number)
        return tally_of(game, staged_rollout(game, RandomAgent(), (), key, round=round))

    return play


def round_of(game: Game, number: jax.Array) -> jax.Array | None:
    """Return the round of the batch with this number (uint32): uint32; None in games without rounds."""
    return number % jnp.uint32(game.num_rounds) if game.num_rounds > 1 else None


def tally_of(game: Game, done: Rollout, used: jax.Array | None = None) -> Tallied:
    """Return the tally of one finished deal."""
    total = fence(game.progress(done.state).sum())  # fenced, because the tally uses it twice
    unfinished = (~done.state.terminated).astype(jnp.int32)
    return Tally(done.points, total, total, unfinished), used


def tallied(
    play: Play, batch: int, devices: int = 1, in_cache: int = IN_CACHE
) -> Callable[[Any, jax.Array, int], Tallied]:
    """Return a function, to be compiled, from (operand, seed, number of batches) to a tally.

    The number of batches should be static: with a traced one, XLA makes a slower loop.

    Args:
      play: one deal.
      batch, devices: see `random_play`.
      in_cache: deals that a core plays side by side; a larger batch is played in parts of this size.

    Raises:
      UserError: see `random_play`.
    """
    check_sizes(batch, 1)
    check_devices(batch, devices)
    play = jax.jit(play)  # traced once, for its result and for the loop

    def run(operand: Any, seed: jax.Array, num_batches: int) -> Tallied:
        def part(operand: Any, seed: jax.Array, first_place: jax.Array, places: int) -> Tallied:
            def one_batch(number: jax.Array, so_far: Tallied) -> Tallied:
                # Deals are numbered batch by batch, so that parts and devices do not change their keys.
                first = number.astype(jnp.uint32) * jnp.uint32(batch) + first_place
                keys = deal_keys(seed, first + jnp.arange(places, dtype=jnp.uint32))
                play_all = jax.vmap(play, in_axes=(None, 0, None))
                return _add(so_far, play_all(operand, keys, number.astype(jnp.uint32)))

            key = jax.ShapeDtypeStruct((2,), jnp.uint32)
            start = _nothing(jax.eval_shape(play, operand, key, jnp.uint32(0)), places)
            return jax.lax.fori_loop(0, num_batches, one_batch, start)

        tally, used = in_parts(part, batch, devices, in_cache)(operand, seed)
        lowest, highest = tally.lowest.min(), tally.highest.max()
        return Tally(tally.points, lowest, highest, tally.unfinished.sum()), used

    return run


def _nothing(deal: Tallied, places: int) -> Tallied:
    """Return the tally of zero deals at each place."""
    # A sum over places inside the loop would be a barrier, so each place has its own.
    tally, used = jax.tree.map(lambda leaf: jnp.zeros((places, *leaf.shape), leaf.dtype), deal)
    limits = jnp.iinfo(tally.lowest.dtype)
    # Begin with the limits of the type, which any deal replaces.
    low, high = tally.lowest + limits.max, tally.highest + limits.min
    return tally._replace(lowest=low, highest=high), used


def _add(so_far: Tallied, deals: Tallied) -> Tallied:
    """Return the tally of each place with one more deal."""
    (tally, _), (deal, _) = so_far, deals
    total, used = jax.tree.map(jnp.add, so_far, deals)
    low, high = jnp.minimum(tally.lowest, deal.lowest), jnp.maximum(tally.highest, deal.highest)
    return total._replace(lowest=low, highest=high), used


def in_parts(
    part: Part, batch: int, devices: int = 1, in_cache: int = IN_CACHE
) -> Callable[[Any, jax.Array], Any]:
    """Return a function of (operand, seed) that computes all places of a batch, shared among devices.

    On a CPU a device computes `in_cache` places at a time, so that their results stay in the cache of
    its core; other devices take all their places at once.

    Raises:
      UserError: if there are fewer devices, or they cannot share the batch evenly.
    """
    check_devices(batch, devices)
    own = batch // devices
    side_by_side = min(own, in_cache) if jax.default_backend() == "cpu" else own
    whole, rest = divmod(own, side_by_side)

    def on_one(operand: Any, seed: jax.Array, first: jax.Array) -> Any:
        firsts = first + jnp.arange(whole, dtype=jnp.uint32) * side_by_side
        parts = jax.lax.map(lambda start: part(operand, seed, start, side_by_side), firsts)
        # From [parts, places of a part, ...] to [places, ...].
        done = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), parts)
        if not rest:
            return done
        # The rest of the places, fewer than a part.
        last = part(operand, seed, first + jnp.uint32(own - rest), rest)
        return jax.tree.map(lambda a, b: jnp.concatenate([a, b]), done, last)

    def on_each(operand: Any, seed: jax.Array) -> Any:
        # Each device has a block of places of its own.
        return on_one(operand, seed, jax.lax.axis_index(_AXIS).astype(jnp.uint32) * own)

    if devices == 1:
        return lambda operand, seed: on_one(operand, seed, jnp.uint32(0))
    mesh = Mesh(jax.devices()[:devices], (_AXIS,), axis_types=(AxisType.Auto,))
    everywhere, spread = PartitionSpec(), PartitionSpec(_AXIS)
    return jax.shard_map(
        on_each, mesh=mesh, in_specs=(everywhere, everywhere), out_specs=spread, check_vma=False
    )


def check_sizes(batch: int, num_batches: int) -> None:
    """Raise `UserError` unless the number of deals of one seed is from 1 to 2**32 - 1."""
    for name, number in (("batch", batch), ("num_batches", num_batches)):
        check_integer(name, number)
    if batch < 1 or num_batches < 1 or batch * num_batches >= 2**32:
        raise UserError(
            f"batch and num_batches must be at least 1 and their product below 2**32, "
            f"not {batch} and {num_batches}"
        )


def check_devices(batch: int, devices: int) -> None:
    """Raise `UserError` if there are fewer devices, or they cannot share a batch evenly."""
    check_integer("devices", devices)
    if not 1 <= devices <= jax.device_count():
        raise UserError(f"devices must be 1 to {jax.device_count()} here, not {devices}")
    if batch % devices:
        raise UserError(f"a batch of {batch} cannot be shared evenly by {devices} devices")
