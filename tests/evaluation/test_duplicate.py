"""Evaluation: what the statistics claim is so, and the same cards are played in every seating."""

import dataclasses
import json
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.fakes.players import Lowest

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.agents.search.double_dummy import DoubleDummyAgent
from jaxcards.errors import UserError
from jaxcards.evaluation import batches, intervals
from jaxcards.evaluation.calls import Calls, Parts
from jaxcards.evaluation.duplicate import compare, evaluate, standings
from jaxcards.evaluation.intervals import Interval, mean_interval
from jaxcards.evaluation.plot import plot
from jaxcards.evaluation.result import Evaluation
from jaxcards.evaluation.seatings import seatings
from jaxcards.rollouts import deal_keys, rollout

LOW, HIGH = jnp.uint32(0), jnp.uint32(1)
NUM_DEALS = 30


@pytest.fixture(scope="module", autouse=True)
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        yield


@pytest.fixture(scope="module", params=["jass", "jass/differenzler"])
def game(request):
    return jaxcards.make(request.param)


@pytest.fixture(scope="module")
def played(game):
    """Three players, the third equal to the first; batches that do not divide the deals."""
    return evaluate(
        game,
        agents=[Lowest(), Lowest(), Lowest()],
        params=[LOW, HIGH, LOW],
        names=["low", "high", "low too"],
        num_deals=NUM_DEALS,
        seed=5,
        batch=16,
    )


@pytest.mark.slow
def test_players_who_differ_in_their_calls_alone_are_equal_if_one_calls_for_all():
    game = jaxcards.make("jass")
    speaks_high = Parts(Lowest(), Lowest(), game)
    agents, params, names = [Lowest(), speaks_high, Lowest()], [LOW, (HIGH, LOW), HIGH], ["a", "b", "c"]
    calls = Calls("high", Lowest(), HIGH)
    found = evaluate(game, agents, params, names, 10, seed=5, calls=calls)
    assert found.pair("a", "b").tied == 1 and found.pair("a", "c").sd > 0
    # The same as players who call so themselves.
    plays_high = [(HIGH, LOW), (HIGH, HIGH)]
    same = evaluate(game, [speaks_high] * 2, plays_high, ["a", "c"], 10, seed=5)
    assert same.pair("a", "c") == found.pair("a", "c") and same.calls == ""
    assert evaluate(game, agents[:2], params[:2], names[:2], 10, seed=5).pair("a", "b").tied < 1
    assert "high made the calls of all players" in found.to_text()
    assert Evaluation.from_json(found.to_json()) == found and found.calls == "high"


class Listening(Lowest):
    """Plays by its parameters only where the calls are its own."""

    def without_calls(self):
        return LowestByDefault()


class LowestByDefault(Lowest):
    def act(self, params, observation, legal, key):
        return super().act(LOW, observation, legal, key)


@pytest.mark.slow
def test_who_listens_to_calls_is_told_that_they_are_those_of_another():
    game = jaxcards.make("jass")
    agents, params, names = [Lowest(), Listening()], [LOW, HIGH], ["low", "listening"]
    calls = Calls("low", Lowest(), LOW)
    assert evaluate(game, agents, params, names, 4, seed=5, calls=calls).pair(*names).tied == 1
    assert evaluate(game, agents, params, names, 4, seed=5).pair(*names).tied < 1


class Asked(RandomAgent):
    """Counts the decisions that it is asked for."""

    def __init__(self):
        self.times = []

    def act_if_asked(self, params, observation, legal, key, asked):
        jax.debug.callback(lambda asked: self.times.append(bool(asked)), asked)
        return self.act(params, observation, legal, key)


def test_a_costly_player_is_asked_for_its_own_decisions_alone():
    game = jaxcards.make("jass")
    for is_call in (True, False):
        calls, cards = Asked(), Asked()
        state = game.init(jax.random.key(0))
        if not is_call:
            state = game.step(state, jnp.int32(game.string_to_action("choose s")))
        agent = Parts(calls, cards, game)
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        for asked in (True, False):
            agent.act_if_asked(((), ()), seen, legal, jax.random.key(1), jnp.bool_(asked))
        jax.effects_barrier()
        assert (calls.times, cards.times) == ([is_call, False], [not is_call, False])


