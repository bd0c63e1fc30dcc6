"""Suits of sets: exchanged with the first one, and the cards below the highest of each."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.cards import relabel
from jaxcards.cards.packs import FRENCH
from jaxcards.cards.sets import CardSet, Deck

DECKS = {
    "32 cards in one word": Deck("dchs", "789TJQKA", "♦♣♥♠"),
    "36 cards in two": Deck("dchs", "6789TJQKA", "♦♣♥♠"),
    "52 cards in two": FRENCH,
}
decks = pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)


def random_sets(deck: Deck, number: int = 64) -> list[set[int]]:
    rng = np.random.default_rng(deck.num_cards)
    sizes = rng.integers(0, deck.num_cards + 1, number)
    return [set(rng.permutation(deck.num_cards)[:size].tolist()) for size in sizes]


@decks
def test_a_suit_changes_places_with_the_first(deck):
    swap = jax.jit(relabel.swap_with_first)
    n = deck.ranks_per_suit
    for cards in random_sets(deck, 16):
        for suit in range(4):
            names = {0: suit, suit: 0}
            want = {n * names.get(card // n, card // n) + card % n for card in cards}
            moved = swap(jnp.uint32(suit), CardSet.of(deck, cards))
            assert set(moved.to_list()) == want
            assert set(swap(jnp.uint32(suit), moved).to_list()) == cards


def test_numbers_and_flags_are_exchanged_alike():
    for suit in range(4):
        names = [{0: suit, suit: 0}.get(number, number) for number in range(8)]
        moved = [int(relabel.swap_number(jnp.uint32(suit), jnp.uint32(n))) for n in range(8)]
        assert moved == names
        for flags in range(16):
            want = sum(1 << names[number] for number in range(4) if flags >> number & 1)
            assert int(relabel.swap_flags(jnp.uint32(suit), jnp.uint32(flags))) == want


@decks
def test_below_the_highest_of_each_suit(deck):
    below = jax.jit(relabel.below_highest)
    n = deck.ranks_per_suit
    for cards in random_sets(deck):
        tops = {suit: max((c for c in cards if c // n == suit), default=-1) for suit in range(4)}
        want = {card for card in range(deck.num_cards) if card < tops[card // n]}
        assert set(below(CardSet.of(deck, cards)).to_list()) == want


@decks
def test_above_the_lowest_of_each_suit(deck):
    above = jax.jit(relabel.above_lowest)
    n = deck.ranks_per_suit
    for cards in random_sets(deck):
        lows = {suit: min((c for c in cards if c // n == suit), default=99) for suit in range(4)}
        want = {card for card in range(deck.num_cards) if card > lows[card // n]}
        assert set(above(CardSet.of(deck, cards)).to_list()) == want
