"""The score of a deal of Hearts (docs/hearts.md, 5)."""

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import field
from jaxcards.games.hearts.play import POINTS_BITS, HeartsGame, State
from jaxcards.games.hearts.rules import ALL_POINTS


def taken(game: HeartsGame, state: State) -> jax.Array:
    """Return int32[num_players], the points of the hearts and the queen of spades won by each seat."""
    seats = jnp.arange(game.num_players, dtype=jnp.uint32)
    return field(state.public.taken, seats, POINTS_BITS).astype(jnp.int32)


def deal_points(game: HeartsGame, state: State) -> jax.Array:
    """Return int32[num_players], the penalty points if no more tricks are won."""
    rules, public, won = game.rules, state.public, taken(game, state)
    shot, seats = won == ALL_POINTS, jnp.arange(game.num_players, dtype=jnp.uint32)
    points = won
    if rules.moon == "add":
        points = jnp.where(shot.any(), ALL_POINTS - won, won)
    elif rules.moon == "subtract":
        points = jnp.where(shot, -ALL_POINTS, won)
    if public.with_jack is not None:
        points = points + jnp.where(field(public.with_jack, seats, 1) == 1, rules.jack, 0)
    if public.with_trick is not None:
        counts = state.terminated & ~(shot.any() & (rules.moon != "none"))
        without = counts & (field(public.with_trick, seats, 1) == 0)
        points = points + jnp.where(without, rules.no_trick, 0)
    return points
