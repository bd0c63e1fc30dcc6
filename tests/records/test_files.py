"""Files of records: every format there and back, what is refused; nothing is left half written."""

import dataclasses
import json
import shutil
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from records.keep import ARRAYS, FILE, IN_ARRAYS
from records.played import deal, match
from support import quick

import jaxcards
from jaxcards import records, xla
from jaxcards.cli.main import main
from jaxcards.records import bounded, convert, formats, hdf5, hdf5_reader
from jaxcards.records.items import Read, Refused

BY_HAND = FILE.with_name("by_hand.egn")
ID, MATCH = "euchre/dummy_partner", "sheepshead/deepsheep_doubler"


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)
    monkeypatch.setattr("jaxcards.xla.cache.enable", lambda wanted: None)


@pytest.fixture(scope="module")
def given():
    """Return records with all attributes that a record may have, a match among them."""
    said = {"seconds": (0.25,) * len(deal(ID).actions), "notes": {2: "hm"}, "unknown": (22,)}
    return [
        deal(ID),
        dataclasses.replace(deal(ID, 1), **said, version="0.1.7"),
        match(MATCH),
        dataclasses.replace(match(MATCH), deals=match(MATCH).deals[:2], winners=None),
        dataclasses.replace(deal(ID, 2), actions=deal(ID, 2).actions[:5], points=None),
    ]


