"""`jaxcards train` as a person types it: the run folder, kill -9, Ctrl-C, --resume."""

import json
import signal
import subprocess
import time
from pathlib import Path

import jax
import numpy as np
import pytest

import jaxcards
from jaxcards import settings
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.ppo.learner import PPO
from jaxcards.cli import main
from jaxcards.errors import UserError
from jaxcards.evaluation.result import Evaluation
from jaxcards.registry import GAMES
from jaxcards.training import checkpoints, results
from jaxcards.training.by_game import BEST
from jaxcards.training.config import TrainingConfig, config_class, load_config
from jaxcards.training.folder import RunFolder
from jaxcards.training.metrics import read_metrics
from jaxcards.training.player import load_trained_player
from training.conftest import SETTINGS

TIMES = ("seconds", "deals_per_second", "decisions_per_second")


def wait_for_checkpoint(process: subprocess.Popen, run: Path, update: int) -> None:
    while process.poll() is None:
        folder = run / "checkpoints"
        if folder.is_dir() and any(int(p.name) >= update for p in folder.iterdir() if p.name.isdigit()):
            return
        time.sleep(0.01)
    raise AssertionError(f"ended by itself: {process.communicate()}")


def without_times(run: Path) -> list[dict]:
    records = read_metrics(run / "metrics.jsonl")
    return [{k: v for k, v in record.items() if k not in TIMES} for record in records]


@pytest.fixture(scope="module")
def resumed(command, finished):
    """Return a run that was killed, resumed, stopped with Ctrl-C and resumed again."""
    run = command.folder / "parts"
    often = ["--checkpoint-minutes", "0.00001"]
    killed = command("train", "jass", "--out", "parts", "--no-evaluate", *SETTINGS, *often)
    wait_for_checkpoint(killed, run, 6)
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=60)
    at_kill = checkpoints.latest(run / "checkpoints")
    stopped = command("train", "--resume", "parts", "--no-evaluate")
    wait_for_checkpoint(stopped, run, at_kill + 4)
    stopped.send_signal(signal.SIGINT)
    out, err = stopped.communicate(timeout=600)
    at_stop = checkpoints.latest(run / "checkpoints")
    last = command("train", "--resume", "parts", "--no-evaluate")
    _, last_err = last.communicate(timeout=600)
    assert last.returncode == 0 and "WARNING" not in last_err, last_err
    return run, (at_kill, at_stop), (stopped.returncode, out, err)


