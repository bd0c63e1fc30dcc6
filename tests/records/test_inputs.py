"""Inputs of commands: regular files; every record is written or refused, and counted."""

import os
import subprocess
import sys
from pathlib import Path

import h5py
import pytest
from records.played import deal, match
from support import quick

from jaxcards import records, xla
from jaxcards.cli.main import main
from jaxcards.errors import UserError
from jaxcards.records import convert, hdf5, hdf5_reader
from jaxcards.records.items import Read, Refused

ROOT = Path(__file__).parents[2]
HISTORY = (
    "euchre(stick_the_dealer=False) "
    "3, 13, 1, 9, 19, 18, 15, 11, 22, 16, 12, 4, 14, 3, 7, 5, 2, 17, 20, 23, 21, 6, 24"
)
ID, MATCH = "euchre/dummy_partner", "sheepshead/deepsheep_doubler"


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch, tmp_path):
    monkeypatch.setattr(xla, "jit", quick.jit)
    monkeypatch.setattr("jaxcards.xla.cache.enable", lambda wanted: None)
    monkeypatch.chdir(tmp_path)


def write_lines(path, *given):
    path.write_text("".join(records.to_line(one) + "\n" for one in given), encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "convert pipe.jsonl out.jsonl",
        "convert folder out.jsonl",
        "review pipe.jsonl",
        f"imitate {ID} pipe.jsonl",
        "table pipe.jsonl",
        "play --resume pipe.jsonl",
    ],
)
def test_a_pipe_is_refused_at_once_in_one_line(line, tmp_path, capsys):
    for folder in (tmp_path, tmp_path / "folder"):
        folder.mkdir(exist_ok=True)
        os.mkfifo(folder / "pipe.jsonl")
    assert main(line.split()) == 2
    said = capsys.readouterr()
    assert "pipe.jsonl is a pipe or a device: write its content to a file" in said.err
    assert said.err.count("\n") == 1 and not said.out
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe.jsonl"]


