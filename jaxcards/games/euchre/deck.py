"""The pack of Euchre, and suit and strength of a card under a trump (docs/euchre.md, 3)."""

import jax
import jax.numpy as jnp

from jaxcards.cards.sets import CardSet, Deck
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.xla.lookup import lookup

_SUIT_WORDS = (("clubs", "c"), ("diamonds", "d"), ("hearts", "h"), ("spades", "s"))
_RANK_WORDS = (("10", "T"), ("jack", "J"), ("queen", "Q"), ("king", "K"), ("ace", "A"))

DECK = Deck("cdhs", "9TJQKA", "♣♦♥♠", _SUIT_WORDS, _RANK_WORDS)
DECK_WITH_JOKER = Deck("cdhs", "9TJQKA", "♣♦♥♠", _SUIT_WORDS, _RANK_WORDS, extra=("JK",))

JOKER = 24
NUM_SUITS = 4
HAND_SIZE = 5
NUM_TRICKS = 5
JACK = 2  # a rank
COLOUR = 3  # suit ^ COLOUR is the other suit of the same colour

# Trumps from the weakest: the left bower stands between the ace and the right bower.
_LEFT_BOWER = 6
_TRUMP_STRENGTH = {"9": 1, "T": 2, "Q": 3, "K": 4, "A": 5, "J": 7, "joker": 8}
_BY_RANK = tuple(_TRUMP_STRENGTH[rank] for rank in (*DECK.ranks, "joker"))


def deck_of(rules: EuchreRules) -> Deck:
    """Return the pack that is played with."""
    return DECK_WITH_JOKER if rules.joker else DECK


def turned_suit(up_card: jax.Array) -> jax.Array:
    """Return the suit of an up-card: uint32; 4 for the joker."""
    return (up_card * 11) >> 6  # a division by 6 for numbers up to 24


def left_bower(trump: jax.Array) -> jax.Array:
    """Return the jack of the other suit of the trumps' colour, as a word of one card."""
    return jnp.uint32(1 << JACK) << (((trump ^ COLOUR) & 3) * DECK.ranks_per_suit)


def suit_cards(deck: Deck, suit: jax.Array, trump: jax.Array) -> CardSet:
    """Return the cards that belong to a suit under a trump; empty for `NO_SUIT` with a trump.

    Args:
      deck: the pack.
      suit: uint32 suit.
      trump: uint32 trump suit, not `NO_SUIT`.
    """
    (printed,) = CardSet.suit_of(deck, suit).words
    left = left_bower(trump)
    added = left | jnp.uint32(1 << JOKER) if deck.extra else left
    return CardSet(deck, [jnp.where(suit == trump, printed | added, printed & ~left)])


def suit_and_strength(
    deck: Deck, card: jax.Array, trump: jax.Array, led: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Return the suit that a card belongs to and its strength in a trick: uint32 each.

    Args:
      deck: the pack.
      card: uint32 card.
      trump: uint32 trump suit.
      led: uint32 suit that was led; `NO_SUIT` if this card leads.

    Returns:
      The suit, and `TRUMP` + 1 to `TRUMP` + 8 for a trump, 1 to 6 for a card of the led suit, else 0.
    """
    printed, rank = deck.suit_and_rank(card)
    left = (rank == JACK) & (printed == (trump ^ COLOUR))
    is_trump = (printed == trump) | left
    if deck.extra:
        is_trump = is_trump | (card == JOKER)
    suit = jnp.where(is_trump, trump, printed)
    follows = (led == suit) | (led >= NUM_SUITS)
    plain = jnp.where(follows, rank + 1, 0)
    high = jnp.where(left, jnp.uint32(_LEFT_BOWER), lookup(_BY_RANK, rank))
    return suit, jnp.where(is_trump, TRUMP + high, plain)
