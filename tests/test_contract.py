"""Every game and preset keeps the contract. That each check can fail: test_contract_*.py."""

import dataclasses

import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards import testing
from jaxcards.games.jass.game import Jass

# Presets that others cover are slow tests; quick ones of Rikiki: the default, and most players.
QUICK = {"rikiki/standard", "rikiki/standard7"}
SLOW = {id for id in jaxcards.games() if id.startswith("rikiki/")} - QUICK | {
    "euchre/stick_the_dealer",
    "euchre/open_spiel_no_stick",
    "euchre/open_spiel_lone_defender",
}


def random_round(id):
    rounds = len(jaxcards.make(id).rules.schedule)
    return lambda rng: {"round": rng.integers(rounds)}


# What `init_from_deck` of a game needs besides deck and dealer.
MORE = {"jass/differenzler": lambda rng: {"mode": rng.integers(4)}} | {
    id: random_round(id) for id in jaxcards.games() if id.startswith("rikiki/")
}

VARIATIONS = [
    dict(slalom=True, weis_share_cards=False, pushed_leader="declarer", undertrump="void"),
    dict(push=False, weis_long_runs="flat", weis_height=False, stock=False, target=0, deals=3),
]


def ids() -> list[str]:
    """Every id but the bare names, which mean one of their presets."""
    return [id for id in jaxcards.games() if "/" in id]


@pytest.mark.parametrize(
    "id",
    [pytest.param(id, marks=pytest.mark.slow if id in SLOW else ()) for id in ids()],
)
def test_every_game_keeps_the_contract(id):
    testing.check_game(jaxcards.make(id), more=MORE.get(id))


@pytest.mark.parametrize("rules", VARIATIONS, ids=[", ".join(v) for v in VARIATIONS])
def test_variations_keep_the_contract(rules):
    # Where cards may not be shared, four ways to count a hand are compared in every mode.
    budget = {"init": 11_000, "features": 7_500}
    testing.check_game(jaxcards.make("jass", **rules), jaxpr_budget=budget)


@pytest.mark.parametrize("id", ["jass/seed", "jass/differenzler", "euchre/seed_code", "rikiki/seed"])
def test_matches_keep_the_contract(id):
    testing.check_game(jaxcards.Match(jaxcards.make(id)), num_deals=16, more=MORE.get(id))


class CloseMatch(Jass):
    """Deals at the end of a match, in which hidden Stöck and Weis may decide at any trick."""

    def init(self, key):
        close = jnp.uint16(self.rules.target - 30)
        return dataclasses.replace(super().init(key), totals=(close, close))


@pytest.mark.parametrize("preset", ["seed", "schieber_1000"])
def test_knowledge_at_the_end_of_a_match(preset):
    """Whether a deal is over is public: a hand dealt anew does not end it."""
    game = CloseMatch(jaxcards.make(f"jass/{preset}").rules, preset)
    deals = testing.play_deals(game)
    testing.check_determinize(game, deals, number=2048)
    testing.check_observations_hide(game, deals, number=2048)
