"""What makes XLA fast, and nothing else: no word of cards.

Each function has a plain twin of a line that gives the same values; this package exists because XLA
compiles that line into something slower. Change what you like here, as long as the values stay and
`benchmarks/turns.py` shows no loss.
"""

from jaxcards.xla.fence import fence, without_fences
from jaxcards.xla.options import compiler_options, jit

__all__ = ["compiler_options", "fence", "jit", "without_fences"]
