"""Every game and preset keeps the contract. That each check can fail: test_contract_*.py."""

import dataclasses

import jax.numpy as jnp
import pytest
from games.sheepshead.longest import longest_deal

import jaxcards
from jaxcards import testing
from jaxcards.games.jass.game import Jass

# What `init_from_deck` of a game needs besides deck and dealer.
MORE = {"jass/differenzler": lambda rng: {"mode": rng.integers(4)}}

# Largest numbers of jaxpr equations, where they are above the defaults: the chips of up to six seats.
BUDGETS = {"sheepshead": {"points": 600}}

# Games whose longest deals random play hardly ever finds.
LONGEST = {"sheepshead": longest_deal}

# Of a game with many presets these go through the whole suite; the others do in the slow tests, and in
# the fast ones through the checks of play alone.
WHOLE = {"sheepshead": ("standard", "standard_jd", "seed_3p")}

# Presets that differ in little from another one of their game: they wait for the slow tests.
ALIKE = {
    "sheepshead": (
        "seed", "seed_jd", "seed_clubs", "seed_spitz", "seed_doubler", "seed_forced", "standard_crack",
    )
}  # fmt: skip

VARIATIONS = [
    dict(slalom=True, weis_share_cards=False, pushed_leader="declarer", undertrump="void"),
    dict(push=False, weis_long_runs="flat", weis_height=False, stock=False, target=0, deals=3),
]


def ids() -> list[str]:
    """Every id but the bare names, which mean one of their presets."""
    return [id for id in jaxcards.games() if "/" in id]


def partly(id: str) -> bool:
    """Whether the fast tests check the play alone."""
    game, _, preset = id.partition("/")
    return game in WHOLE and preset not in WHOLE[game]


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=pytest.mark.slow if partly(id) else ()) for id in ids()]
)
def test_every_game_keeps_the_contract(id):
    game = id.partition("/")[0]
    budget, longest = BUDGETS.get(game), LONGEST.get(game)
    testing.check_game(
        jaxcards.make(id), more=MORE.get(id), jaxpr_budget=budget, longest=longest
    )


def alike(id: str) -> bool:
    """Whether another preset of the game stands for this one in the fast tests."""
    game, _, preset = id.partition("/")
    return preset in ALIKE.get(game, ())


@pytest.mark.parametrize("id", [id for id in ids() if partly(id) and not alike(id)])
def test_every_preset_plays_by_the_contract(id):
    game = jaxcards.make(id)
    deals = testing.play_deals(game, 64)
    testing.check_state_leaves(game, deals)
    testing.check_legal_actions(game, deals)
    testing.check_cards_are_kept(game, deals)
    testing.check_end(game, deals)
    testing.check_scores(game, deals)
    testing.check_jaxpr_budget(game, BUDGETS.get(game.name))
    testing.check_length(game, deals, longest=LONGEST.get(game.name))


@pytest.mark.parametrize("rules", VARIATIONS, ids=[", ".join(v) for v in VARIATIONS])
def test_variations_keep_the_contract(rules):
    # Where cards may not be shared, four ways to count a hand are compared in every mode.
    budget = {"init": 11_000, "features": 7_500}
    testing.check_game(jaxcards.make("jass", **rules), jaxpr_budget=budget)


@pytest.mark.parametrize("id", ["jass/seed", "jass/differenzler", "sheepshead/six_jd"])
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
