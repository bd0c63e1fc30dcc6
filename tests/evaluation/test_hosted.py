"""Evaluations with a player of another engine, for which our own engine stands in."""

import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.fakes import engine as fakes
from support.fakes.players import Lowest

import jaxcards
from jaxcards import xla
from jaxcards.errors import UserError
from jaxcards.evaluation import hosted, kept
from jaxcards.evaluation.calls import Calls
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.opponents.lockstep import Lockstep

GAME = jaxcards.make(fakes.ID)
LOW, HIGH = jnp.uint32(0), jnp.uint32(1)
NAMES = ["low", "high", "high too"]


@pytest.fixture(autouse=True)
def mirror(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)
    fakes.install(monkeypatch)


def hosted_evaluation(num_deals=5, keep=None, game=GAME):
    players = [Lowest(), fakes.HIGHEST, fakes.HIGHEST]
    return evaluate(game, players, [LOW, (), ()], NAMES, num_deals, seed=7, keep=keep)


@pytest.mark.slow
def test_the_result_is_that_of_compiled_pairs():
    """Pairs of ours with theirs, and of theirs with theirs."""
    compiled = evaluate(GAME, [Lowest()] * 3, [LOW, HIGH, HIGH], NAMES, 5, seed=7)
    assert hosted_evaluation() == compiled
    assert compiled.pair("low", "high").sd > 0


@pytest.mark.slow
def test_one_player_calls_for_theirs_as_for_ours():
    calls = Calls("low", Lowest(), LOW)
    players = [Lowest(), fakes.HIGHEST]
    found = evaluate(GAME, players, [LOW, ()], NAMES[:2], 5, seed=7, calls=calls)
    assert found == evaluate(GAME, [Lowest()] * 2, [LOW, HIGH], NAMES[:2], 5, seed=7, calls=calls)
    assert found.pair("low", "high") != hosted_evaluation().pair("low", "high")
    assert found.pair("low", "high").sd > 0


@pytest.mark.slow
def test_an_interrupted_pair_goes_on(tmp_path, monkeypatch):
    file, played = tmp_path / "pairs.npz", []
    real = Lockstep.play

    def play(self, number, seats, seating):
        played.append(number)
        if len(played) == 2 * 3:
            raise KeyboardInterrupt
        return real(self, number, seats, seating)

    monkeypatch.setattr(Lockstep, "play", play)
    monkeypatch.setattr(kept, "_PART_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        hosted_evaluation(keep=file)
    assert file.exists()
    found = hosted_evaluation(keep=file)
    every = [deal for deal in range(5) for _ in range(2)]
    assert played == every[:6] + every[4:] + every + every  # three pairs in two seatings
    assert not file.exists()
    assert found == hosted_evaluation()


def test_results_are_kept_deal_by_deal():
    parts = []
    players = [Lowest(), fakes.HIGHEST], [LOW, ()]
    begun = np.zeros((1, 3))
    results = hosted.play(GAME, *players, 3, 7, "", begun, lambda part: parts.append(part.tolist()))
    assert results.shape == (3, 3) and results[0].tolist() == [0, 0, 0]
    assert parts == [results[:2].tolist(), results.tolist()]


@pytest.mark.parametrize(
    "game", [jaxcards.make("jass"), jaxcards.Match(GAME), jaxcards.make(fakes.ID, match_bonus=0)]
)
def test_games_that_the_engine_does_not_play(game):
    with pytest.raises(UserError, match="mirror:highest cannot play jass/.*: mirror plays jass/tourn"):
        hosted_evaluation(game=game)
