"""A deal as text has every card, call and trick, and the result in the words of the view."""

import itertools

import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards.testing.deals import play_deals, take


def played(id, actions, dealer, deck=None):
    game = jaxcards.make(id)
    order = range(game.deck.num_cards) if deck is None else deck
    state = game.init_from_deck(jnp.array(order), dealer)
    for action in actions.split(", "):
        state = game.checked_step(state, action)
    return game.to_string(state).splitlines()


def test_hands_roles_and_calls():
    assert played("euchre/standard", "pass, pass, pass, pass, call h, team, Jc, Ac", 3) == [
        "dealer: seat 3; trumps: ♥; the match goes to: 10 points",
        "seat 0 (maker): ♣K ♣Q ♣J ♣10 ♣9",
        "  still has ♣K ♣Q ♣10 ♣9",
        "  passed, named ♥",
        "seat 1: ♦J ♣A ♦Q ♦10 ♦9",
        "  still has ♦J ♦Q ♦10 ♦9",
        "  passed",
        "seat 2 (maker's partner): ♥J ♥10 ♥9 ♦A ♦K",
        "  passed",
        "seat 3: ♥A ♥K ♥Q ♠10 ♠9",
        "  passed",
        "turned down: ♠J",
        "not dealt: ♠Q ♠K ♠A",
        "trick 1: seat 0 leads  ♣J ♣A",
        "seat 2 is to act: Play a card",
    ]


def test_the_unknown_card_is_named():
    deck = jaxcards.make("sheepshead").deck
    trumps = deck.cards("Qc Qs Qh Qd Jc Jh 7d 8d")
    others = [card for card in range(32) if card not in trumps]
    # The picker has trumps alone, so that it calls with an unknown card, and leads it.
    dealt = [*trumps[:6], *others, *trumps[6:]]
    lines = played("sheepshead/standard", "pick, partner, Ac, 7d, Qd, 8d, 7d", 4, dealt)
    assert lines[0] == "dealer: seat 4; trumps: ♦; partner's card: ♣A; unknown card: ♦7"
    assert lines[-3:-1] == ["buried: ♦8 ♦Q", "trick 1: seat 0 leads  ♦7"]


@pytest.mark.parametrize("id", ["jass/differenzler", pytest.param("skat", marks=pytest.mark.slow)])
def test_every_card_is_there_once(id):
    game = jaxcards.make(id)
    deals = play_deals(game, 2)
    length = int(deals.over[:, 0].argmax())
    for step in (length // 2, length):
        state = take(deals.states, (step, 0))
        lines = game.to_string(state).splitlines()
        tricks = [line.partition("leads  ")[2].partition(",")[0] for line in lines if "leads" in line]
        places = game.card_places(state)
        gone = itertools.chain(*(cards.to_list() for cards in places.played))
        assert sorted(game.deck.cards(" ".join(tricks))) == sorted(gone)
        for seat, (held, own) in enumerate(zip(places.hands, places.played, strict=True)):
            hand = next(line for line in lines if line.startswith(f"seat {seat}"))
            cards = game.deck.cards(hand.partition(": ")[2])
            assert sorted(cards) == sorted([*held.to_list(), *own.to_list()])
