"""Programs keep their size: a gate against slower code that needs no clock.

Speed on one machine follows from what a compiled rollout consists of; a busy machine does not change
that. After an intended change of size, run `python tests/repo/budgets.py`.
"""

import jax
import pytest
from repo import budgets

import jaxcards
from jaxcards import registry
from jaxcards.bench import cost
from jaxcards.xla.tracing import count_equations

MARGIN = 0.10
BUDGETS = budgets.load()
WHAT_TO_DO = "if that is meant to be: python tests/repo/budgets.py"

pinned = pytest.mark.skipif(
    jax.__version__ != BUDGETS["jax"] or jax.default_backend() != "cpu",
    reason=f"instructions are counted on a CPU with jax {BUDGETS['jax']}",
)


def by_speed(ids):
    """Return the presets; all except the default ones are slow."""
    quick = registry.defaults()
    return [pytest.param(id, marks=[] if id in quick else pytest.mark.slow) for id in ids]


def exceeds(found: int, budget: int) -> bool:
    return found > (1 + MARGIN) * budget


def test_every_preset_has_a_budget():
    assert set(BUDGETS["games"]) == {id for id in jaxcards.games() if "/" in id}, WHAT_TO_DO


@pytest.mark.parametrize("id", by_speed(BUDGETS["games"]))
def test_bytes_and_equations(id):
    budget, found = BUDGETS["games"][id], budgets.of_game(id)
    for name in ("state_bytes", "observation_bytes"):
        assert found[name] == budget[name], f"{name} of {id}; {WHAT_TO_DO}"
    for name, equations in found["jaxpr_equations"].items():
        held_to = budget["jaxpr_equations"][name]
        assert not exceeds(equations, held_to), f"{name} of {id}: {equations} equations; {WHAT_TO_DO}"
        # A budget with room in it would let the next change pass.
        if jax.__version__ == BUDGETS["jax"]:
            assert not exceeds(held_to, equations), f"{name} of {id} has shrunk; {WHAT_TO_DO}"


@pytest.mark.slow_after(2)
@pinned
@pytest.mark.parametrize("id", by_speed(BUDGETS["games"]))
def test_instructions_of_random_play(id):
    budget, found = BUDGETS["games"][id]["rollout"], budgets.of_rollout(id)
    for name, number in found.items():
        assert number > 0
        assert not exceeds(number, budget[name]), f"{id}: {number} {name}; {WHAT_TO_DO}"
        assert not exceeds(budget[name], number), f"{id} has shrunk to {number} {name}; {WHAT_TO_DO}"


def test_equations_are_counted_through_calls_and_loops():
    def function(x):
        return jax.lax.fori_loop(0, 3, lambda i, x: jax.jit(lambda x: x * 2 + 1)(x), x)

    flat = count_equations(jax.make_jaxpr(lambda x: x * 2 + 1)(1.0).jaxpr)
    nested = count_equations(jax.make_jaxpr(function)(1.0).jaxpr)
    assert flat == 2 < nested < 8


def test_instructions_are_counted():
    text = """
    ENTRY %main (x: f32[8]) -> f32[8] {
      %x = f32[8] parameter(0)
      %twice = f32[8] fusion(%x), kind=kLoop, calls=%f
      ROOT %y = f32[8] fusion(%twice), kind=kLoop, calls=%f
    }"""
    assert cost.count_instructions(text) == {"hlo_instructions": 3, "hlo_fusions": 2}