@pytest.fixture(scope="module")
def lines(given, tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "given.jsonl"
    path.write_text("".join(records.to_line(one) + "\n" for one in given), encoding="utf-8")
    return path


def records_in(path):
    return [item.record for item in formats.format_to_read(path).read(path)]


def by_game(found):
    return sorted(found, key=lambda record: record.game)


@pytest.mark.slow
def test_lines_and_hdf5_hold_the_same(given, lines, tmp_path):
    counts = convert.convert([lines], tmp_path / "a.h5")
    assert dataclasses.astuple(counts) == (5, 3 + len(match(MATCH).deals) + 2, 0, 0, "")
    assert by_game(records_in(tmp_path / "a.h5")) == by_game(given)
    convert.convert([tmp_path / "a.h5"], tmp_path / "b.jsonl")
    assert sorted((tmp_path / "b.jsonl").read_text().splitlines()) == sorted(
        lines.read_text().splitlines()
    )
    assert {path.name for path in tmp_path.iterdir()} == {"a.h5", "b.jsonl"}


@pytest.mark.slow_after(1)
def test_the_same_records_make_the_same_bytes(lines, tmp_path):
    for name in ("a.h5", "b.h5"):
        convert.convert([lines], tmp_path / name)
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


def test_kept_arrays_hold_the_kept_lines():
    lines = map(records.from_line, FILE.read_text(encoding="utf-8").splitlines())
    wanted = [record for record in lines if record.game in IN_ARRAYS]
    assert len(wanted) == 5 and by_game(records_in(ARRAYS)) == by_game(wanted)


def test_other_programs_read_the_arrays(lines, tmp_path):
    convert.convert([lines], tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        group = file["0000"]
        assert group.attrs["game"].decode() == f"{ID}-v1" and json.loads(group.attrs["rules"]) == {}
        assert group["deck"].shape == (3, 24) and group["actions"].dtype == np.uint8
        actions = group["actions"][0]
        assert tuple(actions[actions != 255].tolist()) == deal(ID).actions
        assert tuple(group["points"][0].tolist()) == deal(ID).points
        assert group["facts/totals"].shape == (3, 2)


def run(*arguments):
    return main(["convert", *map(str, arguments)])


def test_the_command_goes_on_after_bad_records(given, tmp_path, capsys):
    text = records.to_line(given[0])
    wrong = text.replace('"dealer": ', '"dealer": 1')
    lines = [text, "", "rubbish", text.replace('"points": [', '"points": [1'), wrong, text]
    source, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    assert run(source, out) == 1
    said = capsys.readouterr()
    assert said.out == f"{out}: 5 records read, 2 written (2 deals, 0 repaired), 3 refused\n"
    assert f"{source}, line 3: is not valid JSON" in said.err and "Traceback" not in said.err
    refused = [json.loads(line) for line in convert.refused_file(out).read_text().splitlines()]
    assert [one["place"] for one in refused] == ["line 3", "line 4", "line 5"]
    assert refused[0]["text"] == "rubbish" and "but it replays to" in refused[1]["reason"]
    # A later run without bad records leaves no file of an earlier one.
    source.write_text(text, encoding="utf-8")
    assert run(source, out, "--force") == 0 and not convert.refused_file(out).exists()


def test_what_is_mended_is_counted_and_said(tmp_path, capsys):
    game = json.loads(BY_HAND.read_text(encoding="utf-8"))
    del game["metadata"]["finalScore"]
    game["deals"][0]["phases"][1]["tricks"][4][1] = "Jh"  # is played a second time
    (tmp_path / "a.egn").write_text(json.dumps(game))
    assert run(tmp_path / "a.egn", tmp_path / "a.jsonl") == 1
    assert "3 records read, 2 written (2 deals, 2 repaired), 1 refused" in capsys.readouterr().out
    for record in records_in(tmp_path / "a.jsonl"):
        assert record.source["repaired"] == "its totals are without deal 0"


def test_the_command_reads_a_folder_of_files(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    shutil.copy(BY_HAND, tmp_path / "in")
    (tmp_path / "in" / "notes.txt").write_text("no records")
    (tmp_path / "in" / "old.h5.refused.jsonl").write_text('{"file": "old.jsonl"}')
    assert run(tmp_path / "in", tmp_path / "a.jsonl") == 0
    assert "3 records read, 3 written (3 deals, 0 repaired), 0 refused" in capsys.readouterr().out
    assert run(tmp_path / "a.jsonl", tmp_path / "again.egn") == 0
    assert run(tmp_path / "again.egn", tmp_path / "b.h5") == 0


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["zzz", "a.h5"], "zzz: file not found"),
        (["a.txt", "b.h5"], "a.txt: is not a file of records; formats are HDF5 (.h5)"),
        (["empty.jsonl", "b.h5"], "empty.jsonl: is not a file of records"),
        (["bad.jsonl", "b.h5"], "cannot read any record: bad.jsonl, line 1: "),
        (["bad.jsonl", "b.h6"], "b.h6: unknown ending of a file '.h6'; did you mean '.h5'?"),
        (["bad.jsonl", "no/b.h5"], "folder no not found"),
        (["bad.jsonl", "bad.jsonl"], "bad.jsonl is named twice"),
        (["good.jsonl", "b.egn"], "Euchre Game Notation cannot express sheepshead"),
        (["many.jsonl", "b.egn"], "deal 1 does not follow the one before"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    arguments, words, tmp_path, monkeypatch, capsys, given
):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("text")
    Path("empty.jsonl").write_text("")
    Path("bad.jsonl").write_text('{"record": 1}\n')
    Path("good.jsonl").write_text(records.to_line(given[2]))
    Path("many.jsonl").write_text(2 * (records.to_line(records_in(BY_HAND)[0]) + "\n"))
    before = {path.name for path in tmp_path.iterdir()}
    assert run(*arguments) == 2
    said = capsys.readouterr()
    assert words in said.err and said.err.count("\n") == 1 and not said.out
    left = {path.name for path in tmp_path.iterdir()} - before
    assert left <= {"b.h5.refused.jsonl"}


def test_a_line_that_is_too_long_is_passed_over(monkeypatch, tmp_path, given):
    monkeypatch.setattr(bounded, "LONGEST_LINE", 1 << 12)
    path = tmp_path / "a.jsonl"
    good = records.to_line(given[0])
    path.write_text(f"{good}\n{'x' * 100_000}\n{good}\n{'y' * 5_000}")
    items = list(formats.read_lines(path))
    assert [type(item) for item in items] == [Read, Refused, Read, Refused]
    assert [item.place for item in items] == ["line 1", "line 2", "line 3", "line 4"]
    with pytest.raises(jaxcards.UserError, match="is larger than 4096 bytes"):
        bounded.whole_text(path)


# --- HDF5 that is foreign, wrong or hostile ---------------------------------------------------------


@pytest.fixture
def file(given, tmp_path):
    path = tmp_path / "a.h5"
    with hdf5.Writer(path) as writer:
        writer.write(given)
    return path


def replace(name, values, **more):
    def change(file):
        del file["0000"][name]
        file["0000"].create_dataset(name, data=values, **more)

    return change


def attribute(name, value, holder="0000"):
    if isinstance(value, str):
        return lambda file: hdf5.put_text(file[holder], name, value)
    return lambda file: file[holder].attrs.__setitem__(name, value)


def link(file):
    del file["0000"]["deck"]
    file["0000"]["deck"] = h5py.ExternalLink("other.h5", "/deck")


def put(name, place, value):
    return lambda file: file["0000"][name].__setitem__(place, value)


@pytest.mark.parametrize(
    "change, words",
    [
        (attribute("format", "x", "/"), "its attribute format is not 'jaxcards records'"),
        (attribute("format_version", 2, "/"), "its format_version is"),
        (attribute("format", np.zeros(9), "/"), "the attribute format is not a short text"),
        (
            lambda file: file["0000"].attrs.__setitem__("game", ID),
            "the attribute game is not a short text of fixed length",
        ),
        (
            lambda file: file["0000"]["dealer"].resize(10**15, axis=0),
            "dealer says it has 1000000000000000 rows, but some of them are missing",
        ),
        (attribute("game", "euchr"), "unknown game 'euchr'"),
        (attribute("rules", "{"), "is not valid JSON"),
        (attribute("rules", '{"a": 1}'), "unknown rule of euchre 'a'"),
        (lambda file: file["0000"].pop("deck"), "deck is missing"),
        (replace("deck", np.zeros((3, 25), np.uint8)), "deck must be uint8[n, 24], not uint8[3, 25]"),
        (replace("deck", np.zeros((3, 24))), "deck must be uint8[n, 24], not float64[3, 24]"),
        (replace("deck", np.zeros((2, 24), np.uint8)), "its data sets have different lengths"),
        (
            replace("deck", np.zeros((3, 24), np.uint8), chunks=(1 << 23, 24), maxshape=(None, 24)),
            "has chunks of 201326592 bytes",
        ),
        (link, "deck is a link, and links are not followed"),
        (put("said_end", 1, 10**9), "said_end must ascend"),
        (put("said_end", 0, -1), "said_end must ascend"),
        (put("said", slice(0, 3), 255), "codec can't decode"),
    ],
    ids=range(17),
)
def test_an_hdf5_file_that_is_not_as_it_should_be_is_refused_in_words(file, change, words):
    with h5py.File(file, "r+") as opened:
        change(opened)
    try:
        found = list(hdf5_reader.read(file))
    except jaxcards.UserError as error:
        assert words in str(error)
        return
    refused = [item for item in found if isinstance(item, Refused)]
    assert words in refused[0].reason and "\n" not in refused[0].reason
    assert any(isinstance(item, Read) for item in found), "the other group is read"


@pytest.mark.parametrize(
    "change", [put("deck", (0, 0), 9), put("dealer", 0, 77), put("actions", (0, 0), 200)]
)
def test_values_of_an_hdf5_file_are_checked_deal_by_deal(file, change):
    with h5py.File(file, "r+") as opened:
        change(opened)
    found = list(hdf5_reader.read(file))
    problems = records.problems([item.record for item in found])
    assert [number for number, problem in enumerate(problems) if problem] == [0]


def test_a_truncated_hdf5_file_is_refused(file):
    file.write_bytes(file.read_bytes()[:-1000])
    with pytest.raises(jaxcards.UserError, match="is not an HDF5 file, or damaged"):
        list(hdf5_reader.read(file))


def test_without_h5py_one_line_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(jaxcards.UserError, match=r"HDF5 needs h5py: pip install .*\[records\]"):
        hdf5.Writer(tmp_path / "a.h5")
