"""Dealing: whole, uniform, at sizes known or traced, and from a given deck."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from jaxcards.cards import dealing
from jaxcards.cards.packs import FRENCH
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.errors import UserError
from jaxcards.testing.deals import quick_jit
from jaxcards.xla import prng

DECK = Deck(suits="dchs", ranks="6789TJQKA", symbols="♦♣♥♠")
EUCHRE = Deck(suits="cdhs", ranks="9TJQKA", symbols="♣♦♥♠", extra=("JK",))
SHORT = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")
SIZES = [
    (DECK, (9, 9, 9, 9)),
    (DECK, (12, 12, 12)),
    (EUCHRE, (5, 5, 5, 5, 1, 4)),
    (SHORT, (8, 8, 8, 8)),
    (SHORT, (5, 5, 5, 5, 12)),
    (SHORT, (6, 6, 6, 6, 6, 2)),
    (FRENCH, (13, 13, 13, 13)),
    (FRENCH, (3, 3, 3, 43)),
]


@pytest.mark.slow_after(3)
@pytest.mark.parametrize("deck, sizes", SIZES, ids=str)
def test_deals_are_whole_and_uniform(deck, sizes):
    """Every card once, hands of the right sizes, and chi-squares of single cards and of pairs."""
    number = 20_000

    def masks(counter):
        hands = dealing.deal((jnp.uint32(3), counter), deck, sizes)
        return jnp.stack([hand.mask() for hand in hands])

    dealt = np.asarray(jax.jit(jax.vmap(masks))(jnp.arange(number, dtype=jnp.uint32)))
    assert (dealt.sum(axis=1) == 1).all()
    assert (dealt.sum(axis=2) == sizes).all()
    share = np.array(sizes) / deck.num_cards
    expected = number * share[:, None]
    chi = ((dealt.sum(axis=0) - expected) ** 2 / expected).sum()
    degrees = (deck.num_cards - 1) * (len(sizes) - 1)
    assert abs(chi - degrees) < 5 * np.sqrt(2 * degrees)
    flat = dealt.astype(np.float32)
    together = np.einsum("npc,npd->cd", flat, flat)[~np.eye(deck.num_cards, dtype=bool)]
    both = sum(size * (size - 1) for size in sizes) / (deck.num_cards * (deck.num_cards - 1))
    z = (together - number * both) / np.sqrt(number * both * (1 - both))
    assert np.abs(z).max() < 6


def test_deals_of_one_key_are_equal_and_of_others_differ():
    first = dealing.deal(prng.key_words(jax.random.key(0)), DECK, (9,) * 4)
    again = dealing.deal(prng.key_words(jax.random.key(0)), DECK, (9,) * 4)
    other = dealing.deal(prng.key_words(jax.random.key(1)), DECK, (9,) * 4)
    names = [[hand.to_list() for hand in hands] for hands in (first, again, other)]
    assert names[0] == names[1] != names[2]


@pytest.mark.parametrize("sizes", [(9, 9, 9), (9, 9, 9, 10)])
def test_hand_sizes_must_fit_the_deck(sizes):
    with pytest.raises(ValueError, match="do not fit a deck of 36"):
        dealing.deal((jnp.uint32(0), jnp.uint32(0)), DECK, sizes)


def card_by_card(key, deck, sizes):
    """Return the deal in plain Python: the hand with the drawn place gets the card."""
    free, hands = list(sizes), [[] for _ in sizes]
    for card in range(deck.num_cards):
        word = prng.random_word(key, card)
        drawn = int(prng.below(word, jnp.uint32(deck.num_cards - card), deck.num_cards))
        owner = next(hand for hand in range(len(sizes)) if drawn < sum(free[: hand + 1]))
        free[owner] -= 1
        hands[owner].append(card)
    return hands


MANY = [(DECK, (1,) * 36), (FRENCH, (7,) * 7 + (1, 2)), (FRENCH, (52,)), (FRENCH, (0, 52, 0, 0))]


@pytest.mark.slow_after(4)
@pytest.mark.parametrize("deck, sizes", SIZES + MANY, ids=str)
def test_cards_go_where_a_place_is_drawn(deck, sizes):
    key = (jnp.uint32(7), jnp.uint32(8))
    hands = [hand.to_list() for hand in dealing.deal(key, deck, sizes)]
    assert hands == card_by_card(key, deck, sizes)


@pytest.mark.slow
@pytest.mark.parametrize("size", by_cost([1, 4, 7], {1, 7}))
def test_traced_hand_sizes(size):
    """Hands of a size that is known only when the deal is made: the same cards as if it were static."""

    def traced(size, counter):
        sizes = [size] * 7 + [jnp.uint32(1), 51 - 7 * size]
        hands = dealing.deal((jnp.uint32(3), counter), FRENCH, sizes)
        return jnp.stack([hand.mask() for hand in hands])

    counters = jnp.arange(64, dtype=jnp.uint32)
    deal_all = quick_jit(jax.vmap(traced, in_axes=(None, 0)))
    sizes = (size,) * 7 + (1, 51 - 7 * size)
    dealt = np.asarray(deal_all(jnp.uint32(size), counters))
    assert (dealt.sum(axis=1) == 1).all()
    assert (dealt.sum(axis=2) == sizes).all()
    hands = jax.vmap(lambda c: dealing.deal((jnp.uint32(3), c), FRENCH, sizes))(counters)
    static = np.stack([jax.vmap(lambda h: h.mask())(hand) for hand in hands], axis=1)
    assert (dealt == static).all()


@pytest.mark.parametrize("size", [3, jnp.uint32(3)], ids=["static", "traced"])
def test_blocks_of_a_given_deck(size):
    order = np.random.default_rng(0).permutation(36)
    first, second = dealing.from_deck(DECK, order, [size, 5])
    assert first.to_list() == sorted(order[:3])
    assert second.to_list() == sorted(order[3:8])


@pytest.mark.parametrize("value", [-1, 4, 1.5, "x", (1, 2)])
def test_numbers_out_of_range(value):
    with pytest.raises((UserError, ValueError), match="dealer must be an int from 0 to 3|invalid"):
        dealing.check_range("dealer", value, 4)


def test_numbers_in_range_and_tracers_pass():
    dealing.check_range("dealer", np.int64(3), 4)
    jax.jit(lambda d: dealing.check_range("dealer", d, 4))(9)


@pytest.mark.parametrize("deck", [DECK, SHORT], ids=str)
@pytest.mark.parametrize("most", [None, 5])
def test_drawn_cards_are_single_and_uniform(deck, most):
    """Two of five cards: different ones of the set, and every ordered pair equally often."""
    number, held = 10_000, [0, 3, 17, 18, deck.num_cards - 1]

    def numbers(counter):
        drawn = dealing.draw((jnp.uint32(5), counter), 7, CardSet.of(deck, held), 2, most=most)
        return jnp.stack([card.mask() for card in drawn])

    drawn = np.asarray(jax.jit(jax.vmap(numbers))(jnp.arange(number, dtype=jnp.uint32)))
    assert (drawn.sum(axis=2) == 1).all()
    first, second = drawn.argmax(axis=2).T
    assert (first != second).all()
    pairs = np.array([[((first == a) & (second == b)).sum() for b in held] for a in held])
    assert pairs.sum() == number
    off = pairs[~np.eye(5, dtype=bool)] - number / 20
    assert (np.abs(off) < 5 * np.sqrt(number / 20)).all()
