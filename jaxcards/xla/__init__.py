"""Work-arounds that make XLA produce fast code; independent of card games.

Each function computes the same values as one plain line of JAX, but XLA compiles that line to slower
code. A change here must keep the values, and `benchmarks/turns.py` must show no loss of speed.
"""

from jaxcards.xla.fence import fence, without_fences
from jaxcards.xla.options import compiler_options, jit

__all__ = ["compiler_options", "fence", "jit", "without_fences"]
