"""Hearts by example: passing, the first trick, broken hearts, the moon, and the presets."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.games.hearts.play import DECK
from jaxcards.stages import ANY
from jaxcards.testing.deals import quick_jit

SUITS = [" ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "cdhs"]


def start(*hands, round=3, dealer=3, **rules):
    """Return a deal without passing with these beginnings of hands, filled up."""
    game = jaxcards.make("hearts", **rules)
    given = [DECK.cards(hand) for hand in (*hands, *[""] * 4)[:4]]
    rest = iter(sorted(set(range(52)) - {card for hand in given for card in hand}))
    deck = [card for hand in given for card in [*hand, *(next(rest) for _ in range(13 - len(hand)))]]
    return game, game.init_from_deck(np.array(deck), dealer, round=round)


def after(game, state, cards):
    for card in cards.split():
        state = game.checked_step(state, card)
    return state


def legal(game, state):
    return {DECK.name(card) for card in np.flatnonzero(game.legal_action_mask(state))}


@pytest.mark.parametrize(("round", "receivers"), [(0, "1 2 3 0"), (1, "3 0 1 2"), (2, "2 3 0 1")])
def test_three_cards_go_to_the_left_then_to_the_right_then_across(round, receivers):
    game, state = start(*SUITS, round=round)
    for seat, suit in enumerate("cdhs"):
        assert int(state.current_player) == seat
        state = after(game, state, " ".join(f"{rank}{suit}" for rank in "345"))
    assert bool(state.playing) and int(state.current_player) == 0  # seat 0 still has the ♣2
    for seat, receiver in enumerate(map(int, receivers.split())):
        got = game.observe(state, jnp.int32(receiver)).received
        assert DECK.names(got.to_list()) == " ".join(f"{rank}{'cdhs'[seat]}" for rank in "345")


def test_the_fourth_deal_is_played_without_passing():
    game, state = start(*SUITS)
    assert bool(state.playing) and legal(game, state) == {"2c"}


def test_passed_cards_are_chosen_before_any_is_received():
    game, state = start(*SUITS, round=0)
    state = after(game, state, "Ac Kc Qc")
    assert legal(game, state) == set(SUITS[1].split())
    seen = game.observe(state, jnp.int32(1))
    assert not bool(seen.received.any()) and not bool(seen.passed.any())
    assert DECK.names(game.observe(state, jnp.int32(0)).passed.to_list()) == "Qc Kc Ac"


def test_the_holder_of_the_lowest_club_leads_it_after_the_pass():
    game, state = start(*SUITS, round=0)
    state = after(game, state, "2c 3c 4c 2d 3d 4d 2h 3h 4h 2s 3s 4s")
    assert int(state.current_player) == 1 and legal(game, state) == {"2c"}
    game, state = start(*SUITS, any_club=True)
    assert legal(game, state) == set(SUITS[0].split())


def test_no_penalty_card_in_the_first_trick():
    hands = "2c 3c 4c 5c", "Qs 2h 2d", SUITS[2].replace("2h", "2s"), "6c"
    game, state = start(*hands)
    state = after(game, state, "2c")
    assert not legal(game, state) & {"Qs", "2h"} and "2d" in legal(game, state)
    state = after(game, state, "2d")
    assert legal(game, state) == {"2s"}  # all other cards of seat 2 are hearts
    game, state = start(*hands, points_in_first=True)
    assert {"Qs", "2h", "2d"} <= legal(game, after(game, state, "2c"))


def test_a_hand_of_penalty_cards_may_discard_them_in_the_first_trick():
    game, state = start("2c", "3c", SUITS[2], "4c")
    state = after(game, state, "2c 3c")
    assert legal(game, state) == set(SUITS[2].split())


@pytest.mark.parametrize(
    ("rules", "broken"),
    [
        ({}, {"2h": True, "Qs": True, "2d": False}),
        ({"queen_breaks": False}, {"2h": True, "Qs": False, "2d": False}),
        ({"break_hearts": False}, {"2h": True, "Qs": True, "2d": True}),
    ],
)
def test_hearts_have_to_be_broken(rules, broken):
    game, state = start("2c 3c Ah", "4c", "5c", "6c", **rules)
    for card, wanted in broken.items():
        played = state.played | type(state.played).of(DECK, DECK.cards(f"2c {card}"))
        now = dataclasses.replace(state, played=played).with_public(num_played=jnp.uint32(4))
        leads = game.legal_cards(now, ANY).to_list()
        assert (DECK.card("Ah") in leads) == wanted, card


def test_only_hearts_and_the_queen():
    hand = "Qs " + SUITS[2].replace("2h ", "")
    others = "2c 2h", "Ac 3c", "4c"
    for spare, wanted in ((False, {"Qs"}), (True, set(hand.split()))):
        game, state = start(others[0], hand, *others[1:], spare_queen=spare)
        assert int(state.current_player) == 0
        # Seat 1 discards in the first trick, and cannot be made to lead; the rule is that of the lead.
        leads = game.legal_cards(
            state.with_public(current_player=jnp.int32(1), num_played=jnp.uint32(4)), ANY
        )
        assert {DECK.name(card) for card in leads.to_list()} == wanted


@pytest.mark.parametrize(
    ("rules", "taken", "points"),
    [
        ({}, (3, 10, 13, 0), (3, 10, 13, 0)),
        ({}, (26, 0, 0, 0), (0, 26, 26, 26)),
        ({"moon": "subtract"}, (0, 26, 0, 0), (0, -26, 0, 0)),
        ({"moon": "none"}, (0, 0, 26, 0), (0, 0, 26, 0)),
        ({"jack": -10}, (26, 0, 0, 0), (0, 26, 26, 16)),
        ({"jack": -10}, (20, 6, 0, 0), (20, 6, 0, -10)),
        ({"no_trick": -5}, (20, 6, 0, 0), (20, 6, -5, 0)),
        ({"no_trick": -5}, (26, 0, 0, 0), (0, 26, 26, 26)),
    ],
)
def test_points(rules, taken, points):
    """Seats 0, 1 and 3 have won tricks, and seat 3 the jack of diamonds."""
    game, state = start(*SUITS, **rules)
    word = sum(number << (5 * seat) for seat, number in enumerate(taken))
    changes = {"taken": jnp.uint32(word), "num_played": jnp.uint32(52)}
    if game.rules.jack:
        changes["with_jack"] = jnp.uint32(8)
    if game.rules.no_trick:
        changes["with_trick"] = jnp.uint32(0b1011)
    state = state.with_public(**changes)
    assert game.points(state).tolist() == list(points)
    assert game.returns(state).tolist() == [-float(number) for number in points]


@pytest.mark.slow
def test_every_deal_gives_26_points():
    game = jaxcards.make("hearts/plain")

    def play(key):
        return game.points(jaxcards.rollout(game, RandomAgent(), (), key).state)

    points = quick_jit(jax.vmap(play))(jax.random.split(jax.random.key(0), 64))
    assert (np.asarray(points).sum(axis=1) == 26).all()


def test_the_lowest_total_wins_the_match():
    game, state = start(*SUITS)
    for totals, over in (((99, 0, 3, 0), False), ((100, 7, 3, 3), True)):
        found, winners = game.match_over(state, jnp.array(totals), jnp.int32(4))
        assert bool(found) == over and winners.tolist() == [n == min(totals) for n in totals]


@pytest.mark.parametrize(("players", "size", "first"), [(3, 17, "2c"), (5, 10, "3c"), (6, 8, "4c")])
def test_packs_of_other_numbers_of_players(players, size, first):
    game = jaxcards.make("hearts", num_players=players, directions=(1, 0))
    state = game.init(jax.random.key(1), round=game.num_rounds - 1)
    assert [len(hand.to_list()) for hand in state.hands] == [size] * players
    assert legal(game, state) == {first}
    left = DECK.names(game.left_out)
    assert left == {3: "2d", 5: "2c 2d", 6: "2c 3c 2d 3d"}[players]
