"""Batches of rows of Swisslos data, read from their HDF5 file while the devices learn."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jaxcards.agents.learners.imitation.examples import Integers
from jaxcards.errors import UserError
from jaxcards.files import check_input
from jaxcards.records import swisslos
from jaxcards.records.corpus import split
from jaxcards.records.formats import SWISSLOS, format_to_read
from jaxcards.records.hdf5_parts import DAMAGE, one_line, open_file
from jaxcards.records.swisslos_layout import (
    HAND,
    HAND_SIZE,
    NUM_CARDS,
    NUM_TRUMPS,
    TRUMP,
    as_observed,
    legal_slots,
)

_BLOCK = 8  # batches to read and mix at a time


class SwisslosFeed:
    """A feed of Swisslos data; see `feeding.Feed`.

    A pass reads the groups of the file in its own order, a block of rows at a time, and mixes the rows
    of a block. Impossible rows are left out; `jaxcards convert` gives the reason.

    Args:
      path: a file of Swisslos data.
      deals: of a batch; a batch has one row for each of their cards.
      held_out: fraction of the groups.
      seed: determines which groups these are, and every order.
    """

    def __init__(self, path: Path, deals: int, held_out: float, seed: int) -> None:
        check_input(path)
        if format_to_read(path).name != SWISSLOS:
            raise UserError(
                f"{path} is not Swisslos data: convert it with jaxcards convert {path} FILE.swisslos.h5"
            )
        self._path, self._seed = path, seed
        self._size = NUM_CARDS * deals
        self._groups = self._whole_groups()
        # A group of the file is a game.
        learned, held = split(np.arange(len(self._groups)), held_out, seed)
        self._learned, self._held = ([self._groups[n] for n in numbers] for numbers in (learned, held))
        # Names and sizes of the groups identify the data.
        self.digest = zlib.crc32(repr(self._groups).encode())
        self.per_epoch = max(sum(number for _, number in self._learned) // self._size, 1)
        rows = [sum(number for _, number in some) for some in (self._learned, self._held)]
        self.about = (
            f"{path}: {len(self._groups)} games, {len(learned)} with {rows[0]} rows to learn from and "
            f"{len(held)} with {rows[1]} rows held out"
        )

    def _whole_groups(self) -> list[tuple[str, int]]:
        """Return the name of each group that fits the format, and its number of rows."""
        found, reason = [], "it has no groups"
        with open_file(self._path) as file:
            for name, group in swisslos.groups(file):
                try:
                    if isinstance(group, UserError):
                        raise group
                    number = swisslos.columns(group)[1]
                except DAMAGE as error:
                    # Leave the group out; if this happens to all of them, the last reason is reported.
                    reason = f"group {name}: {one_line(error)}"
                    continue
                if number:
                    found.append((name, number))
        if not found:
            raise UserError(f"found no training data in {self._path}: {reason}")
        return found

    def batches(self, first: int) -> Iterator[Any]:
        """Yield the batches of the updates from `first` on."""
        epoch, number = divmod(first, self.per_epoch)
        with open_file(self._path) as file:
            while True:
                rng = np.random.default_rng([self._seed, epoch])
                order = [self._learned[n] for n in rng.permutation(len(self._learned))]
                # A resumed run starts in the block of its next batch.
                for block in range(number // _BLOCK, -(-self.per_epoch // _BLOCK)):
                    begin, end = block * _BLOCK, min((block + 1) * _BLOCK, self.per_epoch)
                    rows = self._rows(file, order, begin * self._size, end * self._size)
                    # Seed, pass and block determine the order, whichever batch comes first.
                    mixed = np.random.default_rng([self._seed, epoch, block]).permutation(
                        len(rows.action)
                    )
                    for place in range(max(number - begin, 0), end - begin):
                        # Repeat other rows of the block in the place of rows that were left out.
                        some = np.resize(np.roll(mixed, -place * self._size), self._size)
                        yield Integers(*(column[some] for column in rows))
                epoch, number = epoch + 1, 0

    def held_out(self) -> Iterator[Any]:
        """Yield batches of all held-out rows."""
        total = sum(number for _, number in self._held)
        with open_file(self._path) as file:
            for begin in range(0, total, self._size):
                rows = self._rows(file, self._held, begin, begin + self._size)
                # Copies fill up the last batch, and one from which rows were left out.
                some = np.resize(np.arange(len(rows.action)), self._size)
                valid = np.arange(self._size) < len(rows.action)
                yield Integers(*(column[some] for column in rows))._replace(valid=valid)

    def _rows(self, file: Any, groups: list[tuple[str, int]], begin: int, end: int) -> Integers:
        """Return the rows from `begin` to `end - 1` of the concatenated groups."""
        parts, passed = [], 0
        for name, number in groups:
            # own: the rows of this group between `begin` and `end`.
            own = slice(max(begin - passed, 0), min(end - passed, number))
            passed += number
            if own.start < own.stop:
                try:
                    parts.append(_read(file[name], own))
                except DAMAGE as error:
                    raise UserError(f"{self._path}, group {name}: {one_line(error)}") from None
            if passed >= end:
                break
        rows = Integers(*map(np.concatenate, zip(*parts, strict=True)))
        if not len(rows.action):
            raise UserError(f"{self._path}: among {end - begin} rows none is a legal card of a hand")
        return rows


def _read(group: Any, part: slice) -> Integers:
    """Return the possible rows of a group, in the form of observations."""
    state = np.asarray(group["state"][part])
    action = np.asarray(group["action"][part])[:, 0].astype(np.int64)
    seconds = np.asarray(group["time"][part])[:, 0].astype(np.float32)
    # Keep rows of possible codes, then those with a card in the slot played, then legal plays.
    whole = (state[:, :TRUMP] <= NUM_CARDS).all(1) & (state[:, TRUMP] >= 1)
    whole &= (state[:, TRUMP] <= NUM_TRUMPS) & (action < HAND_SIZE)
    state, action, seconds = state[whole], action[whole], seconds[whole]
    held = state[np.arange(len(state)), HAND.start + action] > 0
    state, action = as_observed(state[held], action[held])
    # Negative and unknown times become NaN.
    seconds = np.where(seconds[held] >= 0, seconds[held], np.nan).astype(np.float32)
    legal = legal_slots(state)
    kept = legal[np.arange(len(state)), action]
    valid = np.ones(int(kept.sum()), bool)
    return Integers(state[kept], legal[kept], action[kept].astype(np.uint8), seconds[kept], valid)
