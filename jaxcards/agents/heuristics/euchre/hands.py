"""The features of a Euchre hand before the play, with clubs as trumps."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.euchre.view import LANE, SUIT_WORDS, TRUMPS
from jaxcards.cards.sets import CardSet
from jaxcards.games.euchre.play import HAND_SIZE, JOKER

ACE, KING = LANE - 1, LANE - 2
_PLAIN_ACES = sum(1 << LANE * suit + ACE for suit in (1, 2, 3))
# A king is one rank below its ace.
_PLAIN_KINGS = _PLAIN_ACES >> 1

HAND_PARTS = (
    "best trump", "second trump", "third trump", "fourth trump", "fifth trump", "lower trumps",
    "both best trumps", "two trumps", "three trumps", "four trumps", "five trumps",
    "side aces", "two side aces", "side ace with its king", "guarded side king", "other side king",
    "void suits, one trump", "void suits, two trumps", "void suits, more trumps", "low side cards",
)  # fmt: skip
"""Names of the features that `hand_parts` returns."""


def hand_parts(hand: CardSet) -> list[jax.Array]:
    """Return the features of a hand of up to five cards, clubs being trumps: float32 scalars."""
    (word,) = hand.words
    # Suits are lanes of one word; the first suit word has all trumps, the left bower included.
    trumps = _count(word & SUIT_WORDS[0])
    plain = word & ~jnp.uint32(SUIT_WORDS[0])
    aces = _count(plain & _PLAIN_ACES)
    both, guarded, others = [], [], []
    voids = jnp.uint32(0)
    for suit in (1, 2, 3):
        # In each plain suit, a king counts by its company: the ace, another card, or none.
        lane = (plain >> LANE * suit) & ((1 << LANE) - 1)
        ace, king = (lane >> ACE) & 1, (lane >> KING) & 1
        beside = ((lane & ((1 << KING) - 1)) != 0).astype(jnp.uint32)
        both.append(ace & king)
        guarded.append(king & (1 - ace) & beside)
        others.append(king & (1 - ace) & (1 - beside))
        voids = voids + (lane == 0).astype(jnp.uint32)
    low = _count(plain) - aces - _count(plain & _PLAIN_KINGS)
    # The right bower is the best trump, the left the second; a joker in the pack is above them.
    order = [card for card in reversed(TRUMPS) if card < hand.deck.num_cards]
    best = [(word >> card) & 1 for card in order[:5]]
    found = [
        *best,
        _count(word & sum(1 << card for card in order[5:])),
        best[0] & best[1],
        *(trumps >= n for n in (2, 3, 4, 5)),
        aces,
        aces >= 2,
        sum(both[1:], both[0]),
        sum(guarded[1:], guarded[0]),
        sum(others[1:], others[0]),
        jnp.where(trumps == 1, voids, 0),
        jnp.where(trumps == 2, voids, 0),
        jnp.where(trumps >= 3, voids, 0),
        low,
    ]
    return [jnp.asarray(part).astype(jnp.float32) for part in found]


def _count(word: jax.Array) -> jax.Array:
    return jax.lax.population_count(word).astype(jnp.uint32)


def _priority(card: int) -> int:
    """Return the order in which cards are kept: trumps, side aces, side kings, and so on."""
    # Plain cards count by rank, and those of one rank by suit, so that all differ.
    return 100 + TRUMPS.index(card) if card in TRUMPS else 4 * (card % LANE) + card // LANE


# For each card, the cards that are kept rather than it, as a word.
_BETTER = np.array(
    [sum(1 << d for d in range(JOKER + 1) if _priority(d) > _priority(c)) for c in range(JOKER + 1)],
    np.uint32,
)


def best_five(hand: CardSet) -> CardSet:
    """Return the five cards of a larger hand that players keep, clubs being trumps."""
    (word,) = hand.words
    number = hand.deck.num_cards
    # Keep a card if fewer than five cards of the hand are better.
    kept = jax.lax.population_count(word & _BETTER[:number]) < HAND_SIZE
    bits = jnp.uint32(1) << jnp.arange(number, dtype=jnp.uint32)
    return CardSet(hand.deck, [word & jnp.where(kept, bits, 0).sum(dtype=jnp.uint32)])
