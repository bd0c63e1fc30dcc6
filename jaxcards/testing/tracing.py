"""Checks of the form of a game: hashable, small, traceable, the same compiled and batched."""

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.testing.deals import (
    Deals,
    check,
    dealers_of,
    leaves,
    play_deals,
    quick_jit,
    require,
    require_equal,
    take,
    to_numpy,
)
from jaxcards.xla.tracing import count_equations

More = Callable[[np.random.Generator], Mapping[str, Any]]
"""Draws the other arguments of `init_from_deck`, such as the trump suit of a Differenzler."""

JAXPR_BUDGET: Mapping[str, int] = {
    "init": 6000,
    "step": 800,
    "legal_actions": 300,
    "features": 5000,
    "points": 300,
}
"""Largest number of jaxpr equations of each method; `features` counts `observe` as well."""


@check
def check_hashable(game: Game) -> None:
    """Check that games of the same rules are equal, whatever their ids, and hash alike."""
    # A game is copied field by field, and a match is made again around its game.
    twin = dataclasses.replace(game) if _replaceable(game) else type(game)(game.game)  # type: ignore
    require(twin is not game and twin == game, "two games of the same rules are not equal")
    require(hash(twin) == hash(game), "equal games have different hashes")
    require(game != object(), "a game equals an object that is not a game")
    try:
        game.rules = None  # type: ignore[misc]
    except dataclasses.FrozenInstanceError:
        pass
    else:
        raise AssertionError("the rules of a game can be overwritten")
    traces = []

    def count(game: Game, x: jax.Array) -> jax.Array:
        traces.append(game)
        return x + game.num_players

    # jit runs `count` only to trace it, so that the list has an entry for each compilation.
    function = jax.jit(count, static_argnums=0)
    function(game, 1)
    function(twin, 1)
    require(len(traces) == 1, "an equal game as a static argument of jit compiles again")


def _replaceable(game: Game) -> bool:
    return all(field.init for field in dataclasses.fields(game))


@check
def check_state_leaves(
    game: Game, deals: Deals | None = None, *, state_bytes: int = 192, scalars: bool = True
) -> None:
    """Check that a state is small, with scalar leaves of integers and booleans that keep their types.

    Args:
      game: the game.
      deals: played deals of the game.
      state_bytes: the largest size of a state.
      scalars: require that every leaf be a scalar: arrays in a state slow a batch down.
    """
    deals = deals or play_deals(game)
    kinds = [jax.eval_shape(game.init, jax.random.key(0))]
    acting = jax.eval_shape(lambda state: (state.current_player, state.terminated), kinds[0])
    kinds.append(jax.eval_shape(game.step, kinds[0], jax.ShapeDtypeStruct((), jnp.int32)))
    found = jax.tree_util.tree_flatten_with_path(kinds[0])[0]
    for path, leaf in found:
        name = jax.tree_util.keystr(path)
        require(leaf.dtype.kind in "iub", f"{name} is {leaf.dtype}; a state has no such leaves")
        require(not scalars or leaf.shape == (), f"{name} has shape {list(leaf.shape)}: no scalar")
        require(not leaf.weak_type, f"{name} has a weak type: a second step would compile again")
    size = sum(leaf.size * leaf.dtype.itemsize for _, leaf in found)
    require(size <= state_bytes, f"a state has {size} bytes, more than {state_bytes}")
    require(_form(kinds[0]) == _form(kinds[1]), "step changes the structure")
    require(jax.tree.leaves(kinds[0]) == jax.tree.leaves(kinds[1]), "step changes shapes or dtypes")
    for name, leaf, dtype in zip(
        ("current_player", "terminated"), acting, (jnp.int32, jnp.bool_), strict=True
    ):
        require(leaf.dtype == dtype and leaf.shape == (), f"{name} is not a {np.dtype(dtype)}")
    player = np.asarray(deals.states.current_player)
    require(
        ((player >= 0) & (player < game.num_players)).all(),
        f"current_player leaves 0 to {game.num_players - 1}",
    )


@check
def check_init_from_deck(game: Game, *, more: More | None = None, seed: int = 0) -> None:
    """Check that a given deal has the form of a fresh one, and a wrong list of cards raises
    `UserError`.
    """
    rng = np.random.default_rng(seed)
    cards = game.deck.num_cards
    deck, dealer = rng.permutation(cards), int(rng.choice(dealers_of(game)))
    extra = dict(more(rng)) if more else {}
    given = game.init_from_deck(deck, dealer, **extra)
    fresh = jax.eval_shape(game.init, jax.random.key(0))
    require(
        _form(given) == _form(fresh),
        "init_from_deck and init differ in structure",
    )
    for (name, a), b in zip(leaves(given).items(), jax.tree.leaves(fresh), strict=True):
        require(
            a.dtype == b.dtype and a.shape == b.shape,
            f"{name} is {a.dtype}{list(a.shape)} in init_from_deck, {b.dtype}{list(b.shape)} in init",
        )
    places = game.card_places(given)
    held = sorted(card for hand in (*places.hands, places.aside) for card in hand.to_list())
    require(held == list(range(cards)), "a given deal does not hold every card of the deck once")
    traced = quick_jit(lambda deck, dealer: game.init_from_deck(deck, dealer, **extra))
    require_equal(to_numpy(traced(deck, dealer)), to_numpy(given), "init_from_deck under jit")
    wrong: Any
    twice = deck.copy()
    twice[0] = twice[1]
    for wrong, why in ((twice, "a card twice"), (deck[:-1], "a card too few")):
        _refuses(partial(game.init_from_deck, wrong, dealer, **extra), f"a deck with {why}")
    for wrong in (-1, max(dealers_of(game)) + 1):
        _refuses(partial(game.init_from_deck, deck, wrong, **extra), f"dealer {wrong}")


