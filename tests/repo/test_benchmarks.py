"""The benchmarks run, and the yardstick in C plays the same game as the engine."""

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.bench import machine
from jaxcards.rollouts import deal_keys, recorded_rollout

FOLDER = Path(__file__).parents[2] / "benchmarks"
SUITE = FOLDER / "suite.py"


@pytest.fixture(scope="module")
def peers():
    """Return the modules of other engines by name; they can be read without their engines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        names = importlib.import_module("peers").NAMES
        yield {name: importlib.import_module(f"peers.{name}") for name in names}
        for name in [name for name in sys.modules if name.partition(".")[0] == "peers"]:
            del sys.modules[name]


@pytest.fixture(scope="module")
def yardstick(peers, tmp_path_factory):
    try:
        return [peers["c"].build(str(tmp_path_factory.mktemp("c")))]
    except OSError as error:
        pytest.skip(f"no C compiler, or no processor with BMI2: {error}")


def test_the_yardstick_plays_jass(yardstick):
    """Random card play with a suit for trumps: points of who leads first, and legal cards."""
    done = subprocess.run([*yardstick, "200000", "1"], check=True, capture_output=True, text=True)
    rate, points, legal = map(float, done.stdout.split())
    assert rate > 0

    game = jaxcards.make("jass/tournament", push=False)

    def play(key):
        done, steps = recorded_rollout(game, RandomAgent(), (), key)
        chosen = jax.vmap(lambda legal: legal.count())(steps.legal)[1:].sum()  # without the mode
        leads = game.progress(done.state)[done.state.public.forehand]
        return leads, chosen / 36, done.state.public.mode < 4

    keys = deal_keys(0, np.arange(30_000, dtype=np.uint32))
    ours = [np.asarray(x) for x in jax.jit(jax.vmap(play))(keys)]
    for ours_by_deal, theirs in zip(ours[:2], (points, legal), strict=True):
        values = ours_by_deal[ours[2]]
        error = values.std() * np.sqrt(1 / len(values) + 1 / 200_000)
        assert abs(values.mean() - theirs) < 4 * error


def test_the_yardstick_refuses_bad_input(yardstick):
    for arguments in ([], ["0", "1"], ["x", "1"], ["1", "2", "3"]):
        done = subprocess.run([*yardstick, *arguments], capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.startswith("usage:")


def run_suite(*arguments):
    command = [sys.executable, str(SUITE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=quick.environment())


@pytest.mark.slow
def test_suite(tmp_path, yardstick):
    """One game at one size on one core and on two devices, and the yardstick in turns with it."""
    arguments = ["--games", "jass/tournament", "--works", "random", "--batches", "8", "--repeats", "2"]
    arguments += ["--seconds", "0.001", "--devices", "2", "--peers", "c", "--machine", "here"]
    done = run_suite(*arguments, "--results", str(tmp_path))
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "here-suite.json").read_text())
    assert result["command"].startswith("python benchmarks/suite.py --games jass/tournament")
    bound, one, two = result["figures"]
    assert bound["core"] in os.sched_getaffinity(0) and "core" not in one
    assert [figure["devices"] for figure in (bound, one, two)] == [1, 1, 2]
    assert all(figure["facts"]["total"] == [314, 314] for figure in result["figures"])
    pairs = zip(two["per_second"]["all"], one["per_second"]["all"], strict=True)
    assert two["to_one_device"]["all"] == pytest.approx([a / b for a, b in pairs])
    assert result["games"]["jass/tournament"]["state_bytes"] > 50
    (peer,) = result["peers"]
    assert peer["unit"] == "card_plays" and peer["ours"] == "jass/schieber_1000"
    pairs = zip(peer["ours_per_second"]["all"], peer["per_second"]["all"], strict=True)
    assert peer["ratio"]["all"] == pytest.approx([a / b for a, b in pairs])
    assert "to scalar C" in done.stdout and "bytes of state" in done.stdout
    assert "<svg" in (tmp_path / "here-suite.svg").read_text()


def figure(game, work, value):
    return {"game": game, "work": work, "value": value}


def result_of(command, figures, *peers, **machine):
    return {
        "command": command,
        "repeats": 10,
        "seconds_per_repeat": 0.25,
        "machine": {"processor": "one", "jax": "1"} | machine,
        "games": {figure["game"]: command for figure in figures},
        "figures": figures,
        "left_out": [],
        "processes": [command],
        "peers": [{"name": name, "of": command} for name in peers],
    }


def test_an_update_keeps_what_was_not_measured_again():
    updated = load("suite").updated
    old = [figure("jass", "random", 1), figure("jass", "matches", 2), figure("euchre", "random", 3)]
    before = result_of("first", old, "c", "pgx")
    after = updated(before, result_of("second", [figure("jass", "random", 4)], "c"))
    assert after["figures"] == [*old[1:], figure("jass", "random", 4)]
    assert after["command"] == "first" and after["processes"] == ["first", "second"]
    assert [update["command"] for update in after["updates"]] == ["second"]
    assert after["games"] == {"jass": "second", "euchre": "first"}
    assert after["peers"] == [{"name": "pgx", "of": "first"}, {"name": "c", "of": "second"}]
    again = updated(after, result_of("third", []))
    assert [update["command"] for update in again["updates"]] == ["second", "third"]
    assert again["figures"] == after["figures"]
    with pytest.raises(SystemExit, match="the result has jax '1', this is '2'"):
        updated(before, result_of("later", [], jax="2"))


@pytest.mark.slow
def test_there_is_nothing_to_update(tmp_path):
    done = run_suite("--update", "--results", str(tmp_path), "--machine", "here")
    assert done.returncode == 1 and done.stderr.startswith("error: nothing to update: not found: ")


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--repeats", "0"], "--repeats must be at least 1"),
        (["--core", "100000"], "--core must be one of"),
        (["--bath", "1"], "unrecognized arguments: --bath"),
        (["--peers", "opel"], "unknown peer 'opel' (allowed: c, "),
        pytest.param(
            ["--games", "jas"], "unknown game 'jas'; did you mean 'jass'", marks=pytest.mark.slow
        ),
        pytest.param(["--works", "radnom"], "unknown work 'radnom'", marks=pytest.mark.slow),
    ],
)
def test_suite_refuses_bad_input(arguments, words):
    done = run_suite(*arguments)
    assert done.returncode == 2 and words in done.stderr
    assert "error: " in done.stderr and "Traceback" not in done.stderr


def ask(name, *questions):
    """Return the answers of a worker."""
    command = [sys.executable, "-m", "peers.worker", *name.split()]
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run(command, cwd=FOLDER, input=lines, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


LOOPS = [f"open_spiel_{name}" for name in ("cpp", "hearts", "spades", "python")]


@pytest.mark.differential
@pytest.mark.parametrize("name", [*LOOPS, "jass_kit", "pyschieber"])
def test_peers_play(peers, name):
    first, *answers = ask(name, {"seconds": 0}, {"seed": 1}, {"seed": 2})
    if "missing" in first:
        pytest.skip(first["missing"])
    deals, played, _ = answers
    assert deals["deals"] >= 1 and played["seconds"] > 0 and first["versions"]
    assert played[peers[name].UNIT] >= 24 * played["deals"] * (0.5 if "spiel" in name else 1)


def test_a_peer_that_is_missing_says_how_to_get_it(peers):
    (answer,) = ask("rlcard") if importlib.util.find_spec("rlcard") is None else [{"missing": "x"}]
    assert answer["missing"]
    for module in peers.values():
        assert module.INSTALL and module.SAME and module.NOT_SAME
        assert module.UNIT in ("decisions", "card_plays")
        jaxcards.make(module.OURS)


def test_names_of_machines():
    assert machine.slug("Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz") == (
        "intel-xeon-gold-6130-cpu-2-10ghz"
    )


# ---- The GPU -------------------------------------------------------------------------------------

GPU_SCRIPT = FOLDER / "gpu.py"


def run_gpu(*arguments):
    return subprocess.run(
        [sys.executable, str(GPU_SCRIPT), *map(str, arguments)],
        capture_output=True,
        text=True,
        env=quick.environment(JAX_PLATFORMS="cpu"),
    )


def test_measuring_a_gpu_needs_one():
    done = run_gpu()
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.startswith("error: no GPU: JAX found only 'cpu'")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_gpu_script_measures_random_play_on_any_device(tmp_path):
    small = ["--deals", 256, "--batches", 64, 128, "--repeats", 2]
    games = ["--game", "euchre", "--games", "euchre", "--parts", "xla", "games"]
    done = run_gpu(*small, *games, "--try", "--results", tmp_path, "--machine", "none")
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "none-gpu.json").read_text())
    assert result["without_gpu"] and result["failed"] == {}
    assert len(result["xla"]) == 4
    assert len(result["games"]["euchre/standard"]["xla"]["deals_per_second"]["all"]) == 2


def test_a_part_that_fails_is_named_and_costs_no_other_one(tmp_path):
    (tmp_path / "none-gpu.json").write_text('{"xla": [], "failed": {"xla": "before"}}')
    arguments = ["--parts", "games", "--try", "--update", "--results", tmp_path]
    done = run_gpu(*arguments, "--machine", "none")
    assert done.returncode == 1 and "measure xla first" in done.stderr
    result = json.loads((tmp_path / "none-gpu.json").read_text())
    assert result["xla"] == [] and list(result["failed"]) == ["games"]


def test_what_does_not_compile_is_left_out(capsys):
    def refuse():
        raise MemoryError("too large\nby far")

    compile_together = load("compile_together").compile_together
    assert compile_together([lambda: 1, refuse, lambda: 3]) == ([1, 3], ["too large"])
    assert "failed: too large" in capsys.readouterr().err


@pytest.mark.slow
def test_sizes_of_training(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text("minibatches = 2\nupdates_per_dispatch = 1\n")
    arguments = ["--game", "euchre", "--config", config, "--deals", "64", "--widths", "16", "8,8"]
    arguments += ["--repeats", "2", "--results", tmp_path, "--machine", "here"]
    command = [sys.executable, str(FOLDER / "sizes.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=quick.environment())
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "here-sizes.json").read_text())
    assert [row["widths"] for row in result["sizes"]] == [[16], [8, 8]] and not result["failed"]
    assert all(row["decisions_per_second"]["lowest"] > 0 for row in result["sizes"])


@pytest.mark.slow
def test_devices(tmp_path):
    """Every layout does the same work, and is compared with one device in the same round."""
    config = tmp_path / "config.toml"
    config.write_text(
        "deals_per_update = 64\nminibatches = 2\nhidden = [16]\ncritic_hidden = [16]\n"
        "updates_per_dispatch = 1\n"
    )
    arguments = ["--game", "euchre", "--config", str(config), "--devices", "1", "4", "--repeats", "2"]
    arguments += ["--deals", str(4 * 4096), "--machine", "here", "--results", str(tmp_path)]
    script = FOLDER / "devices.py"
    done = subprocess.run(
        [sys.executable, script, *arguments], capture_output=True, text=True, env=quick.environment()
    )
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "here-devices.json").read_text())
    assert ("4 devices" in result["simulated"]) == (len(os.sched_getaffinity(0)) < 4)
    for what in ("training_decisions", "random_play_deals"):
        assert set(result[what]) == {"1 device", "4 devices", "2 processes"}
        one = result[what]["1 device"]["per_second"]["all"]
        for measured in result[what].values():
            expected = [a / b for a, b in zip(measured["per_second"]["all"], one, strict=True)]
            assert measured["to_one_device"]["all"] == pytest.approx(expected)
    assert "2 processes" in done.stdout


def load(name):
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_replays_are_measured():
    arguments = ["--games", "euchre", "--batch", "16", "--batches", "2", "--repeats", "1"]
    command = [sys.executable, str(FOLDER / "replay.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=quick.environment())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "euchre/standard: replay " in done.stdout and "WRONG" not in done.stdout


@pytest.mark.slow
def test_data_sets_of_less_than_a_piece_are_refused():
    command = [sys.executable, str(FOLDER / "data_sets.py"), "--deals", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "--deals must be at least 262144" in done.stderr


@pytest.mark.slow
def test_data_sets_are_measured():
    arguments = ["--games", "rikiki/standard3", "--players", "random", "--repeats", "1"]
    command = [sys.executable, str(FOLDER / "data_sets.py"), *arguments, "--deals", "300000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert re.search(r"standard3, random: .* deals/s to a file .* in memory, ratio \d", done.stdout)


@pytest.mark.slow
def test_searches_are_measured(tmp_path):
    arguments = ["--games", "euchre", "--worlds", "4", "--repeats", "1", "--results", str(tmp_path)]
    command = [sys.executable, str(FOLDER / "search.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=quick.environment())
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((tmp_path / "search.json").read_text("utf-8"))["decisions"]
    assert set(row["milliseconds"]) == set(row["seconds_to_compile"])
    assert "float32, with belief" in row["milliseconds"]
    for kinds in row["seconds_to_compile"].values():
        assert set(kinds) == {"alone", "side by side"} and min(kinds.values()) > 0


@pytest.mark.slow
def test_searches_by_a_copy_are_timed(monkeypatch):
    """The study takes from the benchmark both the compiled functions and how they take turns."""
    monkeypatch.syspath_prepend(FOLDER.parent)
    study = importlib.import_module("experiments.rollout_policy.study")
    players = dict.fromkeys(study.SEARCHES, (RandomAgent(), ()))
    found = study.times(jaxcards.make("euchre"), players, seed=1)
    assert set(found) == set(study.SEARCHES)
    kinds = ("alone", "side by side")
    assert all(both[kind]["median"] > 0 for both in found.values() for kind in kinds)
