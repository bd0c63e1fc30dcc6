"""The play of the cards: what is legal, and what a card does (docs/rikiki.md, 5 and 6)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import history, sets, tricks
from jaxcards.cards.seats import by_seat, seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.rikiki.deck import DECK
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.state import VOID_BITS, State, count_bits
from jaxcards.stages import Stage, known
from jaxcards.xla.fence import fence


def legal_cards(state: State, stage: Stage) -> CardSet:
    """Returns the cards that the current player may play (docs/rikiki.md, 5.3)."""
    hand = by_seat(state.hands, state.current_player) - state.played
    if stage.last:
        return hand
    follow = hand & CardSet.suit_of(DECK, state.trick(stage).led)
    # On an empty table nothing is led, so nothing can follow and every card is free.
    return sets.select(follow.any(), follow, hand)


def play(rules: RikikiRules, state: State, card: jax.Array, stage: Stage) -> State:
    """Plays a card; any other action changes nothing (docs/rikiki.md, 5.2, 5.3 and 6)."""
    public = state.public
    players = rules.num_players
    plays = state.plays(card < DECK.num_cards, stage)
    seat = state.current_player.astype(jnp.uint32)
    suit, rank = DECK.suit_and_rank(card)
    before = state.trick(stage)
    follows = suit == tricks.lead_suit(before, suit)
    strength = rank + 1
    strength = jnp.where(suit == public.trump, tricks.TRUMP + strength, jnp.where(follows, strength, 0))
    table = fence(tricks.pack(tricks.add_card(before, seat, suit, strength, jnp.uint32(1))))
    trick = tricks.unpack(table)

    complete = plays & known(stage.completes, trick.points == players)
    following = seat_after(seat, 1, players)
    following = jnp.where(complete, trick.winner, following).astype(jnp.int32)
    cleared = jnp.where(complete, jnp.uint32(tricks.EMPTY_TABLE), table)
    # A card of another suit shows that its player has none of the suit that was led.
    discards = plays & (before.led != NO_SUIT) & ~follows
    void = jnp.uint32(1) << (seat * VOID_BITS + before.led)
    won = jnp.uint32(1) << (trick.winner * count_bits(players))
    after = state.with_public(
        history=history.append(public.history, public.num_played, card, plays),
        current_player=jnp.where(plays, following, public.current_player),
        num_played=public.num_played + plays.astype(jnp.uint32),
        table=jnp.where(plays, cleared, public.table),
        tricks_won=public.tricks_won + jnp.where(complete, won, 0),
        voids=public.voids | jnp.where(discards, void, 0),
    )
    return dataclasses.replace(after, played=state.played | CardSet.single(DECK, card))
