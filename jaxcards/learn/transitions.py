"""Transitions for a learner: steps of deals, with a fresh deal after each finished one."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.xla import prng
from jaxcards.xla.leaves import tied
from jaxcards.xla.pytrees import pytree

Potential = Callable[[Any], jax.Array]
"""From a state to float32[num_players]; rewards are the changes of its value."""

_FRESH_DEALS = 1 << 31  # numbers of the keys of fresh deals, behind those of decisions


@pytree
class Transition(NamedTuple):
    """One step of a deal. Batches and windows have axes in front. XLA removes unused fields.

    Attributes:
      state: the deal before the step, hidden cards included, as a critic may see it.
      observation: the observation of the player to act; see `Game.observe`.
      legal: the legal actions; `legal.mask()` of one step is bool[num_actions].
      player: int32, the player who acted.
      action: int32, the chosen action.
      choice: bool, whether at least two actions were legal.
      rewards: float32[num_players], the reward of each player for the step.
      terminated: bool, the step ended the deal; the next step is the first of another deal.
      extra: the second result of `choose`; None from `step`.
    """

    state: Any
    observation: Any
    legal: ActionSet
    player: jax.Array
    action: jax.Array
    choice: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    extra: Any = None


Choose = Callable[[Any, ActionSet, jax.Array], tuple[jax.Array, Any]]
"""(observation, legal, key) of one decision -> the action, and a pytree to keep with it."""


def step(
    game: Game, state: Any, action: jax.Array, key: jax.Array, *, potential: Potential | None = None
) -> tuple[Any, Transition]:
    """Take a step of a deal; if it ends the deal, deal a fresh one. Batch it with `jax.vmap`.

    Args:
      game: the game.
      state: an unfinished deal.
      action: int scalar, assumed to be legal.
      key: PRNG key of the fresh deal.
      potential: rewards are the changes of this value. By default `game.returns`: the rewards of a
        deal then add up to its returns, and arrive as soon as tricks bring points.

    Returns:
      The state after the step or, if that ended the deal, the fresh deal; and the transition.
    """
    value = potential or game.returns
    legal, player = game.legal_actions(state), state.current_player
    after = game.step(state, action)
    transition = Transition(
        state=state,
        observation=game.observe(state, player),
        legal=legal,
        player=player,
        action=jnp.asarray(action, jnp.int32),
        choice=legal.count() > 1,
        rewards=value(after) - value(state),
        terminated=after.terminated,
    )
    # Dealt in every step: under `vmap` both sides of a condition are computed anyway.
    fresh = game.init(key)
    # A finished deal is replaced by the fresh one.
    following = jax.tree.map(lambda a, b: jnp.where(after.terminated, a, b), fresh, after)
    return following, transition


def collect(
    game: Game,
    choose: Choose,
    state: Any,
    key: jax.Array,
    num_steps: int,
    *,
    potential: Potential | None = None,
) -> tuple[Any, Transition]:
    """Play a window of steps, all seats by one policy, with a fresh deal after each finished one.

    A pure function of one sequence of deals. Batch it with `jax.vmap`; `out_axes=(0, 1)` gives windows
    of the shape [num_steps, batch], as `turn_based_advantages` takes them.

    Args:
      game: the game.
      choose: makes each decision. Its action is one of the game, without `Game.relabel_action`.
      state: the first state: `game.init(key)`, or the state returned by the previous window.
      key: PRNG key of the window, for all its choices and deals.
      num_steps: static length of the window.
      potential: see `step`.

    Returns:
      The state after the window, and its transitions, each leaf with a leading axis of `num_steps`.
    """
    words = prng.key_words(key)

    # Sub-keys below _FRESH_DEALS are for decisions, those above for deals.
    def once(state: Any, number: jax.Array) -> tuple[Any, Transition]:
        observation = game.observe(state, state.current_player)
        own = prng.wrap(prng.fold(words, number))
        action, extra = choose(observation, game.legal_actions(state), own)
        deal = prng.wrap(prng.fold(words, number + jnp.uint32(_FRESH_DEALS)))
        following, transition = step(game, state, action, deal, potential=potential)
        return following, transition._replace(extra=extra)

    # Under `vmap`, `tied` batches all leaves of the first state alike.
    numbers = jnp.arange(num_steps, dtype=jnp.uint32)
    return jax.lax.scan(once, tied(state, words[0]), numbers)
