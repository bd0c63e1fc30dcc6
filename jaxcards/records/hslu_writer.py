"""Writer of Jass JSON of the HSLU: a deal, or the deals of a match, a line."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError
from jaxcards.records.hslu import (
    HAND_SIZE,
    MODE,
    MODES,
    NUM_SEATS,
    PUSH,
    RANKS,
    card_name,
    count,
    seat_of,
)
from jaxcards.records.record import DealRecord, Record, checked, deals_of

_NO_DATE = "01.01.70 00:00:00,000"
_NEEDED = {
    "game": "schieber", "slalom": False, "weis": False, "stock": False, "match_bonus": 0, "target": 0,
}  # fmt: skip


class Writer:
    """Write a game a line."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "w", encoding="utf-8", newline="\n")

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *error: Any) -> None:
        self._file.close()

    def write(self, records: Sequence[Record]) -> None:
        """Write records. Raise `UserError` if the format cannot express them."""
        for record in records:
            self._file.write(to_line(record) + "\n")


def to_line(record: Record) -> str:
    """Return a game as a line.

    Raises:
      UserError: if it is not a Schieber whose points are those of the cards alone.
    """
    game = checked(record)
    if game.name != "jass":
        raise UserError(f"Jass JSON cannot express {record.game}")
    for name, value in _NEEDED.items():
        if getattr(game.rules, name) != value:
            raise UserError(f"Jass JSON cannot express {name}={getattr(game.rules, name)!r}")
    if set(game.rules.multipliers) != {1}:
        raise UserError("Jass JSON cannot express multipliers")
    deals = deals_of(record)
    first = deals[0]
    names = first.players or tuple(f"player {seat_of(seat)}" for seat in range(NUM_SEATS))
    found = {
        "players": [names[seat_of(seat)] for seat in range(NUM_SEATS)],
        "rounds": [to_round(deal) for deal in deals],
    }
    date = first.source.get("date", _NO_DATE)
    return f"{date} | INFO | {json.dumps(found, ensure_ascii=False)}"


def to_round(deal: DealRecord) -> dict[str, Any]:
    """Return a deal as jass-kit writes its state: with the remaining cards of the hands."""
    calls = [action for action in deal.actions if action >= MODE]
    chosen = [action - MODE for action in calls if action != PUSH]
    mode = chosen[0] if chosen else None
    hands = {
        (deal.dealer + 1 + turn) % NUM_SEATS: list(deal.deck[HAND_SIZE * turn : HAND_SIZE * (turn + 1)])
        for turn in range(NUM_SEATS)
    }
    cards = [action for action in deal.actions if action < MODE]
    leader = (deal.dealer + 1) % NUM_SEATS
    # After a push, the partner of the player left of the dealer chooses.
    player = leader if PUSH not in calls else (leader + 2) % NUM_SEATS
    tricks: list[dict[str, Any]] = []
    for start in range(0, len(cards), NUM_SEATS):
        some = cards[start : start + NUM_SEATS]
        for place, card in enumerate(some):
            hands[(leader + place) % NUM_SEATS].remove(card)
        trick: dict[str, Any] = {"cards": [card_name(card) for card in some]}
        # player: the seat that acts next, for the field `currentPlayer`.
        first, player = leader, (leader + len(some)) % NUM_SEATS
        if len(some) == NUM_SEATS:
            assert mode is not None
            winner, points = count(some, mode, start // NUM_SEATS)
            leader = player = (leader + winner) % NUM_SEATS
            trick |= {"points": points, "win": seat_of(leader)}
        tricks.append(trick | {"first": seat_of(first)})
    # The player left of the dealer leads, even if the partner has chosen.
    if mode is not None and not cards:
        player = leader
    over = len(cards) == NUM_SEATS * HAND_SIZE
    # A complete trick is followed by the beginning of the next.
    if mode is not None and not over and len(cards) % NUM_SEATS == 0:
        tricks.append({"first": seat_of(leader)})
    return {
        "version": "V0.2",
        "trump": -1 if mode is None else MODES.index(mode),
        "dealer": seat_of(deal.dealer),
        "currentPlayer": -1 if over else seat_of(player),
        # 0 after a push, -1 before any call.
        "forehand": 0 if PUSH in calls else 1 if calls else -1,
        "tricks": tricks,
        "player": [
            {"hand": [card_name(card) for card in sorted(hands[seat_of(seat)], key=_kit_order)]}
            for seat in range(NUM_SEATS)
        ],
        "jassTyp": "SCHIEBER",
    }


def _kit_order(card: int) -> int:
    """Return the number of a card in jass-kit: suits ♦ ♥ ♠ ♣, from the ace down."""
    suit, rank = divmod(card, len(RANKS))
    return len(RANKS) * MODES.index(suit) - rank
