"""The commands evaluate, simulate and bench, from the command line to files."""

import json
import os
from types import SimpleNamespace

import numpy as np
import pytest
from support import quick
from support.fakes import engine as fakes
from support.fakes.players import Lowest

import jaxcards
from jaxcards import files, xla
from jaxcards.agent import RandomAgent
from jaxcards.bench import reference
from jaxcards.cli import main, training
from jaxcards.errors import UserError, WriteError
from jaxcards.evaluation.result import Evaluation
from jaxcards.evaluation.simulation import Simulation, shares_won, simulate
from jaxcards.players import Player, distinct_names, loading
from jaxcards.records import dataset
from jaxcards.records.dataset import DataSet
from jaxcards.rollouts import deal_keys
from jaxcards.stages import of_calls_and_tricks
from jaxcards.training.config import config_class


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    """`heuristic` is a player that costs nothing to compile."""
    monkeypatch.setattr(xla, "jit", quick.jit)
    agents = {"random": RandomAgent(), "heuristic": Lowest()}
    monkeypatch.setattr(loading, "make_player", lambda name, game: agents[name])


@pytest.fixture
def called(capsys, tmp_path, monkeypatch):
    """Run a command line in an empty folder: its status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def call(line: str) -> tuple[int, str, str]:
        status = main.main(line.split())
        out, err = capsys.readouterr()
        return status, out, err

    return call


# --- evaluate -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_evaluate_against_another_engine(called, tmp_path, monkeypatch):
    fakes.install(monkeypatch)
    players = "heuristic random mirror:highest"
    rest = "--game jass/tournament --calls heuristic --deals 3 --json r.json"
    assert called(f"evaluate {players} {rest}")[0] == 0
    result = Evaluation.from_json((tmp_path / "r.json").read_text())
    assert result.names == ("heuristic", "random", "mirror:highest")
    assert result.calls == "heuristic" and result.pair("heuristic", "mirror:highest").sd > 0
    assert {path.name for path in tmp_path.iterdir()} == {"r.json"}


def test_evaluate(called, tmp_path):
    status, out, err = called(
        "evaluate random heuristic random --game euchre --deals 20 --seed 3 --json r.json --plot r.svg"
    )
    assert (status, err) == (0, "")
    result = Evaluation.from_json((tmp_path / "r.json").read_text())
    assert result.names == ("random", "heuristic", "random (2)")
    assert (result.game, result.num_deals, result.seed) == ("euchre/standard", 20, 3)
    assert out == result.to_text() + "\n"
    assert result.pair("random", "random (2)").sd == 0 < result.pair("random", "heuristic").sd
    assert "<svg" in (tmp_path / "r.svg").read_text()
    assert {path.name for path in tmp_path.iterdir()} == {"r.json", "r.svg"}


def test_evaluate_too_few_deals(called):
    status, out, err = called("evaluate random heuristic --deals 1")
    assert (status, out) == (2, "") and err.count("\n") == 1 and "deals must be at least 2" in err


def test_trained_players_come_from_their_folder(monkeypatch, tmp_path):
    game, asked = jaxcards.make("jass"), []

    def load_player(folder, game):
        asked.append((folder, game))
        return Lowest(), 1

    monkeypatch.setattr(loading.trained, "load_trained_player", load_player)
    assert loading.load(Player("runs/x", tmp_path), game) == (Lowest(), 1)
    assert asked == [(tmp_path, game)]


def test_names_are_made_distinct():
    same = [Player(name) for name in ("a", "b", "a", "a")]
    assert distinct_names(same) == ["a", "b", "a (2)", "a (3)"]


# --- simulate -----------------------------------------------------------------------------------


def test_one_deal_replays(called, tmp_path):
    status, out, err = called("simulate jass --seed 4 --json d.json")
    assert (status, err) == (0, "")
    record = json.loads((tmp_path / "d.json").read_text())
    game = jaxcards.make("jass")
    names = [decision["name"] for decision in record["decisions"]]
    assert [game.string_to_action(name) for name in names] == [
        decision["action"] for decision in record["decisions"]
    ]
    assert len(names) in (37, 38)  # the mode, perhaps a push before it, 36 cards
    assert f"points by seat: {', '.join(map(str, record['points']))}\n" in out
    listed = [line.split(maxsplit=3) for line in out.split("decisions:\n")[1].splitlines()]
    assert [row[3] for row in listed[: len(names)]] == names
    assert [int(row[2]) for row in listed[: len(names)]] == [d["player"] for d in record["decisions"]]
    assert "trick 9: " in out
    assert record["returns"][0] == record["points"][0] - record["points"][1]


@pytest.mark.slow
def test_pictures_of_a_deal(called, tmp_path):
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    line = "simulate euchre --seed 1 --svg deal.svg --at 0 --seat 2 --gif deal.gif --json deal.json"
    status, out, err = called(line)
    assert (status, err) == (0, "") and "decisions:" in out
    decisions = json.loads((tmp_path / "deal.json").read_text())["decisions"]
    game = jaxcards.make("euchre")
    state = game.init(deal_keys(1, np.arange(1, dtype=np.uint32))[0])
    assert (tmp_path / "deal.svg").read_text() == game.to_svg(state, 2)
    with image.open(tmp_path / "deal.gif") as found:
        assert found.n_frames == len(decisions) + 1
    assert called("simulate euchre --seed 1 --svg late.svg --at 900")[0] == 2
    status, out, err = called("simulate euchre --svg seat.svg --seat 4")
    assert (status, err) == (2, "jaxcards: error: --seat must be 0 to 3, not 4\n")


def test_many_deals(called, tmp_path):
    status, out, err = called("simulate jass/tournament --deals 300 --players heuristic --json s.json")
    assert (status, err) == (0, "")
    record = json.loads((tmp_path / "s.json").read_text())
    # The lowest action is ♦ trumps for the one who chooses a mode.
    assert record["calls_per_deal"].pop("choose d") == 1
    assert set(record["calls_per_deal"].values()) == {0}
    assert record["decisions_per_deal"] == 37 and record["deals"] == 300
    means = [seat["points_mean"] for seat in record["seats"]]
    assert means[0] == means[2] and means[1] == means[3] and means[0] != means[1]
    matches = (sum(means) / 2 - 157) / 100  # a match brings 100 more
    assert 0 <= matches <= 0.2 and matches * 300 == pytest.approx(round(matches * 300), abs=1e-6)
    won = [seat["won"] for seat in record["seats"]]
    assert won[0] + won[1] == pytest.approx(1)
    assert "37.00 decisions a deal" in out and "choose d" in out


def test_the_number_of_players_has_to_fit(called):
    status, out, err = called("simulate jass --players heuristic,heuristic")
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert "one player for all seats or 4" in err


@pytest.mark.slow
def test_statistics_against_a_count_by_hand():
    """Two players in turn, and batches that do not divide the deals."""
    game = jaxcards.make("jass")
    agents = [RandomAgent(), Lowest(), RandomAgent(), Lowest()]
    found = simulate(game, agents, [(), 0, (), 0], num_deals=50, seed=2, batch=32)
    assert found.points.shape == (50, 4)
    sides = found.points[:, :2].astype(int)
    won = np.sign(sides[:, 0] - sides[:, 1]).mean() / 2 + 0.5
    assert found.won == pytest.approx([won, 1 - won, won, 1 - won])
    # One mode a deal; only random seats push, to another random seat.
    assert sum(n for name, n in found.calls.items() if name != "push") == pytest.approx(1)
    assert 0 < found.calls["push"] < 0.5
    assert found.decisions == pytest.approx(37 + found.calls["push"])
    assert 2.5 < found.legal < 4.5


@pytest.mark.parametrize("numbers", [{"num_deals": 0}, {"seed": -1}, {"batch": 0}])
def test_bad_numbers(numbers):
    name = next(iter(numbers)).removeprefix("num_")
    with pytest.raises(UserError, match=f"{name} must be "):
        simulate(jaxcards.make("jass"), [Lowest()], [0], **({"num_deals": 2} | numbers))


def test_equal_sides_share_a_deal():
    schieber = SimpleNamespace(teams=(0, 1, 0, 1), num_players=4)
    returns = np.array([[5.0, -5, 5, -5], [0, 0, 0, 0]])
    assert shares_won(schieber, returns).tolist() == [[1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]]
    alone = SimpleNamespace(teams=None, num_players=3)
    returns = np.array([[-3.0, -1, -1], [2, 2, 2], [0, 1, 0]])
    third = 1 / 3
    expected = [[0, 0.5, 0.5], [third, third, third], [0, 1, 0]]
    assert shares_won(alone, returns).tolist() == expected


def test_rare_calls_are_summed_up():
    calls = {f"bid {i}": float(i) for i in range(20)}
    points = np.zeros((5, 4))
    text = Simulation(5, points, np.ones(4) / 4, 40.0, 3.0, calls, 10.0, 1.0).to_text().splitlines()
    assert "  bid 19    19.0000" in text and "  4 others   6.0000" in text
    assert not any("bid 3 " in line for line in text)


# --- bench --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_bench(called, tmp_path, monkeypatch):
    monkeypatch.setattr(reference, "_DEALS", 256)
    line = "bench jass/tournament --batch 16 --repeats 3 --seconds 0 --json b.json --plot b.svg"
    status, out, err = called(line)
    assert (status, err) == (0, "")
    record = json.loads((tmp_path / "b.json").read_text())
    assert record["repeats"] == 3 and "jass/tournament" in record["games"]
    (figure,) = record["figures"]
    assert (figure["work"], figure["batch"], figure["devices"]) == ("random", 16, 1)
    rates = figure["per_second"]
    assert len(rates["all"]) == 3 and rates["lowest"] <= rates["median"] <= rates["highest"]
    assert figure["facts"]["total"] == [314, 314] and figure["wrong"] == ""
    assert record["machine"]["jaxcards"] == jaxcards.__version__
    assert record["machine"]["device"] in out and f"{rates['median']:,.0f} deals" in out
    assert "<svg" in (tmp_path / "b.svg").read_text()

    game = jaxcards.make("jass/tournament")
    too_short = of_calls_and_tricks(2, 8, 4)
    monkeypatch.setattr(type(game), "schedule", lambda game, round=None: too_short)
    status, out, err = called("bench jass/tournament --batches 8,16 --repeats 1 --seconds 0")
    assert status == 1 and "deals were not finished" in out
    assert err.count("\n") == 2, "a line for each figure, when it is there"


# --- Files --------------------------------------------------------------------------------------


def test_files_are_replaced_as_a_whole(tmp_path):
    path = tmp_path / "x.json"
    files.write_text(path, "ä 1")
    assert path.read_text(encoding="utf-8") == "ä 1"
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode
    plain.unlink()
    with pytest.raises(UserError), files.replacing(path) as temporary:
        assert temporary.suffix == ".json" and temporary.parent == tmp_path
        temporary.write_text("half of")
        raise UserError("no")
    assert path.read_text(encoding="utf-8") == "ä 1"
    assert list(tmp_path.iterdir()) == [path]


def test_unfinished_files_of_killed_writers_are_removed(tmp_path):
    path = tmp_path / "x.json"
    left = [tmp_path / ".x.json-left.unfinished.json", tmp_path / ".x.json-folder.unfinished.json"]
    others = [tmp_path / ".y.json-left.unfinished.json", tmp_path / ".x.json"]
    left[1].mkdir()
    for file in (left[0], left[1] / "log", *others):
        file.write_text("half of")
    files.write_text(path, "1")
    assert sorted(tmp_path.iterdir()) == sorted([path, *others])


def test_the_unfinished_file_of_another_writer_stays(tmp_path):
    path = tmp_path / "x.json"
    with files.replacing(path) as first:
        first.write_text("1")
        files.write_text(path, "2")
        assert first.exists()
    assert path.read_text() == "1" and list(tmp_path.iterdir()) == [path]


def test_only_errors_of_writing_are_errors_of_the_output(tmp_path):
    with pytest.raises(WriteError, match="No space left on device: .*x.json"):
        with files.replacing(tmp_path / "x.json"):
            raise OSError(28, "No space left on device")
    with pytest.raises(PermissionError), files.replacing(tmp_path / "x.json"):
        raise PermissionError(13, "Permission denied", "/elsewhere/in.jsonl")


def test_a_folder_is_held_by_one_process(tmp_path, monkeypatch):
    held = f"in use by process {os.getpid()}: wait for its end, or name another folder"
    run, out = tmp_path / "run", tmp_path / "deals.h5"
    own = {"resume": None, "processes": None, "seeds": 1, "grid": {}, "config": config_class()()}
    args = SimpleNamespace(out=run, **own)
    monkeypatch.setattr(training, "_train", lambda *given: 0)
    data = DataSet(jaxcards.make("jass"), [RandomAgent()], [()], ["random"], 8, 0)
    with files.holding(run), pytest.raises(UserError, match=held):
        training.run(args)
    with files.holding(dataset.pieces_folder(out)), pytest.raises(UserError, match=held):
        dataset.write(data, out)
    assert training.run(args) == 0
    assert list(tmp_path.iterdir()) == []