def _form(tree: Any) -> str:
    return str(jax.tree.structure(tree))


def _refuses(call: Callable[[], Any], what: str) -> None:
    try:
        call()
    except UserError as error:
        require("\n" not in str(error), f"the error for {what} has more than one line")
        return
    raise AssertionError(f"init_from_deck takes {what}")


@check
def check_same_in_batches(game: Game, deals: Deals | None = None) -> None:
    """Check that every method gives the same bits for one deal and in a batch, compiled and not."""
    deals = deals or play_deals(game)
    keys = jax.random.split(jax.random.key(3), 2)
    playing, over = deals.some(1, seed=3, over=False), deals.some(1, seed=4, over=True)
    batch = jax.tree.map(lambda a, b: np.concatenate([a, b]), playing, over)

    def look(key: jax.Array, state: Any) -> dict[str, Any]:
        legal = game.legal_actions(state)
        observation = game.observe(state, state.current_player)
        return {
            "init": game.init(key),
            "step": game.step(state, legal.nth(jnp.uint32(0))),
            "legal": legal.words,
            "observation": observation,
            "points": game.points(state),
            "returns": game.returns(state),
            "progress": game.progress(state),
        }

    batched = to_numpy(quick_jit(jax.vmap(look))(keys, batch))
    alone = to_numpy(look(keys[0], take(jax.tree.map(jnp.asarray, batch), 0)))
    require_equal(
        alone, take(batched, 0), "one deal, not compiled, and a compiled batch of deals differ"
    )

    def scan(unused: Any, key: jax.Array) -> tuple[Any, Any]:
        return unused, game.init(key)

    raw = jax.random.key_data(keys)
    in_scan = quick_jit(lambda keys: jax.lax.scan(scan, 0, keys)[1])(raw)
    require_equal(to_numpy(in_scan), batched["init"], "init of raw keys, inside of a scan, differs")


@check
def check_compiles_once(game: Game, *, more: More | None = None) -> None:
    """Check that methods are traced once: `init`, `step` and `init_from_deck` return states of one
    kind.
    """
    traces: dict[str, int] = {"step": 0, "legal_actions": 0, "observe": 0}

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            traces[name] += 1
            return function(*args)

        return jax.jit(run)

    step = counted("step", game.step)
    legal = counted("legal_actions", game.legal_actions)
    observe = counted("observe", game.observe)
    rng = np.random.default_rng(0)
    extra = dict(more(rng)) if more else {}
    deck = rng.permutation(game.deck.num_cards)

    def play(key: jax.Array) -> None:
        # Count traces: a function that is not traced again is not compiled again.
        for state in (game.init(key), game.init_from_deck(deck, 0, **extra)):
            for _ in range(3):
                observe(state, state.current_player)
                state = step(state, legal(state).nth(jnp.uint32(0)))

    # Trace, and compute nothing.
    jax.eval_shape(play, jax.random.key(0))
    for name, number in traces.items():
        require(number == 1, f"{name} was traced {number} times for states of one deal")


@check
def check_jaxpr_budget(game: Game, budget: Mapping[str, int] | None = None) -> None:
    """Check that the methods stay small: their jaxprs have at most the budgeted number of equations.

    Args:
      game: the game.
      budget: largest number of equations of a method; those left out are as in `JAXPR_BUDGET`.
    """
    budget = {**JAXPR_BUDGET, **(budget or {})}
    unknown = sorted(set(budget) - set(JAXPR_BUDGET))
    require(not unknown, f"a budget for {', '.join(unknown)}; known are {', '.join(JAXPR_BUDGET)}")
    for name, number in equations_of(game).items():
        require(number <= budget[name], f"{name} has {number} equations, more than {budget[name]}")


def equations_of(game: Game) -> dict[str, int]:
    """Return the number of jaxpr equations of each method that has a budget."""
    key = jax.random.key(0)
    state = jax.eval_shape(game.init, key)
    action = jax.ShapeDtypeStruct((), jnp.int32)
    traced = {
        "init": jax.make_jaxpr(game.init)(key),
        "step": jax.make_jaxpr(game.step)(state, action),
        "legal_actions": jax.make_jaxpr(game.legal_actions)(state),
        "features": jax.make_jaxpr(
            lambda state: game.feature_words(game.observe(state, state.current_player))
        )(state),
        "points": jax.make_jaxpr(game.points)(state),
    }
    return {name: count_equations(closed.jaxpr) for name, closed in traced.items()}
