"""The Swisslos data: an HDF5 file with a group for each log, and a row for each card (docs/records.md).

A deal is rebuilt from the rows of all four players: each of them shows the hand of its player and all
cards before it. The record marks missing information, such as who chose trumps, as unknown.
"""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jaxcards.errors import UserError, quote
from jaxcards.records.hdf5_disk import library
from jaxcards.records.hdf5_parts import DAMAGE, MOST_TEXT, data_set, hard, one_line, open_file, text
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.lines import json_object
from jaxcards.records.record import DealRecord, game_of
from jaxcards.records.swisslos_deal import MOST_ROWS, deal_of, player_name
from jaxcards.records.swisslos_layout import NUM_SEATS, TABLE
from jaxcards.records.swisslos_writer import COLUMNS, ROWS

PRESET = "jass/swisslos"
"""The game of groups that do not name one."""

_MOST_GROUPS = 10_000_000
_READ = 16 * ROWS  # rows at a time

Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def read(path: Path) -> Iterator[Item]:
    """Yield the deals of a file, group by group; memory stays bounded.

    Raises:
      UserError: if the file is not an HDF5 file, or its essential parts are damaged.
    """
    with open_file(path) as file:
        for name, group in groups(file):
            try:
                if isinstance(group, UserError):
                    raise group
                yield from _deals(group, name)
            except DAMAGE as error:
                yield Refused(f"group {name}", one_line(error))


def groups(file: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name of each group of a file, and the group, or an error that explains why it is
    invalid.
    """
    try:
        number = len(file)
        names = sorted(file) if number <= _MOST_GROUPS else []
    except DAMAGE as error:
        raise UserError(one_line(error)) from None
    if number > _MOST_GROUPS:
        raise UserError(f"has {number} groups, but at most {_MOST_GROUPS} are read")
    for name in names:
        try:
            yield name, hard(file, name, library().Group)
        except DAMAGE as error:
            yield name, UserError(one_line(error))


def columns(group: Any) -> tuple[dict[str, Any], int]:
    """Return the data sets of a group, which fit the format, and their number of rows.

    Raises:
      UserError: names the data set that is missing, or has the wrong type or shape.
    """
    found = {name: data_set(group, name, shape, *dtypes) for name, (shape, dtypes) in COLUMNS.items()}
    lengths = {name: len(dataset) for name, dataset in found.items()}
    if len(set(lengths.values())) != 1:
        raise UserError(f"its data sets have different lengths: {lengths}")
    return found, lengths["state"]


def _deals(group: Any, name: str) -> Iterator[Item]:
    """Yield the deals of a group, with points for finished deals."""
    from jaxcards.records.verify import with_points

    found, number = columns(group)
    preset, rules = _game(group)
    seats = _seats(found["player_id"][:NUM_SEATS, 0])
    players = _players(group, seats)
    game = game_of(DealRecord(preset, (), 0, (), rules))
    facts = {n: (0,) * fact.size if fact.size else 0 for n, fact in game.opening_facts.items()}
    part: list[Item] = []
    for first, rows in _single_deals(found, number):
        place = f"group {name}, rows {first} to {first + len(rows[0]) - 1}"
        state, action, time, ids = rows
        # Impossible ids stay as they are: `deal_of` names them in its error.
        rows = state, action, time, np.where(ids < NUM_SEATS, seats[ids % NUM_SEATS], ids)
        source: dict[str, str | int] = {"log": name, "row": first}
        try:
            deal = deal_of(preset, rules, rows, first, source)
        except UserError as error:
            part.append(Refused(place, str(error)))
            continue
        part.append(Read(place, dataclasses.replace(deal, facts=facts, players=players)))
        if len(part) >= ROWS:
            yield from _with_points(part, with_points)
            part = []
    yield from _with_points(part, with_points)


def _with_points(items: list[Item], with_points: Any) -> list[Item]:
    read = [item for item in items if isinstance(item, Read)]
    deals = iter(with_points([item.record for item in read]))
    return [Read(item.place, next(deals)) if isinstance(item, Read) else item for item in items]


def _single_deals(found: dict[str, Any], number: int) -> Iterator[tuple[int, Columns]]:
    """Yield the number of the first row of each deal, and its rows.

    A row with no card played before it begins a deal. Rows without a beginning come as a separate deal,
    with at most one row more than a deal can have.
    """
    waiting, numbers = _cut(found, slice(0, 0)), np.arange(0)
    for start in range(0, number, _READ):
        stop = min(start + _READ, number)
        state, *others = map(np.concatenate, zip(waiting, _cut(found, slice(start, stop)), strict=True))
        numbers = np.concatenate([numbers, np.arange(start, stop)])
        # A row without cards before it is the first of a deal.
        begins = np.flatnonzero(~state[:, : TABLE.stop].any(1)).tolist()
        done = 0
        # A deal ends where the next one begins, and the last one with the rows of the group.
        for end in [place for place in begins if place] + [len(state)] * (stop == number):
            # Deals are never this long; of a longer one, the beginning is enough for the error.
            part = slice(done, min(end, done + MOST_ROWS + 1))
            yield int(numbers[done]), _of((state, *others), part)
            done = end
        # The deal that is not complete yet waits for further rows.
        part = slice(done, done + MOST_ROWS + 1)
        waiting, numbers = _of((state, *others), part), numbers[part]


def _cut(found: dict[str, Any], rows: slice) -> Columns:
    state, action, time, player = (np.asarray(found[name][rows]) for name in COLUMNS)
    return state, action[:, 0], time[:, 0], player[:, 0]


def _of(rows: Any, part: slice) -> Columns:
    state, action, time, player = (column[part] for column in rows)
    return state, action, time, player


def _game(group: Any) -> tuple[str, dict[str, Any]]:
    """Return the preset and the rules of a group, or those of the data."""
    if "game" not in group.attrs:
        return PRESET, {}
    preset = text(group, "game")
    rules = json_object(text(group, "rules")) if "rules" in group.attrs else {}
    if game_of(DealRecord(preset, (), 0, (), rules)).name != "jass":
        raise UserError(f"its game is {quote(preset)}, but the Swisslos data are for Jass")
    return preset, rules


def _seats(ids: np.ndarray) -> np.ndarray:
    """Return the seat of each player_id, by the order of play in the first trick of a group.

    If the ids play in the order 0, 1, 2, 3 or a rotation, seats are the ids. In other orders the player
    0 sits in seat 0. If the first rows are of fewer than four players, ids are taken for seats.
    """
    seats = np.arange(NUM_SEATS)
    if sorted(ids.tolist()) == list(range(NUM_SEATS)):
        # Rotate the order of play so that id 0 comes first.
        seats[np.roll(ids, -int(np.flatnonzero(ids == 0)[0]))] = np.arange(NUM_SEATS)
    return seats


def _players(group: Any, seats: np.ndarray) -> tuple[str, ...] | None:
    """Return the names of the players by seat; None if the group lacks them."""
    if "players" not in group.attrs:
        return None
    value = group.attrs["players"]
    content = value.decode("utf-8") if isinstance(value, bytes) else value
    if not isinstance(content, str) or len(content) > MOST_TEXT:
        raise UserError("the attribute players is not a short text")
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        raise UserError(f"the attribute players is not JSON: {quote(content)}") from None
    if not isinstance(given, list) or len(given) != NUM_SEATS:
        raise UserError(f"players must be a list of {NUM_SEATS}, not {quote(given)}")
    names = dict(zip(seats.tolist(), map(player_name, given), strict=True))
    return tuple(names[seat] for seat in range(NUM_SEATS))
