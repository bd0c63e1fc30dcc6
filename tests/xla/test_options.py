"""The options of the compiler do what they are there for: seen in the program, without a clock."""

import functools

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards import xla
from jaxcards.bench import machine
from jaxcards.throughput import random_play

PIECES = "outer_dimension_partitions"  # how XLA marks an operation that it cuts up for threads


def wide(x):
    return jnp.cos(x) * 3 + jnp.sin(x)


def program(function, *args):
    return function.lower(*args).compile().as_text()


@pytest.mark.skipif(machine.describe()["cores_usable"] < 2, reason="one core: nothing is cut up")
def test_operations_stay_whole_unless_they_may_be_split():
    x = jnp.ones(1 << 20)
    assert PIECES in program(xla.jit(wide, split=True), x)
    assert PIECES not in program(xla.jit(wide), x)


def test_memory_is_used_again_at_once_unless_operations_may_be_split():
    """Operations that share memory wait for each other, and stay on the core that holds the data."""

    def sorts(x):
        return functools.reduce(lambda so_far, i: jnp.sort(so_far + jnp.sort(x * i)), range(8), x)

    def temporary_bytes(**options):
        program = xla.jit(sorts, **options).lower(jnp.ones(1 << 16)).compile()
        return program.memory_analysis().temp_size_in_bytes

    assert temporary_bytes() < temporary_bytes(split=True) / 4


def test_random_play_is_not_cut_up():
    play = random_play(jaxcards.make("rikiki/open_spiel"), 4096, 1)
    assert PIECES not in program(play, jnp.uint32(0))


def test_other_backends_get_no_options(monkeypatch):
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert xla.compiler_options() == xla.compiler_options(split=True) == {}
