"""A learner's observations and names of actions, as our own networks have them.

Features put the trump suit first, whatever it is called, and actions go by the names that the features
use (`Game.relabel_action`): action 3 means the card of feature 3. All adapters for learners translate
here, both ways, so that a policy trained with one of them works with all others.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agent import check_game as check_game
from jaxcards.agents.networks.encoding import Encoding
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.arguments import check_integer
from jaxcards.cards.features import unpack
from jaxcards.game import Game


def legal_actions(game: Game, state: Any) -> ActionSet:
    """Return the legal actions of the player to act, under the names of the features."""
    observation = game.observe(state, state.current_player)
    return Encoding(game).legal(observation, game.legal_actions(state))


class Turn(NamedTuple):
    """The input of the player to act.

    Attributes:
      features: bool[num_features]; see `Game.feature_table`.
      mask: bool[num_actions], the legal actions; all True after the end.
    """

    features: jax.Array
    mask: jax.Array

    def flat(self) -> jax.Array:
        """Return the features, followed by the mask: float32[num_features + num_actions]."""
        return jnp.concatenate([self.features, self.mask]).astype(jnp.float32)


def turn(game: Game, state: Any, player: Any = None) -> Turn:
    """Return the observation of a player, by default of the player to act.

    The mask is that of the player to act, under the names of the features of `player`.
    """
    who = state.current_player if player is None else jnp.asarray(player, jnp.int32)
    observation = game.observe(state, who)
    words = game.feature_words(observation)
    mask = Encoding(game).legal(observation, game.legal_actions(state)).mask()
    return Turn(unpack(words, game.num_features, jnp.bool_), mask)


def of_all(game: Game, state: Any) -> Turn:
    """Return the observations of all players, with a leading axis [num_players].

    The mask of a player that is not to act is all False. After the end all masks are all True.
    """

    def of(player: jax.Array) -> Turn:
        seen = turn(game, state, player)
        return seen._replace(mask=seen.mask & (state.terminated | (player == state.current_player)))

    return jax.vmap(of)(jnp.arange(game.num_players, dtype=jnp.int32))


def game_action(game: Game, state: Any, action: Any) -> jax.Array:
    """Translate an action of the player to act between the names of the features and the game's."""
    check_integer("an action", action)
    observation = game.observe(state, state.current_player)
    return Encoding(game).action(observation, jnp.asarray(action, jnp.int32))


def play(game: Game, state: Any, action: Any) -> Any:
    """Return the state after a legal action, under the names of the features."""
    return game.step(state, game_action(game, state, action))


def play_legal(game: Game, state: Any, action: Any) -> tuple[Any, jax.Array]:
    """Return the state after an action, and whether a legal one replaced it (`legal_one`)."""
    chosen = legal_one(legal_actions(game, state), action)
    return play(game, state, chosen), chosen != action


def legal_one(legal: ActionSet, action: Any) -> jax.Array:
    """Return the given action if it is legal, else a legal action that depends on its number.

    Args:
      legal: a set that is not empty.
      action: int scalar of any value.
    """
    # A negative number becomes a large one, so that the remainder below is defined.
    number = jnp.asarray(action).astype(jnp.uint32)
    other = legal.nth(number % legal.count())
    return jnp.where(legal.contains(number), number.astype(jnp.int32), other)


def env_id(game: Game) -> str:
    """Return the name of a game among the environments of a library."""
    return f"jaxcards/{game.id or game.name}"
