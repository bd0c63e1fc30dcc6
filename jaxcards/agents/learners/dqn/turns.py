"""Turns of players: a decision, its rewards, and the player's turn some turns later."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Outlook(NamedTuple):
    """Rewards and later turn for each step; leaves have axes [steps, deals].

    Attributes:
      gain: float32, the discounted rewards of the player from this turn until before its turn `turns`
        turns later, or the end.
      later: int32, the step of that turn; -1 if the deal ends before it.
    """

    gain: jax.Array
    later: jax.Array


def ahead(
    rewards: jax.Array, players: jax.Array, decides: jax.Array, turns: int, discount: float
) -> Outlook:
    """Return rewards and later turns of each decision, counting turns of the same player alone.

    A reward belongs to the last turn of each player before it. R(t) is the sum of a player's rewards
    from its turn t until before its next one. The gain is R(t) + discount * R(t + 1) + ..., with
    `turns` terms (Watkins 1989; Sutton 1988, with a player's turns for time steps).

    Args:
      rewards: float32[steps, deals, num_players], each player's reward for the step.
      players: int32[steps, deals], the player who acts in the step.
      decides: bool[steps, deals], whether the step is a turn.
      turns: number of terms.
      discount: factor from one turn of a player to its next.

    Returns:
      The outlook; its values are undefined where `decides` is False.
    """
    num_steps, num_deals, num_players = rewards.shape
    # For each player: rewards since its next turn, R of its next turns, and their steps.
    # In the first axis, [turns], the nearest turn comes first.
    start = (
        jnp.zeros((num_deals, num_players), jnp.float32),
        jnp.zeros((turns, num_deals, num_players), jnp.float32),
        jnp.full((turns, num_deals, num_players), -1, jnp.int32),
    )
    factors = discount ** jnp.arange(turns, dtype=jnp.float32)

    def back(carry: tuple[jax.Array, ...], step: tuple[jax.Array, ...]) -> tuple[Any, Outlook]:
        pending, sums, steps = carry
        number, reward, player, turn = step
        # pending: for each player, the rewards from here until its next turn.
        pending = pending + reward
        own = (jnp.arange(num_players, dtype=jnp.int32)[None] == player[:, None]) & turn[:, None]
        # The step of the player's turn `turns` turns later.
        later = steps[-1]
        # The sum of this turn comes first, and that of the furthest turn drops out.
        new_sums = jnp.concatenate([pending[None], sums[:-1]])
        gain = (factors[:, None, None] * new_sums).sum(0)
        numbers = jnp.full((1, num_deals, num_players), number)
        new_steps = jnp.concatenate([numbers, steps[:-1]])
        # Only the acting player's entries move.
        carry = (
            jnp.where(own, 0, pending),
            jnp.where(own, new_sums, sums),
            jnp.where(own, new_steps, steps),
        )
        # Select the entries of the acting player: all others are 0, or -1, which is below every step.
        found = Outlook(jnp.where(own, gain, 0).sum(-1), jnp.where(own, later, -1).max(-1))
        return carry, found

    order = jnp.arange(num_steps, dtype=jnp.int32)
    _, found = jax.lax.scan(back, start, (order, rewards, players, decides), reverse=True)
    return found