def test_nobody_who_sees_all_hands_calls_for_others():
    game = jaxcards.make("jass")
    sees_all = DoubleDummyAgent(game, Lowest())
    players = [Lowest(), RandomAgent()], [LOW, ()], ["low", "random"], 4
    with pytest.raises(UserError, match="oracle cannot call for all players"):
        evaluate(game, *players, calls=Calls("oracle", sees_all, ()))
    players = [Lowest(), sees_all], [LOW, ()], ["low", "oracle"], 4
    with pytest.raises(UserError, match="oracle sees all hands and makes its own calls"):
        evaluate(game, *players, calls=Calls("low", Lowest(), LOW))


# --- Statistics ---------------------------------------------------------------------------------


def test_student_quantiles():
    # Printed tables; both sides of the change from the table to the series.
    known = {1: 12.706, 9: 2.262, 10: 2.228, 15: 2.131, 30: 2.042, 100: 1.984, 100_000: 1.960}
    for degrees, quantile in known.items():
        assert intervals.student_quantile(degrees) == pytest.approx(quantile, abs=6e-4)


@pytest.mark.parametrize("n", [3, 12, 60])
def test_the_interval_of_a_mean_covers_the_truth(n):
    rng = np.random.default_rng(n)
    samples = rng.normal(3.0, 5.0, size=(4000, n))
    covered = np.mean([not mean_interval(sample).excludes(3.0) for sample in samples])
    assert covered == pytest.approx(0.95, abs=0.0125)  # 3.6 standard errors


@pytest.mark.parametrize("share, n", [(0.5, 40), (0.9, 100), (0.02, 400)])
def test_the_interval_of_a_share_covers_the_truth(share, n):
    counts = np.random.default_rng(n).binomial(n, share, size=4000)
    found = [intervals.share_interval(count / n, n) for count in counts]
    # Wilson's interval wavers around 95 %, as counts are whole.
    assert np.mean([not i.excludes(share) for i in found]) == pytest.approx(0.95, abs=0.025)


@pytest.mark.parametrize("won, tied, n", [(0.075, 0.87, 1000), (0.2, 0.5, 60), (0.0, 0.98, 400)])
def test_the_interval_of_a_share_with_ties_covers_the_truth(won, tied, n):
    counts = np.random.default_rng(n).multinomial(n, (won, tied, 1 - won - tied), size=4000)
    share = won + tied / 2
    found = [intervals.share_interval((w + t / 2) / n, n, t / n) for w, t, _ in counts]
    assert np.mean([not i.excludes(share) for i in found]) == pytest.approx(0.95, abs=0.025)
    # The interval is shorter than for independent coins.
    widths = np.array([i.high - i.low for i in found])
    assert widths.mean() < 0.9 * (intervals.share_interval(0.5, n).high - 0.5) * 2


def test_the_interval_of_ties_alone_is_short_but_no_point():
    found = intervals.share_interval(0.5, 100, 1.0)
    assert found.mean == 0.5 and 0.48 < found.low < 0.495 and found.high == pytest.approx(1 - found.low)


def test_the_interval_of_a_share_at_the_ends():
    # n = 10: 1.96**2 / (10 + 1.96**2) = 0.2775.
    assert intervals.share_interval(0.0, 10).high == pytest.approx(0.2775, abs=1e-4)
    assert intervals.share_interval(0.0, 10).low == pytest.approx(0, abs=1e-12)
    assert intervals.share_interval(1.0, 10).low == pytest.approx(0.7225, abs=1e-4)


def test_the_detectable_difference_is_detected_in_four_of_five():
    n, sd = 50, 7.0
    truth = intervals.detectable_difference(sd, n)
    assert truth == pytest.approx(2.80 * sd / np.sqrt(n), rel=1e-3)
    samples = np.random.default_rng(0).normal(truth, sd, size=(4000, n))
    shown = np.mean([mean_interval(sample).low > 0 for sample in samples])
    assert shown == pytest.approx(0.8, abs=0.03)


def test_an_interval_turns_around():
    assert -Interval(1.0, -2.0, 4.0) == Interval(-1.0, -4.0, 2.0)
    assert str(-Interval(0.0, 0.0, 0.0)) == str(Interval(0.0, 0.0, 0.0))
    assert Interval(0.75, 0.5, 1.0).complement() == Interval(0.25, 0.0, 0.5)


