"""Tables outlive the server; calls of many tables are made together; players take their time."""

import asyncio
import random
import sqlite3
import time

import numpy as np
import pytest

from jaxcards.cli.serve import load
from jaxcards.errors import UserError
from jaxcards.host.programs import Programs
from jaxcards.serve import messages
from jaxcards.serve.batches import SIZES, Batches
from jaxcards.serve.seating import (
    FIRST_NAMES,
    MOST_SEATS,
    checked_name,
    first_name,
    new_token,
    seat_all,
    shown_name,
    substitute,
)
from jaxcards.serve.store import Kept, Store
from jaxcards.serve.table import DEAL_OVER, OVER, PREPARING, _rest
from jaxcards.serve.tables import Tables
from jaxcards.view.text import Text, render
from serve.running import quick_settings

SEATS = ["you", "random", "random", "random"]


async def ready(tables, id):
    while (table := await tables.find(id)).status == PREPARING or table.busy:
        await asyncio.sleep(0.01)
    return table


async def play(tables, id, actions, source):
    """Play the given number of the person's actions, across deals; return the last message."""
    for _ in range(actions):
        table = await ready(tables, id)
        if table.status == OVER:
            break
        if table.status == DEAL_OVER:
            await table.next_deal(table.turn)
            continue
        legal = table.look.legal.nonzero()[0].tolist()
        await table.act(0, table.turn, source.choice(legal))
    return messages.of_table(await ready(tables, id), 0)


@pytest.mark.slow  # the page has a fast test of it
def test_a_killed_server_goes_on_where_it_was(tmp_path):
    """Nothing is closed or waited for: the next server has the file, and nothing else."""
    settings, source = quick_settings(tmp_path / "t.sqlite"), random.Random(1)

    async def first():
        tables = Tables(settings, Store(settings.file), load)
        table, _, _ = await tables.open("euchre", {"target": 3}, True, SEATS, "Anna", "me")
        return table.id, await play(tables, table.id, 9, source), tables

    async def again(id, actions):
        tables = Tables(settings, Store(settings.file), load)
        found = messages.of_table(await ready(tables, id), 0)
        return found, await play(tables, id, actions, source), tables

    id, told, _ = asyncio.run(first())
    for _ in range(4):
        found, told_next, tables = asyncio.run(again(id, 6))
        assert found == told
        told = told_next
    assert told["number"] >= 2 or told["status"] == OVER
    outcomes = tables.store.outcomes("me")
    assert len(outcomes) == len({(o.number, o.kind) for o in outcomes}) >= 2


@pytest.mark.slow
def test_a_standing_survives_the_server(tmp_path):
    settings, source = quick_settings(tmp_path / "t.sqlite"), random.Random(2)

    async def opened():
        tables = Tables(settings, Store(settings.file), load)
        table, _, _ = await tables.open("euchre", {}, True, SEATS, "Anna", "me", [9, 7], 12)
        return table.id  # killed before the first deal is dealt

    async def again(id, actions):
        tables = Tables(settings, Store(settings.file), load)
        await ready(tables, id)
        return await play(tables, id, actions, source)

    id = asyncio.run(opened())
    told = asyncio.run(again(id, 2))
    assert told == asyncio.run(again(id, 0))
    assert told["number"] == 12 and [score["total"] for score in told["view"]["scores"]] == [9, 7]
    over = asyncio.run(again(id, 200))
    assert over["status"] == OVER and over["number"] <= 18


def test_a_file_of_version_1_has_no_standings(tmp_path):
    file = tmp_path / "t.sqlite"
    store = Store(file)
    store.add_table(Kept("id", "euchre", {}, True, bytes(16), "me", [], [], [], 0), "0.2")
    store.close()
    old = sqlite3.connect(file)
    for column in ("totals", "num_deals"):
        old.execute(f"ALTER TABLE tables DROP COLUMN {column}")
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()
    found = Store(file).table("id")
    assert (found.totals, found.num_deals, found.game) == ([], 0, "euchre")


def test_what_was_not_written_was_not_told(tmp_path, monkeypatch):
    """If a server dies before it has written an action, players have not seen the action."""
    settings = quick_settings(tmp_path / "t.sqlite")

    async def course():
        tables = Tables(settings, Store(settings.file), load)
        table, _, _ = await tables.open("euchre", {}, False, SEATS, "Anna", "")
        await ready(tables, table.id)
        before, table = messages.of_table(table, 0), await tables.find(table.id)
        changed = table.changed

        def dies(*args):
            raise OSError("the disk is full")

        monkeypatch.setattr(tables.store, "set_actions", dies)
        with pytest.raises(OSError):
            action = int(table.look.legal.nonzero()[0][0])
            await table.act(0, table.turn, action)
        return before == messages.of_table(table, 0) and not changed.is_set() and not table.busy

    assert asyncio.run(course())


