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


def action_since(game: Game, state: Any, later: Any) -> jax.Array:
    """Return the action after a state of a deal: int32; `actions.IDLE` after the last one.

    Args:
      game: the game of single deals.
      state: an earlier moment, reached by the actions of this function.
      later: the same deal after more actions, or at the same moment.
    """
    pairs = [*zip(jax.tree.leaves(state.public), jax.tree.leaves(later.public), strict=True)]
    hands = game.card_places(state).hands, game.card_places(later).hands
    pairs += zip(*map(jax.tree.leaves, hands), strict=True)
    same = jnp.ones((), bool)
    for one, other in pairs:
        same = same & (one == other)
    return jnp.where(same, IDLE, game.action_taken(state, later).astype(jnp.int32))


def past_actions(game: Game, state: Any) -> PastActions:
    """Return all actions so far, with which `beginning` becomes the state again.

    A state does not keep the order of cards laid aside in secret, as in a discard of several cards or a
    bury. These cards come in the order of their numbers.

    Args:
      game: the game of single deals, with `opening` and `action_taken`.
      state: the deal at any moment, played or drawn by `Game.sample_state`.

    Raises:
      UserError: if the game does not tell how its deals began or went on.
    """

    def once(now: Any, _: None) -> tuple[Any, jax.Array]:
        action = action_since(game, now, state)
        return game.step(now, action), action

    _, action = jax.lax.scan(once, beginning(game, state), None, length=game.max_steps)
    return PastActions(action, (action != IDLE).sum().astype(jnp.int32))
