"""Mutated files of every format: records or reasons, no other error, and an end."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
from records import fuzz
from records.keep import FILE
from records.played import deal, match
from records.swisslos_played import deals
from records.test_iss import PASSED
from records.test_openspiel import EUCHRE
from support import quick
from support.marks import by_cost

from jaxcards import records
from jaxcards.records import hdf5, hslu_writer, swisslos_logs_writer, swisslos_writer

FORMATS = ("jsonl", "egn", "h5", "hslu", "iss", "openspiel", "swisslos.h5", "log", "pbn", "lin")
MANY, SEED = 1_000, 0


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return a small file of each format."""
    given = [deal("euchre/dummy_partner"), match("sheepshead/deepsheep_doubler")]
    folder = tmp_path_factory.mktemp("whole")
    lines = "".join(records.to_line(record) + "\n" for record in given)
    (folder / "a.jsonl").write_text(lines, encoding="utf-8")
    with hdf5.Writer(folder / "a.h5") as writer:
        writer.write(given)
    (folder / "a.hslu").write_text(f"{hslu_writer.to_line(deal('jass/tournament'))}\n")
    (folder / "a.openspiel").write_text(2 * f"{EUCHRE}, 24, 24, 27\n")
    (folder / "a.iss").write_text(2 * f"{PASSED}\n")
    few = [dataclasses.replace(one, seconds=(1.0,) * len(one.actions)) for one in deals(3)]
    with swisslos_writer.Writer(folder / "a.swisslos.h5") as writer:
        writer.write(
            [dataclasses.replace(one, source={"log": f"S2500_{n}"}) for n, one in enumerate(few)]
        )
    with swisslos_logs_writer.Writer(folder) as writer:
        writer.write(few)
    (log,) = folder.glob("*.game")
    log.rename(folder / "a.log")
    files = {file.name[2:]: file for file in folder.iterdir()}
    return files | {ending: FILE.with_name(f"by_hand.{ending}") for ending in ("egn", "pbn", "lin")}


def in_a_process(file, number):
    """Damaged HDF5 might end the process that reads it, or keep it for ever."""
    done = subprocess.run(
        [sys.executable, fuzz.__file__, str(file), str(number)],
        cwd=Path(__file__).parents[2],
        env=quick.environment(PYTHONPATH="."),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return tuple(map(int, done.stdout.split()))


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("format", by_cost(FORMATS, {"swisslos.h5", "openspiel"}))
def test_some_mutations(files, format):
    good, bad = fuzz.run(files[format], 25, SEED + 1)
    assert good and bad


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_many_mutations(files, format):
    good, bad = in_a_process(files[format], MANY)
    assert good > MANY / 100 and bad > MANY / 10


def test_the_fuzzer_finds_what_is_no_reason(files, monkeypatch):
    monkeypatch.setattr(fuzz, "read", lambda path: 1 // 0)
    with pytest.raises(AssertionError, match="mutation 0 of a.jsonl raises ZeroDivisionError"):
        fuzz.run(files["jsonl"], 1)
