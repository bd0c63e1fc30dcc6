"""A table replays: the same seed and actions give the same cards and the same decisions."""

import numpy as np
import pytest
from play.evening import table_of
from support import quick

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.match import Match
from jaxcards.play.local import LocalPlayer, LocalTable
from jaxcards.rollouts import deal_keys
from jaxcards.view.text import Text


def finish(table):
    while not table.deal_over:
        person = table.player in table.people
        table.play(table.view(table.player).legal[0].action if person else table.decide())


def test_actions_replay():
    game = jaxcards.make("euchre")
    first, second = (table_of(game, seed=5) for _ in range(2))
    finish(first)
    for action in first.actions:
        if second.player != 0:
            assert second.decide() == action
        second.play(action)
    assert second.view(None) == first.view(None) and second.returns() == first.returns()


def test_the_first_deal_is_deal_0_of_the_seed():
    game = jaxcards.make("euchre")
    keys = deal_keys(9, jaxcards.rollouts.jnp.arange(2, dtype="uint32"))
    table = table_of(game, seed=9)
    names = [Text("seat.you"), *table.names[1:]]
    assert table.view(None).seats == game.view(game.init(keys[0])).named(names).seats
    finish(table)
    table.next_deal()
    assert table.number == 1 and table.history == []
    later = table_of(game, seed=9, number=1)
    assert later.view(None).with_totals(table.totals) == table.view(None)
    assert table.view(None).seats == game.view(game.init(keys[1])).named(names).seats


def test_a_match_goes_on_and_adds_up():
    game = jaxcards.make("euchre", target=3)
    table = table_of(game, seed=1, match=True)
    totals, deals = [0, 0, 0, 0], 0
    while not table.over:
        finish(table)
        scores = table.view(0).scores
        for score in scores:
            for seat in score.seats:
                totals[seat] += score.result
        deals += 1
        if not table.over:
            assert [s.total for s in scores] == totals[:2]
            table.next_deal()
            assert [s.total for s in table.view(0).scores] == totals[:2]
    assert max(totals) >= 3 and table.number == deals - 1 and len(table.history) > 20 * deals // 2
    replayed = table_of(game, seed=1, match=True)
    for action in table.history:
        if replayed.deal_over:
            replayed.next_deal()
        replayed.play(action)
    assert replayed.over and replayed.returns() == table.returns()
    with pytest.raises(UserError, match="cannot deal again"):
        replayed.next_deal()


@pytest.mark.slow
@pytest.mark.parametrize(
    "id, totals, num_deals, shown",
    [
        ("euchre/standard", [9, 7], 12, [9, 7]),
        pytest.param("rikiki/standard", [1, -2, 3, 4], 18, [1, -2, 3, 4], marks=pytest.mark.slow),
    ],
)
def test_a_match_begins_at_any_standing(id, totals, num_deals, shown):
    game = jaxcards.make(id)
    others = [LocalPlayer("random", RandomAgent(), ())] * (game.num_players - 1)
    occupants = [LocalPlayer("you"), *others]
    tables = [
        LocalTable(game, occupants, 3, match=True, totals=totals, num_deals=num_deals) for _ in range(2)
    ]
    assert [score.total for score in tables[0].view(0).scores] == shown
    while not tables[0].over:
        if tables[0].deal_over:
            tables[0].next_deal()
        finish(tables[0])
    more = tables[0].number - num_deals
    assert more <= (5 if id.startswith("euchre") else 1)  # 20 rounds; a point to win
    match = Match(game)
    key = deal_keys(3, np.arange(1, dtype=np.uint32))[0]
    state = match.init(key, totals=totals, num_deals=num_deals)
    step, mask = quick.jit(match.step), quick.jit(match.legal_action_mask)
    for action in tables[0].history:
        if tables[1].deal_over:
            tables[1].next_deal()
        assert tables[1].look.legal.tolist() == mask(state).tolist()
        tables[1].play(action)
        state = step(state, np.int32(action))
    assert tables[1].over and tables[1].returns() == tables[0].returns()
    assert tables[1].returns() == match.returns(state).tolist()
    assert tables[1].closed.totals == state.totals.tolist()


def test_a_standing_is_a_deal_of_the_same_cards():
    game = jaxcards.make("euchre")
    occupants = [LocalPlayer("you")] * 4
    fresh = LocalTable(game, occupants, 3, match=True)
    later = LocalTable(game, occupants, 3, match=True, totals=[9, 7], num_deals=12)
    assert later.view(0).seats == fresh.view(0).seats


def test_what_cannot_be_done():
    game = jaxcards.make("euchre")
    table = table_of(game, people=range(4))
    with pytest.raises(UserError, match="action 3 is not legal now"):
        table.play(3)
    with pytest.raises(UserError, match="action 99 is not legal"):
        table.play(99)
    with pytest.raises(UserError, match="is a person and must choose the action"):
        table.decide()
    with pytest.raises(UserError, match="cannot deal again: this one goes on"):
        table.next_deal()
    with pytest.raises(UserError, match="has 4 players, not 1"):
        LocalTable(game, [LocalPlayer("a", RandomAgent(), ())], 0, match=False)
    finish(table)
    with pytest.raises(UserError, match="the deal is over"):
        table.play(25)


def test_single_deals_add_up_without_a_target():
    table = table_of(jaxcards.make("euchre"))
    view = table.view(0)
    assert view.facts == () and all(score.total == 0 for score in view.scores)
    finish(table)
    points = table.look.points
    assert [score.total for score in table.view(0).scores] == points[:2]
    table.next_deal()
    assert [score.total for score in table.view(0).scores] == points[:2]
