"""The forms of a game and its features are found by abstract tracing."""

import jax

import jaxcards
from jaxcards.contract.forms import forms_of


def test_a_game_is_traced_once_for_its_forms_and_its_features():
    keys = []

    class Counted(type(jaxcards.make("hearts"))):
        def init(self, key, round=None):
            keys.append(jax.random.key_data(key).shape)  # as a game of one's own may: keys have a type
            return super().init(key, round)

    game = Counted(jaxcards.make("hearts").rules)
    assert forms_of(game) is not None
    assert game.num_features and game.num_full_state_features
    assert keys == [(2,)]
