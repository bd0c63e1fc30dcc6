"""Sizes of programs: equations, instructions, bytes, independent of any clock.

These numbers are the same on a busy machine, so a test can hold them to a budget.
"""

import sys
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.game import Game
from jaxcards.xla.tracing import count_equations

if sys.platform != "win32":
    import resource


def of_game(game: Game) -> dict[str, Any]:
    """Return the sizes of a game's functions and of the carry of a loop over it, as JSON values.

    Bytes of a state and of an observation, and the number of jaxpr equations of `init`,
    `legal_actions`, `step`, `observe` and `points`.
    """
    key = jax.random.key(0)
    state = jax.eval_shape(game.init, key)
    action = jax.ShapeDtypeStruct((), jnp.int32)
    seen = jax.eval_shape(game.observe, state, action)
    jaxprs = {
        "init": jax.make_jaxpr(game.init)(key),
        "legal_actions": jax.make_jaxpr(game.legal_actions)(state),
        "step": jax.make_jaxpr(game.step)(state, action),
        "observe": jax.make_jaxpr(game.observe)(state, action),
        "points": jax.make_jaxpr(game.points)(state),
    }
    return {
        "state_bytes": size(state),
        "observation_bytes": size(seen),
        "jaxpr_equations": {name: count_equations(jaxpr.jaxpr) for name, jaxpr in jaxprs.items()},
    }


def of_program(compiled: jax.stages.Compiled) -> dict[str, Any]:
    """Return the size of an executable, as JSON values.

    `hlo_instructions` and `hlo_fusions` are those of the optimised program. `peak_bytes` is the memory
    for its arguments, results and temporary buffers at the same time.
    """
    counts = count_instructions(compiled.as_text() or "")
    memory = compiled.memory_analysis()
    if memory is None:  # some backends lack it
        return {**counts, "code_bytes": None, "temporary_bytes": None, "peak_bytes": None}
    arguments, results = memory.argument_size_in_bytes, memory.output_size_in_bytes
    # Results that take over the memory of arguments count once.
    shared = memory.alias_size_in_bytes
    return {
        **counts,
        "code_bytes": memory.generated_code_size_in_bytes,
        "temporary_bytes": memory.temp_size_in_bytes,
        "peak_bytes": arguments + results - shared + memory.temp_size_in_bytes,
    }


def count_instructions(text: str) -> dict[str, int]:
    """Count instructions and fusions of an optimised program in HLO text."""
    # In HLO text, every instruction is an assignment on a line of its own.
    lines = [line for line in text.splitlines() if " = " in line]
    return {
        "hlo_instructions": len(lines),
        "hlo_fusions": sum(" fusion(" in line for line in lines),
    }


def size(tree: Any) -> int:
    """Return the bytes of all leaves of a pytree."""
    return sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(tree))


def process_peak_bytes() -> int | None:
    """Return the peak resident memory of this process; None on Windows, where Python does not tell."""
    if sys.platform == "win32":
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # Linux counts in kilobytes


def device_peak_bytes() -> int | None:
    """Return the peak memory in use on a device; None if the backend does not count it."""
    peaks = [(device.memory_stats() or {}).get("peak_bytes_in_use") for device in jax.local_devices()]
    known = [peak for peak in peaks if peak is not None]
    return max(known) if known else None
