"""The play of the cards: what is legal, and what a card does (docs/jass.md, 4.1 and 4.2)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import sets, tricks
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.jass import deck as jass_deck
from jaxcards.games.jass import score
from jaxcards.games.jass.deck import DECK
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import (
    NO_WINNER,
    NUM_CARDS_PLAYED,
    POINTS_BITS,
    JassGame,
    Public,
    State,
)
from jaxcards.kit.play import add_winner, play_card
from jaxcards.stages import Stage


def legal_cards(game: JassGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the current player may play (docs/jass.md, 4.1)."""
    hand = state.hand_of(state.current_player)
    if stage.last:
        return hand
    trick, trump = state.trick(stage), state.public.mode
    follow = hand & CardSet.suit_of(DECK, trick.led)
    trumps = hand & CardSet.suit_of(DECK, trump)
    stronger = tricks.stronger_trumps(DECK, jass_deck.TRUMP_ORDER, trump, trick.best)
    higher = trumps & stronger
    # The jack of trumps, if it is the only trump, need not be played when trumps are led.
    jacks = CardSet.of(DECK, range(jass_deck.JACK, DECK.num_cards, DECK.ranks_per_suit))
    excused = (trick.led == trump) & ~(trumps - jacks).any()
    free = hand
    if game.rules.undertrump == "banned":
        # With nothing but trumps in hand any of them will do, a lower one than on the table as well.
        free = sets.select((hand - trumps).any(), hand - (trumps - higher), hand)
    # On an empty table nothing is led, so nothing can follow and every card is free.
    return sets.select(follow.any() & ~excused, follow | higher, free)


def play(game: JassGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/jass.md, 4.2)."""
    rules, public = game.rules, state.public
    plays = state.plays(card < DECK.num_cards, stage)
    seat = state.current_player.astype(jnp.uint32)
    suit, rank = DECK.suit_and_rank(card)
    before, trump = state.trick(stage), suit == public.mode
    strength = _strength(rules, public, rank, trump, suit == tricks.lead_suit(before, suit))
    value = score.card_value(public.mode, rank, trump)
    after, trick, complete = play_card(
        state, stage, before, card, plays=plays, suit=suit, strength=strength, points=value
    )
    last = public.num_played == NUM_CARDS_PLAYED - 1
    won = trick.points + jnp.where(last, jnp.uint32(jass_deck.LAST_TRICK_POINTS), 0)
    shown = _shown_void(rules, public, before, seat, suit, rank)
    after = after.with_public(
        points=public.points + jnp.where(complete, won << (trick.winner * POINTS_BITS), 0),
        winners=add_winner(public.winners, public.num_played >> 2, trick.winner, complete),
        voids=public.voids | jnp.where(plays, shown, 0),
    )
    return _match_winner(rules, after, complete) if rules.target else after


def _strength(
    rules: JassRules, public: Public, rank: jax.Array, trump: jax.Array, follows: jax.Array
) -> jax.Array:
    """Return the strength of a card in the current trick, 0 if it can win nothing."""
    downward = public.mode == jass_deck.UNDENUFE
    if rules.slalom:
        odd = (public.num_played >> 2) & 1  # the second trick, the fourth, …
        slalom_down = (public.mode >= jass_deck.SLALOM_TOP) & ((public.mode & 1) != odd)
        downward = downward | slalom_down
    plain = jnp.where(downward, DECK.ranks_per_suit - rank, rank + 1)
    plain = jnp.where(follows, plain, 0)
    return jnp.where(trump, tricks.TRUMP + jass_deck.TRUMP_ORDER.strength(rank), plain)


def _shown_void(
    rules: JassRules,
    public: Public,
    trick: tricks.Trick,
    seat: jax.Array,
    suit: jax.Array,
    rank: jax.Array,
) -> jax.Array:
    """Return the suits that a play to a trick shows to be missing, in the layout of `Public.voids`.

    A card that neither follows nor is a trump shows that its player has no card of the led suit
    (but perhaps the jack, if trumps were led). A trump below one on the table shows, where that
    is banned, that only trumps are left; where it is allowed to the void, that the led suit is
    missing.
    """
    trump = public.mode
    strength = tricks.TRUMP + jass_deck.TRUMP_ORDER.strength(rank)
    is_trump = suit == trump
    discards = (trick.led != NO_SUIT) & (suit != trick.led)
    under = discards & is_trump & (strength < trick.best)
    shown = jnp.where(discards & ~is_trump, jnp.uint32(1) << trick.led, 0)
    if rules.undertrump == "banned":
        plain_suits = jnp.uint32(15) & ~(jnp.uint32(1) << trump)
    else:
        plain_suits = jnp.uint32(1) << trick.led
    shown = jnp.where(under, plain_suits, shown)
    return shown << (seat * 4)


def _match_winner(rules: JassRules, state: State, complete: jax.Array) -> State:
    assert state.match_winner is not None
    open_ = complete & (state.match_winner == NO_WINNER)
    winner = score.match_winner(rules, state)
    return dataclasses.replace(state, match_winner=jnp.where(open_, winner, state.match_winner))
