"""Batches of recorded deals, of any game; all stay in memory, some hundred bytes a deal."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np

from jaxcards.agents.learners.imitation.examples import Deals
from jaxcards.game import Game
from jaxcards.records.corpus import in_batches, read_corpus, split


class DealFeed:
    """A feed of deals; see `feeding.Feed`. Every pass has its own order.

    Args:
      path: the records; see `corpus.read_corpus`.
      game: of the deals.
      size: deals of a batch.
      held_out: fraction of the games.
      seed: determines which games these are, and every order.
    """

    def __init__(self, path: Path, game: Game, size: int, held_out: float, seed: int) -> None:
        self._corpus, self._size, self._seed = read_corpus(path, game), size, seed
        self._learned, self._held = split(self._corpus.games, held_out, seed)
        self.digest = self._corpus.digest()
        # A pass leaves out the deals of an incomplete last batch.
        self.per_epoch = max(len(self._learned) // self._size, 1)
        found = self._corpus
        self.about = (
            f"{path}: {len(found)} deals of {game.id}, {len(self._learned)} to learn from and "
            f"{len(self._held)} held out; {found.refused} records refused, "
            f"{found.others} deals of other rules"
            + (f"\nthe first refused record is {found.first}" if found.first else "")
        )

    def first(self, number: int) -> "DealFeed":
        """Return a feed that learns from the first `number` deals; the held-out deals are the same."""
        # A shallow copy: both feeds share the records.
        found = copy.copy(self)
        found._learned = self._learned[:number]
        found.per_epoch = max(len(found._learned) // self._size, 1)
        return found

    def batches(self, first: int) -> Iterator[Any]:
        """Yield the batches of the updates from `first` on."""
        epoch, number = divmod(first, self.per_epoch)
        while True:
            # Seed and pass determine the order, so that a resumed run sees the same batches.
            order = np.random.default_rng([self._seed, epoch]).permutation(self._learned)
            for place in range(number, self.per_epoch):
                # With fewer deals than a batch needs, repeat them.
                some = np.resize(order[place * self._size :], self._size)
                yield self._batch(some, np.ones(self._size, bool))
            epoch, number = epoch + 1, 0

    def held_out(self) -> Iterator[Any]:
        """Yield batches of all held-out deals."""
        for numbers, valid in in_batches(self._held, self._size):
            yield self._batch(numbers, valid)

    def _batch(self, numbers: np.ndarray, valid: np.ndarray) -> Deals:
        found = self._corpus
        arrays = jax.tree.map(lambda array: array[numbers], found.arrays)
        return Deals(arrays, found.calls_known[numbers], found.unknown[numbers], valid)
