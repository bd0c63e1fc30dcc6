"""Reviews: values are those of the search, hidden cards have no influence, and pages stand alone."""

import dataclasses
import json
import re
import sys
from html.parser import HTMLParser

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import minimax, quick

import jaxcards
from jaxcards import records, xla
from jaxcards.agent import RandomAgent
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.analysis import analyse
from jaxcards.agents.search.belief import Belief
from jaxcards.errors import UserError
from jaxcards.match import Match
from jaxcards.review import Reviewer, review, to_html, to_text, values

GAME = jaxcards.make("rikiki", num_players=3, schedule=(4,))
NETWORK = NetworkAgent(GAME, (8,), greedy=True)
# It leaves the policy for whatever seems better, calls included: the two differ even in a short deal.
SEARCH = SearchAgent(GAME, NETWORK, threshold=0.0, calls=True)
WORLDS, SEED = 8, 3


@pytest.fixture(scope="module", autouse=True)
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        patch.setattr(sys.modules[Reviewer.__module__], "CLEAR", 0.0)  # see SEARCH
        yield


@pytest.fixture(scope="module")
def params():
    return NETWORK.init(jax.random.key(0), GAME)


@pytest.fixture(scope="module")
def record():
    return records.play_deal(GAME, RandomAgent(), (), jax.random.key(5))


@pytest.fixture(scope="module")
def reviewed(record, params):
    (found,) = review(record, SEARCH, params, worlds=WORLDS, seed=SEED, name="the network")
    return found


def test_moves_are_those_of_the_record(reviewed, record):
    replayed = records.replay(record)
    masks = quick.jit(jax.vmap(GAME.legal_action_mask))(replayed.states)
    assert [move.played for move in reviewed.moves] == list(record.actions)
    assert [move.number for move in reviewed.moves] == list(range(len(record.actions)))
    for move in reviewed.moves:
        state = replayed.state(move.number)
        legal = np.flatnonzero(masks[move.number]).tolist()
        assert move.player == int(state.current_player)
        assert sorted(option.action for option in move.options) == legal
        assert {move.choice, move.liked} <= set(legal)
        assert sum(option.policy for option in move.options) == pytest.approx(1, abs=1e-4)


@pytest.mark.slow
def test_values_are_those_of_the_search(reviewed, record, params):
    """Decision by decision, with all legal actions as candidates and the same worlds."""
    replayed = records.replay(record)
    keys = values.keys_of(SEED, 0, len(record.actions))
    most = GAME.action_layout.most
    search = dataclasses.replace(SEARCH, worlds=WORLDS, candidates=most)

    @quick.jit
    def look(state, key):
        observation = GAME.observe(state, state.current_player)
        legal = GAME.legal_actions(state)
        found = analyse(GAME, NETWORK, params, observation, legal, key, worlds=WORLDS, candidates=most)
        return found, search.choice(found, legal)

    searched = 0
    for move in reviewed.moves:
        if move.forced:
            continue
        found, choice = look(replayed.state(move.number), keys[move.number])
        assert move.choice == int(choice) and move.liked == int(found.action[0])
        for place in np.flatnonzero(found.legal):
            option = move.option(int(found.action[place]))
            expected = found.value[place], found.value_error[place], found.policy[place]
            own = option.value, option.value_error, option.policy
            np.testing.assert_allclose(own, expected, atol=1e-5)
            # The search measures against the policy's choice, a review against the search's.
            if move.choice == move.liked:
                assert option.cost == pytest.approx(-float(found.gain[place]), abs=1e-5)
                assert option.cost_error == pytest.approx(float(found.gain_error[place]), abs=1e-5)
        searched += 1
    assert searched > 8


def test_costs_are_against_the_choice(reviewed):
    different = 0
    for move in reviewed.moves:
        assert (move.option(move.choice).cost, move.option(move.choice).cost_error) == (0, 0)
        if move.forced:
            assert (move.cost, move.cost_error, move.options[0].value) == (0, 0, None)
            continue
        best = move.option(move.choice).value
        for option in move.options:
            assert option.cost == pytest.approx(best - option.value, abs=1e-5)
        assert [o.cost for o in move.options] == sorted(o.cost for o in move.options)
        different += not move.agrees
    assert any(move.choice != move.liked for move in reviewed.moves), (
        "the search never leaves the policy"
    )
    assert different and any(move.forced for move in reviewed.moves)


