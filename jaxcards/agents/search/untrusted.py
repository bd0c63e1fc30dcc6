"""Checks of observations from outside, such as a client's, before a search uses them."""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.xla import prng

_DRAWS = 4  # worlds to draw before an observation is refused


def check_observation(game: Game, observation: Any) -> None:
    """Raise an error unless an observation is of the game and fits some deal.

    Observations made by the game itself need no check. The functions of a game trust their input: for
    an observation that fits no deal, `sample_state` returns an invalid deal.

    Args:
      game: of single deals.
      observation: of one player at one moment of an unfinished deal, untraced.

    Raises:
      UserError: if it is a batch, is of another game or other rules, or fits no deal; names the cards
        and the seats, or else the fields, that contradict each other.
    """
    _check_form(game, observation)
    player = int(observation.player)
    if not 0 <= player < game.num_players:
        raise UserError(
            f"the observation is of player {player}, and {game.id} has 0 to {game.num_players - 1}"
        )
    problem = ""
    # One world that fits is enough.
    for number in range(_DRAWS):
        # Fixed words, so that the same observation always gets the same answer.
        words = jnp.array([number, 0x5EED], jnp.uint32)
        drawn = jax.device_get(_world(game)(words, observation))
        problem = _problem(game, observation, *drawn)
        if not problem:
            return
    raise UserError(f"no deal of {game.id} fits the observation: {problem}")


def _check_form(game: Game, observation: Any) -> None:
    expected, form = _form(game)
    if jax.tree.structure(observation) != form:
        raise UserError(
            f"this is not an observation of {game.id}: its fields are those of another game or of "
            "other rules"
        )
    for (name, leaf), found in zip(expected, jax.tree.leaves(observation), strict=True):
        shape, dtype = np.shape(found), jnp.result_type(found)
        if shape != leaf.shape or dtype != leaf.dtype:
            raise UserError(
                f"this is not an observation of {game.id}: {name} is {dtype}{list(shape)}, not "
                f"{leaf.dtype}{list(leaf.shape)}"
            )


@functools.lru_cache(maxsize=16)
def _form(game: Game) -> tuple[list[tuple[str, Any]], Any]:
    """Return name, shape and type of each leaf of an observation, and the structure of all."""
    seen = jax.eval_shape(lambda key: game.observe(game.init(key), jnp.int32(0)), jax.random.key(0))
    paths = jax.tree_util.tree_flatten_with_path(seen)[0]
    named = [(jax.tree_util.keystr(path).lstrip("."), leaf) for path, leaf in paths]
    return named, jax.tree.structure(seen)


@functools.lru_cache(maxsize=16)
def _world(game: Game) -> Any:
    """Return a compiled function that draws a world.

    It returns where its cards are and what is seen there. It also returns the first seat that, in
    random play, has to act without a legal action, or -1.
    """

    def draw(words: jax.Array, observation: Any) -> Any:
        state = game.sample_state(words, observation)
        places = game.card_places(state)
        # masks: bool[places, num_cards]: hands, cards played by each seat, cards aside; see `_problem`.
        masks = jnp.stack([cards.mask() for cards in (*places.hands, *places.played, places.aside)])
        return masks, game.observe(state, observation.player), _runs_out(game, state, words)

    return xla.jit(draw)


def _runs_out(game: Game, state: Any, words: jax.Array) -> jax.Array:
    """Return the first seat that has to act without a legal action in random play, or -1: int32."""

    def once(time: jax.Array, carry: tuple[Any, jax.Array]) -> tuple[Any, jax.Array]:
        state, stuck = carry
        legal, player = game.legal_actions(state), state.current_player
        # Only the first seat without a legal action counts.
        empty = ~legal.mask().any() & ~state.terminated & (stuck < 0)
        word = prng.fold((words[0], words[1]), time.astype(jnp.uint32))[0]
        # What a stuck seat does is irrelevant: the world is refused.
        after = game.step(state, jnp.where(empty, 0, legal.sample_word(word)))
        return after, jnp.where(empty, player, stuck).astype(jnp.int32)

    return jax.lax.fori_loop(0, game.max_steps, once, (state, jnp.int32(-1)))[1]


def _problem(game: Game, observation: Any, masks: np.ndarray, again: Any, stuck: int) -> str:
    """Return a description of the error in a world, or an empty text."""
    number = game.num_players
    names = [f"the hand of seat {seat}" for seat in range(number)]
    names += [f"the cards that seat {seat} has played" for seat in range(number)] + ["those aside"]
    # Every card must be in exactly one place.
    for card in np.flatnonzero(masks.sum(0) != 1).tolist():
        where = [names[place] for place in np.flatnonzero(masks[:, card]).tolist()]
        face = game.deck.pretty(card)
        if where:
            return f"{face} would be in {' and in '.join(where)}"
        seats = ", ".join(str(seat) for seat in range(number) if seat != int(observation.player))
        return f"none of the seats {seats} has room for {face}, or may have it"
    # Seen from the drawn world, the observation must be the same again.
    expected, _ = _form(game)
    pairs = zip(expected, jax.tree.leaves(observation), jax.tree.leaves(again), strict=True)
    other = [name for (name, _), a, b in pairs if not np.array_equal(a, b)]
    if other:
        return f"another one would be seen in {', '.join(other)}"
    if stuck >= 0:
        held = game.deck.pretty_names(observation.hand.to_list())
        return f"seat {int(stuck)} would have too few cards; the player holds {held}"
    return ""
