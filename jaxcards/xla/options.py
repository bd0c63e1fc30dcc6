"""Compiler options for speed."""

from collections.abc import Callable
from typing import Any

import jax

# By default XLA uses half of an AVX-512 register. A step of a game is pure integer arithmetic on
# vectors, which is faster on whole registers. Machines without AVX-512 ignore the option.
_WHOLE_VECTORS = {"xla_cpu_prefer_vector_width": 512}
# By default XLA cuts each operation into a piece for every core, and runs independent operations on any
# free core. The operations of a step are too small for this: most time goes into waiting and into
# fetching data from the other core's cache. The first option keeps operations whole. The second reuses
# memory as soon as possible. Operations that share memory then run one after the other, and so on one
# core. Figures: docs/report.md, "Options of the compiler".
_WHOLE_OPERATIONS = {
    "xla_disable_hlo_passes": "cpu-parallel-task-assigner",
    "xla_cpu_scheduler_type": "CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED",
}


def compiler_options(*, split: bool = False) -> dict[str, Any]:
    """Return the fastest compiler options for playing; {} on devices other than CPUs.

    Args:
      split: let every operation spread over all cores. This suits a single device with wide
        operations, such as those of a network for thousands of deals. By default a device keeps to one
        core, except in products of matrices, and a batch is split over one device for each core.
    """
    if jax.default_backend() != "cpu":
        return {}
    return _WHOLE_VECTORS if split else _WHOLE_VECTORS | _WHOLE_OPERATIONS


def jit(function: Callable[..., Any], *, split: bool = False, **kwargs: Any) -> Any:
    """Return `jax.jit(function, **kwargs)` with `compiler_options(split=split)`.

    JAX takes such options only for the outermost compiled function. Inside another compiled function,
    use `jax.jit`.
    """
    return jax.jit(function, compiler_options=compiler_options(split=split), **kwargs)
