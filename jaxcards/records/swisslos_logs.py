"""Reader of text logs of Swisslos games, a line an event; `swisslos_logs_writer` writes them.

A line has a time, a blank, any text, then fragments of JSON. The reader uses only the known ones. Cards
are from 0 to 35 and trumps from 0 to 5, one less than in the data. The seats of `doDeal` run in the
other direction.
"""

import dataclasses
import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError, quote
from jaxcards.records.bounded import LONGEST_LINE, bounded_lines
from jaxcards.records.hslu import MODE, PUSH, count
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.record import DealRecord
from jaxcards.records.swisslos_deal import ATTRIBUTES, player_name
from jaxcards.records.swisslos_layout import HAND_SIZE, NUM_CARDS, NUM_SEATS, NUM_TRUMPS
from jaxcards.records.swisslos_weis import AS_SHOWN, Shown, to_notes

LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}) (.*)", re.DOTALL)
PRESETS = {1000: "jass/schieber_1000", 2500: "jass/swisslos"}
"""The game of a log, by the target in its name: "S2500_…"; for other names the one to 2500."""

TIME = "%Y-%m-%d %H:%M:%S%z"
_WORD = r'"((?:[^"\\]|\\.){1,200})"'
_EVENTS = {
    "round": re.compile(r'"action"\s*:\s*\{\s*"newRound"\s*:\s*"Runde (\d{1,6})"'),
    "hand": re.compile(
        r'"action"\s*:\s*\{\s*"doDeal"\s*:\s*"?(\d)"?\s*,\s*"player"\s*:\s*"?\d{1,6}"?\s*,\s*'
        rf'"usernickname"\s*:\s*{_WORD}\s*,\s*"cardset"\s*:\s*\[([^\]]{{0,200}})\]'
    ),
    "trump": re.compile(
        rf'"pid"\s*:\s*{_WORD}\s*,\s*"action"\s*:\s*\{{\s*"submitTrump"\s*:\s*"?(-?\d{{1,3}})"?'
    ),
    "weis": re.compile(
        rf'"pid"\s*:\s*{_WORD}\s*,\s*"action"\s*:\s*\{{\s*"doRequestSuits"\s*:\s*\[\s*"([^"]{{0,200}})"'
    ),
    "card": re.compile(
        rf'"pid"\s*:\s*{_WORD}\s*,\s*"action"\s*:\s*\{{\s*"submitsCard"\s*:\s*"?(\d{{1,3}})"?'
    ),
    "points": re.compile(r'"gameTotal"\s*:\s*\[\s*"?Rundentotal"?\s*,\s*(-?\d{1,6})'),
    "end": re.compile(rf'"pid"\s*:\s*{_WORD}\s*,\s*"action"\s*:\s*"gameFinished"\s*\}}'),
}
# The required format of a line with an event keyword; lines without a keyword are ignored.
_WORDS = {
    "newRound": "round", "doDeal": "hand", "submitTrump": "trump", "doRequestSuits": "weis",
    "submitsCard": "card", "gameTotal": "points", "gameFinished": "end",
}  # fmt: skip
_PLAYER = re.compile(rf'"usernickname"\s*:\s*{_WORD}')
_NUMBER = {
    name: re.compile(rf'"{name}"\s*:\s*"?(-?\d{{1,9}}(?:\.\d{{1,9}})?)"?') for name in ATTRIBUTES
}


@dataclasses.dataclass(frozen=True)
class Event:
    """A line with an event.

    Attributes:
      line: its number, from 1 on.
      kind: "player", or a key of the formats above.
      values: the content of the fragment.
      seconds: since the event before it.
    """

    line: int
    kind: str
    values: tuple[str, ...]
    seconds: float


@dataclasses.dataclass
class _Round:
    """A round while it is being read."""

    number: int
    first: int
    last: int
    hands: dict[int, tuple[int, ...]] = dataclasses.field(default_factory=dict)
    seats: dict[str, int] = dataclasses.field(default_factory=dict)
    turns: list[tuple[int, str, int]] = dataclasses.field(default_factory=list)
    seconds: list[float] = dataclasses.field(default_factory=list)
    shown: list[tuple[int, str, tuple[int, ...]]] = dataclasses.field(default_factory=list)


