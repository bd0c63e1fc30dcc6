"""Values that XLA computes once, however many results depend on them."""

import contextlib
import contextvars
from collections.abc import Iterator

import jax
import jax.numpy as jnp


def fence(value: jax.Array) -> jax.Array:
    """Returns a number as it is, computed once however many results depend on it, at no cost.

    XLA's CPU backend copies the computation of a value into every output that uses it: a step of a
    game writes a dozen leaves that all depend on the chosen card, so the legal set and the choice
    would be computed a dozen times. `optimization_barrier` acts before fusion and does not help. An
    integer division counts as expensive and is never copied, so this is one, by a number from 1 to 1:
    XLA does not see through that, but LLVM does, and divides nothing. A float32 is fenced bit for bit.

    Args:
      value: of any integer type, or float32.
    """
    if not _fencing.get():
        return value
    if value.dtype == jnp.float32:
        bits = jax.lax.bitcast_convert_type(value, jnp.int32)
        return jax.lax.bitcast_convert_type(fence(bits), jnp.float32)
    one = jnp.ones((), value.dtype)
    return jax.lax.div(value, jax.lax.clamp(one, value, one))


_fencing = contextvars.ContextVar("fencing", default=True)


@contextlib.contextmanager
def without_fences() -> Iterator[None]:
    """Leaves out every `fence` in what is traced inside.

    For compilers that copy nothing, such as that of a GPU kernel. JAX does not know of
    this when it looks for a trace to use again: trace a new function in here.
    """
    token = _fencing.set(False)
    try:
        yield
    finally:
        _fencing.reset(token)
