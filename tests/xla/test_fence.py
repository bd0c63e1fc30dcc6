"""The fence still fences: XLA does not compute the chosen card once for every leaf of the state."""

import os
import re
import shutil
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards.xla import prng
from jaxcards.xla.fence import fence, without_fences

BATCH = 64

pytestmark = pytest.mark.skipif(
    jax.default_backend() != "cpu", reason="what the fence does to other backends is not asserted"
)


def instructions(function, *args) -> int:
    """Return the number of instructions of the optimised program."""
    text = jax.jit(function).lower(*args).compile().as_text()
    return sum(" = " in line for line in text.splitlines())


def loop(game):
    """Return a function that plays a batch of deals at random, as a rollout does."""

    def play_one(state, word):
        def step(state, time):
            choice = prng.random_word((word, jnp.uint32(5)), time)
            return game.step(state, game.legal_actions(state).sample_word(choice)), None

        final, _ = jax.lax.scan(step, state, jnp.arange(game.max_steps, dtype=jnp.uint32))
        return game.points(final)

    return jax.vmap(play_one)


def test_the_fence_keeps_a_step_small():
    """jax 0.10.2, CPU: 716 instructions with the fence, 2952 without."""
    game = jaxcards.make("jass/tournament")
    states = jax.vmap(game.init)(jax.random.split(jax.random.key(0), BATCH))
    words = jnp.arange(BATCH, dtype=jnp.uint32)
    fenced = instructions(loop(game), states, words)
    with without_fences():
        bare = instructions(loop(game), states, words)
    assert bare > 2 * fenced


@pytest.mark.slow
def test_the_fence_keeps_a_deal_small():
    """jax 0.10.2, CPU: 2676 instructions with the fence, 7994 without."""
    game = jaxcards.make("jass/tournament")
    keys = jax.random.key_data(jax.random.split(jax.random.key(0), BATCH))
    fenced = instructions(jax.vmap(game.init), keys)
    with without_fences():
        # Another function, as JAX remembers the trace of the one before.
        bare = instructions(jax.vmap(lambda key: game.init(key)), keys)
    assert bare > 2 * fenced


def test_fences_can_be_left_out():
    def equations():
        return len(jax.make_jaxpr(lambda word: fence(word))(jnp.uint32(5)).eqns)

    assert equations() > 0
    with without_fences():
        assert equations() == 0
    assert equations() > 0


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32, np.int32])
def test_every_value_passes_unchanged(dtype):
    limits = np.iinfo(dtype)
    values = np.random.default_rng(0).integers(limits.min, limits.max, 10_000, dtype, endpoint=True)
    values[:4] = 0, 1, limits.min, limits.max
    passed = jax.jit(fence)(values)
    assert passed.dtype == dtype and (np.asarray(passed) == values).all()


def test_floats_pass_bit_for_bit():
    bits = np.random.default_rng(0).integers(0, 2**32, 10_000, np.uint32)
    passed = jax.jit(fence)(bits.view(np.float32))
    assert passed.dtype == np.float32 and (np.asarray(passed).view(np.uint32) == bits).all()


PROGRAM = """
import jax, jax.numpy as jnp
from jaxcards.xla import fence as _fence
fence = {fence}
jax.jit(lambda word: (fence(word * 7) + 1, fence(word * 7) ^ 3))(jnp.arange(4096, dtype=jnp.uint32))
"""


@pytest.mark.slow_after(1)
@pytest.mark.skipif(shutil.which("objdump") is None, reason="needs objdump (Debian: binutils)")
@pytest.mark.parametrize(
    "fence, divides", [("_fence", False), ("lambda word: word // (word | 1)", True)]
)
def test_nothing_is_divided_in_the_end(tmp_path, fence, divides):
    """In the machine code, that is; a division that has to be made shows that one would be seen."""
    environment = dict(os.environ) | {"XLA_FLAGS": f"--xla_dump_to={tmp_path} --xla_dump_hlo_as_text"}
    environment["JAX_ENABLE_COMPILATION_CACHE"] = "false"
    program = PROGRAM.format(fence=fence)
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    objects = sorted(tmp_path.glob("*jit__lambda*.o"))
    text = "".join(
        subprocess.run(["objdump", "-d", str(path)], capture_output=True, text=True, check=True).stdout
        for path in objects
    )
    divisions = re.findall(r"^\s*[0-9a-f]+:\t[^\t]*\t\w*div", text, re.MULTILINE)
    assert objects and bool(divisions) == divides
