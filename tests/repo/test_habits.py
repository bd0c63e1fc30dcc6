"""The first loop of README.md, which people copy, is fast; benchmarks/habits.py prices other loops."""

import ast
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.extend.core import jaxprs_in_params
from support import quick

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.testing.deals import quick_jit
from jaxcards.throughput import random_play

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "habits.py"


@pytest.fixture(scope="module")
def first():
    """Return the definitions of the first Python block of README.md, without the code after them."""
    code = (ROOT / "README.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    statements = ast.parse(code).body
    last = next(i for i, statement in enumerate(statements) if isinstance(statement, ast.FunctionDef))
    names = {}
    exec(compile(ast.Module(statements[: last + 1], []), "README.md", "exec"), names)
    return names


def equations(jaxpr):
    """Every equation of a jaxpr; those of loops and calls as well."""
    for equation in jaxpr.eqns:
        yield equation
        for inner in jaxprs_in_params(equation.params):
            yield from equations(inner)


def test_the_first_loop_has_nothing_slow(first):
    """One scan, no threefry, and in the loop nothing wider than a key: no mask, no axis of actions."""
    traced = list(equations(jax.make_jaxpr(first["play"])(jax.random.key(0)).jaxpr))
    names = {equation.primitive.name for equation in traced}
    assert not names & {"while", "cond", "threefry2x32"}
    assert {name for name in names if name.startswith("random_")} <= {"random_unwrap"}
    (scan,) = [equation for equation in traced if equation.primitive.name == "scan"]
    assert scan.params["length"] == first["game"].max_steps
    widest = max(out.aval.size for eqn in equations(scan.params["jaxpr"].jaxpr) for out in eqn.outvars)
    assert widest <= 2


@pytest.mark.slow
def test_the_first_loop_plays_the_deals_of_rollout(first):
    def both(key):
        return first["play"](key), jaxcards.rollout(first["game"], RandomAgent(), (), key).points

    played, rolled = quick_jit(jax.vmap(both))(jax.random.split(jax.random.key(1), 64))
    np.testing.assert_array_equal(played, rolled)
    assert len(set(played[:, 0].tolist())) > 16


@pytest.mark.slow
def test_the_first_loop_keeps_its_ratio_to_random_play(first):
    """By plain `jax.jit`, in turns: half as fast or so, and never less than a twentieth."""
    size, batches = 4096, 16
    loop = jax.jit(jax.vmap(first["play"]))
    fastest = random_play(first["game"], size, batches)
    keys = jax.random.split(jax.random.key(2), size)

    def seconds(run):
        start = time.perf_counter()
        jax.block_until_ready(run())
        return time.perf_counter() - start

    def ratio():
        copied = seconds(lambda: [loop(keys) for _ in range(batches)])
        return copied / seconds(lambda: fastest(jnp.uint32(0)))

    ratio()  # compiles both
    assert statistics.median(ratio() for _ in range(7)) < 20


def run(*arguments, **more):
    return subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, **more
    )


def measured(folder, *arguments):
    """Run the script with small batches, and return its result."""
    small = ["--batch", 64, "--repeats", 2, "--seconds", 0.001, "--results", folder]
    done = run(*arguments, *small, "--machine", "here", env=quick.environment())
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((folder / "here-habits.json").read_text())


@pytest.mark.slow
def test_habits_are_measured(tmp_path):
    result = measured(tmp_path, "--game", "jass/tournament", "--habits", "sample_logits", "from_python")
    assert result["command"].startswith("python benchmarks/habits.py --game jass/tournament")
    assert [row["name"] for row in result["habits"]] == ["random_play", "sample_logits", "from_python"]
    best = result["habits"][0]["per_second"]["all"]
    for row in result["habits"]:
        assert row["facts"]["total"] == [314, 314] and not row["wrong"]
        ratios = [a / b for a, b in zip(best, row["per_second"]["all"], strict=True)]
        assert row["random_play_is_faster"]["all"] == pytest.approx(ratios)
        assert row["compile_seconds"] > 0


@pytest.mark.slow
def test_every_habit_plays_the_same_game(tmp_path):
    assert len(measured(tmp_path, "--game", "jass/tournament")["habits"]) >= 12


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--repeats", "0"], "--batch and --repeats must be at least 1"),
        pytest.param(["--core", "100000"], "--core must be one of", marks=pytest.mark.slow),
        pytest.param(["--habits", "smoking"], "invalid choice: 'smoking'", marks=pytest.mark.slow),
        pytest.param(
            ["--game", "jas"], "unknown game 'jas'; did you mean 'jass'", marks=pytest.mark.slow
        ),
    ],
)
def test_bad_input(arguments, words):
    done = run(*arguments)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr
