"""Data sets: the deals of a seed, whatever happened while they were written."""

import dataclasses
import json

import h5py
import numpy as np
import pytest
from support import quick
from support.marks import by_cost

import jaxcards
from jaxcards import records, xla
from jaxcards.agent import RandomAgent
from jaxcards.cli.main import main
from jaxcards.evaluation.simulation import simulate
from jaxcards.records import dataset, formats, hdf5
from jaxcards.records.arrays import to_arrays

ID = "euchre/dummy_partner"


def compile_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)
    monkeypatch.setattr("jaxcards.xla.cache.enable", lambda wanted: None)
    monkeypatch.setattr(dataset, "TOGETHER", 16)
    monkeypatch.setattr(dataset, "_PIECE", 32)
    monkeypatch.setattr(hdf5, "ROWS", 16)


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    compile_fast(monkeypatch)


@pytest.fixture(scope="module")
def game():
    return jaxcards.make(ID)


@dataclasses.dataclass(frozen=True)
class Kept:
    """Plays at random, but as a player of whose deals pieces are kept."""

    def init(self, key, game):
        return ()

    def act(self, params, observation, legal, key):
        return RandomAgent().act(params, observation, legal, key)


def contents(path):
    """Return all values in an HDF5 file, by name; chunks may lie in any order."""
    found = {}

    def note(name, member):
        found.update({(name, key): value.tobytes() for key, value in member.attrs.items()})
        if isinstance(member, h5py.Dataset):
            found[name] = member.dtype, member.shape, member[:].tobytes()

    with h5py.File(path) as file:
        note("", file)
        file.visititems(note)
    return found


def data_of(game, num_deals=100, seed=3, names=("random",), agent=RandomAgent()):  # noqa: B008
    return dataset.DataSet(game, [agent] * len(names), [()] * len(names), names, num_deals, seed)


def kept_of(game, **more):
    return data_of(game, agent=Kept(), **more)


def records_in(path):
    return [item.record for item in formats.format_to_read(path).read(path)]


@pytest.fixture(scope="module")
def whole(game, tmp_path_factory):
    """Return a data set of random play that was written without interruption."""
    with pytest.MonkeyPatch.context() as patch:
        compile_fast(patch)
        out = tmp_path_factory.mktemp("whole") / "whole.h5"
        assert dataset.write(data_of(game), out) == 100
    return out


@pytest.mark.slow_after(1)
def test_it_has_the_deals_of_simulate(game, whole):
    found = records_in(whole)
    wanted = simulate(game, [RandomAgent()], [()], 100, 3)
    np.testing.assert_array_equal([record.points for record in found], wanted.points)
    assert records.problems(found) == [None] * 100
    assert [record.source for record in found[:2]] == [{"seed": 3, "deal": 0}, {"seed": 3, "deal": 1}]
    assert found[0].players == ("random",) * 3


def test_lines_have_the_same_deals(game, whole, tmp_path):
    dataset.write(data_of(game), tmp_path / "a.jsonl")
    assert records_in(tmp_path / "a.jsonl") == records_in(whole)


@pytest.mark.slow
def test_the_number_of_devices_changes_nothing(game, whole, tmp_path):
    dataset.write(data_of(game), tmp_path / "a.h5", devices=2)
    assert records_in(tmp_path / "a.h5") == records_in(whole)
    assert not dataset.pieces_folder(tmp_path / "a.h5").exists()


def stopped(data, out, after):
    """Write a data set, and stop after the given number of deals."""

    def progress(deals):
        if deals >= after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dataset.write(data, out, progress=progress)
    assert not out.exists() and dataset.pieces_folder(out).is_dir()


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on(game, whole, tmp_path):
    dataset.write(kept_of(game), tmp_path / "whole.h5")
    assert records_in(tmp_path / "whole.h5") == records_in(whole)
    out = tmp_path / "a.h5"
    stopped(kept_of(game), out, 64)
    folder = dataset.pieces_folder(out)
    assert sorted(file.name for file in folder.glob("*.npz")) == [
        "0000000000-32.npz",
        "0000000032-32.npz",
    ]
    # A piece behind a gap, and half a file, are not taken for deals.
    (folder / "0000000099-1.npz").write_bytes(b"")
    (folder / ".0000000064-abc.npz").write_bytes(b"x")
    assert dataset.write(kept_of(game), out) == 36
    assert out.read_bytes() == (tmp_path / "whole.h5").read_bytes() and not folder.exists()


