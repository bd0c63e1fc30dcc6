"""Features of observations as tests look at them: by name, as Booleans."""

from collections.abc import Sequence

import numpy as np

from jaxcards.cards.features import Feature


def by_name(table: Sequence[Feature], words: np.ndarray) -> dict[str, np.ndarray]:
    """Unpack uint32[..., words] into bool[..., size] for each feature of a table."""
    found = (words[..., None] >> np.arange(32, dtype=np.uint32)) & 1
    flat = found.reshape(*words.shape[:-1], -1).astype(bool)
    ends = np.cumsum([feature.size for feature in table])
    return {f.name: flat[..., end - f.size : end] for f, end in zip(table, ends, strict=True)}


def trumps_first(mode: int, cards: set[int], ranks: int) -> set[int]:
    """Exchange the trump suit and suit 0, in a deck with this number of ranks; 4 and more are not
    suits.
    """
    if mode > 3:
        return cards
    swap = {0: mode, mode: 0}
    return {ranks * swap.get(card // ranks, card // ranks) + card % ranks for card in cards}
