"""Spread the work of a learner over devices: each plays its part of the deals.

The functions of an update run on every device; sums over `AXIS` make all devices agree.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

from jaxcards.xla import devices, prng

AXIS = "deals"
"""Name of the axis over which the deals are spread."""


def mesh(num_devices: int) -> Mesh:
    """Return the devices, in one axis."""
    return jax.make_mesh(
        (num_devices,), (AXIS,), axis_types=(AxisType.Auto,), devices=devices.first(num_devices)
    )


def place(num_devices: int, state: Any) -> Any:
    """Put a state onto all devices. Each process places it on its own devices."""
    sharding = NamedSharding(mesh(num_devices), PartitionSpec())
    if sharding.is_fully_addressable:
        return jax.device_put(state, sharding)
    # `device_put` would compare the values of all processes, array by array.
    return jax.tree.map(
        lambda x: jax.make_array_from_callback(x.shape, sharding, lambda index: x[index]), state
    )


def repeat(
    num_devices: int, update: Callable[[Any, Any], tuple[Any, Any]], num_updates: int
) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Return a function that does an update several times, on all devices.

    Args:
      num_devices: how many share the work.
      update: (state, value) -> (state, metrics), the part of one device; state and metrics must be the
        same on all of them.
      num_updates: the number of updates.

    Returns:
      (state, value) -> (state, means of the metrics).
    """

    def updates(state: Any, value: Any) -> tuple[Any, Any]:
        def one(state: Any, _: None) -> tuple[Any, Any]:
            return update(state, value)

        state, metrics = jax.lax.scan(one, state, length=num_updates)
        return state, jax.tree.map(lambda x: x.mean(), metrics)

    # Inputs are not split: every device has them whole, and `own_numbers` gives it other deals.
    everywhere = PartitionSpec()
    return jax.shard_map(
        updates,
        mesh=mesh(num_devices),
        in_specs=(everywhere, everywhere),
        out_specs=(everywhere, everywhere),
        check_vma=False,
    )


def own_numbers(num_devices: int, number: int) -> jax.Array:
    """Return this device's share of the numbers from 0 to below `number`: uint32[own], in order."""
    own = number // num_devices
    device = jax.lax.axis_index(AXIS).astype(jnp.uint32)
    # Consecutive deals lie on one device.
    return device * own + jnp.arange(own, dtype=jnp.uint32)


def keys_of(seed: int | jax.Array, update: jax.Array, numbers: jax.Array) -> prng.KeyWords:
    """Return the keys of the deals of an update: two uint32 arrays of the shape of `numbers`.

    Args:
      seed: of the run, a number or uint32.
      update: int32, the number of the update.
      numbers: uint32[deals], the deals of the update by number.
    """
    # Seed and update make a stream; the number of a deal selects its key.
    stream = prng.key_words(jnp.stack([jnp.uint32(seed), update.astype(jnp.uint32)]))

    def key(number: jax.Array) -> prng.KeyWords:
        first, second = prng.fold(stream, number)
        # `fold` gives all deals the same second word: mix the number in.
        return first, prng.mix(second ^ prng.mix(number))

    return jax.vmap(key)(numbers)
