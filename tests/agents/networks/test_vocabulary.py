"""One network for many rules: rows and columns by name."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards import registry
from jaxcards.agents.networks.network import BitsNetwork, PlanesNetwork, forward
from jaxcards.agents.networks.vocabulary import (
    bit_names,
    critic_vocabulary,
    facts,
    moved,
    policy_vocabulary,
)
from jaxcards.cards.features import unpack
from jaxcards.errors import UserError

GAMES = tuple(jaxcards.make(f"jass/{preset}") for preset in ("schieber_1000", "tournament", "slalom"))
WORDS = policy_vocabulary(GAMES)
ALL_GAMES = [id for id in jaxcards.games() if "/" in id]


def some_words(game, number=64):
    """Features that no deal need have: any bits."""
    bits = np.random.default_rng(1).integers(2, size=(number, game.num_features), dtype=np.uint32)
    padded = np.zeros((number, -(-game.num_features // 32) * 32), np.uint32)
    padded[:, : game.num_features] = bits
    packed = padded.reshape(number, -1, 32) << np.arange(32, dtype=np.uint32)
    words = packed.sum(-1, dtype=np.uint32)
    np.testing.assert_array_equal(np.asarray(unpack(jnp.asarray(words), game.num_features)), bits)
    return words, bits


def network_and_params(words=WORDS):
    network = BitsNetwork(words.num_inputs, (16, 8), len(words.outputs))
    params = network.fresh(jax.random.key(0))
    keys = iter(jax.random.split(jax.random.key(1), 20))
    return network, jax.tree.map(lambda x: x + jax.random.normal(next(keys), x.shape), params)


@pytest.mark.slow
@pytest.mark.parametrize("game", by_cost(GAMES, {*GAMES} - {GAMES[2]}), ids=lambda game: game.id)
def test_the_network_of_a_game_is_the_whole_network_on_its_inputs(game):
    """Worked out the slow way: every bit by its name, rules as bits, outputs by the actions' names."""
    whole, params = network_and_params()
    words, bits = some_words(game)
    known = facts(game.rules)
    inputs = np.zeros((len(bits), WORDS.num_inputs), np.float32)
    for place, name in enumerate(bit_names(game.feature_table)):
        inputs[:, WORDS.inputs.index(name)] = bits[:, place]
    for place, condition in enumerate(WORDS.rules):
        name, _, least = condition.rpartition(" >= ")
        inputs[:, len(WORDS.inputs) + place] = known.get(name, 0) >= int(least)
    x = inputs
    for layer in ("Dense_0", "Dense_1", "Dense_2"):
        x = x @ params["params"][layer]["kernel"] + params["params"][layer]["bias"]
        x = x if layer == "Dense_2" else np.maximum(x, 0)
    expected = np.stack([x[:, WORDS.outputs.index(name)] for name in game.action_names()], -1)
    own = BitsNetwork(game.num_features, whole.hidden, game.num_actions)
    found = forward(own, WORDS.for_game(game, params), jnp.asarray(words))
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("game", GAMES[1:], ids=lambda game: game.id)
def test_inputs_of_all_games_give_the_network_of_one(game):
    whole, params = network_and_params()
    words, bits = some_words(game)
    inputs = WORDS.inputs_of(game, jnp.asarray(bits, jnp.float32))
    assert inputs.shape == (len(bits), WORDS.num_inputs) and inputs.dtype == jnp.float32
    shared = PlanesNetwork(WORDS.num_inputs, whole.hidden, len(WORDS.outputs))
    own = BitsNetwork(game.num_features, whole.hidden, game.num_actions)
    expected = forward(own, WORDS.for_game(game, params), jnp.asarray(words))
    found = forward(shared, params, inputs)[:, WORDS.outputs_of(game)]
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_masks_and_actions_go_with_their_names():
    game = GAMES[1]  # without slalom
    legal = np.random.default_rng(0).random((5, game.num_actions)) < 0.5
    mask = np.asarray(WORDS.mask_of(game, jnp.asarray(legal)))
    assert mask.shape == (5, len(WORDS.outputs)) and mask.sum() == legal.sum()
    names = game.action_names()
    assert [WORDS.outputs[place] for place in WORDS.outputs_of(game)] == list(names)
    for row, action in np.argwhere(legal):
        assert mask[row, WORDS.outputs.index(names[action])]


def test_inputs_of_a_critic_are_the_whole_deal():
    words = critic_vocabulary(GAMES)
    game = GAMES[0]
    inputs = words.inputs_of(game, jnp.ones(game.num_full_state_features))
    of_rules = inputs[len(words.inputs) :]
    assert inputs[: len(words.inputs)].sum() == game.num_full_state_features
    known = facts(game.rules)
    for condition, holds in zip(words.rules, of_rules, strict=True):
        name, _, least = condition.rpartition(" >= ")
        assert bool(holds) == (known.get(name, 0) >= int(least))


def test_rules_matter():
    """The same features under other rules lead to other logits."""
    game, other = GAMES[0], dataclasses.replace(GAMES[0], rules=GAMES[2].rules)
    _, params = network_and_params()
    own = WORDS.for_game(game, params)["params"]["Dense_0"]["bias"]
    slalom = WORDS.for_game(other, params)["params"]["Dense_0"]["bias"]
    assert np.abs(np.asarray(own - slalom)).max() > 0.1


