"""Values that XLA computes once, however many results depend on them."""

import contextlib
import contextvars
from collections.abc import Iterator

import jax
import jax.numpy as jnp


def fence(value: jax.Array) -> jax.Array:
    """Return the numbers `value` unchanged, bit for bit, and make XLA compute them once.

    XLA's CPU backend copies the computation of a value into every output that uses it: a step of a
    game writes many leaves that depend on the chosen card, and each would compute the legal set and the
    choice again. `optimization_barrier` acts before fusion and does not help. XLA takes an integer
    division to be expensive and never copies it. So a fence divides by `clamp(1, value, 1)`: XLA does
    not see that this is 1, but LLVM does, and removes the division.

    Args:
      value: of any integer type, or float32, whose bits are fenced.
    """
    if not _fencing.get():
        return value
    # Division is an operation of integers, so fence the bits of a float.
    if value.dtype == jnp.float32:
        bits = jax.lax.bitcast_convert_type(value, jnp.int32)
        return jax.lax.bitcast_convert_type(fence(bits), jnp.float32)
    # The divisor is 1 for every value, which XLA cannot see.
    one = jnp.ones((), value.dtype)
    return jax.lax.div(value, jax.lax.clamp(one, value, one))


_fencing = contextvars.ContextVar("fencing", default=True)


@contextlib.contextmanager
def without_fences() -> Iterator[None]:
    """Leave out every `fence` while a function is traced in this context.

    This measures what fences cost or gain. The cache of JAX's traces does not
    depend on this context: trace a new function in it. That of `traced_once` does.
    """
    token = _fencing.set(False)
    try:
        yield
    finally:
        _fencing.reset(token)


def are_left_out() -> bool:
    """Return whether fences are disabled by `without_fences`."""
    return not _fencing.get()