def test_calls_of_many_tables_are_made_together(monkeypatch):
    async def course():
        batches, calls = Batches(), []
        library_programs = programs()
        run = library_programs.run

        def counted(name, rows):
            calls.append(len(rows))
            return run(name, rows)

        monkeypatch.setattr(library_programs, "run", counted)
        (row,) = run("begin", [(np.asarray([1, 2], np.uint32),)])
        await batches.prepare(library_programs, "advance")
        looks = [batches.run(library_programs, "advance", row, np.int32(-1)) for _ in range(10)]
        found = await asyncio.gather(*looks)
        batches.close()
        return calls, [look[0].tolist() for look in found], row.tolist()

    calls, states, row = asyncio.run(course())
    # The larger size may be compiled by then, and takes all that wait.
    assert calls[0] == SIZES[0] and sum(calls) == 10 and len(calls) in (2, 3)
    assert states == [row] * 10


def test_a_failure_reaches_all_who_wait():
    async def course():
        batches, found = Batches(), programs()
        await batches.prepare(found, "advance")
        rows = [batches.run(found, "advance", "nonsense", np.int32(0)) for _ in range(3)]
        answers = await asyncio.gather(*rows, return_exceptions=True)
        batches.close()
        return answers

    assert all(isinstance(answer, Exception) for answer in asyncio.run(course()))


def programs(made=[]):  # noqa: B006 – compiled once
    import jaxcards

    if not made:
        made.append(Programs(jaxcards.make("euchre"), SIZES))
    return made[0]


@pytest.mark.parametrize("spent", [0.0, 0.1, 0.49, 0.51, 1.3, 7.77])
def test_a_move_takes_a_whole_number_of_pauses(spent):
    whole = (spent + _rest(spent, 0.5)) / 0.5
    assert abs(whole - round(whole)) < 1e-9 and round(whole) >= 1
    assert _rest(spent, 0.0) == 0


def test_a_file_that_is_no_file_of_tables_is_refused(tmp_path):
    file = tmp_path / "x.sqlite"
    file.write_text("something else that is long enough to be no database at all" * 20)
    with pytest.raises(UserError, match="no file of tables"):
        Store(file)
    newer = sqlite3.connect(tmp_path / "newer.sqlite")
    newer.execute("PRAGMA user_version = 7")
    newer.close()
    with pytest.raises(UserError, match="newer jaxcards"):
        Store(tmp_path / "newer.sqlite")


def test_tables_that_nobody_uses_are_removed(tmp_path):
    settings = quick_settings(tmp_path / "t.sqlite")

    async def course():
        tables = Tables(settings, Store(settings.file), load)
        table, _, _ = await tables.open("euchre", {}, False, SEATS, "Anna", "")
        await ready(tables, table.id)
        tables.forget_unused()
        kept = tables.store.counts("")[0]
        tables.store.remove_unused(time.time() + 1)
        return kept, tables.store.counts("")[0], tables.store.table(table.id)

    assert asyncio.run(course()) == (1, 0, None)


def test_tokens_are_unguessable_and_not_kept(tmp_path):
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000 and {len(token) for token in tokens} == {32}
    settings = quick_settings(tmp_path / "t.sqlite")

    async def course():
        tables = Tables(settings, Store(settings.file), load)
        _, _, token = await tables.open("euchre", {}, False, SEATS, "Anna", "")
        return token

    token = asyncio.run(course())
    assert all(token.encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_seats_and_names():
    found = seat_all(["random", "you", "person", "random"], ["random"], 4, "Anna", "euchre")
    assert [occupant.name for occupant in found] == ["random", "Anna", "", "random 2"]
    assert found[2].free and found[2].invitation and not found[1].invitation
    assert checked_name("  Anna   B ") == "Anna B"
    assert [found[seat].known_at(seat).args["name"] for seat in (0, 3)] == ["Alma", "Oscar"]
    gone = substitute("Bea").known_at(2)
    assert render(gone, (), (), "fr") == "Nora pour Bea"
    taken = ("Champion", "club player 2", "toi", "hugo", "Meister")
    for name in ("", "x" * 25, "a\nb\x00", "\u200b", *taken):
        with pytest.raises(UserError):
            checked_name(name)


@pytest.mark.parametrize(
    "recorded, shown",
    [("champion", "Hugo"), ("search 2", "Hugo"), ("search:32", "Hugo"), ("heuristic for Bea", "Hugo"),
     ("Anna", "Anna"), ("random guest", "random guest")],
)  # fmt: skip
def test_players_of_a_record_have_the_first_names_of_their_seats(recorded, shown):
    assert shown_name(recorded, 1, own=False) == shown


def test_a_person_without_a_name_is_you_or_the_seat():
    assert shown_name("Gast", 2, own=True) == Text("seat.you")
    assert shown_name("a guest", 2, own=False) == Text("seat.number", number=2)


def test_first_names_differ_and_can_be_typed_anywhere():
    assert len({first_name(seat) for seat in range(MOST_SEATS)}) == MOST_SEATS
    assert first_name(8) == "Hugo 2" and len(FIRST_NAMES) == 7
    assert all(name.isascii() and name.isalpha() for name in FIRST_NAMES)
