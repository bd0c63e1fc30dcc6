"""Sizes of programs, measured without a clock, and the limits for them in budgets.json.

python tests/repo/budgets.py            # writes budgets.json, on the pinned version of JAX
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "budgets.json"
BATCH = 64  # too small for XLA to divide work among the cores of a machine


def of_game(id: str) -> dict[str, Any]:
    """Bytes of state and observation, and equations: known without compiling."""
    import jaxcards
    from jaxcards.bench import cost

    return cost.of_game(jaxcards.make(id))


def of_rollout(id: str) -> dict[str, int]:
    """Instructions and fusions of compiled random play."""
    import jax.numpy as jnp

    import jaxcards
    from jaxcards.bench import cost
    from jaxcards.throughput import random_play

    # The tests are compiled without fusions that belong to the program.
    quick = "xla_cpu_use_fusion_emitters" in os.environ.get("XLA_FLAGS", "")
    options = {"xla_cpu_use_fusion_emitters": True} if quick else None
    compiled = random_play(jaxcards.make(id), BATCH, 2).lower(jnp.uint32(0)).compile(options)
    return cost.count_instructions(compiled.as_text())


def load() -> dict[str, Any]:
    """Return the recorded numbers."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def main() -> int:
    import jax

    import jaxcards

    jax.config.update("jax_platforms", "cpu")
    games = {id: of_game(id) for id in jaxcards.games() if "/" in id}
    for id in games:
        games[id]["rollout"] = of_rollout(id)
        print(id, games[id], flush=True)
    content = {"jax": jax.__version__, "games": games}
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    sys.exit(main())
