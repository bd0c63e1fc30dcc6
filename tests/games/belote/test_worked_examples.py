"""Worked examples of the rules in docs/belote.md, by id: reference and compiled game."""

import dataclasses
from functools import cache

import jax.numpy as jnp
import pytest

from games.belote import examples, reference
from games.belote.examples import MODES, card_list, declaration_list
from games.belote.golden import GOLDEN
from games.belote.playout import calls_of, game_of, given_deals
from games.belote.reference import BID, COINCHE, NAME, PASS, SURCOINCHE
from games.belote.variants import rules_of
from games.rows import table, two
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote import declarations, score
from jaxcards.games.belote.declarations import declared_points
from jaxcards.games.belote.play import CONTRACT_WORD, DECK, bidder
from jaxcards.testing.deals import quick_jit


def by_rules(rows):
    """Return the same, once for each rule set of the second column."""
    params = []
    for row in rows:
        for name in row[1].split(", "):
            params.append(pytest.param([row[0], name, *row[2:]], id=f"{row[0]}-{name}"))
    return pytest.mark.parametrize("row", params)


@cache
def compiled(name: str):
    """Return the game of a rule set, its start, `step` and mask, compiled once."""
    game = game_of(name)
    start = quick_jit(lambda dealer: game.init_from_deck(jnp.arange(32), dealer))
    return game, start, quick_jit(game.step), quick_jit(game.legal_action_mask)


def position(name: str, mode: int, hands: list[list[int]], num_played: int = 0):
    """Return a state in which the play of `hands`, of any sizes, is open and seat 0 leads."""
    game, start, step, _ = compiled(name)
    state = start(3).with_public(mode=jnp.uint32(mode), num_played=jnp.uint32(num_played))
    held = tuple(CardSet.of(DECK, hand) for hand in hands)
    return dataclasses.replace(state, hands=held), step


@by_rules(examples.LEGAL)
def test_legal_cards(row):
    _, name, mode, on_table, hand, legal = row
    on_table, hand = card_list(on_table), card_list(hand)
    seats = [[c] for c in on_table] + [hand] + [[]] * 3
    state, step = position(name, MODES[mode], seats[:4])
    for c in on_table:
        state = step(state, jnp.int32(c))
    assert int(state.current_player) == len(on_table)
    mask = compiled(name)[3](state)
    assert jnp.flatnonzero(mask).tolist() == sorted(card_list(legal))


@by_rules(examples.LEGAL)
def test_legal_cards_rule(row):
    _, name, mode, on_table, hand, legal = row
    found = reference.legal_cards(rules_of(name), MODES[mode], card_list(on_table), card_list(hand))
    assert found == sorted(card_list(legal))


@table(examples.TRICKS)
def test_tricks(row):
    _, mode, trick, winner, points, eighth = row
    trick, last = card_list(trick), eighth == "8"
    state, step = position("coinche_nt_at", MODES[mode], [[c] for c in trick], 28 if last else 0)
    for c in trick:
        state = step(state, jnp.int32(c))
    progress = compiled("coinche_nt_at")[0].progress(state).tolist()
    assert progress == [int(points) if seat % 2 == int(winner) % 2 else 0 for seat in range(4)]
    number = 8 if last else 1
    assert int(state.public.winners) >> (2 * number - 2) & 3 == int(winner)
    assert int(state.current_player) == int(winner)
    assert bool(state.terminated) == last
    assert reference.trick_winner(MODES[mode], trick) == int(winner)
    assert reference.trick_points(MODES[mode], trick, number) == int(points)


