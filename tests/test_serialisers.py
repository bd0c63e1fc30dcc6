"""States, observations and players go through every serialiser, and come back as they were."""

import dataclasses
import pickle
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost
from support.programs import SMALL

import jaxcards
from jaxcards import registry
from jaxcards.agents.players import make_player
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import CardSet
from jaxcards.match import Match
from jaxcards.rollouts import Rollout
from jaxcards.xla.pytrees import pytree


def values_of(game):
    """Return a state, a player's observation, and the legal actions; of a match as well."""
    state = game.init(jax.random.key(3))
    observation = game.observe(state, state.current_player)
    found = [state, observation, game.legal_actions(state), game.card_places(state)]
    return [*found, Match(game).init(jax.random.key(4))] if game.max_match_deals else found


def assert_same(found, expected):
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert np.asarray(x).dtype == np.asarray(y).dtype
        np.testing.assert_array_equal(x, y)


GAMES = registry.defaults()
every_game = pytest.mark.parametrize(
    "id", by_cost(GAMES, {*GAMES} - {"euchre/standard", "rikiki/standard"})
)


@every_game
def test_flax_restores_what_it_wrote(id):
    from flax import serialization

    for value in values_of(jaxcards.make(id)):
        blank = jax.tree.map(jnp.zeros_like, value)
        assert_same(serialization.from_bytes(blank, serialization.to_bytes(value)), value)


def test_flax_refuses_the_fields_of_another_type():
    from flax import serialization

    state, observation, *_ = values_of(SMALL)
    with pytest.raises(ValueError, match="State has the fields"):
        serialization.from_bytes(state, serialization.to_bytes(observation))


FLAX_LATER = """
import sys
import jax
import jaxcards
game = jaxcards.make("jass")
state = game.init(jax.random.key(0))
assert not any(name.split(".")[0] == "flax" for name in sys.modules)
import flax.serialization
print(len(flax.serialization.to_bytes(state)) > 100)
"""


@pytest.mark.slow
def test_flax_is_told_of_the_types_when_it_is_imported_later():
    done = subprocess.run([sys.executable, "-c", FLAX_LATER], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr


@every_game
def test_exported_programs_take_and_return_our_types(id):
    pytest.importorskip("flatbuffers")  # what `Exported.serialize` needs
    values = values_of(jaxcards.make(id))
    exported = jax.export.export(jax.jit(lambda *values: values))(*values)
    again = jax.export.deserialize(exported.serialize())
    assert again.in_tree == exported.in_tree
    assert_same(again.call(*values), tuple(values))


def test_an_exported_rollout_plays_as_before():
    pytest.importorskip("flatbuffers")
    from jaxcards.agent import RandomAgent

    def play(key):
        return jaxcards.rollout(SMALL, RandomAgent(), (), key)

    key = jax.random.key_data(jax.random.key(1))
    exported = jax.export.export(jax.jit(play))(key)
    found = jax.export.deserialize(exported.serialize()).call(key)
    assert isinstance(found, Rollout)
    assert_same(found, jax.jit(play)(key))


def test_every_type_of_a_game_is_registered_for_export():
    """Without flatbuffers, too: JAX refuses a second registration."""
    state, *others = values_of(jaxcards.make("jass"))
    nodes = (state, state.public, state.played, *others)
    for node in nodes:
        with pytest.raises(ValueError, match="Duplicate serialization registration"):
            jax.export.register_pytree_node_serialization(
                type(node), serialized_name="again", serialize_auxdata=repr, deserialize_auxdata=eval
            )


@every_game
def test_states_observations_games_and_players_pickle(id):
    game = jaxcards.make(id)
    for value in values_of(game):
        assert_same(pickle.loads(pickle.dumps(value)), value)
    champion, params = jaxcards.load_agent(id)
    for one in (game, make_player("heuristic", game), champion):
        again = pickle.loads(pickle.dumps(one))
        assert again == one and hash(again) == hash(one)
    assert_same(pickle.loads(pickle.dumps(params)), params)
    if game.max_match_deals:
        assert pickle.loads(pickle.dumps(Match(game))) == Match(game)


@every_game
def test_orbax_restores_a_state(id, tmp_path):
    checkpoint = pytest.importorskip("orbax.checkpoint")
    state = jaxcards.make(id).init(jax.random.key(5))
    with checkpoint.StandardCheckpointer() as writer:
        writer.save(tmp_path / "state", state)
        writer.wait_until_finished()
        blank = jax.tree.map(jnp.zeros_like, state)
        assert_same(writer.restore(tmp_path / "state", blank), state)


def test_a_class_of_ones_own_is_registered_by_one_decorator():
    from flax import serialization

    @pytree
    @dataclasses.dataclass(frozen=True)
    class Own:
        cards: CardSet
        legal: ActionSet
        name: str = dataclasses.field(metadata={"static": True}, default="own")

    state = SMALL.init(jax.random.key(0))
    own = Own(state.played, SMALL.legal_actions(state), "mine")
    assert len(jax.tree.leaves(own)) == len(jax.tree.leaves((own.cards, own.legal)))
    blank = jax.tree.map(jnp.zeros_like, own)
    assert_same(serialization.from_bytes(blank, serialization.to_bytes(own)), own)


def test_a_class_may_be_defined_again_as_in_a_notebook():
    def define():
        @pytree
        @dataclasses.dataclass(frozen=True)
        class Again:
            value: jax.Array

        return Again

    for cls in (define(), define()):
        program = jax.export.export(jax.jit(lambda x: x))(cls(jnp.float32(1)))
        restored = jax.export.deserialize(program.serialize())
        assert restored.call(cls(jnp.float32(3))) == cls(jnp.float32(3))