# --- Known data ---------------------------------------------------------------------------------


def known(scale: float = 1.0) -> Evaluation:
    a = np.array([4.0, -2.0, 0.0, 6.0]) * scale
    differences = {(0, 1): a, (0, 2): a + scale, (1, 2): np.full(4, scale)}
    names = ("ann", "bob", "cid")
    zeros = np.zeros(4)
    pairs = [compare(names[i], names[j], d, zeros, zeros + 157) for (i, j), d in differences.items()]
    return Evaluation("jass", names, 4, 2, 0, tuple(pairs), standings(names, differences))


def test_known_data():
    result = known()
    pair = result.pair("ann", "bob")
    half = 3.1824 * np.sqrt(40 / 3) / 2  # deviations 2, -4, -2, 4 from the mean of 2
    assert dataclasses.astuple(pair.difference) == pytest.approx((2, 2 - half, 2 + half))
    assert (pair.won.mean, pair.tied, pair.points_b) == (0.625, 0.25, 157)
    assert result.cross_table().tolist() == [[0, 2, 3], [-2, 0, 1], [-3, -1, 0]]
    # Ann's differences are (4, -2, 0, 6) and one more: 2.5 on average.
    assert [row.name for row in result.standings] == ["ann", "bob", "cid"]
    assert [row.difference.mean for row in result.standings] == [2.5, -0.5, -2.0]
    mixed = mean_interval(np.array([4.5, -1.5, 0.5, 6.5]))
    assert result.standings[0].difference == mixed
    back = result.pair("bob", "ann")
    assert back.difference == -pair.difference and back.won.mean == 0.375
    assert (back.points_a, back.points_b) == (157, 0) and back.reversed() == pair


def test_the_table():
    lines = known().to_text().splitlines()
    assert lines[0] == "jass: 4 deals, each in 2 seatings, seed 0"
    cells = lines[3].split()
    assert cells[:4] == ["ann", "-", "bob", "+2.00"] and "62.5" in cells
    assert lines[5].split()[3:6] == ["+1.00", "[+1.00,", "+1.00]"]
    assert len({len(line) for line in lines[2:6]}) == 1  # columns
    cross = lines.index("points per deal of the row less the column:") + 1
    assert [line.split() for line in lines[cross : cross + 4]] == [
        ["ann", "bob", "cid"],
        ["ann", ".", "+2.00", "+3.00"],
        ["bob", "-2.00", ".", "+1.00"],
        ["cid", "-3.00", "-1.00", "."],
    ]
    assert "No difference shown: ann - bob, ann - cid." in lines


@pytest.mark.slow_after(1)
def test_json_there_and_back(played):
    for result in (known(), played):
        text = result.to_json()
        assert Evaluation.from_json(text) == result
        assert json.loads(text)["pairs"][0]["difference"]["mean"] == result.pairs[0].difference.mean
    for text in ("", "[]", "{}", '{"pairs": [], "standings": [], "names": []}', '{"pairs": [3]}'):
        with pytest.raises(UserError, match="not a result of an evaluation"):
            Evaluation.from_json(text)