@pytest.mark.slow
def test_a_killed_run_ends_bit_for_bit_like_one_that_was_not(finished, resumed):
    whole, parts = finished[0], resumed[0]
    at_kill, at_stop = resumed[1]
    assert 6 <= at_kill < at_stop < 40
    like = jax.eval_shape(PPO(jaxcards.make("jass"), config(whole)).init)
    a, counted_a, _ = checkpoints.read(whole / "checkpoints", 40, like)
    b, counted_b, _ = checkpoints.read(parts / "checkpoints", 40, like)
    assert jax.tree.structure(a) == jax.tree.structure(b) == jax.tree.structure(like)
    for x, y in zip(jax.tree.leaves(a), jax.tree.leaves(b), strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_array_equal(x, y)
    assert counted_a.plan == counted_b.plan
    assert (counted_a.deals, counted_a.decisions) == (counted_b.deals, counted_b.decisions)
    assert int(a.update) == 40


@pytest.mark.slow
def test_metrics_have_every_call_once_and_are_equal(finished, resumed):
    records = without_times(resumed[0])
    assert [record["update"] for record in records] == list(range(0, 41, 2))
    assert records == without_times(finished[0])
    assert "kl" in records[1] and "against_heuristic" in records[-1]


@pytest.mark.slow
def test_ctrl_c_ends_with_a_checkpoint_and_says_how_to_go_on(resumed):
    status, out, err = resumed[2]
    assert status == 130
    assert "stopping with a checkpoint" in err
    assert "Traceback" not in err and "WARNING" not in err
    assert f"interrupted after {resumed[1][1]} updates" in out
    assert "jaxcards train --resume parts\n" in out


def config(run: Path) -> TrainingConfig:
    return RunFolder(run).read_config()


def test_every_setting_is_printed(finished):
    run, out, _ = finished
    for line in settings.describe(config(run)):
        assert f"  {line}\n" in out
    assert "jass/schieber_1000" in out and f"jax {jax.__version__}" in out and "device cpu" in out


def test_plain_lines_where_nobody_watches(finished):
    run, _, err = finished
    lines = [line for line in err.splitlines() if line.startswith("update ")]
    assert lines and all("deals/s" in line and "against heuristic" in line for line in lines)
    assert "\r" not in err and "Traceback" not in err and "Warning" not in err


def test_the_folder_is_complete(finished):
    run, out, _ = finished
    assert {path.name for path in run.iterdir()} == {
        *("README.txt", "checkpoints", "config.toml", "curve.png", "metrics.jsonl"),
        *("player.msgpack", "tensorboard"),
    }
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert any(path.stat().st_size > 1000 for path in (run / "tensorboard").iterdir())
    assert "jaxcards evaluate whole heuristic random" in (run / "README.txt").read_text()
    assert "jaxcards train --resume whole --updates 80 " in (run / "README.txt").read_text()
    assert "jaxcards evaluate whole heuristic random" in out
    for line in (run / "metrics.jsonl").read_text().splitlines():
        assert isinstance(json.loads(line)["update"], int)


@pytest.mark.parametrize(
    "options, words",
    [
        (["--hidden", "32"], "begun with hidden = 16, which a resumed run cannot change to 32"),
        (["--seed", "7"], "begun with seed = 0"),
        (["--devices", "512"], "devices must be at most"),
        (["--minibatches", "64", "--devices", "2"], "multiple of minibatches times devices"),
    ],
)
def test_what_a_resumed_run_cannot_do(finished, monkeypatch, capsys, options, words):
    monkeypatch.chdir(finished[0].parent)
    before = (finished[0] / "config.toml").read_text()
    assert main.main(["train", "--resume", "whole", *options]) == 2
    _, err = capsys.readouterr()
    assert words in err and err.count("\n") == 1
    assert (finished[0] / "config.toml").read_text() == before


def test_the_final_evaluation_is_written(finished, tmp_path, monkeypatch):
    monkeypatch.setattr(results, "FINAL_DEALS", 3)
    game = jaxcards.make("jass")
    others = {"random": FixedPlayer(RandomAgent(), ())}
    player = load_trained_player(finished[0], game)
    found = results.final_evaluation(RunFolder(tmp_path), game, *player, others, {"command": "train"})
    result = Evaluation.from_json((tmp_path / "evaluation.json").read_text())
    assert result.names == (str(tmp_path), "random") and result.num_deals == 3
    assert found == result
    assert (tmp_path / "evaluation.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("game", GAMES)
def test_the_study_of_a_game_has_every_setting_with_its_default(game):
    root = Path(__file__).parents[2]
    file = root / "experiments" / f"{game}_ppo" / "config.toml"
    values = settings.read_toml(file)
    assert values["game"] == game and load_config("ppo", file) == load_config("ppo", None, None, game)
    assert set(values) == {"game", "learner", *settings.annotations(config_class())}


@pytest.mark.parametrize("name, value", [("magnet", "0.0"), ("magnet", "0")])
def test_a_retired_setting_at_its_default_is_ignored(tmp_path, name, value):
    file = tmp_path / "c.toml"
    file.write_text(f"card_entropy = 0.3\n{name} = {value}\n")
    assert load_config("ppo", file) == load_config("ppo", None, {"card_entropy": 0.3})


def test_another_value_of_a_retired_setting_is_refused(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text("magnet = 0.1\n")
    with pytest.raises(UserError, match="magnet was removed from the settings of ppo: leave it out$"):
        load_config("ppo", file)


def test_an_option_wins_over_the_file_and_the_file_over_the_default(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text("card_entropy = 0.3\nfinal_entropy = 0.03\n")
    found = load_config("ppo", file, {"final_entropy": 0.001})
    default = config_class()()
    assert (found.entropy, found.card_entropy, found.final_entropy) == (default.entropy, 0.3, 0.001)
    assert load_config("ppo") == default


def test_a_game_has_defaults_of_its_own(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text("gae_lambda = 0.6\n")
    others, own = config_class()().gae_lambda, BEST["ppo"]["sheepshead"]["gae_lambda"]
    assert others != own == load_config("ppo", None, None, "sheepshead/six_called").gae_lambda
    assert load_config("ppo", file, None, "sheepshead").gae_lambda == 0.6
    assert load_config("ppo", None, None, "hearts") == config_class()()
    for learner, games in BEST.items():
        for game in games:  # every setting is one of the learner
            assert game in GAMES and load_config(learner, None, None, game) != config_class(learner)()
