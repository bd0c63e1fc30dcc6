"""Rules that make no sense are refused, with the reason; helpers for schedules; arguments of deals."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from games.rows import refused
from jaxcards import testing
from jaxcards.errors import UserError
from jaxcards.games.rikiki.rules import PRESETS, RikikiRules, down_up, up, up_down

WRONG = [
    ({"num_players": 1}, "num_players must be from 2 to 7"),
    ({"num_players": 8}, "num_players must be from 2 to 7"),
    ({"num_players": True}, "num_players"),
    ({"schedule": ()}, "1 to 255 rounds, not 0"),
    ({"schedule": (1,) * 256}, "1 to 255 rounds, not 256"),
    ({"schedule": (14,)}, "each of 4 players gets 1 to 13 of 52 cards, not 14"),
    ({"num_players": 2, "schedule": (27,)}, "schedule must be from 1 to 26"),
    ({"num_players": 7, "schedule": (8,)}, "each of 7 players gets 1 to 7"),
    ({"schedule": (0, 1)}, "not 0"),
    ({"schedule": (2.0,)}, r"not 2\.0"),
    ({"schedule": 5}, "schedule must be a list of whole numbers"),
    ({"trump_mode": "dealer"}, "unknown trump_mode .dealer. .allowed: turnup, cycle, none"),
    ({"all_dealt": "spades"}, "unknown all_dealt .spades. .allowed: no_trump, dealers_card"),
    ({"trump_cycle": ()}, "trump_cycle must name"),
    ({"trump_cycle": (5,)}, "trump_cycle must be from 0 to 4"),
    ({"trump_cycle": "abc"}, "trump_cycle must be a list of whole numbers"),
    ({"forehead": "one"}, "forehead must be true or false"),
    ({"hook_from": 0}, "hook_from must be from 1 to 26"),
    ({"hook": 1}, "hook must be true or false"),
    ({"dealer_rotates": None}, "dealer_rotates must be true or false"),
    ({"lead_offset": 0}, "lead_offset must be from 1 to 2"),
    ({"lead_offset": 3}, "lead_offset must be from 1 to 2"),
    ({"made_base": 1.5}, "made_base must be a whole number"),
    ({"miss_trick": 1001}, "miss_trick must be from -1000 to 1000"),
    ({"made_zero_base": -2}, "made_zero_base must be from -1 to 1000"),
    ({"made_zero_cards": 1001}, "made_zero_cards must be from -1000 to 1000"),
    ({"miss_base": -1001}, "miss_base must be from -1000 to 1000"),
    ({"miss_made": 10}, "miss_made must be true or false"),
]


test_wrong_rules_are_refused = refused("rikiki/open_spiel", RikikiRules, WRONG)


def test_schedules():
    assert up(2, 5) == (2, 3, 4, 5)
    assert down_up(3) == (3, 2, 1, 2, 3)
    assert down_up(4, 2) == (4, 3, 2, 3, 4)
    assert up_down(1, 3) == (1, 2, 3, 2, 1)
    assert up_down(2, 2) == down_up(2, 2) == up(2, 2) == (2,)


def test_lists_become_tuples():
    rules = RikikiRules(schedule=[1, 2], trump_cycle=[4])
    assert (rules.schedule, rules.trump_cycle) == ((1, 2), (4,))
    assert hash(rules) == hash(RikikiRules(schedule=(1, 2), trump_cycle=(4,)))


@pytest.mark.parametrize("name", PRESETS)
def test_facts_of_presets(name):
    game = jaxcards.make(f"rikiki/{name}")
    most = max(game.rules.schedule)
    assert game.num_actions == 53 + most
    assert game.max_steps == game.num_players * (1 + most)
    assert game.max_match_deals == len(game.rules.schedule)
    assert game.teams is None


def test_a_wrong_round_is_refused():
    game = jaxcards.make("rikiki/plain")
    deck = list(range(52))
    for wrong in (-1, 11, 1.5):
        with pytest.raises(UserError, match="round must be an int from 0 to 10"):
            game.init(jax.random.key(0), round=wrong)
        with pytest.raises(UserError, match="round must be an int from 0 to 10"):
            game.init_from_deck(deck, 0, round=wrong)
    with pytest.raises(UserError, match="totals must be 4 numbers, not 3"):
        game.init_from_deck(deck, 0, totals=(1, 2, 3))


def test_a_given_round():
    """A known round and a traced one give the same kind of deal, of the right size."""
    game = jaxcards.make("rikiki/standard5")
    traced = testing.deals.quick_jit(lambda key, number: game.init(key, round=number))
    for number in (0, 9, 12):
        size = game.rules.schedule[number]
        for state in (game.init(jax.random.key(1), round=number), traced(jax.random.key(1), number)):
            assert [len(hand.to_list()) for hand in state.hands] == [size] * 5
            assert (int(state.public.round), int(state.public.hand_size)) == (number, size)
            undealt = game.card_places(state).aside.to_list()
            assert int(state.public.turnup) in undealt and len(undealt) == 52 - 5 * size
            assert int(state.public.trump) == int(state.public.turnup) // 13


def test_rounds_and_turn_ups_are_uniform():
    """Every round equally often, and every undealt card on top."""
    game, number = jaxcards.make("rikiki/standard3"), 20_000

    def look(key):
        state = game.init(key)
        turnup = state.public.turnup
        return state.public.round, turnup, game.card_places(state).aside.contains(turnup)

    keys = jax.random.split(jax.random.key(2), number)
    rounds, turnups, undealt = map(np.asarray, testing.deals.quick_jit(jax.vmap(look))(keys))
    assert undealt.all()
    for found, kinds in ((rounds, 19), (turnups, 52)):
        counts = np.bincount(found, minlength=kinds)
        chi = ((counts - number / kinds) ** 2).sum() * kinds / number
        assert abs(chi - (kinds - 1)) < 5 * np.sqrt(2 * (kinds - 1))


def test_totals_are_kept():
    game = jaxcards.make("rikiki/plain")
    state = game.init_from_deck(list(range(52)), 0, totals=(5, -3, 0, 7))
    seen = game.observe(state, jnp.int32(2))
    assert [int(total) for total in seen.public.totals] == [5, -3, 0, 7]
    assert jaxcards.make("rikiki/open_spiel").init(jax.random.key(0)).public.totals is None
