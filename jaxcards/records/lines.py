"""A record as a line of JSON: the form for people, diffs and other languages (docs/records.md)."""

import functools
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from jaxcards import registry
from jaxcards.errors import UserError, quote, unknown
from jaxcards.records.record import (
    DealRecord,
    MatchRecord,
    Record,
    checked,
    game_of,
    id_and_rules,
)

if TYPE_CHECKING:
    from jaxcards.game import Game

FORMAT = 1
"""The version of the form that is written. All earlier ones can be read."""

DEAL, MATCH = "deal", "match"

_UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""From the number of an earlier version to a function that upgrades its object by one version."""

_COMMON = ("record", "format", "version", "game", "rules")
_OF_DEAL = (
    "players", "deck", "dealer", "facts", "actions", "points", "seconds", "notes", "unknown", "source",
)  # fmt: skip


def to_line(record: Record) -> str:
    """Return a record as one line of JSON, without the end of the line.

    Raises:
      UserError: if the record does not fit its game.
    """
    game = checked(record)
    first = record.deals[0] if isinstance(record, MatchRecord) else record
    kind = MATCH if isinstance(record, MatchRecord) else DEAL
    line: dict[str, Any] = {"record": kind, "format": FORMAT, "version": first.version}
    line["game"] = registry.versioned_id(record.game)
    if record.rules:
        line["rules"] = dict(record.rules)
    if isinstance(record, MatchRecord):
        line["deals"] = [_deal_object(deal, game) for deal in record.deals]
        if record.winners is not None:
            line["winners"] = record.winners
    else:
        line |= _deal_object(record, game)
    return json.dumps(line, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)


def _deal_object(record: DealRecord, game: "Game") -> dict[str, Any]:
    names = _names(game)
    found: dict[str, Any] = {
        "players": record.players,
        "deck": game.deck.names(record.deck),
        "dealer": record.dealer,
        "facts": dict(sorted(record.facts.items())),
        "actions": [names[action] for action in record.actions],
        "points": record.points,
        "seconds": record.seconds,
        "notes": {str(number): text for number, text in record.notes.items()},
        "unknown": record.unknown,
        "source": dict(record.source),
    }
    # Other parts are left out if they are empty.
    needed = ("deck", "dealer", "actions")
    return {name: part for name, part in found.items() if name in needed or part not in (None, {}, ())}


def from_line(text: str) -> Record:
    """Return the record of a line of JSON, which fits its game; it is not replayed.

    Raises:
      UserError: if the text is not a record, is of a newer form, or does not fit its game.
    """
    line = _upgraded(json_object(text))
    kind = line["record"]
    allowed = (*_COMMON, *(("deals", "winners") if kind == MATCH else _OF_DEAL))
    _known_names(line, allowed)
    # Only the game and its rules count here.
    game = game_of(DealRecord(_text(line, "game"), (), 0, (), _object(line, "rules")))
    # The current id, and only the rules that differ from its preset.
    id, rules = id_and_rules(game)
    common = {"game": id, "rules": rules, "version": _text(line, "version")}
    record = (_deal if kind == DEAL else _match)(line, common, game)
    checked(record)
    return record


def json_object(text: str) -> dict[str, Any]:
    """Return a JSON object. Repeated names, NaN and infinite numbers are errors.

    Raises:
      UserError: if the text is something else.
    """
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_constant)
    except UserError:
        raise
    except RecursionError:
        raise UserError("is not a record: it is nested too deeply") from None
    except ValueError as error:
        raise UserError(f"is not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise UserError(f"is not a record: a JSON object is needed, not {quote(value)}")
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, _ in pairs if [other for other, _ in pairs].count(name) > 1)
        raise UserError(f"the name {quote(twice)} is there twice")
    return found


def _no_constant(name: str) -> Any:
    raise UserError(f"{name} is not a number that a record may have")


def _upgraded(line: dict[str, Any]) -> dict[str, Any]:
    """Return the object in the current form."""
    if line.get("record") not in (DEAL, MATCH):
        raise UserError(f'is not a record: "record" must be "{DEAL}" or "{MATCH}"')
    number = line.get("format")
    if type(number) is not int or number < 1:
        raise UserError(f"the format must be a whole number from 1 to {FORMAT}, not {quote(number)}")
    if number > FORMAT:
        raise UserError(
            f"a later version of jaxcards wrote it: its format is {number}, "
            f"but this version reads only up to {FORMAT}"
        )
    while number < FORMAT:
        line, number = _UPGRADES[number](line), number + 1
    return line


def _match(line: Mapping[str, Any], common: Mapping[str, Any], game: "Game") -> MatchRecord:
    deals = []
    for number, part in enumerate(_list(line, "deals")):
        try:
            if not isinstance(part, dict):
                raise UserError(f"a JSON object is needed, not {quote(part)}")
            _known_names(part, _OF_DEAL)
            deals.append(_deal(part, common, game))
        except UserError as error:
            raise UserError(f"deal {number} of the match: {error}") from None
    winners = None if "winners" not in line else tuple(_list(line, "winners"))
    return MatchRecord(tuple(deals), winners)


def _deal(line: Mapping[str, Any], common: Mapping[str, Any], game: "Game") -> DealRecord:
    lists = {name: _optional_tuple(line, name) for name in ("points", "players", "seconds")}
    # JSON has lists for tuples.
    facts = {n: tuple(v) if isinstance(v, list) else v for n, v in _object(line, "facts").items()}
    return DealRecord(
        **common,
        deck=_cards(_text(line, "deck"), game),
        # The check of the record refuses a missing dealer.
        dealer=line.get("dealer", None),  # type: ignore[arg-type]
        facts=facts,
        actions=_actions(_list(line, "actions"), game),
        **lists,  # type: ignore[arg-type]
        notes=notes_of(_object(line, "notes")),
        unknown=_optional_tuple(line, "unknown") or (),
        source=_object(line, "source"),
    )


def _cards(text: str, game: "Game") -> tuple[int, ...]:
    numbers = _card_numbers(game)
    found = []
    for name in text.split():
        if name not in numbers:
            raise UserError(f"deck: unknown card {quote(name)} (allowed: {', '.join(numbers)})")
        found.append(numbers[name])
    return tuple(found)


def _actions(names: list[Any], game: "Game") -> tuple[int, ...]:
    numbers = _numbers(game)
    for place, name in enumerate(names):
        if not isinstance(name, str) or name not in numbers:
            raise UserError(f"actions: number {place} is {quote(name)}, which does not name an action")
    return tuple(numbers[name] for name in names)


@functools.lru_cache(maxsize=64)
def _names(game: "Game") -> tuple[str, ...]:
    return tuple(game.action_names())


@functools.lru_cache(maxsize=64)
def _numbers(game: "Game") -> dict[str, int]:
    return {name: number for number, name in enumerate(game.action_names())}


@functools.lru_cache(maxsize=64)
def _card_numbers(game: "Game") -> dict[str, int]:
    return {game.deck.name(card): card for card in range(game.deck.num_cards)}


def _known_names(line: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
    for name in line:
        if name not in allowed:
            raise unknown("name", name, allowed)


def _text(line: Mapping[str, Any], name: str) -> str:
    return _of_type(line, name, str, "a text")


def _object(line: Mapping[str, Any], name: str) -> dict[str, Any]:
    return _of_type(line, name, dict, "a JSON object") if name in line else {}


def _list(line: Mapping[str, Any], name: str) -> list[Any]:
    return _of_type(line, name, list, "a list")


def _optional_tuple(line: Mapping[str, Any], name: str) -> tuple[Any, ...] | None:
    return tuple(_list(line, name)) if name in line else None


def _of_type(line: Mapping[str, Any], name: str, kind: type, words: str) -> Any:
    if name not in line:
        raise UserError(f"{name} is missing")
    if not isinstance(line[name], kind):
        raise UserError(f"{name} must be {words}, not {quote(line[name])}")
    return line[name]


def notes_of(given: Mapping[str, Any]) -> dict[int, Any]:
    """Return notes by the number of an action. Raise `UserError` for a key that is not a number."""
    for text in given:
        if not (text.isascii() and text.isdecimal() and len(text) < 7):
            raise UserError(f"notes: {quote(text)} is not a number of an action")
    return {int(text): note for text, note in given.items()}
