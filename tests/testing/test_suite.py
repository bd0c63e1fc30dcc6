"""Every game and preset passes the check suite. The files beside show that each check can fail."""

import jax.numpy as jnp
import pytest
from support.suite_cases import CASES, arguments, ids

import jaxcards
from jaxcards import testing
from jaxcards.games.jass.game import Jass

VARIATIONS = [
    dict(slalom=True, weis_share_cards=False, pushed_leader="declarer", undertrump="void"),
    dict(push=False, weis_long_runs="flat", weis_height=False, stock=False, target=0, deals=3),
]


def test_every_game_is_listed():
    assert {id.partition("/")[0] for id in ids()} == set(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("id", ids())
def test_every_game_passes_the_checks(id):
    left_out = testing.check_game(jaxcards.make(id), **arguments(id))
    assert left_out == ()


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "id", [f"{name}/{found.quick}" for name, found in CASES.items() if found.quick]
)
def test_play_passes_the_checks(id):
    game, given = jaxcards.make(id), arguments(id)
    deals = testing.play_deals(game, 64, first=given["first"])
    testing.check_state_leaves(game, deals)
    testing.check_legal_actions(game, deals)
    testing.check_cards_are_kept(game, deals)
    testing.check_end(game, deals)
    testing.check_scores(game, deals)
    testing.check_history(game, deals)
    testing.check_jaxpr_budget(game, given["jaxpr_budget"])
    testing.check_length(game, deals, longest=given["longest"])


@pytest.mark.slow
@pytest.mark.parametrize("rules", VARIATIONS, ids=[", ".join(v) for v in VARIATIONS])
def test_variations_pass_the_checks(rules):
    # Where cards may not be shared, four ways to count a hand are compared in every mode.
    budget = {"init": 11_000, "features": 7_500}
    testing.check_game(jaxcards.make("jass", **rules), jaxpr_budget=budget)


MATCHES = [f"{name}/{preset}" for name, found in CASES.items() for preset in found.matches]


@pytest.mark.slow
@pytest.mark.parametrize("id", MATCHES)
def test_matches_pass_the_checks(id):
    game = jaxcards.make(id)
    if (game.match_bound or 0) > 50:  # the checks play the steps of the longest match
        game = jaxcards.make(id, max_deals=50)
    testing.check_game(jaxcards.Match(game), num_deals=16, **arguments(id))


class CloseMatch(Jass):
    """Deals at the end of a match, in which hidden Stöck and Weis may decide at any trick."""

    def init(self, key, round=None):
        close = jnp.uint16(self.rules.target - 30)
        return super().init(key, round).with_public(totals=(close, close))


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["swisslos", "schieber_1000"])
def test_knowledge_at_the_end_of_a_match(preset):
    """The end of a deal is public: resampling a hand does not end it."""
    game = CloseMatch(jaxcards.make(f"jass/{preset}").rules, preset)
    deals = testing.play_deals(game)
    testing.check_determinize(game, deals, number=2048)
    testing.check_observations_hide(game, deals, number=2048)
