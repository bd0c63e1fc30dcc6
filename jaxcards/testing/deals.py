"""Random deals for the checks, and functions that the checks share."""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.game import Game

_SCRIPTED = 8  # every eighth deal begins with given actions

CheckT = TypeVar("CheckT", bound=Callable[..., None])


@dataclasses.dataclass(frozen=True, eq=False)  # compared by identity, hence hashable
class Deals:
    """Deals played to the end by random choices.

    Attributes:
      game: the game that was played.
      states: pytree of NumPy arrays [max_steps + 1, num_deals, ...]: before each step and at the end.
      actions: int32[max_steps, num_deals], the random choices, those after the end included.
      over: bool[max_steps + 1, num_deals], `terminated` of each state.
      keys: PRNG keys[num_deals], from which each was dealt and played.
      scripted: bool[num_deals], deals that began with given actions. All others are those of a rollout
        of `RandomAgent`.
    """

    game: Game
    states: Any
    actions: np.ndarray
    over: np.ndarray
    keys: jax.Array
    scripted: np.ndarray

    @property
    def num_deals(self) -> int:
        return self.actions.shape[1]

    def of(self, game: Game) -> "Deals":
        """Return the same states for another game with the same state type, such as a subclass."""
        return dataclasses.replace(self, game=game)

    def first(self, number: int) -> "Deals":
        """Return only the first deals, at most `number`."""
        states = jax.tree.map(lambda leaf: leaf[:, :number], self.states)
        actions, over = self.actions[:, :number], self.over[:, :number]
        return Deals(self.game, states, actions, over, self.keys[:number], self.scripted[:number])

    def flat(self) -> Any:
        """Return all states as one batch."""
        return jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), self.states)

    def some(self, number: int, *, seed: int = 0, over: bool | None = None) -> Any:
        """Return a batch of `number` states drawn with replacement.

        Args:
          number: size of the batch.
          seed: of the draw.
          over: only finished states, or only unfinished ones.
        """
        eligible = np.arange(self.over.size)
        if over is not None:
            eligible = eligible[self.over.reshape(-1) == over]
        chosen = np.random.default_rng(seed).choice(eligible, number)
        return take(self.flat(), chosen)


def play_deals(game: Game, num_deals: int = 200, *, seed: int = 0, first: Sequence[int] = ()) -> Deals:
    """Play deals by uniformly random legal actions and keep every state.

    Args:
      game: the game to play.
      num_deals: number of deals.
      seed: of all random choices.
      first: actions with which every eighth deal begins, while they are legal; they lead to a longest
        deal if random play seldom does.
    """
    # -1 stands for a step without a given action.
    script = jnp.asarray([*first, *[-1] * (game.max_steps - len(first))], jnp.int32)

    def play(key: jax.Array, number: jax.Array) -> tuple[Any, Any]:
        def step(state: Any, time: jax.Array) -> tuple[Any, Any]:
            legal = game.legal_actions(state)
            action = legal.sample(key, time)
            if first:
                given = script[time]
                wanted = (number % _SCRIPTED == 0) & (given >= 0) & legal.contains(given)
                action = jnp.where(wanted, given, action)
            return game.step(state, action), (state, action, state.terminated)

        times = jnp.arange(game.max_steps, dtype=jnp.uint32)
        final, (states, actions, over) = jax.lax.scan(step, game.init(key), times)
        states = jax.tree.map(lambda a, b: jnp.concatenate([a, b[None]]), states, final)
        return states, (actions, jnp.concatenate([over, final.terminated[None]]))

    keys = jax.random.split(jax.random.key(seed), num_deals)
    numbers = np.arange(num_deals)
    states, (actions, over) = quick_jit(jax.vmap(play, out_axes=1))(keys, numbers)
    scripted = (numbers % _SCRIPTED == 0) & bool(first)
    return Deals(game, to_numpy(states), np.asarray(actions), np.asarray(over), keys, scripted)


def dealers_of(game: Game) -> tuple[int, ...]:
    """Return the seats that may deal."""
    return game.hints.dealers or tuple(range(game.num_players))


def check(function: CheckT) -> CheckT:
    """Make a check prefix its name to every error, including those raised inside the game."""

    @functools.wraps(function)
    def named(game: Game, *args: Any, **kwargs: Any) -> None:
        try:
            function(game, *args, **kwargs)
        except AssertionError as error:
            raise AssertionError(f"{function.__name__}: {game.id or game.name}: {error}") from error
        except Exception as error:
            raise AssertionError(
                f"{function.__name__}: {game.id or game.name}: {type(error).__name__}: {error}"
            ) from error

    return named  # type: ignore[return-value]


def require(condition: Any, message: str) -> None:
    """Raise AssertionError unless the condition holds, also under `python -O`."""
    if not bool(condition):
        raise AssertionError(message)


def require_all(condition: Any, message: str) -> None:
    """Raise AssertionError unless every entry holds; the message gets the index of the first."""
    wrong = np.argwhere(~np.asarray(condition))
    if len(wrong):
        where = ", ".join(str(i) for i in wrong[0])
        raise AssertionError(f"{message} ({len(wrong)} times, first at [{where}])")


def require_equal(first: Any, second: Any, message: str) -> None:
    """Raise AssertionError unless two pytrees are equal in structure, dtypes and every bit."""
    a, b = leaves(first), leaves(second)
    require(a.keys() == b.keys(), f"{message}: leaves {sorted(a)} against {sorted(b)}")
    for name in a:
        require(
            a[name].dtype == b[name].dtype and a[name].shape == b[name].shape,
            f"{message}: {name} is {a[name].dtype}{list(a[name].shape)} "
            f"against {b[name].dtype}{list(b[name].shape)}",
        )
        require_all(a[name] == b[name], f"{message}: {name} differs")


def leaves(tree: Any) -> dict[str, np.ndarray]:
    """Return the leaves of a pytree by their path."""
    found = jax.tree_util.tree_flatten_with_path(tree)[0]
    return {jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in found}


def to_numpy(tree: Any) -> Any:
    """Return a pytree with NumPy leaves."""
    return jax.tree.map(np.asarray, tree)


def take(tree: Any, index: Any) -> Any:
    """Return entries of the leading axis of every leaf."""
    return jax.tree.map(lambda leaf: leaf[index], tree)


def same_rows(first: Any, second: Any) -> np.ndarray:
    """Return bool[batch]: where two batches agree in every leaf."""
    a, b = leaves(first), leaves(second)
    equal = [(a[name] == b[name]).reshape(len(a[name]), -1).all(axis=1) for name in a]
    return np.all(equal, axis=0)


def quick_jit(function: Callable[..., Any], **kwargs: Any) -> Any:
    """Return `jax.jit(function)` that compiles fast and runs slowly, if XLA has such an option."""
    return jax.jit(function, compiler_options=quick_options(), **kwargs)


# Options with which XLA:CPU compiles much faster.
QUICK = {
    "xla_backend_optimization_level": 0,
    "xla_cpu_use_fusion_emitters": False,
    "xla_cpu_parallel_codegen_split_count": 1,
}


def quick_options() -> dict[str, Any]:
    """Return the options with which XLA compiles fast; {} except on a CPU."""
    if jax.default_backend() != "cpu":
        return {}
    return {name: value for name, value in QUICK.items() if _is_known(name, value)}


@functools.cache
def _is_known(name: str, value: Any) -> bool:
    """Return whether this version of XLA has an option."""
    try:
        jax.jit(lambda: 0, compiler_options={name: value}).lower().compile()
    except jax.errors.JaxRuntimeError:
        return False
    return True
