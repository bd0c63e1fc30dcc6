"""The outlook of a trick: certain cases exactly, uncertain ones against counting by hand."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.agents.heuristics import outlook
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck

DECK = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")
SPADES = 3


def cards(text: str) -> CardSet:
    return CardSet.of(DECK, DECK.cards(text) if text else [])


def view(hand, others, *, led=None, best=None, winner_ally=0.0, ally=(0, 1, 0), plays=(1, 1, 1),
         aside=0, trump=SPADES):  # fmt: skip
    """Return an outlook with natural ranks; `others`: the possible cards and sizes of other seats."""
    suit = jnp.arange(32, dtype=jnp.uint32) // 8
    above = [sum(1 << c for c in range(card + 1, card // 8 * 8 + 8)) for card in range(32)]
    possible = [cards(text) for text, _ in others]
    unseen = CardSet.empty(DECK)
    for held in possible:
        unseen = unseen | held
    by_suit = [unseen & CardSet.suit_of(DECK, jnp.uint32(s)) for s in range(4)]
    sizes = [jnp.int32(size) for _, size in others]
    above = (jnp.asarray(np.array(above, np.uint32)),)
    best_card = jnp.uint32(DECK.card(best) if best else 99)
    best_suit, best_above = outlook.winning(suit, above, DECK, best_card)
    seats = outlook.seats(by_suit, possible, sizes, [jnp.bool_(p) for p in plays], ally, aside)
    return outlook.Outlook(
        hand=cards(hand), legal=cards(hand), unseen=unseen, suit=suit,
        above=above, trump=jnp.uint32(trump),
        led=jnp.uint32(NO_SUIT if led is None else DECK.suits.index(led)),
        best_suit=best_suit, best_above=best_above,
        winner_ally=jnp.float32(winner_ally), seats=seats,
    )  # fmt: skip


def of(values, text):
    return float(values[DECK.card(text)])


@pytest.mark.slow
def test_the_last_player_knows():
    seen = view("Ah 9h 7s", [("Ad Kd", 1)] * 3, led="h", best="Kh", plays=(0, 0, 0))
    chance = seen.chance()
    assert [of(chance, c) for c in ("Ah", "9h", "7s")] == [1, 0, 1]
    partners = view("Ah 9h 7s", [("Ad Kd", 1)] * 3, led="h", best="Kh", plays=(0, 0, 0), winner_ally=1)
    assert [of(partners.chance(), c) for c in ("Ah", "9h", "7s")] == [1, 1, 1]
    secret = view("Ah 9h", [("Ad Kd", 1)] * 3, led="h", best="Kh", plays=(0, 0, 0), winner_ally=0.25)
    assert [of(secret.chance(), c) for c in ("Ah", "9h")] == [1, 0.25]


def test_chances_of_one_opponent_to_play():
    """Four unseen cards, two of them in the hand of the opponent behind: each with chance 1/2."""
    others = [("Ah Kh Qh Ad", 2), ("", 0), ("Ah Kh Qh Ad", 2)]
    seen = view("Jh As", others, led="h", best="9h", plays=(1, 0, 0))
    assert of(seen.chance(), "Jh") == pytest.approx(1 / 8)  # none of three hearts
    assert of(seen.chance(), "As") == 1
    assert of(seen.beaten_by(seen.seats[0]), "Jh") == pytest.approx(7 / 8)
    assert float(seen.seats[0].void[2]) == pytest.approx(1 / 8)


def test_ruffs_need_a_void():
    """Hearts are led; the opponent may have two hearts and two trumps, and holds half of the unseen."""
    others = [("8h 7h Ks Qs", 2), ("", 0), ("8h 7h Ks Qs", 2)]
    seen = view("Ah As", others, led="h", best="9h", plays=(1, 0, 0))
    ruff = (1 / 4) * (3 / 4)  # no heart, and a trump
    assert of(seen.beaten_by(seen.seats[0]), "Ah") == pytest.approx(ruff)
    assert of(seen.chance(ruffs=0.5), "Ah") == pytest.approx(1 - ruff / 2)
    lower = view("Ah Js", others, led="h", best="9h", plays=(1, 0, 0))
    assert of(lower.beaten_by(lower.seats[0]), "Js") == pytest.approx(ruff)  # an over-ruff
    no_trumps = view("Ah As", others, led="h", best="9h", plays=(1, 0, 0), trump=NO_SUIT)
    assert of(no_trumps.chance(), "Ah") == 1 and of(no_trumps.chance(), "As") == 0


@pytest.mark.parametrize(("led", "best"), [("s", "9s"), (None, None)])
def test_trumps_that_are_led_need_no_void(led, best):
    """The opponent holds one of two unseen cards, a higher trump or a heart."""
    seen = view("Qs", [("Ks 8h", 1), ("", 0), ("Ks 8h", 1)], led=led, best=best, plays=(1, 0, 0))
    assert of(seen.beaten_by(seen.seats[0]), "Qs") == pytest.approx(1 / 2)


def test_who_could_follow_suit_may_ruff():
    """As above, but half of those who could follow suit ruff if they can."""
    others = [("8h 7h Ks Qs", 2), ("", 0), ("8h 7h Ks Qs", 2)]
    seen = view("Ah As Js", others, led="h", best="9h", plays=(1, 0, 0))
    ruff = (1 / 4 + 3 / 4 / 2) * (3 / 4)
    assert of(seen.beaten_by(seen.seats[0], 0.5), "Ah") == pytest.approx(ruff)
    assert of(seen.beaten_by(seen.seats[0], 0.5), "Js") == pytest.approx(ruff)
    assert of(seen.chance(unforced=0.5), "Ah") == pytest.approx(1 - ruff)
    assert of(seen.chance(unforced=0.5), "As") == 1
    no_trumps = view("Ah", others, led="h", best="9h", plays=(1, 0, 0), trump=NO_SUIT)
    assert of(no_trumps.chance(unforced=0.5), "Ah") == 1


def test_a_leader_counts_everybody_and_the_partner_helps():
    alone = [("Ah", 1), ("", 0), ("Ah", 1)]
    assert of(view("Kh", alone).chance(), "Kh") == pytest.approx(1 / 4)
    partner = [("", 0), ("Ah", 1), ("", 0)]
    assert of(view("Kh", partner).chance(), "Kh") == 1  # the player or the partner wins
    saves = [("Qh", 1), ("Ah", 1), ("", 0)]
    seen = view("Jh", saves)
    assert of(seen.chance(), "Jh") == pytest.approx(1 / 2 + 1 / 2 * 1 / 2)
    assert of(seen.chance(rescue=0), "Jh") == pytest.approx(1 / 2)


@pytest.mark.parametrize("led", [None, "h", "s"])
def test_it_changes_no_chance_that_all_are_known_to_play_alone(led):
    others = [("Ah Kh Ad Qs 9s", 3), ("Ah Ad Qs 8s", 2), ("Kh Ah 9s", 2)]
    seen = view("Qh 7h Td Js 7s", others, led=led, best=led and f"9{led}", ally=(0.0, 0.0, 0.0))
    known = dataclasses.replace(seen, winner_ally=0.0)
    assert known.alone and not seen.alone
    np.testing.assert_array_equal(known.chance(unforced=0.5), seen.chance(unforced=0.5))


def test_cards_that_are_aside_thin_the_hands():
    seen = view("Kh", [("Ah", 1), ("", 0), ("", 0)], aside=3)
    assert of(seen.chance(), "Kh") == pytest.approx(3 / 4)


def test_a_seat_whose_cards_lie_open_is_known():
    others = [("Ah Kh 9s", 2), ("Ah Kh 9s", 0), ("Ah Kh 9s", 2)]
    seen = view("Jh", others)
    suits = [255 << 8 * suit for suit in range(4)]
    opened = outlook.laid_open(seen.seats[0], cards("9h 9s"), suits)
    assert of(seen.beaten_by(opened), "Jh") == pytest.approx(0, abs=1e-6)  # follows suit, lower
    opened = outlook.laid_open(seen.seats[0], cards("9d 9s"), suits)
    assert of(seen.beaten_by(opened), "Jh") == pytest.approx(1)  # ruffs
    assert [float(void) for void in opened.void] == [1, 0, 1, 0]
    closed = outlook.laid_open(seen.seats[0], cards("9d 9s"), suits, jnp.bool_(False))
    assert of(seen.beaten_by(closed), "Jh") == of(seen.beaten_by(seen.seats[0]), "Jh")


def test_cards_may_be_likelier_in_one_hand():
    """A heart three times as likely with the first of two others, and none aside."""
    by_suit = [cards("")] * 2 + [cards("Ah Kh"), cards("Qs")]
    lean = [[1, 1, 3, 1], [1, 1, 1, 1], [1, 1, 0, 1]]
    yes = jnp.bool_(True)
    found = outlook.seats(
        by_suit, [cards("Ah Kh Qs")] * 2, [jnp.int32(1)] * 2, [yes] * 2, [0, 0], 2, lean
    )
    assert [float(seat.share[2]) for seat in found] == pytest.approx([3 / 4, 1 / 4])
    assert [float(seat.share[3]) for seat in found] == pytest.approx([1 / 4, 1 / 4])


def test_rivals_are_the_unseen_cards_above():
    seen = view("Kh 9d Ts", [("Ah Jd Qd 7s", 2)] * 3)
    assert [int(seen.rivals[DECK.card(c)]) for c in ("Kh", "9d", "Ts")] == [1, 2, 0]


@pytest.mark.parametrize("number", [24, 36, 52])
def test_sums_and_maxima_over_cards(number):
    values = np.random.default_rng(number).integers(-99, 99, number).astype(np.int32)
    assert int(outlook.over_cards(jnp.add, jnp.asarray(values))) == values.sum()
    assert int(outlook.over_cards(jnp.maximum, jnp.asarray(values))) == values.max()


def test_the_chance_of_none_is_a_power():
    numbers, shares = np.arange(16), np.array([0, 0.25, 1 / 3, 0.9, 1], np.float32)[:, None]
    found = np.asarray(outlook.none_of(jnp.asarray(numbers), jnp.asarray(shares)))
    assert found == pytest.approx((1 - shares) ** numbers, rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_card(seed):
    scores = np.random.default_rng(seed).integers(-20, 20, 32).astype(np.float32)
    legal = cards("7c Qd Kd Ah As")
    numbers = legal.to_list()
    expected = max(numbers, key=lambda card: (scores[card], -card))
    assert int(jax.jit(outlook.best_of)(jnp.asarray(scores), legal)) == expected


def test_chances_stay_chances():
    """Whatever is asked, nothing is below 0, above 1 or no number."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        deck = [DECK.name(c) for c in rng.permutation(32)]
        others = [(" ".join(deck[8:]), 8)] * 3
        seen = view(" ".join(deck[:8]), others, ally=rng.random(3), winner_ally=rng.random(),
                    led=rng.choice(list("cdhs")), best=deck[9])  # fmt: skip
        for weight in (0.7, 1.8):
            chance = np.asarray(seen.chance(ruffs=weight, rescue=weight))
            assert np.isfinite(chance).all() and chance.min() >= 0 and chance.max() <= 1


