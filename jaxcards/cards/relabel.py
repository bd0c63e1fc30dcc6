"""Suits in sets of cards: exchange two suits, or select the cards below or above a card."""

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import CardSet, Deck


def swap_with_first(suit: jax.Array, cards: CardSet) -> CardSet:
    """Exchange a suit and suit 0. Its own inverse.

    Args:
      suit: uint32, below the number of suits; 0 changes nothing.
      cards: the set.
    """
    deck = cards.deck
    # Ranks held in the suit, moved to the place of suit 0.
    held = cards & CardSet.suit_of(deck, suit)
    ranks = jnp.uint32(0)
    for number in range(len(deck.suits)):
        # The other suits of `held` are empty, so joining all suits gives the ranks of this one.
        ranks = ranks | held.suit(number)
    # Ranks held in exactly one of both suits: flipping them in both exchanges the suits.
    change = ranks ^ cards.suit(0)
    first = CardSet.in_suit(deck, jnp.uint32(0), change)
    other = CardSet.in_suit(deck, suit, change)
    words = zip(cards.words, first.words, other.words, strict=True)
    return CardSet(deck, [a ^ b ^ c for a, b, c in words])


def swap_number(suit: jax.Array, number: jax.Array) -> jax.Array:
    """Exchange `suit` and 0 as numbers of suits: uint32. Other numbers stay."""
    return jnp.where(number == suit, 0, jnp.where(number == 0, suit, number)).astype(jnp.uint32)


def swap_flags(suit: jax.Array, flags: jax.Array) -> jax.Array:
    """Exchange bit `suit` and bit 0 of a word that has a bit for each suit."""
    # Flip both bits if they differ.
    change = (flags ^ (flags >> suit)) & 1
    return flags ^ change ^ (change << suit)


def trump_or_first(trump: jax.Array) -> jax.Array:
    """Return the trump suit, or suit 0 if the number is not one of the four suits: uint32."""
    return jnp.where(trump < 4, trump, 0)


def swap_trump(trump: jax.Array, cards: CardSet) -> CardSet:
    """Exchange the trump suit, if there is one, and suit 0. Its own inverse."""
    return swap_with_first(trump_or_first(trump), cards)


def swap_suit(trump: jax.Array, suit: jax.Array) -> jax.Array:
    """Exchange the numbers of the trump suit and suit 0: uint32. `NO_SUIT` stays."""
    return swap_number(trump_or_first(trump), suit)


def swap_legal(trump: jax.Array, deck: Deck, legal: ActionSet) -> ActionSet:
    """Exchange the trump suit and suit 0 in the cards of a set of actions; other actions stay."""
    return legal.with_cards(swap_trump(trump, legal.cards(deck)))


def swap_action(trump: jax.Array, deck: Deck, action: jax.Array) -> jax.Array:
    """Exchange the trump suit and suit 0 in an action that plays a card; others stay: int32."""
    card = jnp.asarray(action).astype(jnp.uint32)
    # For a call, suit and rank are arbitrary and not selected below.
    number, rank = deck.suit_and_rank(card)
    swapped = swap_suit(trump, number) * deck.ranks_per_suit + rank
    return jnp.where(card < deck.num_cards, swapped, card).astype(jnp.int32)


def below_highest(cards: CardSet) -> CardSet:
    """Return, for every suit, all cards (of the deck) with a rank below the highest in the set."""
    deck = cards.deck
    lane = deck.ranks_per_suit
    # Start from the next lower rank of each card, within its suit.
    found = [(word >> 1) & _kept(cards, 1) for word in cards.words]
    # Doubling: after shifts of 1, 2, 4, … every lower rank is set.
    shift = 1
    while shift < lane - 1:
        found = [word | ((word >> shift) & _kept(cards, shift)) for word in found]
        shift *= 2
    return CardSet(deck, found)


def above_lowest(cards: CardSet) -> CardSet:
    """Return, for every suit, all cards (of the deck) with a rank above the lowest in the set."""
    lane = cards.deck.ranks_per_suit
    # The same upwards: a card's rank must fit below the top of its suit after the shift.
    found = [(word & _kept(cards, 1)) << 1 for word in cards.words]
    shift = 1
    while shift < lane - 1:
        found = [word | ((word & _kept(cards, shift)) << shift) for word in found]
        shift *= 2
    return CardSet(cards.deck, found)


def _kept(cards: CardSet, shift: int) -> jax.Array:
    """Return the bits of a word that stay in their suit when moved down by `shift`."""
    deck = cards.deck
    # All ranks of each suit except the top `shift` ones.
    lane = (1 << (deck.ranks_per_suit - shift)) - 1
    word = sum(lane << (deck.ranks_per_suit * i) for i in range(deck.suits_per_word))
    return jnp.uint32(word)
