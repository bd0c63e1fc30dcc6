"""The pack of Sheepshead cards, which of them are trumps, and what each is worth."""

import jax
import jax.numpy as jnp

from jaxcards.cards.sets import Deck
from jaxcards.xla.lookup import lookup

DECK = Deck(
    suits="cdhs",
    ranks="789TJQKA",
    symbols="♣♦♥♠",
    suit_words=(("clubs", "c"), ("diamonds", "d"), ("hearts", "h"), ("spades", "s")),
    rank_words=(
        ("10", "T"), ("ten", "T"), ("jack", "J"), ("queen", "Q"), ("king", "K"), ("ace", "A"),
        ("seven", "7"), ("eight", "8"), ("nine", "9"),
    ),
)  # fmt: skip

SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
TRUMP_CLASS = 4  # of every queen, jack and card of the trump suit; other cards have their suit
NUM_CLASSES = 5
NO_CARD = DECK.num_cards  # no called card, no unknown; in the history, a card played face down
JACK_OF_DIAMONDS = DECK.card("JD")
CARD_POINTS = 120  # of all cards together

RANK_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
POINTS = DECK.by_rank(RANK_POINTS)

# Strengths; 0 wins nothing. A trick led with the unknown is its own if nobody follows or trumps.
UNKNOWN_STRENGTH = 1
_PLAIN = {"7": 2, "8": 3, "9": 4, "K": 5, "T": 6, "A": 7}
CALLED_STRENGTH = 8  # of a called ten or lower card, where it is top of its suit
_HIGHEST = 22  # of a trump; the others follow one by one


def rank_set(ranks: str) -> int:
    """Return all cards of some ranks, as bits of a word."""
    return sum(1 << card for card in range(DECK.num_cards) if DECK.ranks[card % 8] in ranks)


def suit_set(suit: int) -> int:
    """Return all cards of a suit, as bits of a word."""
    return 0xFF << (8 * suit)


def trump_set(trump_suit: int) -> int:
    """Return the 14 trumps, as bits of a word."""
    return rank_set("QJ") | suit_set(trump_suit)


def fail_set(trump_suit: int) -> int:
    """Return the 18 cards that are no trumps, as bits of a word."""
    return ~trump_set(trump_suit) & 0xFFFFFFFF


def class_set(trump_suit: int, number: jax.Array) -> jax.Array:
    """Return the cards of a class: uint32; none for `NO_SUIT`.

    Args:
      trump_suit: static.
      number: uint32, 0 to 3 for the fail cards of a suit, `TRUMP_CLASS`, or `NO_SUIT`.
    """
    lane = jnp.uint32(0xFF) << ((number & 3) * 8)
    plain = jnp.where(number < TRUMP_CLASS, lane & jnp.uint32(fail_set(trump_suit)), 0)
    return jnp.where(number == TRUMP_CLASS, jnp.uint32(trump_set(trump_suit)), plain)


def fails_of(trump_suit: int, suit: jax.Array) -> jax.Array:
    """Return the fail cards of a suit, none from 4 on: uint32."""
    lane = jnp.uint32(0xFF) << ((suit & 3) * 8)
    return jnp.where(suit < TRUMP_CLASS, lane & jnp.uint32(fail_set(trump_suit)), 0)


def card_class(trump_suit: int, card: jax.Array) -> jax.Array:
    """Return the class of a card: uint32."""
    suit, rank = card >> 3, card & 7
    trump = (suit == trump_suit) | (rank >> 1 == JACK >> 1)
    return jnp.where(trump, jnp.uint32(TRUMP_CLASS), suit)


def card_points(card: jax.Array) -> jax.Array:
    """Return the card points of a card: uint32."""
    return lookup(POINTS, card & 7)


def plain_strengths() -> tuple[int, ...]:
    """Return the strength of a card of the led fail suit, by rank. The ten is above the king."""
    return tuple(_PLAIN.get(letter, 0) for letter in DECK.ranks)


def trump_strengths(trump_suit: int, spitz: str) -> dict[int, int]:
    """Return the strength of every trump, by card (docs/sheepshead.md, 3)."""
    order = [DECK.card(name) for name in "QC QS QH QD JC JS JH JD".split()]
    order += [8 * trump_suit + DECK.ranks.index(rank) for rank in "ATK98"]
    seven = 8 * trump_suit + SEVEN
    order.insert({"none": len(order), "second": 1, "top": 0}[spitz], seven)
    return {card: _HIGHEST - place for place, card in enumerate(order)}


def strength_table(trump_suit: int, spitz: str) -> tuple[int, ...]:
    """Return the strength of every card when its class is led, by card."""
    plain, trumps = plain_strengths(), trump_strengths(trump_suit, spitz)
    return tuple(trumps.get(card, plain[card % 8]) for card in range(DECK.num_cards))


def set_points(cards: jax.Array) -> jax.Array:
    """Return the card points of a set, given as a word: uint32."""
    total = jnp.uint32(0)
    for rank, points in RANK_POINTS.items():
        total = total + points * jax.lax.population_count(cards & jnp.uint32(rank_set(rank)))
    return total
