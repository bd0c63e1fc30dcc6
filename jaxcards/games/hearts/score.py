"""The score of a deal of Hearts (docs/hearts.md, 5)."""

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import field
from jaxcards.games.hearts.play import POINTS_BITS, State
from jaxcards.games.hearts.rules import ALL_POINTS, HeartsRules


def taken(state: State) -> list[jax.Array]:
    """Return for each seat the points of the hearts and the queen of spades that it took: int32."""
    word = state.public.taken
    return [field(word, seat, POINTS_BITS).astype(jnp.int32) for seat in range(len(state.hands))]


def deal_points(rules: HeartsRules, state: State) -> list[jax.Array]:
    """Return the penalty points of each seat if it wins no more tricks: int32."""
    public, won = state.public, taken(state)
    shot = [points == ALL_POINTS for points in won]
    anybody = sum(shot) > 0
    found = won
    if rules.moon == "add":
        found = [jnp.where(anybody, ALL_POINTS - points, points) for points in won]
    elif rules.moon == "subtract":
        found = [jnp.where(own, -ALL_POINTS, points) for own, points in zip(shot, won, strict=True)]
    if public.jack_taker is not None:
        takes = [public.jack_taker == seat + 1 for seat in range(len(won))]
        found = [
            points + jnp.where(own, rules.jack, 0) for own, points in zip(takes, found, strict=True)
        ]
    if public.with_trick is not None:
        earned = state.terminated & ~(anybody & (rules.moon != "none"))
        without = [(public.with_trick >> seat) & 1 == 0 for seat in range(len(won))]
        found = [
            points + jnp.where(own & earned, rules.no_trick, 0)
            for own, points in zip(without, found, strict=True)
        ]
    return found
