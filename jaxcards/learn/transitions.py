"""Steps of deals as a learner needs them, with a fresh deal after each one that ends."""

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
"""From a state to float32[num_players]; a reward is what it changes by."""

_FRESH_DEALS = 1 << 31  # numbers of the keys of fresh deals, behind those of decisions


@pytree
class Transition(NamedTuple):
    """One step of a deal. Batches and windows have axes in front. What you do not use costs nothing.

    Attributes:
      state: the deal before the step, hidden cards included, as a critic may see it.
      observation: what the player to act saw; see `Game.observe`.
      legal: the legal actions; `legal.mask()` of one step is bool[num_actions].
      player: int32, who acted.
      action: int32, what was done.
      choice: bool, two actions or more were legal.
      rewards: float32[num_players], what each player received for the step.
      terminated: bool, the step ended the deal; the next step is the first of another deal.
      extra: what `choose` returned besides the action; None from `step`.
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
    """Take a step of a deal; if it ends the deal, deal a fresh one. Batches come from `jax.vmap`.

    Args:
      game: the game.
      state: a deal that goes on.
      action: int scalar, assumed to be legal.
      key: PRNG key of the fresh deal.
      potential: what rewards are the change of; `game.returns` if None, so that the rewards of a deal
        add up to its returns, and arrive as soon as tricks bring points.

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
    fresh = game.init(key)
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
    """Play a window of steps, all seats by one policy, with a fresh deal after each one that ends.

    A pure function of one sequence of deals. Batch it with `jax.vmap`; `out_axes=(0, 1)` gives windows
    of the shape [num_steps, batch], as `turn_based_advantages` takes them.

    Args:
      game: the game.
      choose: makes each decision. The action is one of the game, whatever `Game.relabel_action` does.
      state: where to begin: `game.init(key)`, or the state that the window before returned.
      key: PRNG key of the window, which makes all its choices and deals.
      num_steps: static length of the window.
      potential: see `step`.

    Returns:
      The state after the window, and its transitions, each leaf with a leading axis of `num_steps`.
    """
    words = prng.key_words(key)

    def once(state: Any, number: jax.Array) -> tuple[Any, Transition]:
        observation = game.observe(state, state.current_player)
        own = prng.wrap(prng.fold(words, number))
        action, extra = choose(observation, game.legal_actions(state), own)
        deal = prng.wrap(prng.fold(words, number + jnp.uint32(_FRESH_DEALS)))
        following, transition = step(game, state, action, deal, potential=potential)
        return following, transition._replace(extra=extra)

    numbers = jnp.arange(num_steps, dtype=jnp.uint32)
    return jax.lax.scan(once, tied(state, words[0]), numbers)