@pytest.mark.parametrize("suffix, start", [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_the_picture(tmp_path, suffix, start):
    path = tmp_path / f"result{suffix}"
    plot(known(), path)
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "scale, cells", [(0.01, {"+0.02", "-0.03"}), (3, {"+6.00", "-9.00"}), (4, {"+8.0", "-12.0"})]
)
def test_the_map_has_as_many_digits_as_fit(tmp_path, scale, cells):
    path = tmp_path / "result.svg"
    plot(known(scale), path)
    drawn = path.read_text("utf-8")  # Matplotlib writes each text as a comment, too.
    assert all(f"<!-- {cell} -->" in drawn for cell in cells)


# --- Play ---------------------------------------------------------------------------------------


def test_a_player_against_its_equal_is_exactly_even(played):
    pair = played.pair("low", "low too")
    assert pair.difference == Interval(0.0, 0.0, 0.0)
    assert (pair.sd, pair.detectable, pair.tied, pair.won.mean) == (0, 0, 1, 0.5)
    assert pair.points_a == pair.points_b


def test_equals_meet_others_equally(played):
    """High against low is minus low against high, to the last bit, seat order and all."""
    there, back = played.pair("low", "high"), played.pair("high", "low too")
    assert there.difference == -back.difference and there.sd == back.sd > 0
    assert there.won.mean == pytest.approx(1 - back.won.mean)
    assert (there.points_a, there.points_b) == (back.points_b, back.points_a)


@pytest.mark.slow
def test_chance_of_equals_cancels(game):
    """Random choices hang on the deal's key and not on who sits where."""
    names = ["a", "b"]
    result = evaluate(game, [RandomAgent()] * 2, [(), ()], names, num_deals=8, seed=1)
    assert result.pair("a", "b").difference == Interval(0.0, 0.0, 0.0)


def test_the_same_cards_and_dealer_in_every_seating(game, played):
    """A slow evaluation: each deal and seating one by one, from the state that `init` deals."""
    play = jax.jit(
        lambda state, key, seats: (
            rollout(game, [Lowest(), Lowest()], [LOW, HIGH], key, state=state, seats=seats).returns
        )
    )
    differences = []
    for key in deal_keys(5, jnp.arange(NUM_DEALS, dtype=jnp.uint32)):
        state = game.init(key)
        values = []
        for seats in seatings(game):
            returns = np.asarray(play(state, key, jnp.asarray(seats)), np.float64)
            # Of two sides, A's own returns say it all.
            other = 0 if game.teams else returns[seats == 1].mean()
            values.append(returns[seats == 0].mean() - other)
        differences.append(np.mean(values))
    expected = mean_interval(np.array(differences))
    found = played.pair("low", "high").difference
    assert dataclasses.astuple(found) == pytest.approx(dataclasses.astuple(expected))


@pytest.mark.slow
def test_the_batch_changes_nothing(game, played):
    names = ["low", "high"]
    again = evaluate(game, [Lowest(), Lowest()], [LOW, HIGH], names, NUM_DEALS, seed=5)
    assert again.pairs[0] == played.pairs[0]


def test_batches_cover_every_deal_once(monkeypatch):
    assert list(batches.batches(7, 3)) == [(0, 3), (3, 3), (6, 1)]
    assert list(batches.batches(7, 3, begun=2)) == [(2, 3), (5, 2)]
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert list(batches.batches(6, 3, "deals")) == [(0, 3), (3, 3)]
    assert "deals" in sys.stderr.text
    monkeypatch.setitem(sys.modules, "tqdm", None)  # not installed
    assert list(batches.batches(6, 3)) == [(0, 3), (3, 3)]


class Terminal:
    """Stands in for stderr."""

    text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"agents": [Lowest()]}, "at least two players, not 1"),
        ({"params": [LOW]}, "2 agents need one set of parameters and one name each, not 1 and 2"),
        ({"names": ["x", "x"]}, "two players are called 'x'"),
        ({"num_deals": 1}, "deals must be at least 2"),
        ({"batch": 0}, "batch must be at least 1"),
        ({"seed": 2**32}, "seed must be from 0 to"),
    ],
)
def test_bad_input(changes, words):
    arguments = {"agents": [Lowest()] * 2, "params": [LOW, HIGH], "names": ["a", "b"], "num_deals": 2}
    with pytest.raises(UserError, match=words):
        evaluate(jaxcards.make("jass"), **(arguments | changes))


def test_players_that_did_not_play():
    with pytest.raises(UserError, match="unknown player 'bop'; did you mean 'bob'"):
        known().pair("ann", "bop")
    with pytest.raises(UserError, match="ann did not play against itself"):
        known().pair("ann", "ann")


@pytest.mark.slow
def test_matches_that_ended_at_the_bound_are_counted():
    agents, params = [Lowest(), Lowest()], [LOW, HIGH]
    game = jaxcards.make("euchre/standard", max_deals=2)
    result = evaluate(jaxcards.Match(game), agents, params, ["a", "b"], 3, batch=2)
    assert result.ended_at_bound == 3 * 2
    assert "6 of 6 matches ended at the bound of deals" in result.to_text().splitlines()
    assert Evaluation.from_json(result.to_json()) == result
    # Without bound in the result, as older files are.
    older = json.loads(result.to_json())
    del older["ended_at_bound"]
    found = Evaluation.from_json(json.dumps(older))
    assert found.ended_at_bound == 0 and "bound" not in found.to_text()
