"""The benchmarks run, and the yardstick in C plays the same game as the engine."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards.agents.random import RandomAgent
from jaxcards.batches import deal_keys
from jaxcards.rollout import rollout

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "rollout.py"


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("benchmark_rollout", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def yardstick(benchmark, tmp_path_factory):
    command = benchmark.compile_yardstick(str(tmp_path_factory.mktemp("c")))
    if command is None:
        pytest.skip("no C compiler, or no processor with BMI2")
    return command


def test_the_yardstick_plays_jass(yardstick):
    """Random card play with a suit for trumps: points of who leads first, and legal cards."""
    done = subprocess.run([*yardstick, "200000", "1"], check=True, capture_output=True, text=True)
    rate, points, legal = map(float, done.stdout.split())
    assert rate > 0

    game = jaxcards.make("jass/tournament", push=False)

    def play(key):
        done = rollout(game, RandomAgent(), (), key, trajectory=True)
        steps = done.trajectory
        chosen = jax.vmap(lambda legal: legal.count())(steps.legal)[1:].sum()  # without the mode
        leads = game.progress(done.state)[done.state.forehand]
        return leads, chosen / 36, done.state.mode < 4

    ours = [np.asarray(x) for x in jax.jit(jax.vmap(play))(deal_keys(0, 0, 30_000))]
    for ours_by_deal, theirs in zip(ours[:2], (points, legal), strict=True):
        values = ours_by_deal[ours[2]]
        error = values.std() * np.sqrt(1 / len(values) + 1 / 200_000)
        assert abs(values.mean() - theirs) < 4 * error


def test_the_yardstick_refuses_bad_input(yardstick):
    for arguments in ([], ["0", "1"], ["x", "1"], ["1", "2", "3"]):
        done = subprocess.run([*yardstick, *arguments], capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.startswith("usage:")


def test_rollout(tmp_path, benchmark, yardstick):
    arguments = ["--batch", "8", "--num-batches", "2", "--c-deals", "100", "--repeats", "2"]
    arguments += ["--games", "jass/tournament", "--machine", "here", "--results", str(tmp_path)]
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "here-rollout.json").read_text())
    assert result["command"].startswith("python benchmarks/rollout.py --batch 8")
    assert result["core"] in os.sched_getaffinity(0) and result["machine"]["cores_usable"] == 1
    measured = result["games"]["jass/tournament"]
    assert measured["card_plays_per_deal"] == 36 < measured["decisions_per_deal"] < 38
    ours, c = measured["deals_per_second"]["all"], result["yardstick"]["deals_per_second"]["all"]
    expected = [a / b for a, b in zip(ours, c, strict=True)]
    assert measured["ratios"]["card plays, to C"]["all"] == pytest.approx(expected)
    assert "card plays/s" in done.stdout and "to C" in done.stdout


@pytest.mark.parametrize(
    "arguments", [["--repeats", "0"], ["--core", "100000"], ["--bath", "1"], ["--games", "jas"]]
)
def test_rollout_refuses_bad_input(arguments):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)
    assert done.returncode == (1 if "jas" in arguments else 2)
    assert "error: " in done.stderr and "Traceback" not in done.stderr


def test_equations_are_counted_through_calls_and_loops(benchmark):
    def function(x):
        return jax.lax.fori_loop(0, 3, lambda i, x: jax.jit(lambda x: x * 2 + 1)(x), x)

    flat = benchmark.count_equations(jax.make_jaxpr(lambda x: x * 2 + 1)(1.0).jaxpr)
    nested = benchmark.count_equations(jax.make_jaxpr(function)(jnp.float32(1)).jaxpr)
    assert flat == 2 < nested < 8


def test_names_of_machines(benchmark):
    assert benchmark.slug("Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz") == (
        "intel-xeon-gold-6130-cpu-2-10ghz"
    )


# ---- The GPU -------------------------------------------------------------------------------------

GPU_SCRIPT = SCRIPT.parent / "gpu.py"


def run_gpu(*arguments):
    return subprocess.run(
        [sys.executable, str(GPU_SCRIPT), *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
    )


def test_measuring_a_gpu_needs_one():
    done = run_gpu()
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.startswith("error: no GPU: JAX found only 'cpu'")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_all_measurements_of_a_gpu(tmp_path):
    """Without a GPU, in interpret mode: every tally is compared, the speeds mean nothing."""
    small = ["--deals", 256, "--batches", 64, 128, "--blocks", 32, "--warps", 1, "--repeats", 2]
    games = ["--game", "euchre", "--games", "euchre", "--no-training", "--interpret"]
    done = run_gpu(*small, *games, "--results", tmp_path, "--machine", "none")
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "none-gpu.json").read_text())
    assert result["interpreted"] and result["equal_deals_of_every_kernel"] == 256
    assert len(result["xla"]) == 4 and len(result["kernel"]) == 1
    (game,) = result["games"].values()
    assert game["equal_deals"] == 256 and len(game["ratio"]["all"]) == 2
    # 24 decisions of some hundred operations each.
    assert 24 * 100 < game["kernel_operations_per_deal"] < 24 * 1000


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
    script = SCRIPT.with_name("devices.py")
    done = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True)
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
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", SCRIPT.parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PTX = """
	ld.param.b64 	%rd1, [kernel_param_0];
	ld.param.b64 	%rd2, [kernel_param_1];
	ld.global.b32 { %r1 }, [ %rd1 + 0 ];
	mov.u32 	%r2, %tid.x;
	mov.b32 	%r3, 0;
$L__BB0_1:                              // shifts by 0, 8, 16, …: from 32 on nothing is left
	shl.b32 	%r4, %r1, %r5;
	add.s32 	%r3, %r3, 1;
	setp.lt.s32 	%p1, %r3, 5;
	@%p1 bra 	$L__BB0_1;
	clz.b32 	%r6, %r4;
	mul.wide.u32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd2, %rd3;
	st.global.b32 [ %rd4 + 0 ], { %r6 };
	ret;
"""


def test_ptx_is_executed():
    script = load("ptx")
    text = PTX.replace("%r3, 0;", "%r3, 0;\n\tshl.b32 %r5, %r2, 3;")
    (counts,) = script.Program(text).run(1, grid=1, block=8, num_outputs=1)
    assert counts.tolist() == [31, 23, 15, 7, 32, 32, 32, 32]
    # The two lowest bits of a thread's number, as a signed field.
    text = text.replace("clz.b32 \t%r6, %r4;", "shl.b32 %r2, %r2, 1;\n\tbfe.s32 %r6, %r2, 1, 2;")
    text = text.replace("mul.wide.u32 \t%rd3, %r2, 4", "mul.wide.u32 %rd3, %r2, 2")
    (fields,) = script.Program(text).run(1, grid=1, block=8, num_outputs=1)
    assert fields.tolist() == [0, 1, -2, -1] * 2
    with pytest.raises(KeyError):
        script.Program("\tfoo.b32 %r1, 1;\n\tret;").run(1, 1, 8, 1)
