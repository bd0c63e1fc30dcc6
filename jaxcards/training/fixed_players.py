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
      run: of the checkpoint; without one the check passes.
      role: key of the parameters in the state of the run, "adversary" or "teacher".
      name: of the player.
      params: its current parameters.
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
    """Return the arrays of a tree in an order that does not depend on the names of its nodes."""
    arrays = [np.asarray(leaf) for leaf in jax.tree.leaves(jax.device_get(params))]
    return sorted((str(array.dtype), array.shape, array.tobytes()) for array in arrays)
