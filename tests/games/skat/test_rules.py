"""Rules that make no sense are refused, with the reason; every preset passes quick checks."""

import jax
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards import Match, testing
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.games.skat.rules import PRESETS, SkatRules

WRONG = [
    ({"auction": "dutch"}, "unknown auction .dutch. .allowed: values, first"),
    ({"all_pass": "void"}, "unknown all_pass .void. .allowed: throw_in, ramsch"),
    ({"auction": "first", "all_pass": "ramsch"}, "all_pass='ramsch' needs auction='values'"),
    ({"num_deals": 0}, "num_deals must be from 1 to 1000"),
    ({"kontra": 2}, "kontra"),
]


@pytest.mark.parametrize(("fields", "message"), WRONG, ids=[str(fields)[:40] for fields, _ in WRONG])
def test_wrong_rules_are_refused(fields, message):
    with pytest.raises(ValueError, match=message) as refused:
        SkatRules(**fields)
    assert "\n" not in str(refused.value)
    with pytest.raises(UserError):
        jaxcards.make("skat", **fields)


@pytest.mark.slow
@pytest.mark.parametrize("preset", by_cost(PRESETS, {*PRESETS} - {"open_spiel"}))
def test_it_passes_the_quick_checks(preset):
    game = jaxcards.make(f"skat/{preset}")
    deals = testing.deals.play_deals(game)
    testing.check_past_is_legal(game, deals)
    testing.check_history(game, deals)


def test_a_match_has_its_number_of_deals_and_the_deal_passes():
    game = jaxcards.make("skat/open_spiel", num_deals=5)
    match = Match(game)

    def play(key):
        return jaxcards.rollout(match, RandomAgent(), (), key).state

    keys = jax.random.split(jax.random.key(0), 32)
    final = jax.tree.map(np.asarray, testing.deals.quick_jit(jax.vmap(play))(keys))
    assert final.over.all() and (final.num_deals == 5).all()
    assert np.array_equal(final.winners, final.totals == final.totals.max(axis=1, keepdims=True))
    state = game.init(jax.random.key(1))
    following = game.next_deal(jax.random.key(2), state, np.arange(3))
    assert int(following.public.dealer) == (int(state.public.dealer) + 1) % 3
    assert [int(total) for total in following.public.totals] == [0, 1, 2]
