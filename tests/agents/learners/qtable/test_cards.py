"""The play of a card in words: which card each action stands for, which features a trick has."""

import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.agents.heuristics.outlook import Outlook, Seat, winning
from jaxcards.agents.heuristics.rikiki.view import ABOVE, SUIT
from jaxcards.agents.learners.qtable import cards
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.rikiki.play import DECK

LEFT = (2, 4)
TRUMP, PLAIN = (DECK.suits.index(suit) for suit in "hc")


def cardset(names: str) -> CardSet:
    return CardSet.of(DECK, DECK.cards(names))


def trick(hand: str, unseen: str, best: str = "", legal: str = "", ally: bool = False, behind=(0, 1)):
    """Hearts are trumps; `best` is the card that wins so far, of the suit led or a trump."""
    above = tuple(jnp.asarray(word) for word in ABOVE)
    card = DECK.card(best) if best else DECK.num_cards
    best_suit, best_above = winning(jnp.asarray(SUIT), above, DECK, jnp.uint32(card))
    return Outlook(
        hand=cardset(hand),
        legal=cardset(legal or hand),
        unseen=cardset(unseen),
        suit=jnp.asarray(SUIT),
        above=above,
        trump=jnp.uint32(TRUMP),
        led=jnp.uint32(PLAIN if best else NO_SUIT),
        best_suit=best_suit,
        best_above=best_above,
        winner_ally=jnp.float32(ally),
        seats=tuple(Seat(cardset(unseen), (), (0.0,) * 4, jnp.bool_(plays), 0.0) for plays in behind),
    )


def said(look: Outlook, **more) -> tuple[dict[str, str], dict[str, str]]:
    """Return the card of each option and the value of each feature, in words, of the situation."""
    own = cards.situations((), LEFT, points=more.get("points", ()))
    found = cards.found(jnp.bool_(True), look, [], LEFT, **more)
    ((situation, one),) = [pair for pair in zip(own, found, strict=True) if bool(pair[1].here)]
    options = {
        name: DECK.name(int(card))
        for name, legal, card in zip(situation.actions, *one.options, strict=True)
        if legal
    }
    values = [
        feature.values[min(int(value), len(feature.values) - 1)]
        for feature, value in zip(situation.features, one.values, strict=True)
    ]
    names = [feature.name for feature in situation.features]
    return options, dict(zip(names, values, strict=True))


@pytest.mark.slow
def test_leading():
    options, features = said(trick("Ah 2h Kc 5c 3c 9s 4d Ad", unseen="Kh Ac Qs 7d Js"))
    assert options == {
        "lead the highest trump": "Ah",
        "lead the lowest trump": "2h",
        "lead a plain card that nobody beats in its suit": "Ad",
        "lead another plain card, the highest": "Kc",
        "lead a plain card, the lowest": "3c",
        "lead a lone plain card that others beat": "9s",
    }
    assert features == {
        "cards in hand": "4 or more",
        "own trumps": "two",
        "the highest trump": "yes",
        "trumps of others": "one or two",
        "plain cards that nobody beats in their suit": "one",
    }


def test_following_suit():
    look = trick("Kc Tc 2c 5h", unseen="Ac Qh", best="9c", legal="Kc Tc 2c", ally=True)
    options, features = said(look)
    assert options == {
        "win in the suit led, as cheaply as possible": "Tc",
        "win in the suit led with the highest card": "Kc",
        "throw the least, without winning": "2c",
        "throw the most, without winning": "2c",
    }
    assert features == {
        "cards in hand": "4 or more",
        "players behind": "one",
        "": "plain suit led and held",
        "could win": "yes, unless beaten later",
        "own side wins so far": "yes, but a card out beats it",
    }


@pytest.mark.parametrize(
    "change, expected",
    [
        ({"unseen": "Qh"}, ("yes, for good", "yes, for good")),
        ({"behind": (0, 0)}, ("yes, for good", "yes, for good")),
        ({"ally": False}, ("yes, unless beaten later", "no")),
        ({"best": "Ac"}, ("no", "yes, for good")),
    ],
)
def test_who_wins(change, expected):
    usual = {"hand": "Kc 2c", "unseen": "Ac Qh", "best": "9c", "ally": True}
    _, features = said(trick(**usual | change))
    assert (features["could win"], features["own side wins so far"]) == expected


def test_ruffing_and_throwing_away():
    """A card is dear by its points first: the ten of spades counts ten here."""
    points = np.where(np.arange(DECK.num_cards) == DECK.card("Ts"), 10.0, 0.0)
    look = trick("9h 5h Ts Jd 3d", unseen="Ac Qh", best="9c")
    more = {"value": jnp.asarray(points), "on_table": jnp.float32(12), "points": (5, 20)}
    options, features = said(look, **more)
    assert options == {
        "ruff with the lowest trump that wins": "5h",
        "throw the least, without winning": "3d",
        "throw the most, without winning": "Ts",
    }
    assert features[""] == "plain suit led, may ruff"
    assert features["points on the table"] == "5 to 19"
    _, features = said(trick("Ts 3d", unseen="Ac", best="9c"))
    assert features[""] == "can only throw away"
