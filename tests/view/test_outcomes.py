"""The outcome of a deal: what a view says, against the returns of the game and its points."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.marks import by_cost

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.rollouts import rollout
from jaxcards.view.look import seen_by
from jaxcards.view.parts import in_match, outcome, verdict
from jaxcards.view.text import Text, render

PRESETS = (
    "jass/schieber_1000", "jass/differenzler", "belote/contree", "belote/belote_classic",
    "euchre/standard", "euchre/three_handed", "rikiki/standard", "sheepshead/standard",
    "hearts/standard", "spades/standard", "spades/cutthroat", "skat/seeger_fabian",
    "sheepshead/standard_crack", "bridge/duplicate",
)  # fmt: skip
FAST = ("belote/contree", "euchre/three_handed", "jass/differenzler", "sheepshead/standard")


def finished(id, number, player="random"):
    """Return a game, and finished deals: observations of player 0, points and returns."""
    game = jaxcards.make(id)

    def play(key):
        state = rollout(game, make_player(player, game), (), key).state
        return game.observe(state, 0), game.points(state), game.returns(state)

    keys = jax.random.split(jax.random.key(7), number)
    return game, jax.device_get(quick.jit(jax.vmap(play))(keys))


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("id", by_cost(PRESETS, set(PRESETS) - set(FAST)))
def test_a_player_has_won_if_nobody_has_higher_returns(id):
    game, (seen, points, returns) = finished(id, 40)
    outcomes = set()
    for deal in range(40):
        one = jax.tree.map(lambda leaf, deal=deal: leaf[deal], seen)
        mask = np.ones(game.num_actions, bool)
        view = seen_by(game, 0, one, mask, 0, True, points[deal])
        own, others = returns[deal, 0], returns[deal, 1:]
        if returns[deal].sum() == 0:  # what one wins, others lose
            expected = "won" if own > 0 else "lost" if own < 0 else "level"
        else:
            expected = "lost" if own < others.max() else "won" if own > others.min() else "level"
        assert view.outcome == expected, (points[deal], returns[deal])
        alone = game.teams is None and view.deal_unit != "chips"
        if alone and view.verdict.key == "outcome.lost":
            assert own == returns[deal].min(), "one of those who gained least"
        outcomes.add(view.verdict.key)
        if view.deal_unit != "points_ahead":
            assert view.in_unit(own) == points[deal, 0]
        assert [score.result for score in view.scores][0] == points[deal, 0]
        declared = [
            line.key for line in view.result if line.key in ("result.fulfilled", "result.failed")
        ]
        if declared:
            side = view.result[0].args["seats"][0]
            made = points[deal, side] > points[deal, 1 - side]
            assert declared == ["result.fulfilled" if made else "result.failed"]
    assert outcomes & {"outcome.won", "outcome.defeated"}
    assert outcomes & {"outcome.lost", "outcome.beaten"}


@pytest.mark.slow
def test_a_side_that_fails_its_contract_scores_its_belote_at_most():
    """docs/belote.md, 4.6: the defenders take all other points."""
    game, (seen, points, _) = finished("belote/contree", 40)
    lines = set()
    for deal in range(40):
        one, mask = (
            jax.tree.map(lambda leaf, deal=deal: leaf[deal], seen),
            np.ones(game.num_actions, bool),
        )
        view = seen_by(game, 0, one, mask, 0, True, points[deal])
        first = view.result[0]
        lines.add(first.key)
        if first.key != "result.void":
            level, need = first.args["what"].args["level"], first.args["need"]
            if isinstance(level, int):
                assert need in (max(level, 82), max(level, 92)), "more than half, with belote or not"
                assert (first.args["points"] >= need) == (first.key == "result.fulfilled")
            told = need if isinstance(level, int) else "all tricks"
            assert view.say(first).endswith(f"{first.args['points']} points, {told} needed")
            score = points[deal, first.args["seats"][0]]
            assert score <= 20 if first.key == "result.failed" else score >= 80
    assert {"result.failed", "result.fulfilled"} <= lines


@pytest.mark.slow
@pytest.mark.parametrize(
    "id, key, need", [("euchre", "result.euchred", 3), ("sheepshead", "result.picked", 61)]
)
def test_a_contract_without_a_number_says_what_it_needed(id, key, need):
    game, (seen, points, _) = finished(id, 40)
    said = []
    for deal in range(40):
        one = jax.tree.map(lambda leaf, deal=deal: leaf[deal], seen)
        view = seen_by(game, 0, one, np.ones(game.num_actions, bool), 0, True, points[deal])
        said += [view.say(line) for line in view.result if line.key == key]
    assert said and all(f"{need} needed" in line for line in said)


def test_sides_compare_their_points():
    teams = (0, 1, 0, 1)
    assert [outcome([91, 66, 91, 66], player, teams) for player in range(4)] == ["won", "lost"] * 2
    assert outcome([81, 81, 81, 81], 0, teams) == "level"
    assert outcome([0, 2, 2], 1, None) == "won" and outcome([0, 0, 0], 1, None) == "level"


@pytest.mark.parametrize(
    "points, words",
    [
        ((5, 2, 1), ["You won the deal", "Your place: 2 of 3", "You lost the deal"]),
        ((0, 0, 3), ["Your place: 2 of 3", "Your place: 2 of 3", "You won the deal"]),
        ((0, 0, -9), ["You won the deal", "You won the deal", "You lost the deal"]),
        ((7, 7), ["The deal is level"] * 2),
        ((7, 8), ["You lost the deal", "You won the deal"]),
    ],
)
def test_alone_only_the_last_player_has_lost(points, words):
    said = [verdict(outcome(points, n, None), points, n, None) for n in range(len(points))]
    assert [render(text, (), ()) for text in said] == words


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("id, role", [("skat", "role.soloist"), ("euchre/cutthroat", "role.maker")])
def test_opponents_read_whether_they_have_defeated_the_declarer(id, role):
    game, (seen, points, _) = finished(id, 40)
    verdicts = set()
    for deal in range(40):
        one = jax.tree.map(lambda leaf, deal=deal: leaf[deal], seen)
        view = seen_by(game, 0, one, np.ones(game.num_actions, bool), 0, True, points[deal])
        declarers = [seat.seat for seat in view.seats if Text(role) in seat.roles]
        if declarers and declarers[0] != 0:
            key = "outcome.beaten" if points[deal, declarers[0]] > 0 else "outcome.defeated"
            assert view.verdict == Text(key, role=Text(role))
            verdicts.add(view.verdict.key)
        elif declarers:
            assert view.verdict == Text("outcome.won" if points[deal, 0] > 0 else "outcome.lost")
    assert verdicts == {"outcome.beaten", "outcome.defeated"}


@pytest.mark.slow
def test_the_last_deal_of_a_match_has_the_outcome_of_the_match():
    game = jaxcards.make("euchre")
    _, (seen, points, _) = finished("euchre", 1)
    one, mask = jax.tree.map(lambda leaf: leaf[0], seen), np.ones(game.num_actions, bool)
    view = seen_by(game, 0, one, mask, 0, True, points[0])
    for winners, expected in (([1, 0, 1, 0], "won"), ([0, 1, 0, 1], "lost"), ([0] * 4, "level")):
        after = in_match(view, [10, 7, 10, 7], 9, True, list(map(bool, winners)))
        assert after.outcome == expected and after.verdict.key == f"outcome.match_{expected}"
        assert [score.total for score in after.scores] == [10, 7]
    assert in_match(view, [4, 7, 4, 7], 5, False, []).outcome == view.outcome


def test_a_match_has_its_totals():
    match = jaxcards.Match(jaxcards.make("euchre"))
    state = match.init(jax.random.key(0))
    state = dataclasses.replace(state, totals=jnp.array([3, 5, 3, 5]), num_deals=jnp.int32(4))
    view = match.view(state, 0)
    assert [score.total for score in view.scores] == [3, 5]
    assert Text("fact.deal", number=5) in view.facts
    over = dataclasses.replace(
        state, over=jnp.bool_(True), winners=jnp.array([False, True, False, True])
    )
    assert Text("result.match_won", seats=(1, 3)) in match.view(over).result
