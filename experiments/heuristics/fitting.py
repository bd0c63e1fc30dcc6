"""Fit numbers of heuristics: by an evolution strategy on duplicate deals, and by regression."""

import dataclasses
import itertools
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards.seats import by_seat
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.game import Game
from jaxcards.rollouts import Rollout, rollout
from jaxcards.xla import jit


def run(**fits: Callable[..., None]) -> None:
    """Run the fit that the first word of the command line names; further words are its arguments."""
    name, *words = sys.argv[1:]
    fits[name](*(int(word) if word.isdigit() else word for word in words))


# ---- Deals --------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Chooser:
    """An agent without parameters.

    Attributes:
      choose: from an observation and the legal actions to the action.
    """

    choose: Callable[[Any, Any], jax.Array]

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: Any, key: Any) -> jax.Array:
        return self.choose(observation, legal)


def where(condition: jax.Array, yes: Any, no: Any) -> Any:
    """Choose between two pytrees, such as states."""
    return jax.tree.map(lambda a, b: jnp.where(condition, a, b), yes, no)


def action_of(game: Game, agent: Any, state: Any) -> jax.Array:
    """Return the action of a deterministic agent."""
    seen = game.observe(state, state.current_player)
    return agent.act((), seen, game.legal_actions(state), None)


def advance(game: Game, agent: Any, state: Any, steps: int, goes_on: Callable) -> Any:
    """Play on while a condition of the state holds, for a number of steps at most."""

    def step(state: Any, _: None) -> tuple[Any, None]:
        after = game.step(state, action_of(game, agent, state))
        return where(goes_on(state), after, state), None

    return jax.lax.scan(step, state, None, length=steps)[0]


def ends(game: Game, agent: Any, key: jax.Array, states: Sequence[Any]) -> Rollout:
    """Play a deal on from each of several states; leaves of the result have an axis of the states."""
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *states)
    return jax.vmap(lambda state: rollout(game, agent, (), key, state=state))(stacked)


def sampler(deal: Callable, batch: int = 16384) -> Callable:
    """Compile a function of single deals.

    Args:
      deal: of the key of a deal and of further arguments.
      batch: number of deals at a time.

    Returns:
      A function of the seeds of batches and of these further arguments. It returns the results of all
      deals as arrays of NumPy.
    """

    @jit
    def play(key: jax.Array, *rest: Any) -> Any:
        return jax.vmap(lambda key: deal(key, *rest))(jax.random.split(key, batch))

    def draw(seeds: Iterable[int], *rest: Any) -> Any:
        rows = [jax.tree.map(np.asarray, play(jax.random.key(seed), *rest)) for seed in seeds]
        return jax.tree.map(lambda *leaves: np.concatenate(leaves), *rows)

    return draw


# ---- Evolution strategy -------------------------------------------------------------------------


def evolve(
    tables: Sequence[tuple[Game, Callable]],
    start: Any,
    scale: np.ndarray,
    seconds: float,
    *,
    batch: int = 8192,
    rate: float = 0.25,
) -> Any:
    """Return better weights, and print how far they are ahead of the first ones.

    Every deal tries a small random change of all weights against the opposite change, in both seatings.
    Adam follows the mean of these changes, each multiplied by its result.

    Args:
      tables: games that take turns, each with a function of a key and `weights_of`. The function plays
        a deal and returns the points of every seat; `weights_of(observation)` are the weights of the
        player to act, a pytree as `start`.
      start: the first weights, a pytree of numbers.
      scale: float32[n], the size of the change of each weight.
      seconds: how long, without compilation.
      batch: number of deals of a step.
      rate: the largest step, in scales; it falls to a tenth.
    """
    centre, structure = flat(start), jax.tree.structure(start)
    plays = [_duplicate(game.num_players, deal, structure) for game, deal in tables]
    rng = np.random.default_rng()

    def meet(play: Callable, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        sides = np.broadcast_to(np.stack([one, other], -2), (batch, 2, centre.size))
        keys = jax.random.split(jax.random.key(int(rng.integers(1 << 31))), batch)
        return np.asarray(play(keys, sides.astype(np.float32)))

    for play in plays:
        meet(play, centre, centre)  # compiles
    theta, m, v, begin = centre, np.zeros_like(centre), np.zeros_like(centre), time.time()
    for step, play in enumerate(itertools.cycle(plays), 1):
        done = (time.time() - begin) / seconds
        if done >= 1:
            break
        change = rng.standard_normal((batch, centre.size), np.float32)
        result = meet(play, theta + scale * change, theta - scale * change)
        # Results count in their own spread, and outliers no more than five of it.
        result = np.clip(result / (np.sqrt(np.square(result).mean()) + 1e-6), -5, 5)
        gradient = (result[:, None] * change).mean(0)
        m, v = 0.9 * m + 0.1 * gradient, 0.98 * v + 0.02 * gradient**2
        # The addend of the root keeps steps small where there is only noise.
        direction = m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.98**step)) + 0.003)
        theta = theta + rate * max(0.1, 1 - done) * scale * direction
    for (game, _), play in zip(tables, plays, strict=True):
        gain = mean_interval(np.concatenate([meet(play, theta, centre) for _ in range(4)]))
        print(f"# {game.id or game.name}: {gain.mean:+.3f} ({gain.low:+.3f} to {gain.high:+.3f}) ahead")
    return jax.tree.unflatten(structure, theta.tolist())


