"""Writer of a game of Euchre in Euchre Game Notation, version 1.4."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError
from jaxcards.records.egn import FILE_TYPE
from jaxcards.records.egn_deal import CALL, NUM_SEATS, PASS, SUITS, name
from jaxcards.records.egn_record import ALONE, HAND_SIZE, TEAM
from jaxcards.records.egn_rules import ruleset_of
from jaxcards.records.record import DealRecord, Record, checked, deals_of

VERSION = "1.4"
_UP_CARD = NUM_SEATS * HAND_SIZE
_MOST_DEALS = 100  # of the notation


class Writer:
    """Write the deals of one game; an error of a record tells why the notation cannot express it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._deals: list[DealRecord] = []

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            text = to_text(self._deals) if self._deals else ""
            self._path.write_text(text, encoding="utf-8")

    def write(self, records: Sequence[Record]) -> None:
        """Add records, the next deals of the game.

        Raises:
          UserError: if they are of another game, or too many.
        """
        for record in records:
            game = checked(record)
            if game.name != "euchre":
                raise UserError(f"Euchre Game Notation cannot express {record.game}")
            ruleset_of(game.rules)
            self._deals += deals_of(record)
        first = self._deals[0] if self._deals else None
        for number, deal in enumerate(self._deals):
            assert first is not None
            same = (deal.game, dict(deal.rules), deal.players) == (
                first.game, dict(first.rules), first.players,
            )  # fmt: skip
            if (
                not same
                or number >= _MOST_DEALS
                or (number and not _follows(self._deals[number - 1], deal))
            ):
                raise UserError(
                    f"a file in Euchre Game Notation holds one game of up to {_MOST_DEALS} deals, and "
                    f"deal {number} does not follow the one before; write .jsonl or .h5"
                )


def _follows(before: DealRecord, after: DealRecord) -> bool:
    """Return whether a deal has the dealer and the totals that follow another one."""
    if before.points is None:
        return False
    # Seats 0 and 1 are of different sides, so the first two points are those of the sides.
    totals = [a + b for a, b in zip(_totals(before), before.points[:2], strict=True)]
    return after.dealer == (before.dealer + 1) % NUM_SEATS and totals == _totals(after)


def _totals(deal: DealRecord) -> list[int]:
    totals = deal.facts["totals"]
    assert isinstance(totals, tuple)
    return list(totals)


def to_text(deals: Sequence[DealRecord]) -> str:
    """Return the file of a game: deals one after the other, of the same rules and players."""
    first, last = deals[0], deals[-1]
    about: dict[str, Any] = {
        key: value for key in ("title", "date") if isinstance(value := first.source.get(key), str)
    }
    about["players"] = list(first.players or ("North", "East", "South", "West"))
    about["initialScore"] = _totals(first)
    if last.points is not None:
        about["finalScore"] = [a + b for a, b in zip(_totals(last), last.points[:2], strict=True)]
    about["ruleset"] = ruleset_of(checked(first).rules)
    found = [_deal(number, deal) for number, deal in enumerate(deals)]
    game = {"fileType": FILE_TYPE, "version": VERSION, "metadata": about, "deals": found}
    return json.dumps(game, ensure_ascii=False, indent=2) + "\n"


def _deal(number: int, deal: DealRecord) -> dict[str, Any]:
    bids = [action for action in deal.actions if action == PASS or CALL <= action < CALL + len(SUITS)]
    # Trumps named in the first four calls make the dealer take the up-card.
    picked_up = bool(bids) and bids[-1] != PASS and len(bids) <= NUM_SEATS
    rest = list(deal.actions[len(bids) :])
    bidding: dict[str, Any] = {
        "phaseNumber": 0,
        "type": "EUCHRE_BIDDING",
        "calls": [_call(place, bid) for place, bid in enumerate(bids)],
    }
    if picked_up and rest:
        discard = rest.pop(0)
        # A discard that was never seen is left out.
        if discard not in {deal.deck[place] for place in deal.unknown}:
            bidding["discard"] = name(discard)
    answers = [action for action in rest if action in (ALONE, TEAM)]
    bidding["isAlone"] = answers[:1] == [ALONE]
    if ALONE in answers[1:]:
        bidding["aloneDefender"] = _defender(deal, bids, answers.index(ALONE, 1))
    cards = rest[len(answers) :]
    bidding |= _annotations("callAnnotations", deal, 0, len(bids))
    # A lone player's partner sits out.
    size = NUM_SEATS - answers.count(ALONE)
    play: dict[str, Any] = {
        "phaseNumber": 1,
        "type": "TRICK_PLAY",
        "tricks": [list(map(name, cards[i : i + size])) for i in range(0, len(cards), size)],
    }
    play |= _annotations("playAnnotations", deal, len(deal.actions) - len(cards), len(cards))
    begin: dict[str, Any] = {"dealer": deal.dealer, "upCard": name(deal.deck[_UP_CARD])}
    # Hands are listed only if all of their cards were seen.
    if not any(place < _UP_CARD for place in deal.unknown):
        begin["playerCards"] = [
            list(map(name, deal.deck[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]))
            for seat in range(NUM_SEATS)
        ]
    phases = [bidding, play] if cards else [bidding]
    return {"dealNumber": number, "initialState": begin, "phases": phases}


def _call(place: int, bid: int) -> str:
    if bid == PASS:
        return "Pass"
    return "Order" if place < NUM_SEATS else SUITS[bid - CALL]


def _defender(deal: DealRecord, bids: Sequence[int], answer: int) -> int:
    """Return the seat whose answer, the first or the second of the defenders', was to play alone."""
    maker = (deal.dealer + len(bids)) % NUM_SEATS
    # The defender nearer to the dealer's left is asked first.
    first = (deal.dealer + 1) % NUM_SEATS
    first = first if (first - maker) % 2 else (first + 1) % NUM_SEATS
    return first if answer == 1 else (first + 2) % NUM_SEATS


def _annotations(field: str, deal: DealRecord, first: int, number: int) -> dict[str, Any]:
    notes = {str(n - first): [text] for n, text in deal.notes.items() if first <= n < first + number}
    return {field: notes} if notes else {}
