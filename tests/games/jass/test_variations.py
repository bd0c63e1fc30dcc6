"""Worked examples of the rules that no preset has (docs/jass.md, 5)."""

import jax
import numpy as np
import pytest

import jaxcards
from games.features import by_name
from games.jass import reference
from games.jass.deals import FOUND
from games.jass.positions import reach
from games.jass.variants import rules_of
from jaxcards.champions.catalogue import cards, player_of
from jaxcards.testing import check_game
from jaxcards.testing.deals import quick_jit
from jaxcards.view.look import seen_by

PUSH, PREDICT = 42, 36
TOP, BOTTOM = 6, 7


@pytest.fixture(scope="module")
def guschti():
    game = jaxcards.make("jass/slalom", guschti=True, pushed_leader="by_mode")
    return game, quick_jit(game.step)


@pytest.fixture(scope="module")
def open_differenzler():
    game = jaxcards.make("jass/differenzler", open_predictions=True, exact_bonus=10, deals=16)
    return game, quick_jit(game.step)


def after(step, state, actions):
    for action in actions:
        state = step(state, np.int32(action))
    return state


def look(game, state, player):
    seen, mask = jax.device_get((game.observe(state, player), game.legal_action_mask(state)))
    over, points = bool(state.terminated), np.asarray(game.points(state))
    return seen_by(game, player, seen, mask, int(state.current_player), over, points)


def test_without_obenabe_and_undenufe_only_suits_are_chosen():
    game = jaxcards.make("jass/tournament", obenabe_undenufe=False)
    start = game.init(jax.random.key(0))
    for state, legal in ((start, [36, 37, 38, 39, PUSH]), (game.step(start, PUSH), [36, 37, 38, 39])):
        assert np.flatnonzero(game.legal_action_mask(state)).tolist() == legal


@pytest.mark.parametrize(
    ("mode", "number", "winner"), [(TOP, 5, 3), (TOP, 6, 2), (BOTTOM, 5, 2), (BOTTOM, 6, 3)]
)
def test_guschti_turns_after_five_tricks(guschti, mode, number, winner):
    """Swisslos: five tricks obenabe and four undenufe, or the other way round."""
    game, step = guschti
    trick = reference.cards("8h Kh 6h Ah")
    deal = reach(game.rules, mode, number, trick, [])
    state = after(step, game.init_from_deck(deal.deck, deal.dealer), deal.actions)
    assert int(state.current_player) == winner
    before = after(step, game.init_from_deck(deal.deck, deal.dealer), deal.actions[:-4])
    way = [fact.args["way"].key for fact in look(game, before, 0).facts if fact.key == "fact.trick"]
    assert way == ["way.high" if winner == 3 else "way.low"]


@pytest.mark.parametrize(("name", "leader"), [("choose guschti_top", 2), ("choose h", 0)])
def test_the_declarer_of_a_pushed_guschti_leads(guschti, name, leader):
    """jassverzeichnis.ch, on slalom: the partner who chooses leads; a trump suit leaves the lead."""
    game, step = guschti
    actions = [PUSH, game.string_to_action(name)]
    state = after(step, game.init_from_deck(list(range(36)), 3), actions)
    assert int(state.current_player) == leader
    assert look(game, state, 0).trump.key == ("mode.guschti_top.explained" if leader else "mode.suit")


@pytest.mark.parametrize(("order", "winner"), [("stock_weis_trick", 1), ("stock_trick_weis", 0)])
def test_the_order_at_the_target_decides_the_match(order, winner):
    """allmedias.ch names both orders: here the first trick brings 40 and Weis of the others 50."""
    totals, deal = (2470, 2460), FOUND["J-N3"]
    game = jaxcards.make("jass/swisslos", target_order=order)
    state = game.init_from_deck(deal.deck, deal.dealer, totals=totals)
    state = after(quick_jit(game.step), state, deal.actions)
    assert bool(state.terminated) and int(state.match_winner) == winner
    rules = rules_of("swisslos")
    rules.target_order = order
    assert reference.counting(rules, 2, totals, (0, 50), (0, 0), [(0, 40)]) == winner


def test_lines_of_a_score_have_stock_that_end_a_deal_unseen():
    deal = FOUND["J-N4"]
    game = jaxcards.make("jass/swisslos")
    state = game.init_from_deck(deal.deck, deal.dealer, totals=(2490, 2460))
    state = after(quick_jit(game.step), state, deal.actions)
    assert bool(state.terminated)
    first, second = look(game, state, 1).scores
    assert [(line.key, line.args["points"]) for line in first.lines] == [("line.stock", 20)]
    assert (first.result, second.result) == (20, sum(line.args["points"] for line in second.lines))


def test_open_predictions_are_seen_by_all(open_differenzler):
    game, step = open_differenzler
    start = game.init_from_deck(list(range(36)), 3, mode=0)
    state = after(step, start, [PREDICT + 157, PREDICT + 3])
    bids = [seat.bid and seat.bid.args["number"] for seat in look(game, state, 2).seats]
    assert bids == [157, 3, None, None]
    assert jax.device_get(game.history(game.observe(state, 2)).actions[:2]).tolist() == [193, 39]
    bits = by_name(game.feature_table, np.asarray(game.feature_words(game.observe(state, 2))))
    missing = {name: int(bits[f"points missing to {name}"].sum()) for name in ("partner", "previous")}
    assert missing == {"partner": 16, "previous": 3}, "levels -30, -18, … that 157 and 3 reach"


@pytest.mark.parametrize(("said", "points"), [(157, -10), (150, 7)])
def test_an_exact_prediction_above_0_is_credited(open_differenzler, said, points):
    """JassWiki, Differenzler (offen): ten points, and nothing for a prediction of 0."""
    game, step = open_differenzler
    tricks = [9 * seat + k for k in range(9) for seat in range(4)]
    start = game.init_from_deck(list(range(36)), 3, mode=0)
    state = after(step, start, [PREDICT + said, *[PREDICT] * 3, *tricks])
    assert game.points(state).tolist() == [points, 0, 0, 0]
    view = look(game, state, 0)
    assert view.result[0].key == ("result.exact" if points < 0 else "result.missed")
    assert view.result[0].args["points"] == abs(points)
    assert view.outcome == ("won" if points < 0 else "lost")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "changed"),
    [
        ("jass/slalom", {"guschti": True, "pushed_leader": "by_mode", "obenabe_undenufe": False}),
        ("jass", {"target_order": "stock_trick_weis", "target": 150, "finish": "immediate"}),
        ("jass/differenzler", {"open_predictions": True, "exact_bonus": 10, "deals": 16}),
    ],
)
def test_variations_behave_as_games(id, changed):
    alone = "open_predictions" in changed
    more = (lambda rng: {"mode": rng.integers(4)}) if alone else None
    check_game(jaxcards.make(id, **changed), more=more)


@pytest.mark.parametrize(
    ("id", "changed"),
    [
        ("jass/slalom", {"guschti": True}),
        ("jass/differenzler", {"open_predictions": True}),
    ],
)
def test_shipped_networks_have_learned_rules_without_a_preset(id, changed):
    game = jaxcards.make(id, **changed)
    assert game.id in cards()[player_of(game)]["presets"]