def read(path: Path) -> Iterator[Item]:
    """Yield the rounds of a log, a deal each, and the lines that cannot be read."""
    from jaxcards.records.verify import with_points

    players: dict[str, str] = {}
    current: _Round | None = None
    rounds: list[Item] = []
    for found in _events(path):
        if isinstance(found, Refused):
            rounds.append(found)
            continue
        if found.kind == "player":
            players[found.values[0]] = found.values[1]
        elif found.kind == "round":
            rounds += _finished(current, path, players)
            current = _Round(int(found.values[0]), found.line, found.line)
        elif current is None:
            if found.kind not in ("end", "points"):
                rounds.append(Refused(f"line {found.line}", "is outside of any round"))
        else:
            try:
                _add(current, found)
            except UserError as error:
                rounds.append(Refused(f"line {found.line}", str(error)))
            current.last = found.line
    rounds += _finished(current, path, players)
    read = [item for item in rounds if isinstance(item, Read)]
    deals = iter(with_points([item.record for item in read]))  # type: ignore[misc]
    for item in rounds:
        yield dataclasses.replace(item, record=next(deals)) if isinstance(item, Read) else item


def _events(path: Path) -> Iterator[Event | Refused]:
    """Yield the events of a log. Lines without an event keyword are skipped."""
    before: datetime.datetime | None = None
    for number, line in bounded_lines(path):
        place = f"line {number}"
        if line is None:
            yield Refused(place, f"is longer than {LONGEST_LINE} bytes")
            continue
        content = line.decode("utf-8", "replace").strip()
        if not content:
            continue
        try:
            time, rest = _time_of(content)
            found = _event(rest)
        except UserError as error:
            yield Refused(place, str(error), content)
            continue
        if found is None:
            continue
        # A clock that runs backwards counts as no time.
        seconds = max((time - before).total_seconds(), 0.0) if before else 0.0
        before = time
        yield Event(number, *found, seconds)


def _time_of(line: str) -> tuple[datetime.datetime, str]:
    match = LINE.match(line)
    if match is None:
        raise UserError("does not begin with a time such as 2000-01-31 20:15:00+0100")
    try:
        return datetime.datetime.strptime(match[1], TIME), match[2]
    except ValueError:
        raise UserError(f"{quote(match[1])} is not a time") from None


