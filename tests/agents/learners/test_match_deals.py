"""Deals of matches: what they bring is the chance to win the match, in units of their spread."""

import dataclasses
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners import match_deals
from jaxcards.agents.learners.match_deals import DealOfMatch, win_chances
from jaxcards.agents.learners.registry import make_learner, settings_of
from jaxcards.agents.networks.saved import PlayerInfo
from jaxcards.errors import UserError
from jaxcards.match import totals_by_player

EUCHRE = jaxcards.make("euchre")


@pytest.fixture(autouse=True, scope="module")
def compiled_fast():
    """Chances are those of players that cost nothing to compile."""
    win_chances.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        patch.setattr(match_deals, "make_player", lambda name, game: RandomAgent())
        yield
    win_chances.cache_clear()


@pytest.fixture(scope="module")
def played():
    """Whole deals at drawn standings, by random play, and their states halfway."""
    game = DealOfMatch(EUCHRE)
    keys = jax.random.split(jax.random.key(0), 200)
    done = quick.jit(jax.vmap(lambda key: jaxcards.rollout(game, RandomAgent(), (), key)))(keys)
    return game, done, quick.jit(jax.vmap(game.init))(keys)


def test_a_deal_brings_the_change_of_the_chance(played):
    game, done, _ = played
    chances, spreads = win_chances(EUCHRE)
    before, points = np.asarray(done.state.totals), np.asarray(done.points)
    after = before + points
    assert (np.asarray(done.state.over)).all()
    returns = np.asarray(done.returns)
    np.testing.assert_allclose(returns[:, 0], -returns[:, 1], atol=1e-6)
    np.testing.assert_array_equal(returns[:, :2], returns[:, 2:])
    for one, other, gain in zip(before, after, returns[:, 0], strict=True):
        won = float(other[0] > other[1]) if max(other) >= 10 else chances[other[0], other[1]]
        added = won - chances[one[0], one[1]]
        assert gain == pytest.approx(added / spreads[one[0], one[1]], abs=1e-4)
    assert 0.5 < returns[:, 0].std() < 1.2


@pytest.mark.slow
def test_standings_are_drawn_over_the_whole_match_and_more_near_its_end(played):
    game, _, start = played
    totals = np.asarray(start.totals)
    assert set(totals[:, 0].tolist()) == set(range(10))
    near_the_end = (totals.max(1) == 9).mean()  # anywhere would be a quarter
    assert 0.4 < near_the_end < 0.55
    np.testing.assert_array_equal(totals[:, :2], totals[:, 2:])
    of_deal = np.stack(start.deal.public.totals, 1)
    np.testing.assert_array_equal(of_deal, totals[:, :2])
    returns = jax.vmap(game.returns)(start)
    assert not np.asarray(returns).any()


@pytest.mark.slow
def test_points_bring_their_share_of_the_chance_as_they_are_scored(monkeypatch):
    """In Jass tricks score while the deal goes on: a learner is told at once what they are worth.

    And the match is won as soon as a side has reached the target.
    """
    monkeypatch.setattr(match_deals, "_STEPS", 4)
    monkeypatch.setattr(match_deals, "_SAMPLE_DEALS", 16)
    jass = jaxcards.make("jass/schieber_2500")
    game, (chances, spreads) = DealOfMatch(jass), win_chances(jass)
    step, returns = quick.jit(game.step), quick.jit(game.returns)
    points, first = quick.jit(jass.points), game.sides[0]

    def look_up(table, totals):
        of_row = [np.interp(totals[1], np.arange(5) * 2500 / 4, row) for row in table]
        return np.interp(totals[0], np.arange(5) * 2500 / 4, of_row)

    state = game.init(jax.random.key(2))
    start = np.array([2440, 2400])
    state = dataclasses.replace(
        state,
        totals=totals_by_player(jass, start),
        deal=jass.next_deal(jax.random.key(2), state.deal, totals_by_player(jass, start)),
    )
    gains, decided = [0.0], 0
    while not state.terminated:
        state = step(state, int(np.flatnonzero(game.legal_action_mask(state))[0]))
        gains.append(float(returns(state)[first]))
        expected = look_up(chances, start + np.asarray(points(state.deal))[list(game.sides)])
        if int(state.deal.match_winner) != 2:  # it is over, though the deal is played to its end
            expected, decided = float(state.deal.match_winner == 0), decided + 1
        added = (expected - look_up(chances, start)) / look_up(spreads, start)
        assert gains[-1] == pytest.approx(added, abs=1e-4)
    assert len(set(gains)) > 5 and 1 < decided < len(gains) - 5


