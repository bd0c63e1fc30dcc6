"""Compiles fast, for programs that run once: here and in processes that tests start."""

import os
from typing import Any

from jaxcards.testing.deals import quick_jit, quick_options


def jit(function: Any, *, split: bool = False, **kwargs: Any) -> Any:
    """Replace `jaxcards.xla.jit` in tests."""
    return quick_jit(function, **kwargs)


def environment(**more: str) -> dict[str, str]:
    """Return the variables of this process, with the flags of XLA, and more of them."""
    flags = [f"--{name}={str(value).lower()}" for name, value in quick_options().items()]
    return os.environ | {"XLA_FLAGS": " ".join(flags)} | more
