"""What makes processes that tests start compile fast, and run slowly."""

import os

from jaxcards.testing.deals import quick_options


def environment(**more: str) -> dict[str, str]:
    """Returns the variables of this process, with the flags of XLA, and more of them."""
    flags = [f"--{name}={str(value).lower()}" for name, value in quick_options().items()]
    return os.environ | {"XLA_FLAGS": " ".join(flags)} | more