@pytest.mark.parametrize("ending", by_cost(["h5", "jsonl"], {"h5"}))
def test_random_play_that_was_stopped_goes_on(ending, game, whole, tmp_path):
    wanted, out = tmp_path / f"whole.{ending}", tmp_path / f"a.{ending}"
    dataset.write(data_of(game), wanted)
    for after in (32, 32, 96):  # once, again before there is anything new, and then behind it
        stopped(data_of(game), out, after)
    assert dataset.write(data_of(game), out) == 4
    if ending == "h5":
        assert contents(out) == contents(wanted)
    else:
        assert out.read_bytes() == wanted.read_bytes()
    assert records_in(out) == records_in(whole) and list(tmp_path.glob("a.*")) == [out]


def test_a_piece_that_was_damaged_is_named(game, tmp_path):
    out = tmp_path / "a.h5"
    stopped(data_of(game), out, 64)
    (dataset.pieces_folder(out) / "0000000032-32.npz").write_bytes(b"no piece")
    with pytest.raises(
        jaxcards.UserError, match=r"0000000032-32.npz cannot be read .*remove .*a.h5.part"
    ):
        dataset.write(data_of(game), out)


def test_a_file_does_not_depend_on_how_many_deals_are_written_at_a_time(game, whole, tmp_path):
    arrays = to_arrays(game, records_in(whole))
    common = {"players": ["random"] * 3, "source": {"seed": 3}}
    with hdf5.Writer(tmp_path / "a.h5") as writer:
        for first, end in ((0, 7), (7, 60), (60, 61), (61, 100)):
            writer.write_arrays(game, arrays[first:end], common)
    assert contents(tmp_path / "a.h5") == contents(whole)


def test_pieces_of_another_data_set_are_left_alone(game, tmp_path):
    out = tmp_path / "a.h5"
    stopped(kept_of(game), out, 32)
    with pytest.raises(jaxcards.UserError, match="another data set: seed is 3 there, and 4 here"):
        dataset.write(kept_of(game, seed=4), out)
    other = dataclasses.replace(kept_of(game), params=[np.zeros(3)])
    with pytest.raises(jaxcards.UserError, match="another data set: parameters is"):
        dataset.write(other, out)
    (dataset.pieces_folder(out) / "plan.json").write_text("{")
    with pytest.raises(jaxcards.UserError, match="plan.json is damaged"):
        dataset.write(kept_of(game), out)


def test_an_older_file_is_not_lost(game, tmp_path):
    (tmp_path / "a.h5").write_text("precious")
    with pytest.raises(jaxcards.UserError, match="a.h5 exists"):
        dataset.write(data_of(game), tmp_path / "a.h5")
    assert (tmp_path / "a.h5").read_text() == "precious"


def test_the_command(tmp_path, capsys):
    out = tmp_path / "a.jsonl"
    assert main(["simulate", ID, "--deals", "20", "--seed", "3", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{out}: 20 deals of {ID}, played by random\n")
    lines = out.read_text().splitlines()
    assert len(lines) == 20 and json.loads(lines[7])["source"] == {"seed": 3, "deal": 7}
    assert main(["simulate", ID, "--out", str(out), "--force"]) == 0
    assert capsys.readouterr().out.startswith(f"{out}: 1 deal of {ID}, played by random\n")


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--out", "a.egn"], "a.egn: a data set ends in one of .h5, .hdf5, .jsonl, .swisslos.h5"),
        (["--out", "a.swisslos.h5"], "are for Schieber without Slalom, and cannot express"),
        (["--out", "no/a.h5"], "folder no not found"),
        (["--out", "a.h5", "--json", "b.json"], "give only one of them"),
        (["--out", "a.h5", "--deals", "4294967296"], "deals must be from 1 to 2**32 - 1"),
    ],
)
def test_bad_input(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", ID, *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1 and not list(tmp_path.iterdir())
