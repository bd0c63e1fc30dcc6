"""The game of examples/spades.py plays as the Spades of the package does, whose tests are its rules."""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from games.playout import check_same_play
from games.spades.playout import Deals, low_bids, random_deals, start
from games.spades.variants import rules_of
from support.examples import run_example
from support.marks import by_cost

import jaxcards
from jaxcards import testing

FILE = Path(__file__).parents[2] / "examples" / "spades.py"
PRESETS = ["standard", "open_spiel"]
DEALS, MANY_DEALS = 64, 2048

pytestmark = pytest.mark.usefixtures("spades")


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_it_passes_the_checks(preset):
    assert testing.check_game(jaxcards.make(f"plain_spades/{preset}")) == ()


@pytest.mark.slow
def test_its_matches_pass_the_checks():
    testing.check_game(jaxcards.Match(jaxcards.make("plain_spades", max_deals=4)), num_deals=8)


def both(preset="standard", **rules):
    """Return the game of the example and that of the package."""
    return [jaxcards.make(f"{name}/{preset}", **rules) for name in ("plain_spades", "spades")]


def deals_of(number, seed) -> Deals:
    return random_deals(rules_of("standard"), number, seed)


SAME = {
    "standard": ("standard", {}),
    "open_spiel": ("open_spiel", {}),
    "no bags": ("standard", {"nil": 50, "bag_penalty": 0, "nil_tricks": "help"}),
    "joint limit": ("standard", {"lead_spades": "last", "joint_limit": True}),
}


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", by_cost(SAME, {"no bags", "joint limit"}))
def test_deals_are_those_of_the_package(name):
    preset, rules = SAME[name]
    scripts = low_bids("standard", DEALS, seed=1)
    check_same_play(both(preset, **rules), deals_of(DEALS, 1), start, scripts, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_many_deals_are_those_of_the_package(preset):
    scripts = low_bids("standard", MANY_DEALS, seed=2)
    check_same_play(both(preset), deals_of(MANY_DEALS, 2), start, scripts, seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_matches_go_on_as_in_the_package(preset):
    totals = np.random.default_rng(0).choice([-360, -200, -199, 37, 499, 500, 510], (64, 2))
    found = []
    for game in both(preset, max_deals=7):
        state = game.init_from_deck(np.arange(52), 1)

        def after(pair, number, game=game, state=state):
            by_seat = pair[jnp.array([0, 1, 0, 1])]
            following = game.next_deal(jax.random.key(0), state, by_seat).public
            return *game.match_over(state, by_seat, number), following.totals, following.dealer

        found.append(jax.vmap(after)(jnp.array(totals, jnp.int32), jnp.arange(64) % 8))
    for one, other in zip(*map(jax.tree.leaves, found), strict=True):
        np.testing.assert_array_equal(one, other)
    assert 10 < found[0][0].sum() < 54


@pytest.mark.parametrize("rules", [{"nil": 55}, {"bag_penalty": 5}, {"floor": 0}])
def test_wrong_rules(rules):
    with pytest.raises(jaxcards.UserError, match=next(iter(rules))):
        jaxcards.make("plain_spades", **rules)


@pytest.mark.slow
def test_it_plays_and_records_from_the_command_line(tmp_path):
    """The file is a command line: it trains, simulates with the trained player, and records deals."""
    small = "--updates 2 --deals-per-update 32 --minibatches 2 --evaluation-deals 4 --no-evaluate"
    simulate = "simulate plain_spades --players run,random,run,random --deals 50 --json out.json"
    for line in (f"train plain_spades --out run --devices 1 {small}", simulate):
        run_example("spades", line, tmp_path)
    assert json.loads((tmp_path / "out.json").read_text())


def test_the_example_is_short():
    assert len(FILE.read_text().splitlines()) < 300


@pytest.mark.slow_after(1)
def test_a_view_shows_bids_and_tricks(spades):
    game = jaxcards.make("plain_spades")
    state = game.init_from_deck(np.arange(52), 3)  # seat 0 has all clubs and leads
    for action in ("bid 4", "bid 0", "bid 1", "bid 2", "2c", "2d", "2h", "2s"):
        state = game.checked_step(state, action)
    seats = game.view(state, 0).seats
    bids = [[game.view(state, 0).say(said) for said in seat.calls] for seat in seats]
    assert bids == [["bid 4"], ["bid 0"], ["bid 1"], ["bid 2"]]
    assert [seat.tricks for seat in seats] == [0, 0, 0, 1]
    view = game.view(state, 0)
    assert (view.say(view.trump), view.trump_suit) == ("♠ are trumps", "♠")
