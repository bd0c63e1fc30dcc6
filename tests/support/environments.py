"""Playing environments of Gymnasium; a process that is spawned can import this module."""

import pickle
from typing import Any

import numpy as np


def first_legal(mask: Any) -> int:
    """Return the legal action of the lowest number."""
    return int(np.flatnonzero(mask)[0])


def episode(env: Any) -> list[tuple]:
    """Observations, rewards and masks of an environment from where it is to the end of the deal."""
    found, over = [], False
    while not over:
        features, reward, over, _, info = env.step(first_legal(env.action_masks()))
        found.append((features.tolist(), reward, info["action_mask"].tolist()))
    return found


def episode_of(pickled: bytes) -> list[tuple]:
    """Return the same of an environment that arrives in another process."""
    return episode(pickle.loads(pickled))
