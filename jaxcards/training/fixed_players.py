"""Check that the adversary and the teacher of a run stay the same when it is resumed."""

from typing import Any

import jax
import numpy as np

from jaxcards.errors import UserError
from jaxcards.training import checkpoints
from jaxcards.training.folder import RunFolder


def check_unchanged(run: RunFolder, role: str, name: str, params: Any) -> None:
    """Raise `UserError` if the newest checkpoint of a run has another player in a role.

    Args:
      run: whose checkpoint; without one there is nothing to compare.
      role: where the state of the run has its parameters, "adversary" or "teacher".
      name: of the player.
      params: its parameters, as it is loaded now.
    """
    update = checkpoints.latest(run.checkpoints)
    if update is None:
        return
    state, _, _ = checkpoints.read(run.checkpoints, update)
    if _values(state.get(role, ())) != _values(params):
        raise UserError(
            f"{run.path} was begun with another {role} than {name} is now: begin a new run, or put the "
            "old player back"
        )


def _values(params: Any) -> list[tuple[str, tuple[int, ...], bytes]]:
    """Return the arrays of a tree in an order that does not depend on how its nodes are called."""
    arrays = [np.asarray(leaf) for leaf in jax.tree.leaves(jax.device_get(params))]
    return sorted((str(array.dtype), array.shape, array.tobytes()) for array in arrays)
