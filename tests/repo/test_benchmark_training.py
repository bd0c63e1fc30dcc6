"""benchmarks/training.py: the parts of a training step are those of the step, and are told in full."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agents.learners.ppo.learner import PPO
from jaxcards.agents.networks.network import forward
from jaxcards.cards.features import unpack
from jaxcards.training.config import config_class

FOLDER = Path(__file__).parents[2] / "benchmarks"
SMALL = {"deals_per_update": 64, "minibatches": 2, "hidden": (8,), "critic_hidden": (8,)}
PARTS = ["acting", "judging", "learning", "engine", "rest"]
GAME = jaxcards.make("euchre")


@pytest.fixture(scope="module")
def modules():
    """benchmarks/step_parts.py, and what makes the tables of its results."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        names = ("step_parts", "readme_tables.from_results")
        yield [importlib.import_module(name) for name in names]
        for name in names:
            del sys.modules[name]


def run(*arguments):
    return subprocess.run(
        [sys.executable, FOLDER / "training.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=quick.environment(),
    )


@pytest.mark.slow
def test_the_parts_of_a_step(modules, tmp_path):
    """Two devices, whose gradients have two parts each, as there is room for a third of the steps."""
    config = tmp_path / "config.toml"
    lines = [f"{name} = {json.dumps(value)}" for name, value in SMALL.items()]
    config.write_text("\n".join([*lines, "decision_share = 0.34", "updates_per_dispatch = 1"]))
    results = tmp_path / "benchmarks" / "results"
    results.parent.mkdir()
    small = ["--games", "euchre", "--config", config, "--repeats", 2]
    done = run(*small, "--results", results, "--machine", "here")
    assert done.returncode == 0, done.stderr
    result = json.loads((results / "here-training.json").read_text())
    assert result["devices"] == 2 and result["command"].startswith("python benchmarks/training.py")
    (row,) = result["games"]
    assert row["game"] == "euchre/standard" and row["decisions_per_second"]["median"] > 0
    assert list(row["shares"]) == PARTS
    for repeat in range(2):
        shares = {name: row["shares"][name]["all"][repeat] for name in PARTS}
        seconds = {name: row["seconds_per_dispatch"][name]["all"][repeat] for name in PARTS}
        assert sum(shares.values()) == pytest.approx(1)
        assert sum(seconds.values()) == pytest.approx(
            row["seconds_per_dispatch"]["whole"]["all"][repeat]
        )
        outside = row["share_outside_network"]["all"][repeat]
        assert outside == pytest.approx(shares["engine"] + shares["rest"])
        assert min(seconds[name] for name in PARTS[:4]) > 0

    counted = row["counted"]
    steps = GAME.max_steps
    assert counted["steps"] == steps and counted["rows_of_a_part"] == int(steps * 16 * 0.34)
    # The last trick is forced.
    assert steps / 2 < counted["steps_in_which_the_policy_was_asked"] <= steps - 4
    assert 1 < counted["parts_of_a_gradient"] <= 3
    rows = counted["parts_of_a_gradient"] * 2 * 2 * counted["rows_of_a_part"]
    assert counted["rows_learned_from"] == pytest.approx(rows)
    assert rows / 2 < counted["decisions_learned_from"] <= rows
    assert "outside network" in done.stdout
    assert "| `euchre/standard` |" in modules[1].training(tmp_path)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--repeats", "0"], "--repeats and --devices must be at least 1"),
        pytest.param(
            ["--games", "jas"], "unknown game 'jas'; did you mean 'jass'", marks=pytest.mark.slow
        ),
        pytest.param(
            ["--config", "nowhere.toml"], "nowhere.toml: No such file", marks=pytest.mark.slow
        ),
        (["--devices", "3"], "deals_per_update (1024) must be a multiple of minibatches times devices"),
    ],
)
def test_bad_input(arguments, words):
    done = run(*arguments)
    assert done.returncode == 2 and words in done.stderr and not done.stdout
    assert sum("error: " in line for line in done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_arithmetic_is_that_of_the_networks(modules, precision):
    learner = PPO(GAME, config_class()(precision=precision, **SMALL | {"hidden": (16, 8)}))
    words = jax.random.bits(jax.random.key(0), (32, -(-GAME.num_features // 32)))
    params = learner.networks.policy(GAME).init(jax.random.key(1), words[0])
    params = jax.tree.map(lambda x: x + 0.125, params)  # biases as well
    x = unpack(words, GAME.num_features, jnp.dtype(precision))
    np.testing.assert_allclose(
        modules[0].dense(params, x), forward(learner.networks.policy(GAME), params, words), rtol=1e-6
    )


@pytest.mark.slow
def test_the_engine_alone_plays_the_deals_of_each_update(modules):
    learner = PPO(GAME, config_class()(updates_per_dispatch=2, **SMALL))
    part = modules[0].engine(learner, 5)
    logits, first = part.args
    play = part.func.lower(logits, first).compile({"xla_backend_optimization_level": 0})
    ((one, two),) = np.asarray(play(logits, first))
    ((again, three),) = np.asarray(play(logits, first + 1))
    assert (two == again).all() and one.all() and three.all()
    names = ["features", "full", "legal", "action", "log_probability"]
    assert (one[: len(names)] != two[: len(names)]).all()
    other = logits.at[0].set(9.0)  # the policy is asked, and decides what is played
    assert (np.asarray(play(other, first))[0, 0, : len(names)] != one[: len(names)]).all()
