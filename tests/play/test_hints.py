"""The player behind the hints of a game, and the belief of its search."""

import dataclasses
from types import SimpleNamespace

import jax
import numpy as np
import pytest
from support import quick
from support.marks import by_cost

import jaxcards
from jaxcards import registry
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.players import make_player
from jaxcards.agents.search import Belief, SearchAgent
from jaxcards.agents.search.agent import CLEAR
from jaxcards.agents.search.analysis import Analysis
from jaxcards.cards.actions import ActionSet
from jaxcards.champions.catalogue import load_agent, with_rollout_policy
from jaxcards.errors import UserError
from jaxcards.play.hints import Hint, Hints, Worth, hints
from jaxcards.review import Reviewer
from jaxcards.view.structure import Choice, View
from jaxcards.view.text import Text


def champion_or_heuristic(game):
    return lambda name: load_agent(game) if name == "champion" else (make_player(name, game), ())


@pytest.mark.parametrize("id", by_cost(registry.GAMES, {*registry.GAMES} - {"rikiki"}))
def test_the_champion_believes(id):
    game = jaxcards.make(id)
    found = hints(game, champion_or_heuristic(game), 8)
    assert found.search.belief == Belief() and found.search.worlds == 8
    assert found.search.base == with_rollout_policy(*load_agent(game))[0]
    assert found.name == "champion"


def test_the_heuristic_where_no_network_knows_the_rules():
    game = jaxcards.make("rikiki")

    def load(name):
        if name == "champion":
            raise UserError("no shipped player")
        return make_player(name, game), ()

    found = hints(game, load, 8)
    assert found.search.belief is None and found.name == "heuristic"
    assert found.search.base == make_player("heuristic", game)


def test_probabilities_come_without_a_search(monkeypatch):
    game = jaxcards.make("rikiki", num_players=3, schedule=(2,))
    network = NetworkAgent(game, (8,))
    params, deal = network.init(jax.random.key(0), game), game.init(jax.random.key(1))
    by = Hints(game, network, params, worlds=16, name="champion")
    monkeypatch.setattr(SearchAgent, "analyse", None)
    seen, legal = game.observe(deal, deal.current_player), game.legal_actions(deal)
    hint = by.hint_from(seen, legal, 0, values=False)
    expected = network.log_probabilities(params, seen, legal)
    assert [worth.action for worth in hint.worths] == np.argsort(-expected, stable=True)[:3].tolist()
    assert [worth.value for worth in hint.worths] == [None] * 3
    for worth in hint.worths:
        assert worth.policy == pytest.approx(float(np.exp(expected[worth.action])), rel=1e-5)


@pytest.mark.slow  # compiles a search twice
def test_a_hint_is_what_the_search_finds():
    game = jaxcards.make("rikiki", num_players=3, schedule=(2,))
    network = NetworkAgent(game, (8,))
    params = network.init(jax.random.key(0), game)
    belief = Belief(draws=8, calls=1.0, cards=1.0, floor=0)
    search = SearchAgent(game, network, threshold=0.5, belief=belief)
    deal = game.init(jax.random.key(1))
    for _ in range(2):
        deal = game.step(deal, game.legal_actions(deal).nth(jax.numpy.int32(0)))
    by = Hints(game, search, params, worlds=16, name="champion")
    own = {"candidates": by.search.candidates, "threshold": CLEAR}
    assert by.search == dataclasses.replace(search, worlds=16, **own)

    def values(search):
        def look(deal):
            seen, legal = game.observe(deal, deal.current_player), game.legal_actions(deal)
            return search.analyse(params, seen, legal, jax.numpy.array([3, 0x48696E74], "uint32"))

        found = quick.jit(look)(deal)
        return dict(zip(found.action.tolist(), found.value.tolist(), strict=True))

    hint, expected = by.hint(deal, 3), values(by.search)
    assert {w.action: pytest.approx(w.value) for w in hint.worths}.items() <= expected.items()
    assert expected != values(dataclasses.replace(by.search, belief=None))


@pytest.mark.parametrize(
    "gains, errors, chosen, key, other",
    [
        ([0, -3, -2], [0, 1, 0.9], 10, "hint.best", None),
        ([0, -3, -1], [0, 1, 0.9], 10, "hint.equal", 12),
        ([0, 2.5, -9], [0, 1, 1], 11, "hint.better", 10),
        ([0, 0, -9], [0, 0, 1], 10, "hint.equal", 11),
        ([0, 5, 0], [0, 1, 9], 10, "hint.calls", 11),
        ([0, 1.5, -9], [0, 1, 1], 10, "hint.equal", 11),
    ],
)
def test_a_hint_prefers_an_action_by_two_standard_errors(gains, errors, chosen, key, other):
    found = SimpleNamespace(action=[10, 11, 12], gain=np.array(gains), gain_error=np.array(errors))
    hints = SimpleNamespace(name="champion", worlds=64)
    reason, compared = Hints._reason(hints, found, chosen, 3)
    assert (reason.key, compared) == (key, other)


@pytest.mark.parametrize("gain, chosen", [(1.5, 10), (2.5, 11)])
def test_the_search_overrules_the_expert_by_two_standard_errors(gain, chosen):
    game = jaxcards.make("rikiki")
    agent = make_player("heuristic", game)
    eager = SearchAgent(game, agent, threshold=0.5)
    values = np.array([0, gain]), np.array([0, 1.0])
    found = Analysis(np.array([10, 11]), np.array([True, True]), *([values[0]] * 3), *values, None)
    legal = ActionSet(game.action_layout, game.action_layout.constant([10, 11]))
    for by in (Hints(game, eager, (), worlds=8, name="champion"), Reviewer(game, eager, ())):
        assert int(by.search.choice(found, legal)) == chosen


def test_a_card_that_leaves_the_hand_is_named_alone():
    keys = ("do.play", "do.pass_card", "do.bury", "do.discard", "do.call")
    choices = tuple(Choice(n, Text(key, card=0), "play", 0) for n, key in enumerate(keys))
    view = View("g", ("♥10",), 0, (), 0, None, Text("ask.play"), choices=choices)
    assert [view.say(view.short(n)) for n in range(5)] == ["♥10"] * 4 + ["call ♥10"]


def test_a_hint_names_the_card_that_it_compares_with():
    choices = tuple(Choice(card, Text("do.play", card=card), "play", card) for card in (0, 1))
    view = View("g", ("♥10", "♠A"), 0, (), 0, None, Text("ask.play"), choices=choices)
    played = {"player": Text("hint.champion"), "worlds": 64, "gain": 1.5, "error": 0.5}
    hint = Hint((Worth(0, 0.4, 2.0, 0.5), Worth(1, 0.6, 0.5, 0.5)), Text("hint.better", **played), 1)
    ahead = dataclasses.replace(view, deal_unit="points_ahead")
    said = "it came out 1.5 ± 0.5 points better than ♠A"
    said = f"the expert chooses it after 64 deals played out: {said}"
    assert view.say(hint.said(view)) == ahead.say(hint.said(ahead)) == said
