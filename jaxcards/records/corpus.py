"""Records of one game as training data: read from any files, replayed, and split by game."""

import dataclasses
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np

from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.records.arrays import DealArrays, to_arrays
from jaxcards.records.convert import grouped, inputs, items_of
from jaxcards.records.items import Item, Read
from jaxcards.records.record import DealRecord, Record, checked, deals_of
from jaxcards.records.verify import problems


@dataclasses.dataclass(frozen=True)
class Corpus:
    """Deals of one game, side by side.

    Attributes:
      arrays: the deals; all of them replay.
      calls_known: bool[n], False if the format lacks the callers, so that calls are invented.
      unknown: bool[n, num_cards], whether the card was never seen.
      games: int64[n], the match or log of a deal; single deals have a number each.
      refused: the number of records that do not replay, or cannot be read.
      others: the number of deals of other games or rules.
      first: the first reason of a refusal, with its place.
    """

    arrays: DealArrays
    calls_known: np.ndarray
    unknown: np.ndarray
    games: np.ndarray
    refused: int
    others: int
    first: str

    def __len__(self) -> int:
        return len(self.arrays)

    def digest(self) -> int:
        """Return a 32-bit checksum of the deals."""
        found = 0
        for array in jax.tree.leaves((self.arrays, self.calls_known, self.unknown, self.games)):
            found = zlib.crc32(np.ascontiguousarray(array).tobytes(), found)
        return found


def read_corpus(path: Path, game: Game) -> Corpus:
    """Read the deals of a game from a file of records, or from all files of a folder.

    Raises:
      UserError: if the file is missing, is of an unknown format, or has no deals of the game.
    """
    parts: list[tuple[DealArrays, np.ndarray, np.ndarray]] = []
    games: dict[Any, int] = {}
    of_deals: list[int] = []
    refused, first, others = 0, "", dict[str, int]()
    for file in inputs(path):
        for items in grouped(items_of(file)):
            good, bad, reason = _replayed(items)
            refused, first = refused + bad, first or (f"{file}, {reason}" if reason else "")
            deals: list[DealRecord] = []
            for item in good:
                own = checked(item.record)
                if own != game:
                    others[own.id] = others.get(own.id, 0) + len(deals_of(item.record))
                    continue
                # Deals of a match or a log share a number, so that a split keeps them together.
                number = games.setdefault(_game_of(file, item), len(games))
                deals += deals_of(item.record)
                of_deals += [number] * len(deals_of(item.record))
            if deals:
                parts.append(_arrays(game, deals))
    if not parts:
        raise _nothing(path, game, others, refused, first)
    arrays, calls, unknown = jax.tree.map(lambda *some: np.concatenate(some), *parts)
    numbers = np.array(of_deals, np.int64)
    return Corpus(arrays, calls, unknown, numbers, refused, sum(others.values()), first)


def _nothing(path: Path, game: Game, others: dict[str, int], refused: int, first: str) -> UserError:
    if others:
        names = ", ".join(f"{id} ({number} deals)" for id, number in others.items())
        return UserError(f"{path} has no deals of {game.id}; it has {names}")
    if refused:
        return UserError(f"found no training data in {path}: {first}")
    return UserError(f"{path} holds no records")


def _replayed(items: Sequence[Item]) -> tuple[list[Read], int, str]:
    """Return the items that replay, the number of others, and the first reason with its place."""
    read = [item for item in items if isinstance(item, Read)]
    # By identity: records have dictionaries, so that the items themselves cannot be keys.
    found = dict(zip(map(id, read), problems([item.record for item in read]), strict=True))
    good = [item for item in read if found[id(item)] is None]
    reasons = [
        f"{item.place}: {found[id(item)] if isinstance(item, Read) else item.reason}"
        for item in items
        if not isinstance(item, Read) or found[id(item)] is not None
    ]
    return good, len(reasons), reasons[0] if reasons else ""


def _game_of(file: Path, item: Read) -> Any:
    """Return the attributes that the deals of a match or of a log share."""
    record: Record = item.record
    log = deals_of(record)[0].source.get("log")
    return (file, log) if log is not None else (file, item.place)


def _arrays(game: Game, deals: Sequence[DealRecord]) -> tuple[DealArrays, np.ndarray, np.ndarray]:
    calls = np.array([deal.source.get("calls") != "unknown" for deal in deals])
    unknown = np.zeros((len(deals), game.deck.num_cards), bool)
    for row, deal in enumerate(deals):
        # A record has places of the deck, and learners need the cards.
        unknown[row, [deal.deck[place] for place in deal.unknown]] = True
    return to_arrays(game, deals), calls, unknown


def split(games: np.ndarray, share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Split deals by game, so that every game is on one side only.

    Args:
      games: int[n], the game of each deal.
      share: fraction of the games to hold out; at least one game is on each side.
      seed: determines the held-out games.

    Returns:
      The numbers of the deals to learn from, and of those held out, in order.

    Raises:
      UserError: if there is only one game.
    """
    names = np.unique(games)
    if len(names) < 2:
        raise UserError(
            "the data are of one game, but at least two are needed, as some are held out: a log, "
            "a match and a single deal are each a game"
        )
    number = min(max(round(share * len(names)), 1), len(names) - 1)
    order = np.random.default_rng([seed, len(names)]).permutation(len(names))
    held = np.isin(games, names[order[:number]])
    return np.flatnonzero(~held), np.flatnonzero(held)


def in_batches(numbers: np.ndarray, size: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield `size` numbers at a time, and a mask that is False for padding of the last batch."""
    for first in range(0, len(numbers), size):
        some = numbers[first : first + size]
        # Padding repeats the numbers from the first one on.
        yield np.resize(some, size), np.arange(size) < len(some)
