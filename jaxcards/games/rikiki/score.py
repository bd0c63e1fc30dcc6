"""The score of a deal of Rikiki (docs/rikiki.md, 6)."""

import jax
import jax.numpy as jnp

from jaxcards.games.rikiki.play import State, bid_of, tricks_of
from jaxcards.games.rikiki.rules import RikikiRules


def deal_points(rules: RikikiRules, state: State) -> list[jax.Array]:
    """Return the score of each seat if it wins no more tricks: int32."""
    public = state.public
    players = rules.num_players
    return [
        seat_points(
            rules,
            bid_of(public.bids, seat, players),
            tricks_of(public.tricks_won, seat, players),
            public.hand_size,
        )
        for seat in range(players)
    ]


def seat_points(rules: RikikiRules, bid: jax.Array, won: jax.Array, size: jax.Array) -> jax.Array:
    """Return the score of a bid and a number of tricks in a round of hands of a size: int32."""
    bid, won = bid.astype(jnp.int32), won.astype(jnp.int32)
    base: int | jax.Array = rules.made_base
    # -1 stands for the base of all bids.
    if rules.made_zero_base >= 0:
        base = jnp.where(bid == 0, rules.made_zero_base, rules.made_base)
    missed = jnp.abs(won - bid)
    if rules.made_zero_cards:
        base = base + jnp.where(bid == 0, rules.made_zero_cards * size.astype(jnp.int32), 0)
    made = base + rules.made_linear * bid + rules.made_square * bid * bid
    lost = rules.miss_diff * missed + rules.miss_square * missed * missed
    if rules.miss_base:
        lost = lost + rules.miss_base
    if rules.miss_made:
        lost = lost + made
    return jnp.where(missed == 0, made, rules.miss_trick * won - lost)
