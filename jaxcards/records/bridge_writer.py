"""Writers of PBN and LIN; `bridge` reads them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError
from jaxcards.records.bridge import (
    BID,
    DOUBLE,
    HAND,
    PASS,
    RANKS,
    SEATS,
    STRAINS,
    SUITS,
    VULNERABLE,
    contract_of,
    is_over,
    winner_of,
)
from jaxcards.records.record import DealRecord, Record, checked, deals_of, game_of

_LIN_SEATS = "SWNE"


class Writer:
    """Write a board for each deal; a match becomes its deals."""

    def __init__(self, path: Path, board: Callable[[DealRecord, int], str], head: str = "") -> None:
        self._file = open(path, "w", encoding="utf-8", newline="\n")
        self._file.write(head)
        self._board, self._number = board, 0

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *error: Any) -> None:
        self._file.close()

    def write(self, records: Sequence[Record]) -> None:
        """Write records. Raise `UserError` if one is not a deal of Bridge."""
        for record in records:
            game = checked(record)
            if game.name != "bridge" or game.rules.tiny:
                raise UserError(f"PBN and LIN cannot express {record.game}: write .jsonl or .h5")
            for deal in deals_of(record):
                self._number += 1
                self._file.write(self._board(deal, self._number))


def pbn(path: Path, seed: int = 0) -> Writer:
    """Return a writer of PBN."""
    del seed  # a board needs no other data
    return Writer(path, to_pbn, "% PBN 2.1\n")


def lin(path: Path, seed: int = 0) -> Writer:
    """Return a writer of LIN."""
    del seed
    return Writer(path, to_lin)


def call_name(call: int) -> str:
    """Return a call as PBN writes it."""
    if call < BID:
        return ("Pass", "X", "XX")[call - PASS]
    return f"{(call - BID) // 5 + 1}{STRAINS[(call - BID) % 5]}"


def card_name(card: int) -> str:
    return SUITS[card // 13] + RANKS[card % 13]


def _parts(deal: DealRecord) -> tuple[list[list[int]], list[int], list[int], int]:
    """Return the hands by seat, the calls, the cards, and the vulnerable sides."""
    hands: list[list[int]] = [[]] * 4
    for turn in range(4):
        hands[(deal.dealer + 1 + turn) % 4] = sorted(deal.deck[HAND * turn : HAND * (turn + 1)])[::-1]
    calls = [action for action in deal.actions if action >= PASS]
    return hands, calls, [action for action in deal.actions if action < PASS], _vulnerable(deal)


def _vulnerable(deal: DealRecord) -> int:
    """Return a bit for each vulnerable side, as docs/bridge.md, 7, has it."""
    vulnerability = game_of(deal).rules.vulnerability
    if vulnerability == "chicago":
        # Chicago: neither side, twice the side of the dealer, then both sides.
        return (0, 1 << deal.dealer % 2, 1 << deal.dealer % 2, 3)[deal.facts["deal"]]  # type: ignore
    fixed = 3 if vulnerability == "both" else 0
    return deal.facts.get("vulnerability", fixed)  # type: ignore[return-value]


def _by_suit(hand: Sequence[int]) -> list[str]:
    """Return the ranks of a hand in spades, hearts, diamonds and clubs."""
    return ["".join(RANKS[card % 13] for card in hand if card // 13 == suit) for suit in (3, 2, 1, 0)]


def to_pbn(deal: DealRecord, number: int) -> str:
    """Return a board of PBN, and a blank line."""
    hands, calls, cards, vulnerable = _parts(deal)
    names = deal.players or ("",) * 4
    contract = contract_of(deal.dealer, calls) if is_over(calls) else None
    rubber = game_of(deal).rules.vulnerability == "rubber"
    turns = [hands[(deal.dealer + turn) % 4] for turn in range(4)]
    tags = {
        "Event": "", "Site": "", "Date": "", "Board": str(deal.source.get("board", number)),
        "West": names[3], "North": names[0], "East": names[1], "South": names[2],
        "Dealer": SEATS[deal.dealer], "Vulnerable": list(VULNERABLE)[vulnerable],
        "Deal": f"{SEATS[deal.dealer]}:{' '.join('.'.join(_by_suit(hand)) for hand in turns)}",
        "Scoring": "Rubber" if rubber else "", "Declarer": "?",
        "Contract": "Pass" if is_over(calls) else "?", "Result": "?",
    }  # fmt: skip
    first = 0
    rows: list[str] = []
    if contract is not None:
        bid, doubled, declarer = contract
        first = (declarer + 1) % 4
        rows, won = _rows(cards, first, bid % 5)
        tags["Declarer"] = SEATS[declarer]
        tags["Contract"] = call_name(BID + bid) + "X" * doubled
        tricks = won[declarer] + won[(declarer + 2) % 4]
        # If the play ended with a claim, the source of the record has the tricks agreed on.
        tags["Result"] = str(tricks if len(cards) == 52 else deal.source.get("result", "?"))
    elif is_over(calls):
        # All players have passed.
        tags["Declarer"] = tags["Result"] = ""
    # Readers take a score for that of duplicate.
    if deal.points is not None and not rubber:
        tags["Score"] = f"NS {deal.points[0] - deal.points[1]}"
    lines = [f'[{name} "{_plain(value)}"]' for name, value in tags.items()]
    lines.append(f'[Auction "{SEATS[deal.dealer]}"]')
    # An asterisk marks an auction, and below a play, that has not ended.
    said = [call_name(call) for call in calls] + ([] if is_over(calls) else ["*"])
    lines += [" ".join(said[start : start + 4]) for start in range(0, len(said), 4)]
    if rows:
        lines += [f'[Play "{SEATS[first]}"]', *rows, *([] if len(cards) == 52 else ["*"])]
    return "\n".join(lines) + "\n\n"


def _plain(value: str) -> str:
    """Return a name without the signs that end a tag."""
    return " ".join(value.replace('"', "'").split())


def _rows(cards: Sequence[int], first: int, strain: int) -> tuple[list[str], list[int]]:
    """Return a row for each trick with the first player in its first column, and the tricks won."""
    rows, won, leader = [], [0] * 4, first
    for start in range(0, len(cards), 4):
        trick, row = cards[start : start + 4], ["-"] * 4
        for place, card in enumerate(trick):
            row[(leader + place - first) % 4] = card_name(card)
        rows.append(" ".join(row))
        if len(trick) == 4:
            leader = (leader + winner_of(trick, strain)) % 4
            won[leader] += 1
    return rows, won


def to_lin(deal: DealRecord, number: int) -> str:
    """Return a board of LIN, in one line."""
    hands, calls, cards, vulnerable = _parts(deal)
    names = deal.players or tuple(f"player {seat}" for seat in range(4))
    order = [SEATS.index(seat) for seat in _LIN_SEATS]
    held = ["".join(map("".join, zip("SHDC", _by_suit(hands[seat]), strict=True))) for seat in order]
    plain = [_plain(names[seat]).replace("|", " ").replace(",", " ") for seat in order]
    parts = [f"qx|o{number}|pn|{','.join(plain)}|st||"]
    # The dealer is a number from 1 for South; the vulnerable sides are a letter: o, n, e or b.
    parts.append(f"md|{order.index(deal.dealer) + 1}{','.join(held)}|sv|{'oneb'[vulnerable]}|")
    short = {PASS: "p", DOUBLE: "d", DOUBLE + 1: "r"}
    # LIN cuts no trump to its first letter: 3N.
    parts += [f"mb|{short.get(call) or call_name(call)[:2]}|" for call in calls]
    parts += [f"pc|{card_name(card)}|" for card in cards]
    if "result" in deal.source and len(cards) < 52:
        parts.append(f"mc|{deal.source['result']}|")
    return "".join(parts) + "\n"
