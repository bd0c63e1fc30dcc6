"""Several seeds together: each trains as it does alone, in a run folder of its own."""

import dataclasses
import json
import signal

import jax
import numpy as np
import pytest
from support.training import same

import jaxcards
from jaxcards.agents.learners import base
from jaxcards.agents.learners.registry import make_learner, settings_of
from jaxcards.cli import main
from jaxcards.errors import UserError
from jaxcards.evaluation.result import Evaluation
from jaxcards.testing.deals import quick_options
from jaxcards.training import checkpoints
from jaxcards.training.host_learner import CompiledLearner, RunsLearner
from jaxcards.training.metrics import read_metrics
from jaxcards.training.records import mean_record
from jaxcards.training.run_folders import run_folder
from training import fakes
from training.test_train import without_times

SHORT = jaxcards.make("rikiki", num_players=3, schedule=(2,))
SMALL = {"deals_per_update": 16, "hidden": (8,)}
SETTINGS = {
    "ppo": SMALL | {"critic_hidden": (8,), "minibatches": 2},
    "reinforce": SMALL,
    "dqn": SMALL | {"replay": 256, "batch": 16, "gradient_steps": 2},
    "q-table": {"deals_per_update": 16},
}
CASES = [("q-table", False), *(pytest.param(name, True, marks=pytest.mark.slow) for name in SETTINGS)]
# The command that the slow tests run.
GAME = "rikiki (num_players=3, schedule=(2,))"
OPTIONS = [
    *("--updates", "4", "--updates-per-dispatch", "2", "--deals-per-update", "16"),
    *("--minibatches", "2", "--hidden", "8", "--critic-hidden", "8", "--evaluation-deals", "4"),
]
# Sums of a batched product may be rounded in another order.
TOLERANCE = {"rtol": 1e-4, "atol": 2e-5}


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(CompiledLearner, "options", quick_options())


def train(learner: CompiledLearner, updates: int = 2):
    state = learner.init()
    return learner.compile(state, updates)(state, 10.0)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name, side_by_side", CASES)
def test_each_seed_trains_as_it_does_alone(monkeypatch, name, side_by_side):
    """In turn, as on a processor; or side by side, as on a GPU, and on two devices."""
    if side_by_side:
        monkeypatch.setattr(base, "of_each_run", lambda run, *values: jax.vmap(run)(*values))
    config, seeds, devices = settings_of(name)(**SETTINGS[name]), (3, 8), 1 + side_by_side
    first, second = (
        make_learner(name, SHORT, dataclasses.replace(config, seed=seed), devices) for seed in seeds
    )
    together = RunsLearner(first, [first.config, second.config])
    states, metrics = map(together.each, train(together))
    expected, expected_metrics = train(CompiledLearner(second))
    tolerance = TOLERANCE if side_by_side else {"rtol": 0}
    same(expected, states[1], **tolerance)
    assert metrics[1].keys() == expected_metrics.keys() and metrics[0] != metrics[1]
    for key, value in metrics[1].items():
        np.testing.assert_allclose(value, expected_metrics[key], **tolerance, err_msg=key)


class Two(fakes.Learner):
    """Two seeds; the second learns twice as fast."""

    def init(self):
        return jax.tree.map(lambda x: np.stack([x, x]), super().init())

    shapes = init

    def each(self, tree):
        if "loss" in tree:
            return [dict(tree), {**tree, "loss": 2 * tree["loss"], "decisions": 3 * tree["decisions"]}]
        return [
            {"weights": tree["weights"][seed] * (1 + seed), "update": tree["update"][seed]}
            for seed in (0, 1)
        ]

    def compile(self, state, num_updates):
        step = super().compile(state, num_updates)

        def both(state, schedule):
            one, metrics = step(jax.tree.map(lambda x: x[0], state), schedule)
            return jax.tree.map(lambda x: np.stack([x, x]), one), metrics

        return both


@pytest.fixture
def fake_group(tmp_path):
    config = dataclasses.replace(fakes.CONFIG, updates=8)
    seeds = tuple(fakes.RunFolder(tmp_path / name) for name in ("seed_0", "seed_1"))
    for run in seeds:
        run.path.mkdir()
    groups = {fakes.RunFolder(tmp_path): seeds}
    return fakes.loop(tmp_path, Two(fakes.Clock()), config, groups=groups), seeds


