"""The bids of Rikiki: what is legal, and what a bid does (docs/rikiki.md, 5.1).

Everyone bids once, the dealer last.
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import IDLE, ActionLayout
from jaxcards.cards.seats import seat_after
from jaxcards.games.rikiki.deck import DECK
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.state import State, count_bits

BID = DECK.num_cards  # + the number of tricks


def action_layout(rules: RikikiRules) -> ActionLayout:
    """Returns how a set of actions is packed into words."""
    bids = max(rules.schedule) + 1
    return ActionLayout.after_cards(DECK, BID + bids, most=bids)


def legal_bids(rules: RikikiRules, layout: ActionLayout, state: State) -> list[Any]:
    """Returns the words of the legal bids (docs/rikiki.md, 5.1)."""
    public = state.public
    size = public.hand_size
    bids = (jnp.uint32(2) << size) - 1
    if rules.hook:
        last = public.num_bids == rules.num_players - 1
        hooked = last & (state.bid_total <= size)
        forbidden = (size - state.bid_total) & 31
        bids = jnp.where(hooked, bids & ~(jnp.uint32(1) << forbidden), bids)
    words = []
    for offset in layout.offsets:
        shift = BID - offset
        words.append(bids >> -shift if shift < 0 else bids << shift if shift < 32 else jnp.uint32(0))
    return words


def bid(rules: RikikiRules, state: State, action: jax.Array) -> State:
    """Makes a bid; any other action changes nothing (docs/rikiki.md, 5.1)."""
    public, players = state.public, rules.num_players
    bids = (action >= BID) & (action != IDLE)
    amount = jnp.where(bids, action - BID, 0)
    seat = public.current_player.astype(jnp.uint32)
    following = seat_after(public.current_player, 1, players)
    if rules.lead_offset != 1:
        # The dealer bids last. The seat after the dealer is next in turn, but another one leads.
        last = public.num_bids == players - 1
        extra = jnp.where(last, rules.lead_offset - 1, 0)
        following = seat_after(following, extra, players)
    after = state.with_public(
        bids=public.bids | amount << (seat * count_bits(players)),
        num_bids=public.num_bids + bids.astype(jnp.uint32),
        current_player=jnp.where(bids, following, public.current_player),
    )
    return dataclasses.replace(after, bid_total=state.bid_total + amount)
