"""Names of cards, sets of cards against Python's sets, and values by seat."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxcards.cards import seats, sets
from jaxcards.cards.packs import FRENCH
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.errors import UserError
from jaxcards.games.jass.play import DECK

SHORT = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")
JOKER = Deck(suits="cdhs", ranks="9TJQKA", symbols="♣♦♥♠", extra=("JK",))
DECKS = pytest.mark.parametrize(
    "deck", [DECK, SHORT, FRENCH, JOKER], ids=lambda deck: str(deck.num_cards)
)

# ---- Names --------------------------------------------------------------------------------------


@DECKS
def test_every_name_is_read_back(deck):
    for card in range(deck.num_cards):
        for name in (deck.name(card), deck.pretty(card), deck.name(card).upper()):
            assert deck.card(name) == card
            turned = name[::-1] if len(name) == 2 and card < deck.num_suit_cards else name
            assert deck.card(f" {turned} ") == card


@pytest.mark.parametrize(
    "text, card",
    [
        ("Th", 22), ("H10", 22), ("10h", 22), ("h 10", 22), ("♥10", 22), ("♥T", 22), ("tH", 22),
        ("♠A", 35), ("A♠", 35), ("as", 35), ("6d", 0), ("Jc", 14), ("Rosen Banner", 22),
        ("Schilten Ass", 35), ("Eicheln Under", 5), ("schellen6", 9), ("Rosen Ober", 24),
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
        assert sets.select(jnp.bool_(yes), x, y).to_list() == sorted(a if yes else b)
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
def test_points_and_conditions(deck):
    hand = CardSet.of(deck, range(0, deck.num_cards, 3))
    by_rank = range(deck.ranks_per_suit)
    cards = [card for card in hand.to_list() if card < deck.num_suit_cards]
    assert int(hand.points(by_rank)) == sum(card % deck.ranks_per_suit for card in cards)
    assert hand.where(jnp.bool_(True)).to_list() == hand.to_list()
    assert hand.where(jnp.bool_(False)).to_list() == []


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


def test_an_extra_card_needs_one_word():
    with pytest.raises(ValueError, match="up to 32 cards"):
        Deck(suits="dchs", ranks="6789TJQKA", symbols="♦♣♥♠", extra=("JK",))


@pytest.mark.parametrize("number", range(1, 8))
def test_a_vector_has_the_value_of_each_seat(number):
    found = seats.vector([jnp.uint32(10 * seat) for seat in range(number)])
    assert found.dtype == jnp.int32 and found.tolist() == [10 * seat for seat in range(number)]


def test_values_of_teams_that_sit_crosswise():
    assert seats.by_team(jnp.uint32(5), jnp.uint32(7)).tolist() == [5, 7, 5, 7]


def test_suits_and_ranks_of_cards():
    for deck in (DECK, SHORT, FRENCH):
        suit, rank = jax.vmap(deck.suit_and_rank)(jnp.arange(deck.num_cards, dtype=jnp.uint32))
        assert (np.asarray(suit * deck.ranks_per_suit + rank) == np.arange(deck.num_cards)).all()
        assert np.asarray(rank).max() == deck.ranks_per_suit - 1
