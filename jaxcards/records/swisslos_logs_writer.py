"""Writer of text logs of Swisslos games: a folder, with a log for each match.

A seed determines data that a record lacks: the time of each action, if it was not measured.
"""

import dataclasses
import datetime
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.records.hslu import MODE, PUSH
from jaxcards.records.record import DealRecord, Record, checked, deals_of, id_and_rules
from jaxcards.records.swisslos_deal import ATTRIBUTES, player_object
from jaxcards.records.swisslos_layout import NUM_SEATS, NUM_TRUMPS, legal_slots
from jaxcards.records.swisslos_logs import TIME
from jaxcards.records.swisslos_rows import DealRows, dealt_hands, rows_of
from jaxcards.records.swisslos_weis import single
from jaxcards.records.swisslos_writer import LogNames
from jaxcards.records.thinking import Thinking

ENDING = ".game"
GAMES = ("jass/schieber_1000", "jass/schieber_2500", "jass/swisslos")
"""The presets of a log: its name has the target, and no other rules."""

# An arbitrary time, because records lack dates.
_BEGINNING = datetime.datetime(2000, 1, 1, 20, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
_TEXTS = {3: "Dreiblatt", 4: "Vierblatt", 5: "Fünfblatt"}

Entropies = Callable[[DealRecord], Sequence[float]]


@dataclasses.dataclass
class _Log:
    """The progress of the writing of a log."""

    path: Path
    clock: float = 0.0
    rounds: int = 0
    players: tuple[str, ...] = ()


class Writer:
    """Write records as logs into a folder; used with `with`.

    Args:
      folder: exists, and is empty.
      seed: determines the times of deals without measured times, together with the deal.
      entropies: from a deal to the entropy of each of its choices, in nats; None if unknown.
      thinking: parameters of the thinking times.
    """

    def __init__(
        self,
        folder: str | Path,
        seed: int = 0,
        entropies: Entropies | None = None,
        thinking: Thinking | None = None,
    ) -> None:
        self._folder, self._seed = Path(folder), seed
        self._entropies, self._thinking = entropies, thinking or Thinking()
        self._names, self._logs = LogNames(), dict[str, _Log]()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *error: Any) -> None:
        if error and error[0] is None:
            for log in self._logs.values():
                self._append(log, [(0.0, {"pid": log.players[0], "action": "gameFinished"})])

    def write(self, records: Sequence[Record]) -> None:
        """Write records that replay. Raise `UserError` if a log cannot express them."""
        by_game: dict[Game, list[tuple[str, DealRecord]]] = {}
        for record in records:
            game = checked(record)
            id, rules = id_and_rules(game)
            if id not in GAMES or rules:
                raise UserError(f"a log cannot express {game.id}: it is of one of {', '.join(GAMES)}")
            named = [(self._names.of(record, deal, game), deal) for deal in deals_of(record)]
            by_game.setdefault(game, []).extend(named)
        for game, given in by_game.items():
            of_all = rows_of(game, [deal for _, deal in given])
            for (name, deal), rows in zip(given, of_all, strict=True):
                log = self._logs.setdefault(name, _Log(self._folder / f"{name}{ENDING}"))
                self._append(log, self._events(log, deal, rows))

    def _events(self, log: _Log, deal: DealRecord, rows: DealRows) -> list[tuple[float, Any]]:
        """Return the events of a deal: the seconds since the one before, and the event."""
        found: list[tuple[float, Any]] = []
        names = nicknames(deal.players)
        if names != log.players:
            log.players = names
            found += [(0.0, {"player": one}) for one in _players(deal.players, names)]
        log.rounds += 1
        found.append((1.0, {"action": {"newRound": f"Runde {log.rounds}"}}))
        for seat, hand in dealt_hands(deal).items():
            # The log numbers the places of a deal in the other direction.
            given = {"doDeal": NUM_SEATS - 1 - seat, "player": seat + 1, "usernickname": names[seat]}
            found.append((0.0, {"action": given | {"cardset": [str(card) for card in hand]}}))
        seconds = deal.seconds or self._seconds(deal, rows)
        for number, action in enumerate(deal.actions):
            # The Weis shown before this action.
            for before, seat, cards in rows.shown:
                if before == number:
                    said = [(0.0, _weis(names[seat], meld)) for meld in single(cards)]
                    found += said
            found.append((seconds[number], _action(names[_actor(deal, rows, number)], action)))
        if deal.points is not None:
            for team in (0, 1):
                total = f"[Rundentotal,{deal.points[team]},{team}]"
                found.append((0.0, {"action": {"team": team, "gameTotal": total}}))
        return found

    def _seconds(self, deal: DealRecord, rows: DealRows) -> list[float]:
        """Return thinking times for a deal without measured times, in whole seconds."""
        # Seed and deal determine the times, so that equal input gives equal logs.
        content = f"{self._seed} {deal.deck} {deal.dealer} {deal.actions}".encode()
        digits = hashlib.blake2b(content, digest_size=8).digest()
        legal = iter(legal_slots(rows.state).sum(1).tolist() if len(rows.state) else [])
        calls = [action >= MODE for action in deal.actions]
        # Forehand may push as well.
        numbers = [
            NUM_TRUMPS + (place == 0) if call else next(legal) for place, call in enumerate(calls)
        ]
        known = None if self._entropies is None else self._entropies(deal)
        generator = np.random.default_rng(int.from_bytes(digits, "big"))
        return [float(round(t)) for t in self._thinking.draw(generator, numbers, calls, known)]

    def _append(self, log: _Log, events: Sequence[tuple[float, Any]]) -> None:
        lines = []
        for seconds, event in events:
            log.clock += seconds
            time = _BEGINNING + datetime.timedelta(seconds=round(log.clock))
            lines.append(f"{time.strftime(TIME)} INFO {_text(event)}\n")
        with log.path.open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)


