"""Worked examples of the rules in docs/jass.md, by id: reference and compiled game."""

from types import SimpleNamespace

import pytest

from games.jass import examples, reference
from games.jass.deals import FOUND
from games.jass.examples import MODES, card_list
from games.jass.golden import GOLDEN
from games.jass.peers import peer, peer_param
from games.jass.playout import Line, given_deals, play
from games.jass.positions import choose_action, fill, reach
from games.jass.variants import SHORTHANDS, rules_of
from games.rows import both, table, two


def backends(rows):
    """Parametrize a test by rows and by player; the engine compiles for rare rules."""

    def of(row, backend):
        rare = backend == "engine" and row[1] in SHORTHANDS
        return pytest.param(row, backend, id=f"{backend}-{row[0]}", marks=[pytest.mark.slow] * rare)

    pairs = [of(row, backend) for backend in ("reference", "engine") for row in rows]
    return pytest.mark.parametrize(("row", "backend"), pairs)


def slalom_or(name: str, mode: str) -> str:
    return "slalom" if mode.startswith("slalom") else name


@table(examples.LEGAL)
@both
def test_legal_cards(row, backend):
    _, name, mode, on_table, hand, legal = row
    hand, on_table = card_list(hand), card_list(on_table)
    deal = reach(rules_of(name), MODES[mode], 10 - len(hand), on_table, hand)
    line = Line(backend, name, deal, deal.actions)
    assert line.end["player"] == len(on_table)
    assert line.end["legal"] == sorted(card_list(legal))


@table(examples.LEGAL)
def test_legal_cards_rule(row):
    _, name, mode, on_table, hand, legal = row
    found = reference.legal_cards(rules_of(name), MODES[mode], card_list(on_table), card_list(hand))
    assert found == sorted(card_list(legal))


@table(examples.TRICKS)
@both
def test_tricks(row, backend):
    _, mode, number, trick, winner, points = row
    name, number = slalom_or("schieber_1000", mode), int(number)
    deal = reach(rules_of(name), MODES[mode], number, card_list(trick), [])
    line = Line(backend, name, deal, deal.actions)
    before, after = line[-5]["progress"], line.end["progress"]
    gained = [b - a for a, b in zip(before, after, strict=True)]
    team = int(winner) % 2
    assert gained == [int(points) if seat % 2 == team else 0 for seat in range(4)]
    if number < 9:
        assert line.end["player"] == int(winner)
    assert line.end["terminated"] == (number == 9)


@table(examples.TRICKS)
def test_tricks_rule(row):
    _, mode, number, trick, winner, points = row
    arguments = MODES[mode], card_list(trick), int(number)
    assert reference.trick_winner(*arguments) == int(winner)
    assert reference.trick_points(*arguments) == int(points)


@backends(examples.WEIS)
def test_weis_of_a_hand(row, backend):
    _, name, mode, hand, weis = row
    want = examples.weis_list(weis)
    total, best = sum(p for p, _ in want), max(p for p, _ in want)
    deal = fill(rules_of(name), MODES[mode], {0: card_list(hand)}, leader=0)
    line = Line(backend, name, deal, deal.actions)
    assert line.end["announced"] == [-1] * 4
    assert line[2]["announced"] == [best, -1, -1, -1]
    assert line[4]["shown"] == [[]] * 4
    assert line[5]["announced"] == [best, 0, 0, 0]
    assert line[5]["shown"][0] == sorted({c for _, cards in want for c in cards})
    assert line[5]["shown"][1:] == [[]] * 3
    assert line.weis_points() == [total, 0]


@table(examples.WEIS)
def test_weis_of_a_hand_rule(row):
    _, name, mode, hand, weis = row
    found = reference.weis_of_hand(rules_of(name), MODES[mode], card_list(hand))
    assert sorted((w.points, sorted(w.cards)) for w in found) == examples.weis_list(weis)


