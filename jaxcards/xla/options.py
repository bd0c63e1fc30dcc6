"""Compiling for speed."""

from collections.abc import Callable
from typing import Any

import jax

# XLA uses half of an AVX-512 register unless told otherwise; a step of a game is pure integer
# arithmetic on vectors and runs up to twice as fast on whole ones. Machines without AVX-512 ignore it.
_WHOLE_VECTORS = {"xla_cpu_prefer_vector_width": 512}
# XLA cuts each operation into a piece for every core, and hands operations that do not wait for each
# other to whichever core is free. Those of a step are so small that most of the time goes into
# waiting and into fetching what lies in the other core's cache: two devices on two cores were 1.45 to
# 1.66 times as fast as one. With whole operations they were 1.64 to 1.80 times as fast as one core, and
# 1.77 to 1.93 times with memory used again as soon as possible: few operations need not wait then.
_WHOLE_OPERATIONS = {
    "xla_disable_hlo_passes": "cpu-parallel-task-assigner",
    "xla_cpu_scheduler_type": "CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED",
}


def compiler_options(*, split: bool = False) -> dict[str, Any]:
    """Returns the options of the compiler that playing runs fastest with; none but on a CPU.

    Args:
      split: let every operation spread over all cores. That suits a single device which does wide
        work, such as a network for thousands of deals. By default a device keeps to one core, but
        for products of matrices, and as many devices as cores share a batch.
    """
    if jax.default_backend() != "cpu":
        return {}
    return _WHOLE_VECTORS if split else _WHOLE_VECTORS | _WHOLE_OPERATIONS


def jit(function: Callable[..., Any], *, split: bool = False, **kwargs: Any) -> Any:
    """Returns `jax.jit(function, **kwargs)` with `compiler_options(split=split)`.

    JAX takes such options only for the outermost compiled function: inside of another one use
    `jax.jit`.
    """
    return jax.jit(function, compiler_options=compiler_options(split=split), **kwargs)
