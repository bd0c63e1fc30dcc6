"""Worked examples of the rules in docs/rikiki.md, and recorded deals: reference and compiled game."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from games.rikiki import examples, positions, reference
from games.rikiki.examples import numbers
from games.rikiki.golden import GOLDEN
from games.rikiki.playout import given_deal, play
from games.rikiki.reference import BID, ReferenceDeal
from games.rikiki.variants import VARIANTS
from games.rows import table
from jaxcards.games.rikiki import score
from jaxcards.games.rikiki.play import DECK, NO_CARD
from jaxcards.games.rikiki.rules import NO_TRUMP
from jaxcards.testing.deals import quick_jit

MORE_VARIANTS = {
    "no_hook": ("plain", {"hook": False}),
    "no_trump": ("standard", {"trump_mode": "none"}),
    "zero_base": ("standard", {"made_zero_base": 5}),
    "plain_1": ("plain", {"lead_offset": 1}),
    "fixed_loss": ("standard", {"miss_base": 10, "miss_diff": 1}),
    "zero_by_cards": ("standard", {"made_zero_base": 5, "made_zero_cards": 1, "miss_made": True}),
    "lost_bid": ("standard", {"miss_made": True, "made_zero_base": 5}),
}


@cache
def made(name: str):
    preset, changed = {**VARIANTS, **MORE_VARIANTS}[name]
    game = jaxcards.make(f"rikiki/{preset}", **changed)
    return game, quick_jit(game.step), quick_jit(game.legal_action_mask)


def engine(name: str, deal):
    game, step, _ = made(name)
    state = game.init_from_deck(deal.deck, deal.dealer, round=deal.round)
    for action in deal.actions:
        state = step(state, jnp.int32(action))
    return state


def plain(name: str, deal) -> ReferenceDeal:
    found = ReferenceDeal(made(name)[0].rules, deal.deck, deal.dealer, deal.round)
    for action in deal.actions:
        found.step(action)
    return found


def legal(name: str, state) -> list[int]:
    return jnp.flatnonzero(made(name)[2](state)).tolist()


@table(examples.BIDS)
def test_bids(row):
    _, name, k, bids, allowed = row
    deal = positions.bidding(made(name)[0].rules, int(k), numbers(bids))
    want = [BID + b for b in numbers(allowed)]
    assert plain(name, deal).legal() == want
    assert legal(name, engine(name, deal)) == want


@table(examples.LEGAL)
def test_legal_cards(row):
    _, trump, on_table, hand, allowed = row
    on_table = [] if on_table == "-" else reference.cards(on_table)
    hand = reference.cards(hand)
    up = examples.trump_card(trump, on_table + hand)
    deal = positions.trick(made("standard")[0].rules, on_table, hand, up)
    want = sorted(reference.cards(allowed))
    assert plain("standard", deal).legal() == want
    assert legal("standard", engine("standard", deal)) == want


@table(examples.TRICKS)
def test_tricks(row):
    _, trump, trick, place = row
    cards = reference.cards(trick)
    name = "no_trump" if trump == "none" else "standard"
    number = reference.NO_TRUMP if trump == "none" else reference.SUITS.index(trump)
    assert reference.trick_winner(number, cards) == int(place)
    deal = positions.trick(made(name)[0].rules, cards, [], examples.trump_card(trump, cards))
    state = engine(name, deal)
    assert made(name)[0].progress(state).tolist() == [int(seat == int(place)) for seat in range(4)]
    assert int(state.current_player) == int(place)


@table(examples.SCORES)
def test_scores(row):
    _, name, k, bid, won, points = row
    rules = made(name)[0].rules
    assert reference.seat_points(rules, int(bid), int(won), int(k)) == int(points)
    numbers = [jnp.uint32(int(number)) for number in (bid, won, k)]
    assert int(score.seat_points(rules, *numbers)) == int(points)


R8 = dict(enumerate(map(DECK.cards, ("2h 3h", "4h 5s", "6h 7c", "8h 9d"))))


def r8(actions: str):
    deck = positions.deck_of(R8, 4, 2, DECK.card("Ts"))
    bids = [BID + b for b in (0, 0, 1, 2)]
    return positions.SimpleNamespace(
        deck=deck, dealer=0, round=0, actions=[*bids, *DECK.cards(actions)]
    )


def test_r8_a_whole_deal():
    for start in (engine("plain", r8("")), plain("plain", r8(""))):
        assert int(start.current_player) == 2
    steps = "6h 8h 2h 4h 9d 3h 5s 7c".split()
    options = {1: "8h", 2: "2h 3h", 3: "4h"}
    for number in range(len(steps) + 1):
        deal = r8(" ".join(steps[:number]))
        state, slow = engine("plain", deal), plain("plain", deal)
        assert slow.terminated == bool(state.terminated) == (number == 8)
        if number < 8:
            assert legal("plain", state) == slow.legal()
            assert int(state.current_player) == slow.current_player
        if number in options:
            assert slow.legal() == DECK.cards(options[number])
    game = made("plain")[0]
    assert slow.bids == {1: 0, 2: 0, 3: 1, 0: 2} and slow.won == [0, 1, 0, 1]
    assert game.progress(state).tolist() == [0, 1, 0, 1]
    assert slow.points() == game.points(state).tolist() == [-2, -1, 5, 5]


def test_r9_with_another_leader():
    for start in (engine("plain_1", r8("")), plain("plain_1", r8(""))):
        assert int(start.current_player) == 1


def test_r10_the_turn_up():
    deck = [*range(51, -1, -1)]
    last = made("plain")[0].init_from_deck(deck, 1, round=10).public
    assert (int(last.hand_size), int(last.turnup), int(last.trump)) == (12, deck[48], deck[48] // 13)
    whole = made("up_down_13")[0].init_from_deck(deck, 1, round=12).public
    assert (int(whole.hand_size), int(whole.turnup), int(whole.trump)) == (13, NO_CARD, NO_TRUMP)


def test_r19_the_dealers_last_card():
    deck = [*range(51, -1, -1)]
    game = made("dealers_card")[0]
    whole = game.init_from_deck(deck, 1, round=0)
    assert int(whole.public.turnup) == deck[2 * 13 - 1] and int(whole.public.trump) == deck[25] // 13
    assert bool(whole.hands[1].contains(jnp.uint32(deck[25])))
    assert int(game.init_from_deck(deck, 1, round=2).public.turnup) == deck[20]


def test_r20_the_card_on_the_forehead():
    game, step, _ = made("forehead")
    deck = DECK.cards("2h 3h 4h 5h Ts")
    deck += [card for card in range(52) if card not in deck]
    state = game.init_from_deck(deck, 3, round=0)
    for action in (BID, BID, BID + 1, BID):
        seen = game.observe(state, jnp.int32(1))
        assert seen.hand.to_list() == []
        assert [cards.to_list() for cards in seen.shown] == [[deck[0]], [], [deck[2]], [deck[3]]]
        state = step(state, jnp.int32(action))
    assert game.observe(state, jnp.int32(0)).hand.to_list() == [deck[0]]  # it is to play
    assert game.observe(state, jnp.int32(1)).hand.to_list() == []
    state = step(state, jnp.int32(deck[0]))
    assert game.observe(state, jnp.int32(1)).hand.to_list() == [deck[1]]
    assert [cards.to_list() for cards in game.observe(state, jnp.int32(1)).shown][0] == []


@pytest.mark.slow
def test_r20_the_own_card_may_be_any_that_is_not_seen():
    game = made("forehead")[0]
    state = game.init_from_deck(list(range(52)), 3, round=0)
    draw = quick_jit(jax.vmap(lambda key: game.determinize(key, state, jnp.int32(1))))
    number = 9600
    hands = draw(jax.random.split(jax.random.key(1), number)).hands
    masks = [np.asarray(quick_jit(jax.vmap(lambda hand: hand.mask()))(hand)) for hand in hands]
    assert all(masks[seat][:, seat].all() for seat in (0, 2, 3))
    counts = masks[1].sum(axis=0)
    assert counts[[0, 2, 3, 4]].tolist() == [0] * 4  # the others' cards and the card turned up
    chi = ((np.delete(counts, [0, 2, 3, 4]) - number / 48) ** 2).sum() * 48 / number
    assert abs(chi - 47) < 5 * np.sqrt(2 * 47)


def test_r12_the_cycle():
    game = made("cycle")[0]
    states = [game.init_from_deck(list(range(52)), 0, round=number) for number in range(6)]
    assert [int(state.public.trump) for state in states] == [0, 1, 2, 3, NO_TRUMP, 0]
    assert all(int(state.public.turnup) == NO_CARD for state in states)


def test_r13_the_end_of_a_match():
    game = made("plain")[0]
    assert game.max_match_deals == 11
    totals = jnp.array([10, 12, 12, -3])
    for number in range(11):
        state = game.init_from_deck(list(range(52)), 0, round=number)
        over, winners = game.match_over(state, totals, jnp.int32(number + 1))
        assert bool(over) == (number == 10)
    assert winners.tolist() == [False, True, True, False]


def test_r14_seven_players():
    assert jaxcards.make("rikiki", num_players=7, schedule=(1,)).num_actions == 54
    assert made("standard7")[0].num_actions == 60


@pytest.mark.slow_after(7)
@pytest.mark.parametrize("golden", GOLDEN, ids=lambda row: f"{row.variant}-{row.round}")
def test_golden_deals(golden):
    game = made(golden.variant)[0]
    slow = ReferenceDeal(game.rules, golden.deck, golden.dealer, golden.round)
    actions = []
    while not slow.terminated:
        options = slow.legal()
        actions.append(options[(golden.p * len(actions) + golden.q) % len(options)])
        slow.step(actions[-1])
    deal = given_deal(golden.deck, golden.dealer, golden.round)
    record = play(golden.variant, deal, [actions])
    for step, action in enumerate(actions):
        options = record["mask"][0, step].nonzero()[0]
        assert action == options[(golden.p * step + golden.q) % len(options)]
    end = len(actions)
    assert (slow.k, end) == (golden.k, golden.steps)
    assert record["terminated"][0].tolist().index(True) == end
    name = "NT" if slow.trump == NO_TRUMP else "CDHS"[slow.trump]
    if slow.turnup is not None:
        name += f" ({DECK.name(slow.turnup).upper()})"
    assert name == golden.trump
    assert int(record["trump"][0, 0]) == slow.trump
    assert int(record["turnup"][0, 0]) == (NO_CARD if slow.turnup is None else slow.turnup)
    assert [slow.bids[seat] for seat in range(slow.n)] == golden.bids
    assert record["bids"][0, end].tolist() == golden.bids
    assert slow.won == record["progress"][0, end].tolist() == golden.won
    assert slow.points() == record["points"][0, end].tolist() == golden.points
    assert record["returns"][0, end].tolist() == golden.points