@backends(examples.CONTESTS)
def test_weis_contests(row, backend):
    _, name, leader, mode, *hands, team, points = row
    partial = {seat: card_list(hand) for seat, hand in enumerate(hands)}
    deal = fill(rules_of(name), MODES[mode], partial, int(leader))
    line = Line(backend, name, deal, deal.actions)
    assert line.end["player"] == int(leader)
    assert line.weis_points() == two(points)
    shown = [seat for seat in range(4) if line[5]["shown"][seat]]
    assert shown == [seat for seat in range(4) if partial[seat] and seat % 2 == int(team)]


@table(examples.CONTESTS)
def test_weis_contests_rule(row):
    _, name, leader, mode, *hands, team, points = row
    hands = [card_list(hand) for hand in hands]
    found = reference.weis_contest(rules_of(name), MODES[mode], int(leader), hands)
    assert found == (int(team), two(points))


@table(examples.SCORES)
@both
def test_scores(row, backend):
    id_, name, mode, card_points, _, weis, stock, score = row
    deal = FOUND[id_]
    line = Line(backend, name, deal, deal.actions)
    assert line.legally_played()
    assert line.mode == MODES[mode]
    assert line.end["terminated"]
    assert line.end["progress"] == two(card_points) * 2
    assert line.end["points"] == two(score) * 2
    assert line.weis_and_stock() == [w + s for w, s in zip(two(weis), two(stock), strict=True)]


@table(examples.SCORES)
def test_scores_rule(row):
    _, name, mode, card_points, tricks, weis, stock, score = row
    numbers = (two(cell) for cell in (card_points, tricks, weis, stock))
    assert reference.deal_score(rules_of(name), MODES[mode], *numbers) == two(score)


@table(examples.TARGETS)
@both
def test_reaching_the_target(row, backend):
    id_, totals, _, _, _, _, tricks, winner = row
    deal, tricks, winner = FOUND[id_], examples.trick_list(tricks), examples.winner(winner)
    arguments = {"totals": tuple(two(totals))}
    line = Line(backend, "swisslos", deal, deal.actions, arguments)
    assert line.end["match_winner"] == winner
    assert line.end["terminated"] == (winner is not None)
    assert line.tricks() == tricks[: len(line.tricks())]
    # In J-N6 the second of the three tricks ends the match, all others use every trick.
    assert len(line.tricks()) == (2 if id_ == "J-N6" else len(tricks))
    if winner is not None:
        at_the_end = Line(backend, "schieber_2500", deal, deal.actions, arguments).last
        assert at_the_end["terminated"] and at_the_end["match_winner"] == winner


@table(examples.TARGETS)
def test_reaching_the_target_rule(row):
    _, totals, target, mode, weis, stock, tricks, winner = row
    rules = rules_of("swisslos")
    assert rules.target == int(target)
    numbers = (two(cell) for cell in (totals, weis, stock))
    found = reference.counting(rules, MODES[mode], *numbers, examples.trick_list(tricks))
    assert found == examples.winner(winner)


def score_of(backend: str, deal: SimpleNamespace) -> list[int]:
    """Return the points of the two teams in a tournament deal."""
    if backend == "jass-kit":
        return peer(backend).play(deal.deck, deal.dealer, deal.actions).score
    if backend == "engine":
        record = play("tournament", given_deals([deal]), [deal.actions])
        return record["points"][0, -1, :2].tolist()
    played = reference.ReferenceDeal(rules_of("tournament"), deal.deck, deal.dealer)
    for action in deal.actions:
        played.step(action)
    return played.score()


@pytest.mark.parametrize("backend", ["reference", "engine", peer_param("jass-kit")])
def test_all_tricks_of_a_tournament_deal_score_157(backend):
    """Each seat holds one suit; seat 0 makes its diamonds trump and takes every trick."""
    deal = SimpleNamespace(
        deck=list(range(36)),
        dealer=3,
        actions=[choose_action(MODES["d"])] + [9 * seat + k for k in range(9) for seat in range(4)],
        arguments={},
    )
    assert score_of(backend, deal) == [157, 0]


