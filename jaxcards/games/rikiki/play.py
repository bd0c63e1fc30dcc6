"""The phases of a deal of Rikiki: what is legal, and what an action does (contract sections 5 and 6).

Everyone bids once, the dealer last; then the cards are played.
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import history, sets, tricks
from jaxcards.cards.actions import IDLE, ActionLayout
from jaxcards.cards.seats import by_seat, seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.rikiki.deck import DECK
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.state import VOID_BITS, State, count_bits
from jaxcards.stages import known
from jaxcards.xla.fence import fence

BID = DECK.num_cards  # + the number of tricks


def action_layout(rules: RikikiRules) -> ActionLayout:
    """Returns how a set of actions is packed into words."""
    bids = max(rules.schedule) + 1
    return ActionLayout.after_cards(DECK, BID + bids, most=bids)


def legal_bids(rules: RikikiRules, layout: ActionLayout, state: State) -> list[Any]:
    """Returns the words of the legal bids (contract section 5.1)."""
    bids = (jnp.uint32(2) << state.hand_size) - 1
    if rules.hook:
        last = state.num_bids == rules.num_players - 1
        hooked = last & (state.bid_total <= state.hand_size)
        forbidden = (state.hand_size - state.bid_total) & 31
        bids = jnp.where(hooked, bids & ~(jnp.uint32(1) << forbidden), bids)
    words = []
    for offset in layout.offsets:
        shift = BID - offset
        words.append(bids >> -shift if shift < 0 else bids << shift if shift < 32 else jnp.uint32(0))
    return words


def legal_cards(state: State) -> CardSet:
    """Returns the cards that the current player may play (contract section 5.3)."""
    hand = by_seat(state.hands, state.current_player) - state.played
    if state.stage.last:
        return hand
    follow = hand & CardSet.suit_of(DECK, state.trick.led)
    # On an empty table nothing is led, so nothing can follow and every card is free.
    return sets.select(follow.any(), follow, hand)


def bid(rules: RikikiRules, state: State, action: jax.Array) -> State:
    """Makes a bid; any other action changes nothing (contract section 5.1)."""
    players = rules.num_players
    bids = (action >= BID) & (action != IDLE)
    amount = jnp.where(bids, action - BID, 0)
    seat = state.current_player.astype(jnp.uint32)
    following = seat_after(state.current_player, 1, players)
    if rules.lead_offset != 1:
        # The dealer bids last. The seat after the dealer is next in turn, but another one leads.
        last = state.num_bids == players - 1
        extra = jnp.where(last, rules.lead_offset - 1, 0)
        following = seat_after(following, extra, players)
    return dataclasses.replace(
        state,
        bids=state.bids | amount << (seat * count_bits(players)),
        bid_total=state.bid_total + amount,
        num_bids=state.num_bids + bids.astype(jnp.uint32),
        current_player=jnp.where(bids, following, state.current_player),
    )


def play(rules: RikikiRules, state: State, card: jax.Array) -> State:
    """Plays a card; any other action changes nothing (contract sections 5.2, 5.3 and 6)."""
    players = rules.num_players
    plays = state.plays(card < DECK.num_cards)
    seat = state.current_player.astype(jnp.uint32)
    suit, rank = DECK.suit_and_rank(card)
    trick = state.trick
    follows = suit == tricks.lead_suit(trick, suit)
    strength = rank + 1
    strength = jnp.where(suit == state.trump, tricks.TRUMP + strength, jnp.where(follows, strength, 0))
    added = tricks.add_card(trick, seat, suit, strength, jnp.uint32(1))
    table = fence(tricks.pack(added))
    after = tricks.unpack(table)

    complete = plays & known(state.stage.completes, after.points == players)
    following = seat_after(seat, 1, players)
    following = jnp.where(complete, after.winner, following).astype(jnp.int32)
    cleared = jnp.where(complete, jnp.uint32(tricks.EMPTY_TABLE), table)
    # A card of another suit shows that its player has none of the suit that was led.
    discards = plays & (trick.led != NO_SUIT) & ~follows
    void = jnp.uint32(1) << (seat * VOID_BITS + trick.led)
    won = jnp.uint32(1) << (after.winner * count_bits(players))
    return dataclasses.replace(
        state,
        played=state.played | CardSet.single(DECK, card),
        history=history.append(state.history, state.num_played, card, plays),
        current_player=jnp.where(plays, following, state.current_player),
        num_played=state.num_played + plays.astype(jnp.uint32),
        table=jnp.where(plays, cleared, state.table),
        tricks_won=state.tricks_won + jnp.where(complete, won, 0),
        voids=state.voids | jnp.where(discards, void, 0),
    )