def test_rules_that_no_preset_names_are_played_too():
    game = jaxcards.make("jass/schieber_1000", weis_low_fours=False, match_bonus=50)
    _, params = network_and_params()
    picked = WORDS.for_game(game, params)["params"]
    assert picked["Dense_0"]["kernel"].shape == (game.num_features, 16)
    assert picked["Dense_2"]["kernel"].shape == (8, game.num_actions)


def test_rules_of_another_family_are_refused_by_name():
    _, params = network_and_params()
    differenzler = jaxcards.make("jass/differenzler")
    with pytest.raises(UserError, match="cannot play jass/differenzler.*has not learned the feature"):
        WORDS.for_game(differenzler, params)


def test_what_only_matches_ask_for_is_no_fact():
    rules = GAMES[0].rules
    assert facts(rules) == facts(dataclasses.replace(rules, target=2500, finish="immediate"))
    assert facts(rules) != facts(dataclasses.replace(rules, weis=False))
    assert "multipliers[3]" in facts(rules) and "undertrump = banned" in facts(rules)


@pytest.mark.parametrize("id", by_cost(ALL_GAMES, {*ALL_GAMES} - {*registry.defaults()}))
def test_every_bit_of_every_game_has_a_name_of_its_own(id):
    game = jaxcards.make(id)
    for table in (game.feature_table, game.full_state_table):
        names = bit_names(table)
        assert len(set(names)) == len(names) == sum(feature.size for feature in table)


@pytest.mark.slow
def test_a_critic_has_one_output():
    words = critic_vocabulary(GAMES)
    network, params = network_and_params(words)
    own = words.for_critic(GAMES[1], params)
    shape = own["params"]["Dense_0"]["kernel"].shape
    assert shape == (GAMES[1].num_full_state_features, network.hidden[0])
    assert own["params"]["Dense_2"]["kernel"].shape == (8, 1)


@pytest.mark.slow
@pytest.mark.parametrize("hidden", by_cost([(16, 8), (20, 11)], {(20, 11)}))
def test_a_policy_moves_to_other_names_and_plays_the_same(hidden):
    """To three games, to a match, and to wider layers: what is not known yet changes nothing."""
    two = policy_vocabulary(GAMES[:2])
    _, params = network_and_params(two)
    slalom, match = GAMES[2], jaxcards.Match(GAMES[0])
    for wanted, game in ((WORDS, GAMES[1]), (policy_vocabulary([match]), GAMES[0])):
        fresh = BitsNetwork(wanted.num_inputs, hidden, len(wanted.outputs)).fresh(jax.random.key(2))
        found = moved(params, two, wanted, fresh, game)
        to_wanted = functools.partial(moved, params, two, wanted, game=game)
        traced = jax.eval_shape(to_wanted, fresh)
        assert jax.tree.map(jnp.shape, found) == jax.tree.map(jnp.shape, traced)
        words, _ = some_words(game)
        table = game if wanted is WORDS else match
        if table is match:
            words = np.pad(words, ((0, 0), (0, -(-match.num_features // 32) - words.shape[1])))
        own = BitsNetwork(table.num_features, hidden, game.num_actions)
        expected = forward(
            BitsNetwork(game.num_features, (16, 8), game.num_actions),
            two.for_game(game, params),
            jnp.asarray(words[:, : -(-game.num_features // 32)]),
        )
        # Sums of float32 in another order: on some processors the last digits differ.
        played = forward(own, wanted.for_game(table, found), jnp.asarray(words))
        np.testing.assert_allclose(played, expected, rtol=1e-4, atol=1e-4)
    # Actions that only slalom has begin as they do in a fresh network.
    new = [WORDS.outputs.index(name) for name in slalom.action_names() if name not in two.outputs]
    fresh = BitsNetwork(WORDS.num_inputs, hidden, len(WORDS.outputs)).fresh(jax.random.key(2))
    moved_again = moved(params, two, WORDS, fresh, GAMES[0])["params"]["Dense_2"]["kernel"][:, new]
    assert new and (moved_again == fresh["params"]["Dense_2"]["kernel"][:, new]).all()


@pytest.mark.slow
def test_further_units_can_learn():
    _, params = network_and_params()
    wide = BitsNetwork(WORDS.num_inputs, (20, 11), len(WORDS.outputs))
    found = moved(params, WORDS, WORDS, wide.fresh(jax.random.key(2)), GAMES[0])
    words = jax.random.bits(jax.random.key(3), (50, -(-WORDS.num_inputs // 32)), jnp.uint32)
    slope = jax.grad(lambda p: jnp.square(forward(wide, p, words) - 1).sum())(found)
    assert jnp.abs(slope["params"]["Dense_2"]["kernel"][8:]).max() > 0
    assert jnp.abs(found["params"]["Dense_2"]["kernel"][8:]).max() == 0


@pytest.mark.parametrize("hidden", [(15, 8), (16, 7), (16,), (16, 8, 8)])
def test_a_policy_of_other_layers_cannot_move(hidden):
    _, params = network_and_params()
    fresh = BitsNetwork(WORDS.num_inputs, hidden, len(WORDS.outputs)).fresh(jax.random.key(2))
    with pytest.raises(UserError, match=r"has hidden = \[16, 8\]: the run needs equally many"):
        moved(params, WORDS, WORDS, fresh, GAMES[0])