@both
def test_choosing(backend):
    """J-A1 to J-A3: dealer 3, seat 0 first; after a push its partner; then seat 0 leads."""
    deal = FOUND["J-S1"]
    deal = type(deal)(deck=deal.deck, dealer=3, actions=[42, 40], arguments={})
    line = Line(backend, "schieber_1000", deal, deal.actions)
    assert (line[0]["player"], line[0]["legal"]) == (0, list(range(36, 43)))
    assert (line[1]["player"], line[1]["legal"]) == (2, list(range(36, 42)))
    assert line[2]["player"] == 0
    assert line[2]["legal"] == sorted(deal.deck[:9])
    assert [view[71] for view in line[1]["swisslos"]] == [0] * 4
    assert [view[71] for view in line[2]["swisslos"]] == [5] * 4  # undenufe


@both
def test_swisslos_codes(backend):
    """docs/jass.md, 7.5: 9 of clubs = 12 = code 13, ace of spades = 35 = code 36, obenabe = code 6."""
    assert (reference.card("9c"), reference.card("As")) == (12, 35)
    deal = reach(rules_of("tournament"), MODES["obe"], 1, [12, 35], [])
    vector = Line(backend, "tournament", deal, deal.actions).end["swisslos"][0]
    assert vector[32:35] == [13, 36, 0]
    assert vector[71] == 6


@pytest.mark.parametrize("golden", [pytest.param(g, id=g.id) for g in GOLDEN])
@both
def test_golden_deals(golden, backend):
    line = Line(backend, golden.variant, golden, golden.actions)
    assert line.legally_played()
    hands = [[c + 1 for c in sorted(reference.cards(hand))] for hand in golden.hands]
    assert [view[35:44] for view in line[0]["swisslos"]] == hands
    first = line[len(golden.actions) - 4 * len(golden.tricks)]
    assert [view[71] for view in first["swisslos"]] == [golden.mode + 1] * 4
    assert line.tricks() == [(w % 2, p) for *_, w, p in map(_trick, golden.tricks)]
    for number, (leader, cards, winner, _) in enumerate(map(_trick, golden.tricks)):
        start = len(golden.actions) - 4 * (len(golden.tricks) - number)
        assert line[start]["player"] == leader
        assert line.actions[start : start + 4] == cards
        if not line[start + 4]["terminated"]:
            assert line[start + 4]["player"] == winner
    alone = golden.variant == "differenzler"
    assert line.end["terminated"]
    assert line.end["progress"] == (golden.card_points if alone else golden.card_points * 2)
    assert line.end["points"] == golden.points
    assert line.end["match_winner"] == golden.match_winner
    announced = [0] * 4
    shown: list[list[int]] = [[], [], [], []]
    for text in golden.weis:
        seat, points, *cards = text.replace(":", "").split()
        announced[int(seat)] = max(announced[int(seat)], int(points))
        if int(seat) % 2 == golden.weis_team:
            shown[int(seat)] += reference.cards(" ".join(cards))
    assert line.end["announced"] == announced
    assert line.end["shown"] == [sorted(cards) for cards in shown]


@pytest.mark.parametrize("golden", [pytest.param(g, id=g.id) for g in GOLDEN])
def test_golden_deals_in_full(golden):
    """Return facts that only the reference keeps: declarer, push, single Weis, Stöck, predictions."""
    line = Line("reference", golden.variant, golden, golden.actions)
    deal = line.deal
    assert (deal.mode, deal.pushed, deal.declarer) == (golden.mode, golden.pushed, golden.declarer)
    weis = [
        f"{seat}: {w.points} {' '.join(reference.RANKS[c % 9] + 'dchs'[c // 9] for c in w.cards)}"
        for seat in range(4)
        for w in sorted(deal.weis[seat], key=lambda w: w.cards)
    ]
    assert weis == golden.weis
    assert (deal.weis_team, deal.weis_points) == (golden.weis_team, golden.weis_points)
    assert reference.stock_seat(deal.rules, deal.mode, deal.dealt) == golden.stock
    if golden.predictions:
        assert deal.predictions_by_seat() == golden.predictions


def _trick(text: str) -> tuple[int, list[int], int, int]:
    """(leader, cards, winner, points) of a text such as `2: 7c 6c Tc Ks > 1, 14`."""
    leader, rest = text.split(":")
    cards, outcome = rest.split(">")
    winner, points = two(outcome)
    return int(leader), reference.cards(cards), winner, points
