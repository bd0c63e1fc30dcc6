"""Weis that players have shown, as notes of a record: logs have them, and rules cannot tell.

A player may keep a Weis secret, so the Weis shown in a log carry more information than the hands. The
note of an action lists the Weis shown since the action before: "Weis of seat 1: 6d 7d 8d".
"""

import re
from collections.abc import Mapping, Sequence

from jaxcards.records.record import DealRecord
from jaxcards.records.swisslos_layout import NUM_SEATS, RANKS

AS_SHOWN = {"weis": "as shown"}
"""Key in the source of a record: its notes have all Weis; else they follow from the rules."""

_RANKS, _SUITS = "6789TJQKA", "dchs"
_SEAT = re.compile(r"Weis of seat ([0-3]):((?: [6-9TJQKA][dchs])+)")

Shown = tuple[int, int, tuple[int, ...]]
"""The number of the action before which cards were shown, the seat, and the cards."""


def to_notes(shown: Sequence[Shown]) -> dict[int, str]:
    """Return notes of a record, by the number of the action."""
    found: dict[int, list[str]] = {}
    for action, seat, cards in shown:
        names = " ".join(_RANKS[card % RANKS] + _SUITS[card // RANKS] for card in cards)
        found.setdefault(action, []).append(f"Weis of seat {seat}: {names}")
    return {action: "; ".join(texts) for action, texts in found.items()}


def of_notes(record: DealRecord) -> list[Shown] | None:
    """Return the notes of a record; None if its Weis follow from the rules."""
    if record.source.get("weis") != AS_SHOWN["weis"]:
        return None
    return [
        (action, int(seat), tuple(map(_card, names.split())))
        for action, text in sorted(record.notes.items())
        for seat, names in _SEAT.findall(text)
    ]


def _card(name: str) -> int:
    return _SUITS.index(name[1]) * RANKS + _RANKS.index(name[0])


def single(cards: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the single Weis in a set of cards: fours of a rank, and runs of three and more."""
    held = set(cards)
    fours = [
        tuple(rank + RANKS * suit for suit in range(NUM_SEATS))
        for rank in range(RANKS)
        if all(rank + RANKS * suit in held for suit in range(NUM_SEATS))
    ]
    runs: list[tuple[int, ...]] = []
    for start in sorted(held):
        # Only the lowest card of a run begins it.
        if start % RANKS and start - 1 in held:
            continue
        end = start + 1
        # A run ends with its suit.
        while end in held and end % RANKS:
            end += 1
        if end - start >= 3:
            runs.append(tuple(range(start, end)))
    # Cards outside of fours and runs are listed together.
    rest = tuple(sorted(held - {card for meld in (*fours, *runs) for card in meld}))
    return [*fours, *runs, *((rest,) if rest else ())]


def by_seat(shown: Sequence[Shown], until: int) -> Mapping[int, frozenset[int]]:
    """Return the cards that each seat has shown before an action."""
    found: dict[int, frozenset[int]] = {}
    for action, seat, cards in shown:
        if action <= until:
            found[seat] = found.get(seat, frozenset()) | frozenset(cards)
    return found
