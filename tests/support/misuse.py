"""A game and what its methods take, right and wrong, for tests of misuse."""

import functools

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards import Match, UserError, registry

KEY = jax.random.key(0)
KEYS = jax.random.split(KEY, 8)
EUCHRE = "euchre/standard"
IDS = [*registry.defaults(), "match"]


class Things:
    """A game, and what its methods take: of one deal, and of a batch of 8."""

    def __init__(self, game):
        self.game = game
        self.state, self.observation, self.legal = jax.jit(self._look)(KEY)
        self.states, self.observations, self.legals = jax.jit(jax.vmap(self._look))(KEYS)
        self.totals = jnp.zeros(game.num_players, jnp.int32)

    def _look(self, key):
        state = self.game.init(key)
        return state, self.game.observe(state, 0), self.game.legal_actions(state)


@functools.cache
def things(id):
    return Things(Match(jaxcards.make("euchre")) if id == "match" else jaxcards.make(id))


def other(id):
    """Things of another game."""
    return things("euchre/standard" if id == "jass/schieber_1000" else "jass/schieber_1000")


def refused(call, match):
    """Require that a call is answered by a `UserError` of one line."""
    with pytest.raises(UserError, match=match) as error:
        call()
    assert "\n" not in str(error.value)