@by_rules(examples.DECLARATIONS)
def test_declarations_of_a_hand(row):
    _, name, mode, hand, text = row
    want, rules = declaration_list(text), game_of(name).rules
    found = reference.declarations_of(rules_of(name), MODES[mode], card_list(hand))
    assert sorted((d.points, sorted(d.cards)) for d in found) == want
    if not rules.declarations:
        assert compiled(name)[1](0).declared is None
        return
    got = declarations.find(rules, CardSet.of(DECK, card_list(hand)), jnp.uint32(MODES[mode]))
    assert 10 * int(got.total) == sum(points for points, _ in want)
    assert 10 * int(got.best) == max((points for points, _ in want), default=0)
    assert declarations.cards_of(got).to_list() == sorted({c for _, cs in want for c in cs})


@by_rules(examples.CONTESTS)
def test_declaration_contests(row):
    _, name, dealer, mode, *hands, team, points = row
    mode, dealer, hands = MODES[mode], int(dealer), [card_list(hand) for hand in hands]
    want = None if team == "none" else int(team)
    assert reference.contest(rules_of(name), mode, dealer, hands) == (want, two(points))
    rules = game_of(name).rules
    found = [declarations.find(rules, CardSet.of(DECK, hand), jnp.uint32(mode)) for hand in hands]
    got = declarations.contest(rules, found, jnp.uint32((dealer + 1) % 4))
    assert [10 * int(points) for points in got] == two(points)


# --- Auctions -------------------------------------------------------------------------------------


def called(name: str, dealer: int, calls: list[int], deck=None):
    """Return the state after some calls, who is to act, and what is legal."""
    game, start, step, mask = compiled(name)
    state = start(dealer) if deck is None else game.init_from_deck(jnp.array(deck), dealer)
    for action in calls:
        assert bool(mask(state)[action])
        state = step(state, jnp.int32(action))
    return state, int(state.current_player), jnp.flatnonzero(mask(state)).tolist()


@pytest.mark.parametrize("id, name, passes, seat", [
    ("B-A1", "bela", 3, 2), ("B-A2", "forehand_must", 4, 3)
])  # fmt: skip
def test_who_must_name_trumps(id, name, passes, seat):
    state, player, legal = called(name, 2, [PASS] * passes)
    assert (player, legal) == (seat, [33, 34, 35, 36])
    state, player, legal = called(name, 2, [PASS] * passes + [NAME + 3])
    assert player == 3 and int(state.public.mode) == 3 and len(legal) == 8
    assert int(bidder(state.public)) == seat


TURNED_NINE = [*range(10), *range(11, 21), 10, *range(21, 32)]  # ♥9 is turned up


def test_a_card_turned_up():
    """B-A3 to B-A5."""
    assert called("belote_classic", 0, [], TURNED_NINE)[1:] == (1, [32, 34])
    assert called("belote_classic", 0, [PASS] * 4, TURNED_NINE)[1:] == (1, [32, 33, 35, 36])
    state, _, legal = called("belote_classic", 0, [PASS] * 8, TURNED_NINE)
    assert bool(state.terminated) and len(legal) == 37
    assert compiled("belote_classic")[0].points(state).tolist() == [0] * 4


def test_the_card_turned_up_is_taken():
    """B-A6: who takes it gets two of the last cards, the others three."""
    state, player, _ = called("belote_classic", 0, [PASS, NAME + 1], TURNED_NINE)
    hands = [[*range(16, 21), 29, 30, 31], [*range(5), 21, 22, 23], [*range(5, 11), 24, 25]]
    hands.append([*range(11, 16), 26, 27, 28])
    assert [hand.to_list() for hand in state.hands] == hands
    assert player == 1 and int(state.public.mode) == 1