def test_standard_input_from_a_pipe_is_refused(tmp_path):
    write_lines(tmp_path / "a.jsonl", *[deal(ID)] * 50)
    done = subprocess.run(
        [sys.executable, "-m", "jaxcards", "convert", "/dev/stdin", "out.jsonl"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input=(tmp_path / "a.jsonl").read_bytes(), capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2 and b"/dev/stdin is a pipe or a device" in done.stderr
    assert os.listdir(tmp_path) == ["a.jsonl"]


def test_every_file_of_a_folder_is_read_refused_or_named(tmp_path, capsys):
    folder = tmp_path / "in"
    (folder / "older").mkdir(parents=True)
    write_lines(folder / "a.jsonl", deal(ID))
    (folder / "b.h5").write_text("damaged")
    (folder / "c.txt").write_text("notes")
    assert main(["convert", "in", "out.jsonl"]) == 1
    said = capsys.readouterr()
    assert said.out == "out.jsonl: 2 records read, 1 written (1 deal, 0 repaired), 1 refused\n"
    assert "in/b.h5, the file: in/b.h5: is not a file of records" in said.err
    for name in ("in/c.txt", "in/older"):
        assert f"{name} is not a file of records: skipped" in said.err


def test_a_file_that_cannot_be_read_is_counted(tmp_path, monkeypatch):
    write_lines(tmp_path / "a.jsonl", deal(ID))
    write_lines(tmp_path / "b.jsonl", deal(ID))
    real = convert.format_to_read

    def format_to_read(path):
        if path.name == "b.jsonl":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(convert, "format_to_read", format_to_read)
    counts = convert.convert([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], tmp_path / "out.jsonl")
    assert (counts.written, counts.refused) == (1, 1)
    assert counts.first.endswith("b.jsonl, the file: cannot be read: Permission denied")


# --- HDF5 -------------------------------------------------------------------------------------------


def changed(path, given, change):
    """Write records to an HDF5 file, change it, and return its items."""
    with hdf5.Writer(path) as writer:
        writer.write(given)
    with h5py.File(path, "r+") as file:
        change(file["0000"])
    return list(hdf5_reader.read(path))


def put(name, place, value):
    return lambda group: group[name].__setitem__(place, value)


def test_rows_that_cannot_be_read_are_refused_one_by_one(tmp_path, monkeypatch):
    monkeypatch.setattr(hdf5_reader, "ROWS", 2)
    given = [deal(ID, seed) for seed in range(5)]
    items = changed(tmp_path / "a.h5", given, put("said_end", 2, -1))
    assert [type(item) for item in items] == [Read, Read, Refused, Refused, Read]
    assert [item.place for item in items] == [f"group 0000, deal {row}" for row in range(5)]


def test_a_match_with_rows_that_cannot_be_read_is_refused_as_a_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(hdf5_reader, "ROWS", 2)
    items = changed(tmp_path / "a.h5", [match(MATCH)], put("said_end", 3, -1))
    assert items[0].place == "group 0000, deals 0 to 1"
    assert items[0].reason == "the rest of the match cannot be read"
    assert [item.place for item in items[1:3]] == ["group 0000, deal 2", "group 0000, deal 3"]


def test_a_wrong_text_of_a_deal_refuses_this_deal_alone(tmp_path):
    given = [deal(ID, seed) for seed in range(3)]
    given[1] = records.DealRecord(**{**vars(given[1]), "notes": {2: "hm"}})

    def change(group):
        said = group["said"][:].tobytes().replace(b'"2"', b'"x"')
        group["said"][:] = bytearray(said)

    items = changed(tmp_path / "a.h5", given, change)
    assert [type(item) for item in items] == [Read, Refused, Read]
    assert items[1].reason == "notes: 'x' is not a number of an action"


@pytest.mark.parametrize("word", [255, 1, 1 << 7 | 1 << 5])
def test_winners_who_are_no_players_are_refused(word, tmp_path):
    last = len(match(MATCH).deals) - 1
    (item,) = changed(tmp_path / "a.h5", [match(MATCH)], put("winners", last, word))
    assert isinstance(item, Refused) and item.reason == f"winners is {word}, which names none"


def test_winners_of_a_deal_by_itself_are_refused(tmp_path):
    (item,) = changed(tmp_path / "a.h5", [deal(ID)], put("winners", 0, 129))
    assert isinstance(item, Refused) and "the deal has no match" in item.reason


def test_reasons_hold_no_python(tmp_path):
    hdf5.Writer(tmp_path / "a.h5").__exit__(None, None, None)
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        file.attrs["format_version"] = 9
    with pytest.raises(UserError) as error:
        list(hdf5_reader.read(tmp_path / "a.h5"))
    assert str(error.value).startswith("its format_version is 9;")


# --- Texts ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_byte_order_mark_is_passed_over(tmp_path):
    """In front of every format that is a text."""
    write_lines(tmp_path / "a.jsonl", deal("jass/tournament"))
    write_lines(tmp_path / "swisslos.jsonl", deal("jass/swisslos"))
    write_lines(tmp_path / "euchre.jsonl", deal("euchre/stick_the_dealer"))
    convert.convert([tmp_path / "a.jsonl"], tmp_path / "a.hslu")
    convert.convert([tmp_path / "euchre.jsonl"], tmp_path / "a.egn")
    convert.convert([tmp_path / "swisslos.jsonl"], tmp_path / "a.logs")
    (tmp_path / "a.openspiel").write_text(HISTORY)
    (log,) = (tmp_path / "a.logs").iterdir()
    for file in [tmp_path / f"a.{name}" for name in ("jsonl", "hslu", "egn", "openspiel")] + [log]:
        plain = list(convert.items_of(file))
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
        assert list(convert.items_of(file)) == plain
        assert all(isinstance(item, Read) for item in plain)
