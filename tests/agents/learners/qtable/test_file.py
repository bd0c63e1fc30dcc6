"""The file of a table: written values are read back, and other files are refused in a line."""

import contextlib
import sqlite3

import numpy as np
import pytest

import jaxcards
from jaxcards.agents.learners.qtable import file
from jaxcards.agents.learners.qtable.description import layout_of
from jaxcards.agents.learners.qtable.file import Meta
from jaxcards.agents.learners.qtable.layout import VERSION
from jaxcards.agents.learners.qtable.player_file import load
from jaxcards.cli import main
from jaxcards.errors import UserError

GAME = jaxcards.make("euchre/three_handed")
LAYOUT = layout_of(GAME)
META = Meta(GAME.id, VERSION, 12)


def cells():
    """Return a table with a few visited cells."""
    random = np.random.default_rng(3)
    visits = np.zeros(LAYOUT.num_cells, np.uint32)
    visits[random.choice(LAYOUT.num_cells, 500, replace=False)] = random.integers(1, 100, 500)
    values = np.where(visits, random.normal(size=LAYOUT.num_cells), 0).astype(np.float32)
    return values, visits


@pytest.fixture
def path(tmp_path):
    file.write(tmp_path / "table.sqlite", LAYOUT, META, *cells())
    return tmp_path / "table.sqlite"


def test_what_is_written_is_read(path):
    agent, found = load(path, GAME)
    assert agent.game == GAME
    np.testing.assert_array_equal(found.values, cells()[0])
    np.testing.assert_array_equal(found.visits, cells()[1])
    assert [entry.name for entry in path.parent.iterdir()] == ["table.sqlite"]


def test_any_tool_reads_it(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT * FROM learned").fetchall()
        meta = dict(database.execute("SELECT key, value FROM meta"))
    values, visits = cells()
    assert len(rows) == 500
    expected = {
        (LAYOUT.describe(state), LAYOUT.actions[action], float(values[cell]), int(visits[cell]))
        for cell in np.flatnonzero(visits)
        for state, action in [LAYOUT.place(int(cell))]
    }
    assert set(rows) == expected
    assert (meta["game"], meta["features"], meta["update"]) == (GAME.id, str(VERSION), "12")


@pytest.mark.slow
def test_a_reader_sees_the_old_table_or_the_new_one(path):
    """Also one that has begun to read; and an error while writing leaves the old one."""
    with file.reading(path) as database:
        rows = database.execute("SELECT value FROM cells")
        first = rows.fetchone()
        file.write(path, LAYOUT, META, np.ones(LAYOUT.num_cells), np.ones(LAYOUT.num_cells, int))
        assert 1.0 not in {value for (value,) in [first, *rows]}
    assert set(load(path, GAME)[1].values.tolist()) == {1.0}
    nothing = np.full(LAYOUT.num_cells, np.nan)
    with pytest.raises(sqlite3.IntegrityError):
        file.write(path, LAYOUT, META, nothing, np.ones(LAYOUT.num_cells, int))
    assert set(load(path, GAME)[1].values.tolist()) == {1.0}
    assert [entry.name for entry in path.parent.iterdir()] == ["table.sqlite"]


def change(path, *statements):
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


def of_another_version(path):
    change(path, "UPDATE meta SET value = 99 WHERE key = 'features'")


def with_a_foreign_cell(path):
    change(path, "INSERT INTO cells VALUES (999999, 0, 1.0, 1)")


def without_a_format(path):
    change(path, "DELETE FROM meta WHERE key = 'format'")


def of_something_else(path):
    change(path, "DROP TABLE meta", "CREATE TABLE meta (number INTEGER)")


def garbage(path):
    path.write_bytes(b"this is no database" * 100)


def cut(path):
    path.write_bytes(path.read_bytes()[:5000])


def of_text(table, column):
    def damage(path):
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            wrong = "x'00'" if column == "name" else "'many'"
            database.execute(f"UPDATE {table} SET {column} = {wrong}")

    return damage


def empty(path):
    path.write_bytes(b"")


@pytest.mark.parametrize(
    "damage, words",
    [
        (of_another_version, "version 99 of the features, and this is version .*train it again"),
        (with_a_foreign_cell, "has a cell that euchre/three_handed has not"),
        (without_a_format, "is not a table of the learner q-table"),
        (of_something_else, "is not a table of the learner q-table"),
        (of_text("cells", "value"), "is damaged: a number or a name"),
        (of_text("cells", "visits"), "is damaged: a number or a name"),
        (of_text("states", "name"), "is damaged: a number or a name"),
        (of_text("actions", "name"), "is damaged: a number or a name"),
        (garbage, "is not a table of the learner q-table"),
        (cut, "is not a table of the learner q-table"),
        (empty, "is not a table of the learner q-table"),
        (lambda path: path.unlink(), "file not found"),
    ],
)
def test_what_is_no_table_of_this_game(path, damage, words):
    damage(path)
    with pytest.raises(UserError, match=words) as error:
        load(path, GAME)
    assert "\n" not in str(error.value)


def test_other_rules(path):
    words = "was learned at euchre/three_handed and cannot play euchre/british"
    with pytest.raises(UserError, match=words):
        load(path, jaxcards.make("euchre/british"))
    assert load(path, jaxcards.make("euchre/standard", mode="dummy_pool", stick_dealer=True,
                                    lone_lead="maker_left"))  # fmt: skip


def test_a_locked_file(path, monkeypatch):
    monkeypatch.setattr(file, "_PATIENCE", 0.01)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UserError, match="is locked by another program: close the file there"):
            load(path, GAME)


# --- jaxcards table -----------------------------------------------------------------------------


def test_the_command_refuses_a_damaged_table_in_one_line(path, capsys):
    of_text("cells", "value")(path)
    assert main.main(["table", str(path.parent)]) == 2
    said = capsys.readouterr()
    assert "is damaged: a number or a name" in said.err and said.err.count("\n") == 1


def test_the_command_prints_the_most_visited_states(path, capsys):
    assert main.main(["table", str(path.parent), "--top", "3"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    _, visits = cells()
    assert first == (
        f"euchre/three_handed after 12 updates: {len(states(visits)):,} states, 500 cells, "
        f"{visits.sum():,} visits"
    )
    titles = [line for line in rest if line[:1].isdigit()]
    most = sorted(states(visits).items(), key=lambda item: (-item[1], item[0]))[:3]
    assert titles == [
        f"{place}. {LAYOUT.describe(state)} ({number:,} visits)"
        for place, (state, number) in enumerate(most, start=1)
    ]
    assert sum(line.startswith("   * ") for line in rest) == 3


def states(visits):
    found = {}
    for cell in np.flatnonzero(visits):
        state, _ = LAYOUT.place(int(cell))
        found[state] = found.get(state, 0) + int(visits[cell])
    return found


def test_the_command_refuses_what_is_no_table(path, capsys):
    garbage(path)
    assert main.main(["table", str(path)]) == 2
    err = capsys.readouterr().err
    assert "is not a table of the learner q-table" in err and err.count("\n") == 1
