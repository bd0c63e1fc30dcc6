"""What makes XLA fast, and nothing else: no word of cards.

Each function gives the same values as one plain line of JAX, which XLA compiles to something slower. A
change here must keep the values, and `benchmarks/turns.py` must show no loss of speed.
"""

from jaxcards.xla.fence import fence, without_fences
from jaxcards.xla.options import compiler_options, jit

__all__ = ["compiler_options", "fence", "jit", "without_fences"]
