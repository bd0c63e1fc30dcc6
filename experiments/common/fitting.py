"""What the fits of heuristics share: an evolution strategy, and linear regression."""

import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.xla import jit


def gradient_of(deal: Callable, batch: int, limit: float) -> Callable:
    """Compiles the direction in which weights get better.

    Args:
      deal: of a key and the weights, what a small random change of the weights brought in a deal that
        was played both ways round, and the change, in scales of the weights.
      batch: number of deals.
      limit: results beyond it count as much as it.

    Returns:
      Of a key and the weights, the gradient in scales and the mean square of the results.
    """

    @jit
    def gradient(key: jax.Array, centre: jax.Array) -> tuple[jax.Array, jax.Array]:
        result, change = jax.vmap(deal, (0, None))(jax.random.split(key, batch), centre)
        result = jnp.clip(result, -limit, limit)
        return (result[:, None] * change).mean(0), jnp.square(result).mean()

    return gradient


def climb(
    gradient: Callable,
    centre: np.ndarray,
    scale: np.ndarray,
    seconds: float,
    *,
    rate: float,
    floor: float,
    steady: float,
    report: Callable[[np.ndarray], None] | None = None,
    every: int = 50,
) -> np.ndarray:
    """Follows a gradient by Adam for some seconds, compilation not counted.

    Args:
      gradient: as from `gradient_of`.
      centre: float32[n], the weights to begin with.
      scale: float32[n], how far each weight is changed at a time.
      seconds: how long.
      rate: largest step, in scales; it falls to `floor` of it.
      floor: see `rate`.
      steady: added to the root of the mean square, so that noise alone moves little.
      report: is given the weights after every `every` steps; nothing is printed without it.
      every: see `report`.

    Returns:
      float32[n], the weights at the end.
    """
    m, v, theta = np.zeros_like(centre), np.zeros_like(centre), centre.copy()
    jax.block_until_ready(gradient(jax.random.key(0), jnp.asarray(theta)))
    begin, step = time.time(), 0
    while time.time() - begin < seconds:
        step += 1
        g, second = gradient(jax.random.key(step + int(begin)), jnp.asarray(theta))
        g = np.asarray(g)
        m, v = 0.9 * m + 0.1 * g, 0.98 * v + 0.02 * g * g
        size = rate * max(floor, 1 - (time.time() - begin) / seconds)
        moved = m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.98**step)) + steady)
        theta = theta + size * scale * moved
        if report is not None and step % every == 0:
            print(step, round(time.time() - begin), "rms", float(second) ** 0.5, flush=True)
            report(theta)
    print(f"# {step} steps, {np.abs((theta - centre) / scale).mean():.2f} scales from the start")
    return theta


def flat(weights: Any) -> np.ndarray:
    """All numbers of a tree of weights: float32[n]."""
    return np.array(jax.tree.leaves(weights), np.float32)


def ridge(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """Linear regression with a small penalty: constant and weights, and what is left around them."""
    a = np.column_stack([np.ones(len(x)), x]).astype(np.float64)
    penalty = 30.0 * np.eye(a.shape[1])
    penalty[0, 0] = 0
    fitted = np.linalg.solve(a.T @ a + penalty, a.T @ y)
    return fitted, float((y - a @ fitted).std())