def test_a_contract_auction():
    """B-A7 to B-A11."""
    calls = [BID + 6 * 2 + 1]
    state, player, legal = called("contree", 0, calls)
    bids = [BID + 6 * level + mode for level in range(3, 10) for mode in range(4)]
    assert (player, legal) == (2, [PASS, *bids, COINCHE])
    assert (len(legal), bids[0], bids[-1]) == (30, 55, 94)
    assert called("contree", 0, [*calls, COINCHE])[1:] == (3, [PASS, SURCOINCHE])
    assert called("contree", 0, [*calls, COINCHE, PASS])[1:] == (0, [PASS])
    assert called("contree", 0, [*calls, COINCHE, PASS, PASS])[1:] == (1, [PASS, SURCOINCHE])
    calls += [COINCHE, PASS, PASS, SURCOINCHE]
    state, player, _ = called("contree", 0, calls)
    contract = CONTRACT_WORD.unpack(state.public.contract)
    assert player == 1 and int(state.public.mode) == 1
    assert (int(contract.doubled), int(contract.bidder), int(contract.level)) == (2, 1, 3)
    assert calls_of("contree", state) == [((1 + k) % 4, call) for k, call in enumerate(calls)]


def test_the_longest_auction():
    """37 calls, and every one of them is kept."""
    calls = [PASS]
    for level in range(10):
        calls += [PASS, PASS, BID + 6 * level + level % 6]
    calls += [PASS, PASS, COINCHE, PASS, PASS, SURCOINCHE]
    assert len(calls) == 37
    state, _, legal = called("coinche_nt_at", 2, calls)
    assert int(state.public.mode) == 3 and len(legal) == 8
    assert calls_of("coinche_nt_at", state) == [((3 + k) % 4, call) for k, call in enumerate(calls)]


# --- Complete deals -------------------------------------------------------------------------------


def dealt_bela(*hands: str):
    """Return the start of a deal of Bela, seat 0 calling first; a hand is `six cards + two of the
    talon`.
    """
    six, talon = zip(*(hand.split("+") for hand in hands), strict=True)
    return compiled("bela")[0].init_from_deck(DECK.cards(" ".join(six + talon)), dealer=3)


def test_a_side_without_a_trick_loses_its_declarations():
    """Seats 1 and 3 declare 120 points and take no trick: these points are lost in Bela (4.6)."""
    game, _, step, mask = compiled("bela")
    state = dealt_bela(
        "Jd 9d Ad Kd 7d Ah + As 8d",
        "7s 8s 9s Ts Js Qs + Ks 7h",
        "Td Qd Ac 8h Jh Tc + 9h 7c",
        "Qh Th Qc 9c Kc Jc + Kh 8c",
    )
    state = step(state, jnp.int32(NAME))  # diamonds
    assert [10 * int(points) for points in declared_points(game.rules, state)] == [0, 120]
    plan = reference.cards("Ah As Jd 9d Ad Kd 8d 7d")
    while not state.terminated:
        legal = jnp.flatnonzero(mask(state)).tolist()
        first = state.current_player == 0
        action = next((c for c in plan if c in legal), None) if first else legal[0]
        state = step(state, jnp.int32(action))
    assert game.points(state).tolist() == [252, 0, 252, 0]
    transferring = dataclasses.replace(game.rules, capot_declarations="transfer")
    assert score.outcome(transferring, state).scores[0] == 372


def test_of_equal_runs_the_first_in_turn_counts():
    """Seat 1 has a run in trumps, seat 0 the same run in hearts and is first in turn (4.4)."""
    game, _, step, _ = compiled("bela")
    state = dealt_bela(
        "7h 8h 9h Kd Jc Ad + Tc Qs",
        "7s 8s 9s Kh Jd Qc + Ac Jh",
        "7d 8d Th Ah Ks Qh + Kc 9c",
        "Js As Ts 9d Qd Td + 7c 8c",
    )
    for action in (PASS, NAME + 2):  # spades
        state = step(state, jnp.int32(action))
    assert [10 * int(points) for points in declared_points(game.rules, state)] == [20, 0]
    found = [
        declarations.find(dataclasses.replace(game.rules, decl_trump_first=True), hand, jnp.uint32(2))
        for hand in state.hands
    ]
    preferred = declarations.contest(game.rules, found, jnp.uint32(0))
    assert [10 * int(points) for points in preferred] == [0, 20]