def _duplicate(players: int, deal: Callable, structure: Any) -> Callable:
    """Compile a batch of duplicate deals between two sets of weights, in every second seat each.

    Returns:
      A function of keys [batch] and weights, float32[batch, 2, n]. It returns the points of a seat that
      the first set is ahead, the mean of both seatings: float32[batch].
    """
    seatings = jnp.stack([jnp.arange(players) % 2, jnp.arange(1, players + 1) % 2])

    def one(key: jax.Array, sides: jax.Array) -> jax.Array:
        def table(seats: jax.Array) -> jax.Array:
            def weights_of(seen: Any) -> Any:
                second = by_seat(list(seats), seen.player) == 1
                values = jnp.where(second, sides[1], sides[0])
                return jax.tree.unflatten(structure, list(values))

            points, first = deal(key, weights_of), 1 - seats
            return (points * first).sum() / first.sum() - (points * seats).sum() / seats.sum()

        return jax.vmap(table)(seatings).mean()

    return jit(jax.vmap(one))


def flat(weights: Any) -> np.ndarray:
    """Return all numbers of a pytree of weights: float32[n]."""
    return np.array(jax.tree.leaves(weights), np.float32)


# ---- Regression ---------------------------------------------------------------------------------


def ridge(x: np.ndarray, y: np.ndarray, penalty: float = 30.0) -> tuple[np.ndarray, float]:
    """Return the constant and the weights of a linear regression, and the spread around it."""
    a = np.column_stack([np.ones(len(x)), x]).astype(np.float64)
    penalties = np.diag([0.0] + [penalty] * (a.shape[1] - 1))
    fitted = np.linalg.solve(a.T @ a + penalties, a.T @ y)
    return fitted, float((y - a @ fitted).std())


def logistic(x: np.ndarray, y: np.ndarray, penalty: float) -> np.ndarray:
    """Return the weights of a logistic regression, by Newton's method."""
    x, y = x.astype(np.float64), y.astype(np.float64)
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + penalty * np.eye(len(weights))
        weights = weights + np.linalg.solve(hessian, x.T @ (y - p) - penalty * weights)
    return weights


# ---- Output -------------------------------------------------------------------------------------


def show(title: str, weights: Any, digits: int = 2) -> None:
    """Print weights as they are written in the package; None stands for a weight that is not fitted."""
    print(f"# {title}")
    for name, value in weights._asdict().items():
        if value is not None:
            print(f"    {name}={jax.tree.map(lambda x: round(float(x), digits), value)},")
    sys.stdout.flush()


def show_rows(title: str, names: Iterable[str], rows: Iterable[Iterable[float]], digits: int) -> None:
    """Print a table of the package: the name of a part of a hand and its worth in each column."""
    print(f"# {title}")
    for name, row in zip(names, rows, strict=True):
        values = ", ".join(f"{round(float(value), digits) + 0.0:.{digits}f}" for value in row)
        print(f'    ("{name}", {values}),')
    sys.stdout.flush()
