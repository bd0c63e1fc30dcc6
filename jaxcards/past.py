"""The past actions of a deal, read from its state alone, hidden choices included.

A state has the order of all public actions, and the place of every card, which determines its past.
This holds for deals that were played and for deals drawn by `Game.sample_state`.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import IDLE
from jaxcards.game import Game


class PastActions(NamedTuple):
    """The decisions of a deal so far, in their order.

    Attributes:
      action: int32[max_steps], the actions, and `actions.IDLE` behind the last one.
      number: int32, how many there are.
    """

    action: jax.Array
    number: jax.Array


def beginning(game: Game, state: Any) -> Any:
    """Return a deal before its first decision. Batch it with `jax.vmap`.

    Args:
      game: the game of single deals, with an `opening`.
      state: the deal at any moment.
    """
    opening = game.opening(state)
    return game.init_from_deck(opening.deck, opening.dealer, **opening.facts)


def past_actions(game: Game, state: Any) -> PastActions:
    """Return all actions so far, with which `beginning` becomes the state again.

    A state does not keep the order of cards laid aside in secret, as in a discard of several cards or a
    bury. These cards come in the order of their numbers.

    Args:
      game: the game of single deals, with `opening` and `history`.
      state: the deal at any moment, played or drawn by `Game.sample_state`.

    Raises:
      UserError: if the game does not tell how its deals began or went on.
    """
    seats = jnp.arange(game.num_players)
    told = jax.vmap(lambda seat: game.history(game.observe(state, seat)))(seats)
    # Each player knows its own actions; those that it does not know are negative.
    actions, number = told.actions.max(axis=0), told.length[0]
    return PastActions(jnp.where(jnp.arange(game.max_steps) < number, actions, IDLE), number)