def test_the_worst_moves_come_first(reviewed):
    worst = reviewed.worst()
    costs = [move.cost for move in reviewed.moves]
    dear = [cost for cost in sorted(costs, reverse=True) if cost > 0]
    assert [move.cost for move in worst] == dear[:3] and len(reviewed.worst(1)) == 1
    tallies = reviewed.tallies()
    assert sum(tally.cost for tally in tallies) == pytest.approx(sum(costs))
    assert sum(tally.choices for tally in tallies) == sum(not m.forced for m in reviewed.moves)


def test_hidden_cards_have_no_influence(reviewed, record, params):
    """Each decision again, in a deal that looks the same to the player and hides other cards."""
    states = records.replay(record).states
    search = SearchAgent(GAME, NETWORK, worlds=WORLDS)
    free = [move.number for move in reviewed.moves if not move.forced]
    own = jax.tree.map(lambda leaf: leaf[np.array(free)], states)
    keys = values.keys_of(SEED, 0, len(record.actions))[np.array(free)]
    redeal = quick.jit(jax.vmap(lambda key, state: GAME.determinize(key, state, state.current_player)))
    others = redeal(jax.random.split(jax.random.key(9), len(free)), own)
    hidden = jax.vmap(lambda s: jnp.stack([h.words[0] for h in GAME.card_places(s).hands]))
    assert (hidden(own) != hidden(others)).any()
    here = values.decisions(search, params, own, keys)
    there = values.decisions(search, params, others, keys)
    for name in ("mask", "action", "score"):
        np.testing.assert_allclose(getattr(here, name), getattr(there, name), atol=1e-5)
    np.testing.assert_array_equal(here.returns, there.returns)


@pytest.mark.slow
def test_worlds_are_weighted_by_the_belief_of_the_search(reviewed, record, params):
    last = max(move.number for move in reviewed.moves if not move.forced)
    state = jax.tree.map(lambda leaf: leaf[last], records.replay(record).states)
    key = values.keys_of(SEED, 0, len(record.actions))[last]
    found = {}
    for belief in (None, Belief(draws=8, calls=1.0, cards=1.0, floor=0)):
        search = SearchAgent(GAME, NETWORK, worlds=WORLDS, belief=belief)
        one = jax.tree.map(lambda leaf: leaf[None], state)
        row = values.decisions(search, params, one, key[None])

        def look(state, search=search):
            seen, legal = GAME.observe(state, state.current_player), GAME.legal_actions(state)
            return search.analyse(params, seen, legal, key)

        expected = quick.jit(look)(state)
        analysis, _ = values.analyses(search, row, np.array([state.current_player]))
        number = int(expected.legal.sum())
        np.testing.assert_allclose(analysis.value[0][:number], expected.value[:number], atol=1e-5)
        found[belief] = row.returns
    assert len({returns.tobytes() for returns in found.values()}) == 2


@pytest.mark.slow
def test_the_last_cards_with_open_hands_are_worth_what_minimax_says():
    game, states = jaxcards.make("euchre"), euchre_deal()
    found = values.with_open_hands(game, states, cards=2)
    solved = ~np.isnan(found).all(1)
    assert solved.tolist() == [left <= 2 for left in np.asarray(most_cards(game)(states))]
    assert solved.sum() >= 6 and (~np.isnan(found)).sum() > solved.sum()
    # Both partners get what the other side loses.
    last = jax.tree.map(lambda leaf: np.asarray(leaf)[solved], states)
    np.testing.assert_array_equal(4 * found[solved], minimax.values(game, last))


def most_cards(game):
    return quick.jit(jax.vmap(lambda state: game.cards_to_play(state).max()))