every_golden = pytest.mark.parametrize("golden", [pytest.param(g, id=g.id) for g in GOLDEN])


@every_golden
def test_golden_deals(golden):
    game, _, step, mask = compiled(golden.variant)
    state = game.init_from_deck(jnp.array(golden.deck), golden.dealer, carry=golden.carry)
    states = [state]
    for action in golden.actions:
        assert bool(mask(state)[action])
        state = step(state, jnp.int32(action))
        states.append(state)
    calls = len(golden.actions) - 32
    start = states[calls]
    assert (int(start.public.mode), int(bidder(start.public))) == (golden.mode, golden.bidder)
    dealt = [sorted(reference.cards(hand)) for hand in golden.hands]
    assert [hand.to_list() for hand in start.hands] == dealt
    for number, (leader, cards, winner, points) in enumerate(map(_trick, golden.tricks)):
        before, after = (states[calls + 4 * n] for n in (number, number + 1))
        assert int(before.current_player) == leader
        assert golden.actions[calls + 4 * number :][:4] == cards
        gained = (game.progress(after) - game.progress(before)).tolist()
        assert gained == [points if seat % 2 == winner % 2 else 0 for seat in range(4)]
        assert int(after.current_player) == winner
    assert bool(state.terminated)
    found = score.outcome(game.rules, state)
    assert game.progress(state).tolist() == golden.card_points * 2
    assert game.points(state).tolist() == golden.score * 2
    assert int(found.carry) == golden.carry_out
    assert (bool(found.made), bool(found.failed)) == (
        golden.outcome == "made",
        golden.outcome == "failed",
    )
    declared = declared_points(game.rules, state)
    assert [10 * int(points) for points in declared] == golden.declared
    belote = declarations.belote_points(game.rules, state.hands, state.public.mode)
    assert [int(points) for points in belote] == golden.belote


@every_golden
def test_golden_deals_in_full(golden):
    """Return facts that only the reference keeps: level, multiplier, declarations, outcome."""
    deal = given_deals([golden]).reference(golden.variant, 0)
    for action in golden.actions:
        assert action in deal.legal()
        deal.step(action)
    scores, outcome, carry = deal.outcome()
    assert (scores, outcome, carry) == (golden.score, golden.outcome, golden.carry_out)
    for (leader, cards, winner, points), trick in zip(deal.tricks, golden.tricks, strict=True):
        assert f"{leader}: {' '.join(map(reference.name, cards))} > {winner}, {points}" == trick
    said = deal.bidder, deal.level, deal.multiplier
    assert said == (golden.bidder, golden.level, golden.multiplier)
    assert golden.turn_up == (None if deal.turn_up is None else reference.name(deal.turn_up))
    found = [
        f"{seat}: {d.points} {' '.join(map(reference.name, d.cards))}"
        for seat in range(4)
        for d in deal.declarations[seat]
    ]
    assert found == golden.declarations
    assert (deal.decl_team, deal.decl_points) == (golden.declaring_team, golden.declared)
    assert deal.belote_points() == golden.belote


def _trick(text: str) -> tuple[int, list[int], int, int]:
    """(leader, cards, winner, points) of a text such as `2: 7c 6c Tc Ks > 1, 14`."""
    leader, rest = text.split(":")
    cards, outcome = rest.split(">")
    winner, points = two(outcome)
    return int(leader), reference.cards(cards), winner, points


def test_the_pack():
    """Section 2: ♦7 is 0, ♦10 is 3, ♦A is 7, ♥J is 12, ♠7 is 16, ♣A is 31."""
    texts = {"7d": 0, "Td": 3, "Ad": 7, "Jh": 12, "7s": 16, "Ac": 31, "Th": 11}
    for text, number in texts.items():
        assert DECK.card(text) == reference.card(text) == number
    assert CardSet.full(DECK).to_list() == list(range(32))