def test_shown_cards_are_certain():
    """The opponent behind has shown the ace of hearts, and may have one of two other cards."""
    others = [("Kh Ad", 1), ("", 0), ("Kh Ad", 1)]
    seen = view("Qh Ts", others, led="h", best="Jh", plays=(1, 0, 0))
    classes = [CardSet.suit_of(DECK, jnp.uint32(s)) for s in range(4)]
    shows = outlook.showing(seen.seats[0], cards("Ah"), classes)
    assert of(seen.beaten_by(seen.seats[0]), "Qh") == pytest.approx(1 / 2)
    assert of(seen.beaten_by(shows), "Qh") == 1
    assert float(seen.seats[0].void[2]) == pytest.approx(1 / 2) and float(shows.void[2]) == 0


def test_steady_values_are_the_same_up_to_rounding():
    values = np.array([0.0, 0.25, 1 / 3, 0.99999, 1.0, 7.1, -3.5, -1 / 3], np.float32)
    found = np.asarray(outlook.steady(jnp.asarray(values)))
    assert np.abs(found - values).max() <= 1 / 8192 + 1e-6
    assert (found * 4096 == np.round(found * 4096)).all() and found[-2] == -3.5


@pytest.mark.parametrize("ranks", ["789TJQKA", "23456789TJQKA"])
def test_cards_are_counted_in_the_set_of_each(ranks):
    deck = Deck(suits="cdhs", ranks=ranks, symbols="♣♦♥♠")
    rng = np.random.default_rng(0)
    word = np.arange(deck.num_cards) // deck.word_bits
    chosen = (rng.random((deck.num_cards, deck.num_cards)) < 0.3) & (word[:, None] == word)
    held = rng.choice(deck.num_cards, 12, replace=False)
    found = outlook.count_in(outlook.masks_of(deck, chosen), CardSet.of(deck, held.tolist()))
    np.testing.assert_array_equal(found, chosen[:, held].sum(axis=1))