def test_chances_are_fair_and_grow_with_ones_own_total():
    chances, spreads = win_chances(EUCHRE)
    assert chances.shape == (11, 11)
    np.testing.assert_allclose(chances + chances.T, 1, atol=1e-6)
    assert (np.diff(chances[:10], axis=0) > -0.01).all() and chances[9, 0] > 0.9
    # What a deal decides is the more the nearer both are to the target, and little once all is decided.
    assert (spreads == spreads.T).all()
    assert spreads.max() == spreads[9, 9] == pytest.approx(0.5, abs=0.05)
    assert spreads[0, 0] < spreads[5, 5] < spreads[8, 8] and spreads[9, 0] < spreads[0, 0]
    assert spreads.min() == pytest.approx(spreads.max() / 10)


@pytest.mark.slow
@pytest.mark.parametrize("totals", [(7, 4), (8, 9)])
def test_chances_are_those_of_whole_matches(totals):
    """Matches that begin at a standing, played to the end, are won as often as the table says."""
    match = jaxcards.Match(EUCHRE)

    def play(key):
        before = totals_by_player(EUCHRE, totals)
        start = match.init(key)
        deal = EUCHRE.next_deal(key, start.deal, before)
        start = dataclasses.replace(start, deal=deal, totals=before)
        return jaxcards.rollout(match, RandomAgent(), (), key, state=start).returns[0] > 0

    keys = jax.random.split(jax.random.key(3), 4000)
    won = float(quick.jit(jax.vmap(play))(keys).mean())
    sd = np.sqrt(won * (1 - won) / 4000 + 0.25 / match_deals._SAMPLE_DEALS / 4)
    assert win_chances(EUCHRE).chances[totals] == pytest.approx(won, abs=4 * sd)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["jass", "belote/contree"])
def test_features_of_a_match_are_those_of_the_deal_and_the_missing_points(id):
    game = jaxcards.make(id)
    single, match = game.feature_table, jaxcards.Match(game).feature_table
    assert match[: len(single)] == single
    assert [feature.name for feature in match[len(single) :]] == [
        "own missing points",
        "other side's missing points",
    ]
    assert DealOfMatch(game).feature_table == match
    assert [f.name for f in jaxcards.Match(game).full_state_table][-2:] == [f.name for f in match[-2:]]
    target = game.rules.target
    state = game.init_from_deck(jnp.arange(game.deck.num_cards), 0, totals=(target - 70, target - 1))
    size = match[-1].size
    features = quick.jit(lambda player: jaxcards.Match(game).features(game.observe(state, player)))
    for player, (own, other) in enumerate([(70, 1), (1, 70)]):
        bits = features(player)[-2 * size :]
        levels = jnp.asarray(match[-1].levels)
        np.testing.assert_array_equal(bits, jnp.concatenate([own >= levels, other >= levels]))


def test_without_a_target_there_is_nothing_to_win():
    for id in ("jass/tournament", "rikiki", "sheepshead", "euchre/three_handed_code"):
        with pytest.raises(UserError, match="has no matches of two sides to a target") as error:
            DealOfMatch(jaxcards.make(id))
        assert "\n" not in str(error.value)


def test_a_learner_of_matches_has_a_player_that_knows_how_they_stand():
    learner = make_learner("ppo", EUCHRE, settings_of("ppo")(matches=True, hidden=(8,)))
    info = learner.describe_network()
    assert info.matches and PlayerInfo.from_json(info.to_json()) == info
    match = jaxcards.Match(EUCHRE)
    assert info.agent(EUCHRE, Path("run")).game == info.agent(match, Path("run")).game == match
    of_deals = make_learner("ppo", EUCHRE, settings_of("ppo")(hidden=(8,)))
    assert of_deals.describe_network().agent(match, Path("run")).game == EUCHRE
    assert "matches" not in of_deals.describe_network().to_json()
    with pytest.raises(UserError, match="has no matches of two sides"):
        make_learner("ppo", jaxcards.make("rikiki"), settings_of("ppo")(matches=True))


@pytest.mark.slow
def test_matches_are_learned():
    config = settings_of("ppo")(matches=True, hidden=(8,), deals_per_update=64, minibatches=2)
    learner = make_learner("ppo", EUCHRE, config)
    state, metrics = learner.train(learner.fresh(), 2, jnp.float32(10))
    assert 0.01 < float(metrics["return_spread"]) < 1
    assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(learner.saved(state)))