def _event(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the kind and the content of the event of a line; None for a line without an event."""
    for word, kind in _WORDS.items():
        if f'"{word}"' not in text:
            continue
        match = _EVENTS[kind].search(text)
        if match is None:
            raise UserError(f"{word} cannot be read")
        return kind, match.groups()
    # Data about a player, the only lines of interest without a keyword of an event.
    if '"usernickname"' in text and '"profival"' in text:
        match = _PLAYER.search(text)
        if match is None:
            raise UserError("usernickname cannot be read")
        values = {name: pattern.search(text) for name, pattern in _NUMBER.items()}
        given = {name: _number(value[1]) for name, value in values.items() if value is not None}
        return "player", (match[1], player_name({"usernickname": match[1], **given}))
    return None


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def _add(current: _Round, event: Event) -> None:
    """Add an event to its round. Raise `UserError` for an impossible one."""
    if event.kind == "hand":
        place, name, cards = event.values
        # Seats of the log run in the other direction.
        seat = NUM_SEATS - 1 - int(place)
        found = tuple(_card(part.strip().strip('"')) for part in cards.split(","))
        if seat < 0 or seat in current.hands or name in current.seats:
            raise UserError(f"doDeal: seat {place} or player {quote(name)} must be another one of four")
        if len(set(found)) != HAND_SIZE or len(found) != HAND_SIZE:
            raise UserError(f"doDeal: a hand has {HAND_SIZE} cards, all different")
        current.hands[seat], current.seats[name] = found, seat
    elif event.kind == "trump":
        trump = int(event.values[1])
        if not -1 <= trump < NUM_TRUMPS:
            raise UserError(f"submitTrump is from -1 to {NUM_TRUMPS - 1}, not {trump}")
        # A negative number stands for a push.
        current.turns.append((event.line, event.values[0], PUSH if trump < 0 else MODE + trump))
        current.seconds.append(event.seconds)
    elif event.kind == "card":
        current.turns.append((event.line, event.values[0], _card(event.values[1])))
        current.seconds.append(event.seconds)
    elif event.kind == "weis":
        # The cards follow the name of the meld.
        numbers = event.values[1].rpartition(";")[2].split(",")
        weis = tuple(_card(part.strip()) for part in numbers)
        # The Weis is shown before the next action.
        current.shown.append((len(current.turns), event.values[0], weis))


def _card(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) < NUM_CARDS):
        raise UserError(f"a card is from 0 to {NUM_CARDS - 1}, not {quote(text)}")
    return int(text)


def _finished(current: _Round | None, path: Path, players: dict[str, str]) -> list[Item]:
    """Return the deal of a round, or the reason why it is invalid."""
    if current is None:
        return []
    place = f"lines {current.first} to {current.last}, round {current.number}"
    try:
        return [Read(place, _deal(current, path, players))]
    except UserError as error:
        return [Refused(place, str(error))]


def _deal(current: _Round, path: Path, players: dict[str, str]) -> DealRecord:
    if len(current.hands) != NUM_SEATS:
        raise UserError(f"{len(current.hands)} hands are dealt, not {NUM_SEATS}")
    if len({card for hand in current.hands.values() for card in hand}) != NUM_CARDS:
        raise UserError("a card is in the hands of two players")
    if not current.turns:
        raise UserError("trumps are never chosen")
    forehand = _seat(current, current.turns[0][1])
    _check_turns(current, forehand)
    # A Weis after the last action counts as shown before it.
    shown: list[Shown] = [
        (min(action, len(current.turns) - 1), _seat(current, name), cards)
        for action, name, cards in current.shown
    ]
    names = {seat: players.get(name, name) for name, seat in current.seats.items()}
    stem = path.stem
    # The name of a log begins with a letter and the target, such as "S2500_".
    target = stem.partition("_")[0][1:]
    preset = PRESETS.get(int(target) if target.isdecimal() and len(target) < 6 else 0, PRESETS[2500])
    source: dict[str, Any] = {"file": path.name, "log": stem, "round": current.number, **AS_SHOWN}
    return DealRecord(
        game=preset,
        deck=tuple(
            card for turn in range(NUM_SEATS) for card in current.hands[(forehand + turn) % NUM_SEATS]
        ),
        dealer=(forehand - 1) % NUM_SEATS,
        # Each round is a deal by itself, without the score of its match.
        facts={"totals": (0, 0)},
        actions=tuple(action for _, _, action in current.turns),
        players=tuple(names[seat] for seat in range(NUM_SEATS)),
        seconds=tuple(current.seconds),
        notes=to_notes(shown),
        source=source,
    )


def _seat(current: _Round, name: str) -> int:
    if name not in current.seats:
        raise UserError(f"{quote(name)} is not one of the four players: {', '.join(current.seats)}")
    return current.seats[name]


def _check_turns(current: _Round, forehand: int) -> None:
    """Check the player of each choice of trumps and of each card, from the winners of the tricks.

    Raises:
      UserError: names the line and the player whose turn it is.
    """
    due, mode, trick, number = forehand, None, [], 0
    for line, name, action in current.turns:
        seat = _seat(current, name)
        if (action >= MODE) != (mode is None):
            raise UserError(f"line {line}: {'trumps are chosen' if mode is None else 'trumps stand'}")
        if seat != due:
            raise UserError(f"line {line}: {quote(name)} acts, but it is the turn of player {due}")
        if action == PUSH:
            if due != forehand:
                raise UserError(f"line {line}: a push is pushed back")
            # The partner of the first player chooses after a push.
            due = (forehand + 2) % NUM_SEATS
        elif mode is None:
            mode, due = action - MODE, forehand
        else:
            trick.append(action)
            due = (due + 1) % NUM_SEATS
            if len(trick) == NUM_SEATS:
                # Four players on, it is the leader again: count the winner's place from there.
                due = (due + count(trick, mode, number)[0]) % NUM_SEATS
                trick, number = [], number + 1
