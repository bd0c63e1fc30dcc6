"""Self-play by a table that explores, and the targets of its decisions."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.qtable.description import decide
from jaxcards.agents.learners.qtable.table import Table, consult
from jaxcards.game import Game
from jaxcards.xla import prng


class Experience(NamedTuple):
    """Decisions of a batch of deals; leaves have axes [max_steps, deals].

    Attributes:
      cell: int32, of the chosen option.
      value: float32, the greatest value of the state.
      greedy: bool, whether the option with this value was chosen.
      player: int32, the player who decided.
      decides: bool, whether the table had a choice of at least two options before the end of the deal.
      valid: bool, whether the deal was not over.
      rewards: float32[..., num_players], each player's reward for the step.
    """

    cell: jax.Array
    value: jax.Array
    greedy: jax.Array
    player: jax.Array
    decides: jax.Array
    valid: jax.Array
    rewards: jax.Array


def self_play(
    game: Game, table: Table, keys: prng.KeyWords, epsilon: jax.Array, rewards: Any
) -> Experience:
    """Play one deal for each key, with one table in all seats.

    Args:
      game: the game.
      table: the table by which players choose.
      keys: two uint32[deals], the keys of the deals.
      epsilon: float32, the fraction of random decisions.
      rewards: from two consecutive states to float32[num_players].
    """

    def step(carry: tuple[Any, prng.KeyWords], time: jax.Array) -> tuple[Any, Experience]:
        state, key = carry
        player = state.current_player
        observation = game.observe(state, player)
        asked = decide(game, observation, game.legal_actions(state))
        advice = consult(table, asked)
        # One random word decides whether to explore, another one what to try.
        words = prng.fold(key, time)
        drawn = _nth(asked.legal, prng.random_word(words, 1))
        option = jnp.where(prng.uniform(words[0]) < epsilon, drawn, advice.best)
        after = game.step(state, asked.action[option])
        record = Experience(
            cell=asked.cell + option,
            value=advice.value,
            greedy=option == advice.best,
            player=player,
            decides=(asked.legal.sum() > 1) & ~state.terminated,
            valid=~state.terminated,
            rewards=rewards(state, after),
        )
        return (after, key), record

    def play(*key: jax.Array) -> Experience:
        start: Any = game.init(jnp.stack(key)), key
        _, steps = jax.lax.scan(step, start, jnp.arange(game.max_steps, dtype=jnp.uint32))
        return steps

    return jax.vmap(play, out_axes=1)(*keys)


def _nth(legal: jax.Array, word: jax.Array) -> jax.Array:
    """Return an option, all legal ones equally likely: int32."""
    number = legal.sum(dtype=jnp.uint32)
    index = prng.below(word, number, legal.shape[0]).astype(jnp.int32)
    # The first option at which `index + 1` legal ones have been counted.
    return (legal & (jnp.cumsum(legal.astype(jnp.int32)) == index + 1)).argmax().astype(jnp.int32)


def targets(steps: Experience, discount: float, trace_decay: float) -> jax.Array:
    """Return the return that followed each decision, for its player: float32[max_steps, deals].

    The next state of a player is its own next decision. All rewards until then belong to this decision,
    including those from others' decisions. Watkins's Q(lambda) looks beyond the next decision while
    decisions are greedy (Sutton and Barto, Reinforcement Learning, 12.10).

    Args:
      steps: of the deals.
      discount: between two decisions of a player.
      trace_decay: lambda; 0 is one-step Q-learning.
    """

    def backwards(later: jax.Array, step: Experience) -> tuple[jax.Array, jax.Array]:
        """Accumulate backwards; `later` is each player's return from here on: float32[deals,
        num_players].
        """
        later = later + step.rewards
        # acts: bool[deals, num_players], the player who decided.
        acts = jnp.arange(later.shape[-1], dtype=jnp.int32)[None] == step.player[:, None]
        target = jnp.where(acts, later, 0).sum(-1)
        # The trace ends at a decision that was not greedy.
        kept = jnp.where(step.greedy, jnp.float32(trace_decay), 0)
        seen = discount * ((1 - kept) * step.value + kept * target)
        # Further back, the return of the acting player starts with this decision.
        # A forced action leaves it as it is.
        later = jnp.where(acts & step.decides[:, None], seen[:, None], later)
        return later, target

    _, found = jax.lax.scan(backwards, jnp.zeros_like(steps.rewards[0]), steps, reverse=True)
    return found