def test_every_seed_has_its_metrics_and_checkpoints(fake_group):
    loop, seeds = fake_group
    outcome = loop.run()
    assert outcome.complete and outcome.counters.update == 8
    for factor, run in zip((1, 3), seeds, strict=True):
        update = checkpoints.latest(run.checkpoints)
        state, counters, player = checkpoints.read(run.checkpoints, update)
        records = read_metrics(run.metrics)
        assert (update, player) == (8, fakes.PLAYER)
        assert counters.decisions == records[-1]["decisions"] == factor * 8 * 64 * 37
        assert counters.metrics_bytes == run.metrics.stat().st_size
        assert state["weights"][0] == pytest.approx(records[-1]["against_heuristic"])


def test_ctrl_c_saves_every_seed(tmp_path, fake_group):
    loop, seeds = fake_group
    loop.learner.during[3] = lambda: signal.raise_signal(signal.SIGINT)
    outcome = loop.run()
    assert outcome.interrupted and outcome.exit_status == 130 and outcome.counters.update == 4
    assert [checkpoints.latest(run.checkpoints) for run in seeds] == [4, 4]
    assert checkpoints.latest(tmp_path / "checkpoints") is None


def test_metrics_of_the_group_are_means_with_an_interval_over_the_seeds(fake_group):
    loop, seeds = fake_group
    loop.run()
    mean, *own = (read_metrics(run.metrics)[-1] for run in (loop.folder, *seeds))
    assert mean["update"] == own[0]["update"] == 8
    scores = [record["against_heuristic"] for record in own]
    assert mean["against_heuristic"] == pytest.approx(np.mean(scores))
    # Student's quantile for two values.
    half_width = 12.7062 * np.std(scores, ddof=1) / np.sqrt(2)
    assert mean["against_heuristic_half_width"] == pytest.approx(half_width)
    assert mean_record(own) == mean and mean_record(own[:1]) == own[0]


def test_one_seed_of_a_group_goes_on_alone(fake_group, tmp_path):
    loop, seeds = fake_group
    loop.run()
    config = dataclasses.replace(fakes.CONFIG, updates=12)
    outcome = fakes.loop(seeds[0].path, fakes.Learner(fakes.Clock()), config).run()
    assert outcome.complete and outcome.counters.update == 12
    updates = [record["update"] for record in read_metrics(seeds[0].metrics)]
    assert updates == sorted(set(updates)) and updates[-1] == 12


def test_the_folder_of_a_group_names_a_seed(tmp_path):
    for seed in (3, 4):
        (tmp_path / f"seed_{seed}").mkdir()
        (tmp_path / f"seed_{seed}/config.toml").touch()
    with pytest.raises(UserError, match=r"has 2 runs: name one, such as .*seed_3$"):
        run_folder(str(tmp_path))


@pytest.mark.slow
def test_the_command(tmp_path, monkeypatch, capsys):
    """Two seeds from 3 on; the second equals the run with `--seed 4`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jaxcards.training.results.FINAL_DEALS", 3)
    options = [*OPTIONS, "--devices", "2" if len(jax.devices()) > 1 else "1"]
    assert main.main(["train", GAME, "--out", "two", "--seed", "3", "--seeds", "2", *options]) == 0
    out = capsys.readouterr().out
    assert "for each of 2 runs:\ntrained: 4 updates" in out and "two/seed_* - random" in out
    assert "jaxcards evaluate two/seed_3" in out
    assert {path.name for path in (tmp_path / "two").iterdir()} == {
        *("seed_3", "seed_4", "README.txt", "curve.png", "metrics.jsonl", "tensorboard")
    }
    alone = ["train", GAME, "--out", "one", "--seed", "4", "--no-evaluate", *options]
    assert main.main(alone) == 0
    assert (tmp_path / "one/config.toml").read_text().partition("[")[0] == (
        (tmp_path / "two/seed_4/config.toml").read_text().partition("[")[0]
    )
    pairs = zip(without_times(tmp_path / "one"), without_times(tmp_path / "two/seed_4"), strict=True)
    for alone, together in pairs:
        assert alone.keys() == together.keys()
        for key, value in alone.items():
            assert together[key] == pytest.approx(value, rel=1e-3, abs=1e-5), key
    result = Evaluation.from_json((tmp_path / "two/seed_4/evaluation.json").read_text())
    assert result.names[0] == "two/seed_4"
    # One seed of the group can be evaluated and trained on.
    evaluate = ["evaluate", "two/seed_4", "random", "--deals", "2", "--json", "e.json"]
    assert main.main(evaluate) == 0 and json.loads((tmp_path / "e.json").read_text())
    assert main.main(["train", "--resume", "two/seed_4", "--updates", "6", "--no-evaluate"]) == 0
    assert checkpoints.latest(tmp_path / "two/seed_4/checkpoints") == 6
    assert main.main(["train", "--resume", "two"]) == 2
    assert "two has 2 runs: name one, such as two/seed_3" in capsys.readouterr().err
