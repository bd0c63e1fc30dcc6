"""The score of a deal of Spades (docs/spades.md, 5)."""

import jax
import jax.numpy as jnp

from jaxcards.games.spades.calls import is_blind
from jaxcards.games.spades.play import Public
from jaxcards.games.spades.rules import SpadesRules


def seats_of(rules: SpadesRules, side: int) -> tuple[int, ...]:
    """Return the seats of a side."""
    return (side, side + 2) if rules.partners else (side,)


def needed(rules: SpadesRules, public: Public, side: int) -> jax.Array:
    """Return the tricks that a side still needs for its bid: int32, less than 0 with overtricks."""
    short = jnp.int32(0)
    for seat in seats_of(rules, side):
        bid, won = public.bid_of(seat), public.won_by(seat)
        # Tricks of a failed nil are bags, whether the partner makes the bid or not.
        helps = jnp.where(bid == 0, 0, won) if rules.nil_tricks == "bags" else won
        short = short + jnp.maximum(bid, 0) - helps
    return short


def bags_before(public: Public, side: int) -> jax.Array:
    """Return the bags of a side before the deal: int32, the last digit of its total."""
    # A match that goes on has totals above its `floor`, which is -1000 or more.
    return jax.lax.rem(public.totals[side] + 1000, jnp.int32(10))


def side_points(rules: SpadesRules, public: Public, side: int) -> jax.Array:
    """Return the score of a side if it wins no more tricks: int32."""
    contract = bags = score = jnp.int32(0)
    for seat in seats_of(rules, side):
        bid, won = public.bid_of(seat), public.won_by(seat)
        # A nil wins or loses its points by itself, whatever the partner has bid.
        worth = jnp.where(is_blind(public, seat), rules.blind_nil, rules.nil)
        score = score + jnp.where(bid == 0, jnp.where(won > 0, -worth, worth), 0)
        contract = contract + jnp.maximum(bid, 0)
        if rules.nil_tricks == "bags":
            bags = bags + jnp.where(bid == 0, won, 0)
    short = needed(rules, public, side)
    bags = bags + jnp.maximum(-short, 0)
    # Ten bags cost the penalty, those of earlier deals included.
    tens = jax.lax.div(bags_before(public, side) + bags, jnp.int32(10))
    return score + jnp.where(short <= 0, 10, -10) * contract + bags - rules.bag_penalty * tens