@pytest.mark.slow
def test_nothing_is_solved_where_all_play_alone_or_it_is_not_wanted(record):
    states = jax.tree.map(lambda leaf: leaf[:-1], records.replay(record).states)
    assert np.isnan(values.with_open_hands(GAME, states, cards=2)).all()
    euchre = jaxcards.make("euchre")
    assert np.isnan(values.with_open_hands(euchre, euchre_deal(), cards=0)).all()


def euchre_deal():
    record = records.play_deal(jaxcards.make("euchre"), RandomAgent(), (), jax.random.key(4))
    return jax.tree.map(lambda leaf: leaf[:-1], records.replay(record).states)


@pytest.mark.slow
def test_the_number_of_lanes_changes_nothing(record, params, reviewed, monkeypatch):
    monkeypatch.setattr(values, "_STATES", 5 * WORLDS)
    monkeypatch.setattr(values, "_PLAYED", 5 * WORLDS)
    seen = []
    (found,) = review(
        record, SEARCH, params, worlds=WORLDS, seed=SEED, name="the network",
        progress=lambda deal, done, all: seen.append((deal, done, all)),
    )  # fmt: skip
    for ours, theirs in zip(found.moves, reviewed.moves, strict=True):
        assert (ours.choice, ours.played, ours.liked) == (theirs.choice, theirs.played, theirs.liked)
        assert ours.cost == pytest.approx(theirs.cost, abs=1e-4)
    lanes = [len(move.options) for move in found.moves if not move.forced]
    ends = np.cumsum(lanes)
    done = [sum(ends <= lane) for lane in [*range(0, ends[-1], 5), ends[-1]]]
    assert seen == [(0, number, len(lanes)) for number in done]


def test_a_deal_that_is_not_over(record, params, reviewed):
    part = dataclasses.replace(record, actions=record.actions[:5], points=None)
    (found,) = review(part, SEARCH, params, worlds=WORLDS, seed=SEED)
    assert [(m.choice, m.cost) for m in found.moves] == [(m.choice, m.cost) for m in reviewed.moves[:5]]
    nothing = dataclasses.replace(record, actions=(), points=None)
    found = review(nothing, NETWORK, params, worlds=WORLDS)
    assert found[0].moves == () and "nothing was played" in to_text(found)
    assert "Nothing was played" in to_html(found)


@pytest.mark.slow
def test_a_match_is_reviewed_deal_by_deal(params):
    game = jaxcards.make("rikiki", num_players=3, schedule=(1, 2))
    network = NetworkAgent(game, (8,))
    match = records.play_match(Match(game), RandomAgent(), (), jax.random.key(1))
    found = review(match, network, network.init(jax.random.key(0), game), worlds=4)
    assert [one.record for one in found] == list(match.deals) and len(found) == 2
    assert "\ndeal 1\n" in to_text(found) and 'href="#deal-1"' in to_html(found)


def test_records_that_do_not_fit(record, params):
    wrong = dataclasses.replace(record, points=tuple(p + 1 for p in record.points))
    with pytest.raises(UserError, match="points"):
        review(wrong, NETWORK, params)
    other = jaxcards.make("rikiki", num_players=3, schedule=(5,))
    with pytest.raises(UserError, match="the record is of .*, not of"):
        Reviewer(other, NETWORK, params).deal(record)


@pytest.fixture
def solved(reviewed):
    """Return a review whose first move with a choice was solved: best action 3, others -1."""
    moves = list(reviewed.moves)
    place = next(place for place, move in enumerate(moves) if not move.forced)
    move, best = moves[place], moves[place].options[-1].action
    options = [
        dataclasses.replace(option, double_dummy=3.0 if option.action == best else -1.0)
        for option in move.options
    ]
    worst = dataclasses.replace(options[0], cost=99.0)
    moves[place] = dataclasses.replace(move, played=worst.action, options=(worst, *options[1:]))
    return dataclasses.replace(reviewed, moves=tuple(moves)), moves[place]


