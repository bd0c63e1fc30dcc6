"""Tracing: functions that are traced once in a process, and the size of what was traced."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.extend.core import jaxprs_in_params

from jaxcards.xla.fence import are_left_out


def traced_once(static_argnums: Sequence[int]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function that is slow to trace and often called with arguments of the same kind.

    The compiled code is the same as without the decorator: the operations become part of the calling
    program. JAX caches them by the shapes of the arrays and by the static arguments. Programs
    `without_fences` have a separate cache.

    Args:
      static_argnums: positions of hashable arguments that are not arrays. Pass arguments by position.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        # The first argument only separates JAX's cache: programs with and without fences differ.
        def traced(_: bool, *args: Any) -> Any:
            return function(*args)

        # All positions move by one, because of the added argument.
        shifted = (0, *(number + 1 for number in static_argnums))
        traced = jax.jit(traced, static_argnums=shifted, inline=True)

        @functools.wraps(function)
        def call(*args: Any) -> Any:
            return traced(are_left_out(), *args)

        return call

    return decorate


def count_equations(jaxpr: Any) -> int:
    """Return the number of equations of a jaxpr; those inside calls and loops count once."""
    total = 0
    for equation in jaxpr.eqns:
        inner = list(jaxprs_in_params(equation.params))
        total += sum(map(count_equations, inner)) if inner else 1
    return total
