"""Functions that are traced once in a process, for all programs that call them."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax

from jaxcards.xla.fence import are_left_out


def traced_once(static_argnums: Sequence[int]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function whose Python code takes long and is run often for arguments of a kind.

    What is compiled is the same as without it: the operations are put into the program that calls. JAX
    remembers them for the shapes of the arrays, for the static arguments, and apart for programs
    `without_fences`.

    Args:
      static_argnums: positions of hashable arguments that are no arrays. Arguments have no names.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        def traced(_: bool, *args: Any) -> Any:
            return function(*args)

        shifted = (0, *(number + 1 for number in static_argnums))
        traced = jax.jit(traced, static_argnums=shifted, inline=True)

        @functools.wraps(function)
        def call(*args: Any) -> Any:
            return traced(are_left_out(), *args)

        return call

    return decorate
