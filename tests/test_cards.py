"""Names of cards, sets of cards against Python's sets, and fair dealing."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxcards import cards, prng
from jaxcards.cards import NO_SUIT, CardSet, Deck, by_seat
from jaxcards.errors import UserError
from jaxcards.games.jass.deck import DECK

SHORT = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")
FRENCH = Deck(suits="cdhs", ranks="23456789TJQKA", symbols="♣♦♥♠")
DECKS = pytest.mark.parametrize("deck", [DECK, SHORT, FRENCH], ids=lambda deck: str(deck.num_cards))

# ---- Names --------------------------------------------------------------------------------------


@DECKS
def test_every_name_is_read_back(deck):
    for card in range(deck.num_cards):
        for name in (deck.name(card), deck.pretty(card), deck.name(card).upper()):
            assert deck.card(name) == card
            assert deck.card(f" {name[::-1] if len(name) == 2 else name} ") == card


@pytest.mark.parametrize(
    "text, card",
    [
        ("Th", 22), ("H10", 22), ("10h", 22), ("h 10", 22), ("♥10", 22), ("♥T", 22), ("tH", 22),
        ("♠A", 35), ("A♠", 35), ("as", 35), ("6d", 0), ("Jc", 14), ("Rosen Banner", 22),
        ("Schilten Ass", 35), ("Eicheln Under", 14), ("schellen6", 0), ("Rosen Ober", 24),
        ("Kreuz Bube", 14), ("Herz Dame", 24), ("Schaufel Ass", 35), ("Ecken 6", 0),
        ("hearts queen", 24), ("king spades", 34), ("Nell clubs", 12), ("Schilten König", 34),
    ],
)  # fmt: skip
def test_names_that_people_write(text, card):
    assert DECK.card(text) == card


@pytest.mark.parametrize("text", ["10hh", "6x", "1s", "Jj", "", "5h", "h", "♥", "Th 6d", "36"])
def test_bad_names_say_what_is_allowed(text):
    with pytest.raises(UserError) as error:
        DECK.card(text)
    message = str(error.value)
    assert f"unknown card {text!r}" in message and "allowed: 6d, 7d" in message
    assert "\n" not in message


def test_a_bad_name_gets_the_nearest():
    with pytest.raises(UserError, match="did you mean 'Th'"):
        DECK.card("Tx h")


def test_lists_of_cards():
    assert DECK.cards("6d, Th As") == [0, 22, 35]
    assert DECK.names([0, 22, 35]) == "6d Th As"
    with pytest.raises(UserError, match="unknown card 'zz'"):
        DECK.cards("6d zz")


# ---- Permutations -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "deck, detail",
    [
        (list(range(35)), "has 35 cards, missing As"),
        ([*range(35), 34], "has 36 cards, missing As"),
        ([*range(36), 0], "has 37 cards, some appear twice"),
        ([*range(1, 37)], "has 36 cards, missing 6d"),
        ([], "has 0 cards, missing 6d 7d 8d 9d Td"),
    ],
)
def test_no_permutation(deck, detail):
    with pytest.raises(UserError, match=f"0 to 35 once; this one {detail}"):
        DECK.check_permutation(deck)


def test_permutations_pass():
    order = np.random.default_rng(0).permutation(36)
    DECK.check_permutation(order)
    DECK.check_permutation(order.tolist())
    DECK.check_permutation(jnp.asarray(order))
    jax.jit(lambda deck: DECK.check_permutation(deck) or deck)(jnp.zeros(36, int))  # traced: unseen


# ---- Sets ---------------------------------------------------------------------------------------

jass_sets = st.sets(st.integers(0, 35))


@settings(max_examples=60, deadline=None)
@given(jass_sets, jass_sets)
def test_the_algebra_of_sets(a, b):
    x, y = CardSet.of(DECK, a), CardSet.of(DECK, b)
    assert (x | y).to_list() == sorted(a | b)
    assert (x & y).to_list() == sorted(a & b)
    assert (x - y).to_list() == sorted(a - b)
    assert int(x.count()) == len(a) and x.count().dtype == jnp.int32
    assert bool(x.any()) == bool(a)
    assert np.flatnonzero(x.mask()).tolist() == sorted(a)
    for yes in (True, False):
        assert cards.select(jnp.bool_(yes), x, y).to_list() == sorted(a if yes else b)
    for suit in range(4):
        held = [card % 9 for card in a if card // 9 == suit]
        assert int(x.suit(suit)) == sum(1 << rank for rank in held)


@DECKS
def test_single_contains_full_and_empty(deck):
    numbers = jnp.arange(deck.num_cards, dtype=jnp.uint32)
    masks = jax.vmap(lambda card: CardSet.single(deck, card).mask())(numbers)
    assert (np.asarray(masks) == np.eye(deck.num_cards, dtype=bool)).all()
    assert CardSet.full(deck).to_list() == list(range(deck.num_cards))
    assert CardSet.empty(deck).to_list() == []
    some = list(range(0, deck.num_cards, 3))
    held = jax.vmap(CardSet.of(deck, some).contains)(numbers)
    assert np.flatnonzero(held).tolist() == some


@DECKS
def test_a_number_of_no_card_is_the_empty_set(deck):
    strange = jnp.array([deck.num_cards, deck.num_cards + 31, 255, 1 << 31], jnp.uint32)
    found = jax.vmap(lambda card: CardSet.single(deck, card).any())(strange)
    assert not found.any()


@DECKS
def test_cards_of_a_suit(deck):
    size = deck.ranks_per_suit
    for suit in range(4):
        whole = CardSet.suit_of(deck, jnp.uint32(suit)).to_list()
        assert whole == list(range(size * suit, size * (suit + 1)))
        two = CardSet.in_suit(deck, jnp.uint32(suit), jnp.uint32(0b101))
        assert two.to_list() == [size * suit, size * suit + 2]
    for suit in (4, 5, 6, NO_SUIT, 8):
        if suit == NO_SUIT or deck.num_words == 2:
            assert CardSet.suit_of(deck, jnp.uint32(suit)).to_list() == []


def test_a_set_shows_its_cards():
    assert repr(CardSet.of(DECK, [0, 22])) == "CardSet(6d Th)"
    assert "words" in repr(jax.vmap(lambda w: CardSet(DECK, [w, w]))(jnp.zeros(2, jnp.uint32)))


@pytest.mark.parametrize("number", range(1, 9))
def test_by_seat_is_indexing(number):
    values = [{"a": jnp.int32(10 + i), "b": jnp.bool_(i % 2)} for i in range(number)]
    for dtype in (jnp.int32, jnp.uint32):
        picked = jax.vmap(lambda seat: by_seat(values, seat))(jnp.arange(number, dtype=dtype))
        assert picked["a"].tolist() == [10 + i for i in range(number)]
        assert picked["b"].tolist() == [bool(i % 2) for i in range(number)]


def test_fence_changes_no_value():
    values = np.random.default_rng(0).integers(1 << 30, size=10_000, dtype=np.uint32)
    values[:3] = 0, 1, (1 << 30) - 1
    assert (np.asarray(cards.fence(jnp.asarray(values))) == values).all()


# ---- Dealing ------------------------------------------------------------------------------------

SIZES = [
    (DECK, (9, 9, 9, 9)),
    (DECK, (12, 12, 12)),
    (SHORT, (8, 8, 8, 8)),
    (SHORT, (5, 5, 5, 5, 12)),
    (SHORT, (6, 6, 6, 6, 6, 2)),
    (FRENCH, (13, 13, 13, 13)),
    (FRENCH, (3, 3, 3, 43)),
]


@pytest.mark.parametrize("deck, sizes", SIZES, ids=str)
def test_deals_are_whole_and_uniform(deck, sizes):
    """Every card once, hands of the right sizes, and chi-squares of single cards and of pairs."""
    number = 20_000

    def masks(counter):
        hands = cards.deal((jnp.uint32(3), counter), deck, sizes)
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
    first = cards.deal(prng.key_words(jax.random.key(0)), DECK, (9,) * 4)
    again = cards.deal(prng.key_words(jax.random.key(0)), DECK, (9,) * 4)
    other = cards.deal(prng.key_words(jax.random.key(1)), DECK, (9,) * 4)
    names = [[hand.to_list() for hand in hands] for hands in (first, again, other)]
    assert names[0] == names[1] != names[2]


@pytest.mark.parametrize("sizes", [(9, 9, 9), (9, 9, 9, 10), (4,) * 9 + (0,) * 3])
def test_hand_sizes_must_fit_the_deck(sizes):
    with pytest.raises(ValueError, match="do not fit a deck of 36"):
        cards.deal((jnp.uint32(0), jnp.uint32(0)), DECK, sizes)