def test_what_open_hands_say_is_shown(reviewed, solved):
    review, move = solved
    assert move.double_dummy_cost == 4.0 and review.worst()[0] == move
    line, text = "cost with open hands", to_text([review])
    assert line in text and line not in to_text([reviewed])
    (row,) = [row for row in text.splitlines() if row.startswith(f"{move.number:3}  ") and "%" in row]
    assert row.endswith("4.00")
    page = to_html([review])
    assert page.count("<th>with open hands</th>") == 1 and "<td>3.00</td>" in page
    assert "with open hands" not in to_html([reviewed])
    found = review.to_dict()["moves"][move.number]
    assert found["double_dummy_cost"] == 4.0
    assert {option["double_dummy"] for option in found["options"]} == {3.0, -1.0}
    assert reviewed.to_dict()["moves"][move.number]["double_dummy_cost"] is None


# --- Text, JSON, HTML ---------------------------------------------------------------------------


def test_text(reviewed):
    text = to_text([reviewed])
    worst = reviewed.worst()[0]
    played = worst.option(worst.played).name
    assert f"{worst.number:3}  seat {worst.player}: {played}, which cost {worst.cost:.2f}" in text
    assert sum(line.endswith("only one") for line in text.splitlines()) == sum(
        move.forced for move in reviewed.moves
    )


def test_penalty_points_are_expected_and_paid_without_a_sign(reviewed):
    """As on the page: results count in the unit of the game, costs in that of their differences."""
    worst = reviewed.worst(1)[0]
    option = worst.options[0]
    for unit, gains, sign in (
        ("points", "points", 1), ("points_ahead", "points", 1), ("penalty_points", "penalty points", -1)
    ):  # fmt: skip
        found = dataclasses.replace(reviewed)
        found.__dict__["view"] = dataclasses.replace(reviewed.view, deal_unit=unit)
        text, page = to_text([found]), to_html([found])
        told = f"expected results are {unit.replace('_', ' ')}, costs are {gains}, ± standard error"
        assert told in text and told.capitalize() in page
        assert f"{gains} by seat: " in text and f"<th>{gains}</th>" in page
        value = f"{sign * option.value:.2f} ± {option.value_error:.2f}"
        assert value in text and f"<td>{value}</td>" in page
        facts = found.to_dict()
        assert facts["unit"] == unit
        assert facts["moves"][worst.number]["options"][0]["value"] == sign * option.value
        assert "policy" not in text and "policy" not in page


def test_names_of_players_are_told_apart(reviewed):
    record = dataclasses.replace(reviewed.record, players=("Ann", "Bob", "Ann"))
    names = dataclasses.replace(reviewed, record=record).names
    assert names == ("Ann 0", "Bob", "Ann 2")


def test_cards_that_nobody_saw_are_named(reviewed):
    record = dataclasses.replace(reviewed.record, unknown=(50, 51))
    unseen = [dataclasses.replace(reviewed, record=record)]
    assert "2 cards of this record were never seen" in to_text(unseen)
    assert "2 cards of this record were never seen" in to_html(unseen)


def test_json(reviewed):
    found = json.loads(json.dumps(reviewed.to_dict()))
    assert found["worst"] == [move.number for move in reviewed.worst()]
    assert found["moves"][0]["options"][0]["name"] == reviewed.moves[0].options[0].name
    assert found["points"] == list(reviewed.record.points) and found["unit"] == "points"


class Page(HTMLParser):
    """The relevant content of a page: its tags with their attributes, and whether they are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_the_page_stands_alone(reviewed):
    record = dataclasses.replace(
        reviewed.record, players=("<b>Ann</b>", "Bob", "Cid"), notes={0: "a < b & c"}
    )
    text = to_html([dataclasses.replace(reviewed, record=record)])
    page = Page(text)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "b"}
    assert "&lt;b&gt;Ann" in text and "a &lt; b &amp; c" in text
    outside = [v for _, attrs in page.tags for n, v in attrs.items() if n in ("src", "href")]
    assert outside and all(value.startswith("#") for value in outside)
    assert not re.search(r"url\((?!#)|@import", text)
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert {value[1:] for value in outside} <= set(ids)
    pictures = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert len(pictures) == len(reviewed.moves)
