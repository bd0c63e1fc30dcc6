"""Two engines in lockstep, with our own engine playing the part of the other one."""

import random

import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.fakes import engine as fakes
from support.fakes.players import Lowest
from support.marks import by_cost

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.evaluation.duplicate import _play
from jaxcards.evaluation.seatings import seatings
from jaxcards.opponents.engine import own_random
from jaxcards.opponents.lockstep import Disagreement, Lockstep, engine_of

HIGH = jnp.uint32(1)
GAME = jaxcards.make(fakes.ID)
SEATINGS = seatings(GAME).tolist()


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


def table(monkeypatch, adapter: str = "Mirror", agent=None, seed: int = 3) -> Lockstep:
    """Return a table of an agent, by default the lowest legal action, and the engine's player."""
    fakes.install(monkeypatch, adapter)
    engine = engine_of(fakes.HIGHEST, GAME)
    return Lockstep(engine, [agent or Lowest(), fakes.HIGHEST], [jnp.uint32(0), ()], seed)


@pytest.mark.slow
@pytest.mark.parametrize(
    "agent", by_cost([Lowest(), RandomAgent()], {Lowest()}), ids=["lowest", "random"]
)
def test_deals_are_those_of_the_compiled_evaluation(monkeypatch, agent):
    played = table(monkeypatch, agent=agent)
    for number in range(3):
        results = [played.play(number, seats, 0) for seats in SEATINGS]
        # A as it is, B as a player of ours.
        begun, keep = (np.zeros((0, 3)), 0), lambda *found: None
        params = jnp.uint32(0), HIGH
        expected, _ = _play(GAME, (agent, Lowest()), params, 3, 3, 3, "", begun, keep)
        ahead = (results[0].returns[0] + results[1].returns[1]) / 2
        points = (results[0].points[0] + results[1].points[1]) / 2
        assert [ahead, points] == expected[number, :2].tolist()


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "adapter, message",
    [
        (
            "ForbidsLowest",
            r"for seat \d legal are choose d, .*push in jaxcards, choose c, .*push in the m",
        ),
        ("OtherSeat", r"seat \d is to act in jaxcards, seat 9 in the mirror"),
        ("NeverOver", "over in jaxcards, not over in the mirror"),
        ("OverAtOnce", "not over in jaxcards, over in the mirror.*actions so far: nothing$"),
        ("OtherCount", r"the end counts \[.*\] in jaxcards, \[7, -7, 7, -7\] in the mirror"),
        ("Fails", r"the mirror failed \(IndexError: list index out of range\)"),
        ("Illegal", r"seat \d chose push, which is not one of 6d, Qd: "),
    ],
)
def test_wrong_engines_stop_with_both_views(monkeypatch, adapter, message):
    played = table(monkeypatch, adapter)
    with pytest.raises(Disagreement, match=message) as error:
        played.play(4, SEATINGS[1], 1)
    text = str(error.value)
    assert "deal 4 of seed 3, players by seat 1 0 1 0 (seating 1), hands " in text
    assert text.count("|") == 3 and "actions so far: " in text and "\n" not in text


def test_a_player_of_ours_that_breaks_the_rules_is_named(monkeypatch):
    class Cheat(Lowest):
        def act(self, params, observation, legal, key):
            return jnp.int32(42)  # to push, after which it is illegal

    with pytest.raises(Disagreement, match=r"seat \d chose push, which is not one of "):
        table(monkeypatch, agent=Cheat()).play(0, SEATINGS[0], 0)


def test_known_differences_of_rules_bind_our_players_too(monkeypatch):
    """The engine forbids the highest action: ours do not see it, and the score is the engine's."""
    played = table(monkeypatch, "Predicted", RandomAgent())
    for seats in SEATINGS:
        score = played.play(0, seats, 0)
        ahead = score.points[0] - 1000
        assert list(score.points) == [score.points[0], 1000] * 2
        assert list(score.returns) == [ahead, -ahead] * 2


def test_seeds_of_players_differ(monkeypatch):
    """By seed, deal, seating and seat; those of two seats on the same deal, too."""
    seeds = []

    class Noting(fakes.Mirror):
        def deal(self, start, seated):
            seeds.extend(one.seed for one in seated.values())
            return super().deal(start, seated)

    monkeypatch.setattr(fakes, "Noting", Noting, raising=False)
    for seed, number, seating in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)):
        table(monkeypatch, "Noting", seed=seed).play(number, SEATINGS[0], seating)
    assert len(seeds) == 10 and len(set(seeds)) == 8 and seeds[:2] == seeds[-2:]
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_global_random_numbers_are_left_alone():
    generator, expected = random.Random(5), random.Random(5)
    before = random.getstate()
    drawn = []
    for _ in range(3):
        with own_random(generator):
            drawn.append(random.random())
    assert random.getstate() == before
    assert drawn == [expected.random() for _ in range(3)] and np.unique(drawn).size == 3
