"""Checks of arguments: of types and shapes, and of values that are known while tracing."""

from typing import Any

import jax
import numpy as np

from jaxcards.errors import UserError, quote


def known(value: Any) -> int | None:
    """Return a single integer as a Python int, or None if reading it could cost time.

    A traced value is not known yet. To read an array of an accelerator, the host would have to wait.
    """
    if isinstance(value, jax.core.Tracer):
        return None
    if isinstance(value, jax.Array):
        # An array that is spread over several processes has parts that this one cannot read.
        on_host = value.is_fully_addressable and all(d.platform == "cpu" for d in value.devices())
        return int(value) if on_host else None
    return int(value)


def is_integer(value: Any) -> bool:
    """Return whether a value is a single integer: of Python, NumPy or JAX, traced or not."""
    if isinstance(value, (int, np.integer)):
        # In Python a bool is an int, but True is not the number of a card or a seat.
        return not isinstance(value, bool)
    # A NumPy or JAX scalar, traced or not: its dtype tells, without reading the value.
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    return kind in ("i", "u") and value.ndim == 0


def describe(value: Any) -> str:
    """Return dtype and shape of an array, such as "float32[43]"; for other values see `quote`."""
    # A known scalar is quoted with its value, which says more than its dtype.
    if hasattr(value, "dtype") and (value.ndim or isinstance(value, jax.core.Tracer)):
        return f"{value.dtype}{list(value.shape)}"
    return quote(value)


def check_integer(name: str, value: Any, what: str = "an int") -> None:
    """Raise `UserError` unless an argument is a single integer."""
    if not is_integer(value):
        batch = "; use jax.vmap for a batch" if getattr(value, "ndim", 0) else ""
        raise UserError(f"{name} must be {what}, not {describe(value)}{batch}")


def check_range(name: str, value: Any, limit: int, *, lowest: int = 0) -> None:
    """Raise `UserError` unless an argument is an int from `lowest` to `limit - 1`.

    The value is checked only if it is `known`; type and shape always are.
    """
    what = f"an int from {lowest} to {limit - 1}"
    check_integer(name, value, what)
    number = known(value)
    if number is not None and not lowest <= number < limit:
        raise UserError(f"{name} must be {what}, not {number}")