def nicknames(players: Sequence[str] | None) -> tuple[str, ...]:
    """Return a unique word for each player: a log distinguishes players by them."""
    found: list[str] = []
    for seat, name in enumerate(players or [f"player_{seat}" for seat in range(NUM_SEATS)]):
        word = re.sub(r"\W", "_", player_object(name)["usernickname"])[:100] or f"player_{seat}"
        # Further players of the same name get a number.
        number, own = 1, word
        while own in found:
            number += 1
            own = f"{word}_{number}"
        found.append(own)
    return tuple(found)


def _players(players: Sequence[str] | None, names: Sequence[str]) -> list[dict[str, Any]]:
    given = [player_object(name) for name in players] if players else [{}] * NUM_SEATS
    return [
        {"usernickname": name} | {number: own.get(number, 0) for number in ATTRIBUTES}
        for name, own in zip(names, given, strict=True)
    ]


def _actor(deal: DealRecord, rows: DealRows, number: int) -> int:
    """Return the seat that acts."""
    calls = sum(action >= MODE for action in deal.actions)
    if number >= calls:
        return int(rows.player[number - calls])
    # The first caller sits left of the dealer; after a push the partner calls.
    forehand = (deal.dealer + 1) % NUM_SEATS
    return forehand if number == 0 else (forehand + 2) % NUM_SEATS


def _action(name: str, action: int) -> dict[str, Any]:
    if action == PUSH:
        return {"pid": name, "action": {"submitTrump": -1}}
    if action >= MODE:
        return {"pid": name, "action": {"submitTrump": action - MODE}}
    return {"pid": name, "action": {"submitsCard": str(action)}}


def _weis(name: str, cards: Sequence[int]) -> dict[str, Any]:
    # Four of a rank lie whole suits apart, and a run has neighbours.
    same_rank = len(cards) == NUM_SEATS and cards[1] - cards[0] > 1
    text = "Vier gleiche" if same_rank else _TEXTS.get(len(cards), f"{len(cards)} Blatt")
    return {"pid": name, "action": {"doRequestSuits": [f"{text};{','.join(map(str, cards))}"]}}


def _text(event: Any) -> str:
    """Return an event as in the logs: JSON without some of its blanks, and bare totals."""
    text = json.dumps(event, ensure_ascii=False).replace('"action": {', '"action":{')
    text = text.replace(', "action":', ',"action":').replace(', "player":', ',"player":')
    text = re.sub(
        r', "cardset": (\[[^\]]*\])', lambda found: f',"cardset":{found[1].replace(" ", "")}', text
    )
    return re.sub(r'"gameTotal": "(\[[^"]*\])"', r'"gameTotal": \1', text)
