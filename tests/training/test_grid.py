"""A grid of settings: each combination trains as it does alone, and all share one compiled step."""

import dataclasses
import itertools

import jax
import numpy as np
import pytest
from support.training import same

from jaxcards import settings
from jaxcards.agents.learners import base
from jaxcards.agents.learners.qtable.learner import QTable
from jaxcards.agents.learners.registry import LEARNERS, make_learner, settings_of
from jaxcards.cli import main
from jaxcards.evaluation.intervals import Interval
from jaxcards.evaluation.result import Evaluation, Pair
from jaxcards.training import checkpoints
from jaxcards.training.config import config_class, load_config
from jaxcards.training.host_learner import CompiledLearner, RunsLearner
from jaxcards.training.results import grid_table
from training import test_seeds
from training.test_seeds import CASES, GAME, OPTIONS, SETTINGS, SHORT, TOLERANCE, train

quick = test_seeds.quick
# Other values of all settings that a grid takes.
OTHERS = {
    "learning_rate": 3e-3, "final_learning_rate": 1e-3, "discount": 0.9, "gae_lambda": 0.5,
    "clip": 0.05, "entropy": 0.02, "final_entropy": 0.3, "card_entropy": 0.4, "final_card_entropy": 0.1,
    "value_coefficient": 0.2, "max_gradient_norm": 0.1, "trick_weight": 0.3, "correction": 0.8,
    "epsilon": 0.6, "final_epsilon": 0.1, "target_rate": 0.2, "trace_decay": 0.5,
}  # fmt: skip


def grid_of(config):
    """Return the settings of three runs: given ones, and others of a new and of the same seed."""
    other = dataclasses.replace(config, **{name: OTHERS[name] for name in config.numbers})
    return [config, dataclasses.replace(other, seed=4), other]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name, side_by_side", CASES)
def test_each_combination_trains_as_it_does_alone(monkeypatch, name, side_by_side):
    """All settings that a grid takes at once; see the same test of seeds."""
    if side_by_side:
        monkeypatch.setattr(base, "of_each_run", lambda run, *values: jax.vmap(run)(*values))
    runs = grid_of(settings_of(name)(**SETTINGS[name]))
    first, second, _ = (make_learner(name, SHORT, config, 1 + side_by_side) for config in runs)
    together = RunsLearner(first, runs)
    states, metrics = map(together.each, train(together))
    expected, expected_metrics = train(CompiledLearner(second))
    same(expected, states[1], **TOLERANCE)
    assert metrics[0] != metrics[2] != metrics[1]
    for key, value in metrics[1].items():
        np.testing.assert_allclose(value, expected_metrics[key], **TOLERANCE, err_msg=key)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_a_grid_is_compiled_once(monkeypatch):
    """The number of traces of an update does not depend on the number of runs."""
    traces, update = [], QTable._update
    monkeypatch.setattr(QTable, "_update", lambda *values: traces.append(values) or update(*values))
    config = settings_of("q-table")(**SETTINGS["q-table"], seed=1)
    learner = make_learner("q-table", SHORT, config)
    counts = []
    for number in (2, 6):
        rates = np.linspace(0.1, 0.9, number).tolist()
        runs = [dataclasses.replace(config, learning_rate=rate) for rate in rates]
        together = RunsLearner(learner, runs)
        together.compile(together.init(), 3)
        counts.append(len(traces))
        traces.clear()
    assert counts[0] == counts[1] > 0


@pytest.mark.parametrize("name", LEARNERS)
def test_a_grid_takes_numbers_that_a_resumed_run_may_change(name):
    config = config_class(name)
    assert not {*config.numbers} & {*config.fixed}
    assert all(settings.annotations(config)[setting] is float for setting in config.numbers)


def evaluation(mean, half):
    """Return the evaluation of a run with this result against two others."""

    def pair(a, b, mean):
        interval = Interval(mean, mean - half, mean + half)
        return Pair(a, b, interval, 1.0, 1.0, interval, 0.0, 0.0, 0.0)

    names = ("run", "heuristic", "random")
    pairs = [pair("run", "heuristic", mean), pair("run", "random", mean + 5)]
    pairs.append(pair("heuristic", "random", 9.0))
    return Evaluation("rikiki", names, 2000, 6, 0, tuple(pairs), ())


def test_the_table_has_the_best_combination_first():
    """The interval is over the deals of one seed, or over several seeds."""
    table, best = grid_table(
        {
            "clip=0.1": [evaluation(-1.0, 0.25)],
            "clip=0.2": [evaluation(2.0, 0.5)],
            "clip=0.3": [evaluation(0.0, 0.5), evaluation(1.0, 0.5)],
        }
    )
    assert best == "clip=0.2"
    title, _, *lines = table.splitlines()
    assert title == "rikiki: points per deal more than each opponent, 2000 deals for each run"
    assert [line.split() for line in lines] == [
        "settings against heuristic 95 % interval against random 95 % interval".split(),
        "clip=0.2 +2.00 [+1.50, +2.50] +7.00 [+6.50, +7.50]".split(),
        "clip=0.3 +0.50 [-5.85, +6.85] +5.50 [-0.85, +11.85]".split(),
        "clip=0.1 -1.00 [-1.25, -0.75] +4.00 [+3.75, +4.25]".split(),
    ]


@pytest.mark.slow
def test_the_command(tmp_path, monkeypatch, capsys):
    """Two values with two seeds each; a run equals the same run alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jaxcards.training.results.FINAL_DEALS", 3)
    options = [*OPTIONS, "--devices", "1"]
    grid = ["--grid", "clip=0.1,0.3", "learning-rate=0.01", "--seeds", "2"]
    assert main.main(["train", GAME, "--out", "all", *grid, *options]) == 0
    out = capsys.readouterr().out
    names = [f"clip={clip},learning_rate=0.01" for clip in (0.1, 0.3)]
    assert "for each of 4 runs:\ntrained: 4 updates" in out and "grid: clip = 0.1, 0.3" in out
    assert "settings " in out and all(f"\n{name} " in out for name in names)
    best = min(names, key=lambda name: out.index(f"\n{name} "))
    assert f"jaxcards evaluate all/{best}/seed_0 " in out
    assert {path.name for path in (tmp_path / "all").iterdir()} == {*names, "README.txt", "curve.png"}
    for name, seed in itertools.product(names, (0, 1)):
        run = tmp_path / "all" / name / f"seed_{seed}"
        config = load_config("ppo", run / "config.toml", resumed=True)
        assert (f"clip={config.clip},learning_rate={config.learning_rate}", config.seed) == (name, seed)
    alone = ["--clip", "0.3", "--learning-rate", "0.01", "--seed", "1", "--no-evaluate"]
    assert main.main(["train", GAME, "--out", "one", *alone, *options]) == 0
    run = f"all/{names[1]}/seed_1"
    pairs = zip(*map(test_seeds.without_times, (tmp_path / "one", tmp_path / run)), strict=True)
    for one, together in pairs:
        for key, value in one.items():
            assert together[key] == pytest.approx(value, rel=1e-3, abs=1e-5), key
    assert main.main(["evaluate", run, "random", "--deals", "2"]) == 0
    assert main.main(["train", "--resume", run, "--updates", "6", "--no-evaluate"]) == 0
    assert checkpoints.latest(tmp_path / run / "checkpoints") == 6
    assert main.main(["train", "--resume", "all"]) == 2
    assert f"all has 4 runs: name one, such as all/{names[0]}/seed_0" in capsys.readouterr().err
