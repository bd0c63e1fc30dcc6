"""The rules of a made-up game, for tests of the code around the games. Imports no JAX."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Rules:
    tosses: int = 3
    fair: bool = True
    side: Literal["heads", "tails"] = "heads"
    weights: tuple[int, ...] = (1, 1)

    def __post_init__(self) -> None:
        if self.tosses < 1:
            raise ValueError(f"tosses must be at least 1,\nnot {self.tosses}")


PRESETS = {"short": Rules(), "long": Rules(tosses=100)}
VERSIONS = {"long": 2}
DEFAULT_PRESET = "short"
PRESET_DESCRIPTIONS = {"short": "three tosses", "long": "a hundred tosses"}
