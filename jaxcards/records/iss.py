"""Logs of the International Skat Server (ISS): Skat, a game a line in the style of SGF; read only.

`MV[w CARDS 1 18 0 y ... ]` lists the moves, each after its player: 0 is forehand, 1 middlehand, 2
rearhand, and w the server (docs/records.md). Reading needs no JAX.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError, quote
from jaxcards.records.bounded import LONGEST_LINE, bounded_lines
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.record import DealRecord

PRESET = "skat/isko"
PASS, BID, TAKE, GAME, LEVEL = 32, 33, 34, 35, 41  # our actions
NUM_SEATS, NUM_CARDS = 3, 32

# The values that may be bid: multiples of the values of suits and Grand, and those of Null.
_MULTIPLES = {base * n for base in (9, 10, 11, 12) for n in range(2, 19)}
VALUES = sorted(_MULTIPLES | {24 * n for n in range(2, 12)} | {23, 35, 46, 59})

_SUITS, _RANKS, _GAMES = "DHSC", "789QKTAJ", "DHSCGN"  # in our order
_NULL = "N"
_ANNOUNCED = re.compile(r"([DHSCGN])([HOSZ]*)((?:\.[DHSC][789TJQKA])*)")
_TAG = re.compile(r"([A-Z][A-Z0-9]*)\[([^\]]*)\]")
_ENDS = ("TI", "LE", "RE", "SC")  # time-out, a player left, resigned, showed the cards


def read(path: Path) -> Iterator[Item]:
    """Yield the games of a file, a deal each."""
    for number, line in bounded_lines(path):
        place = f"line {number}"
        if line is None:
            yield Refused(place, f"is longer than {LONGEST_LINE} bytes")
            continue
        text = line.decode("utf-8", "replace").strip()
        if text:
            yield read_line(text, place, {"file": path.name, "line": number})


def read_line(text: str, place: str, source: Mapping[str, Any]) -> Item:
    """Return the game of a line."""
    try:
        tags = dict(_TAG.findall(text))
        if tags.get("GM") != "Skat" or "MV" not in tags:
            raise UserError("a game of the Skat server has GM[Skat] and MV[...]")
        record, repairs = _deal(tags, source)
    except UserError as error:
        return Refused(place, str(error), text)
    return Read(place, record, repairs, text)


def _deal(tags: Mapping[str, str], source: Mapping[str, Any]) -> tuple[DealRecord, tuple[str, ...]]:
    """Return the record of a game, and a list of what was added."""
    tokens = tags["MV"].split()
    if len(tokens) < 2 or tokens[0] != "w":
        raise UserError(f"MV must begin with the deal, w and {NUM_CARDS} cards")
    deck = tuple(map(_card, tokens[1].split(".")))
    if sorted(deck) != list(range(NUM_CARDS)):
        raise UserError(f"the deal must have each of the {NUM_CARDS} cards once")
    moves = _Moves()
    # After the deal, players and their moves alternate.
    pairs = list(zip(tokens[2::2], tokens[3::2], strict=False))
    for who, move in pairs:
        if moves.ended:
            break
        moves.add(who, move)
    kept = {"game": tags.get("ID"), "date": tags.get("DT"), "ended": moves.ended}
    players = tuple(tags.get(f"P{seat}", "") for seat in range(NUM_SEATS))
    record = DealRecord(
        game=PRESET,
        deck=deck,
        dealer=NUM_SEATS - 1,  # forehand has seat 0
        actions=tuple(moves.actions),
        facts={"totals": (0,) * NUM_SEATS},
        points=None if moves.ended else _points(tags.get("R", "")),
        players=players if all(players) else None,
        source={**source, **{name: value for name, value in kept.items() if value}},
    )
    return record, tuple(moves.repairs)


class _Moves:
    """The moves of a game, translated one by one.

    Attributes:
      actions: ours, so far.
      repairs: a line for each that was added.
      ended: the move that ended the game before its last card; "" for none.
    """

    def __init__(self) -> None:
        self.actions: list[int] = []
        self.repairs: list[str] = []
        self.ended = ""
        self._level = 0  # the next of `VALUES` to be bid
        self._taken = self._announced = False

    def add(self, who: str, move: str) -> None:
        """Add a move of a player, or of the server."""
        if move.split(".")[0] in _ENDS:
            self.ended = move
        elif who == "w":
            return  # the two cards of the skat, which the deal has already
        elif who not in ("0", "1", "2"):
            raise UserError(f"{quote(who)} is not a player: use 0, 1, 2 or w")
        elif move == "p":
            self.actions.append(PASS)
        elif move == "y":
            self.actions.append(BID)
        elif move == "s":
            self._taken = True
            self.actions.append(TAKE)
        elif move.isdecimal():
            self._bid(int(move))
        elif self._announced:
            self.actions.append(_card(move))
        else:
            self._announce(move)

    def _bid(self, value: int) -> None:
        if value not in VALUES[self._level :]:
            raise UserError(f"{value} cannot be bid here")
        level = VALUES.index(value)
        if skipped := level - self._level:
            self.repairs.append(f"the bid {value} skips {skipped} values, which were added")
        # Our auction names every value: a skipped one is a bid and the answer that holds it.
        self.actions += [BID] * (2 * skipped + 1)
        self._level = level + 1

    def _announce(self, move: str) -> None:
        parts = _ANNOUNCED.fullmatch(move)
        if parts is None:
            raise UserError(f"{quote(move)} is not the announcement of a game")
        kind, modifiers, cards = parts[1], parts[2], move.split(".")[1:]
        if self._taken:
            # The hand follows in an open game.
            self.actions += sorted(map(_card, cards[:2]))
        self.actions.append(GAME + _GAMES.index(kind))
        # H stands for Hand, S for Schneider, Z for Schwarz, O for open. The highest level counts.
        level = max(("", "S", "Z", "O").index(one) for one in ("", *modifiers.replace("H", "")))
        # Our game asks for the level only after a Hand game or Null.
        if not self._taken or kind == _NULL:
            self.actions.append(LEVEL + level)
        elif level:
            raise UserError(f"{quote(move)}: only a Hand game or Null can be announced higher")
        self._announced = True


def _card(name: str) -> int:
    """Return our number of a card such as "DT"."""
    if len(name) != 2 or name[0] not in _SUITS or name[1] not in _RANKS:
        raise UserError(f"{quote(name)} is not a card from D7 to CJ")
    return len(_RANKS) * _SUITS.index(name[0]) + _RANKS.index(name[1])


def _points(result: str) -> tuple[int, ...] | None:
    """Return the score of each seat from the tag R; None if it lacks it."""
    parts = re.match(r"d:(-?\d) \w+ v:(-?\d+) ", result)
    if parts is None:
        return None
    declarer, value = int(parts[1]), int(parts[2])
    return tuple(value if seat == declarer else 0 for seat in range(NUM_SEATS))
