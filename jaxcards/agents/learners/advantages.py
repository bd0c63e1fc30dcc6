"""Advantages for games in which players take turns.

Between two turns of a player, the others act and rewards arrive. These rewards belong to the earlier of
the two turns. The player's next state is its own next turn, not the next step of the deal. Most
single-agent trainers apply their formulas to consecutive steps, which credits a player with the
opponents' next actions.
"""

import jax
import jax.numpy as jnp


def turn_based_advantages(
    rewards: jax.Array,
    players: jax.Array,
    values: jax.Array,
    decides: jax.Array,
    discount: float,
    gae_lambda: float,
    *,
    terminated: jax.Array | None = None,
    next_values: jax.Array | None = None,
) -> jax.Array:
    """Return generalised advantage estimates, each over the turns of one player in a deal.

    Let t be the turns of a player, and V its values, 0 after its last turn. R(t) is the sum of its
    rewards from turn t until before its next turn, or the end:
        delta(t) = R(t) + discount * V(t + 1) - V(t)
        A(t) = delta(t) + discount * gae_lambda * A(t + 1)
    (Schulman et al. 2016, equations 11 to 16, with a player's turns for time steps.)

    The steps are one deal to its end, or a window with parts of several deals one after the other.

    Args:
      rewards: float32[steps, ..., num_players], each player's reward for the step.
      players: int32[steps, ...], the player who acts in the step.
      values: float32[steps, ...], the acting player's value before the step.
      decides: bool[steps, ...], whether the step is a turn. Other steps (forced moves, steps after the
        end) only pass rewards on.
      discount: factor from one turn of a player to its next.
      gae_lambda: 0 for one-turn errors, 1 for full returns.
      terminated: bool[steps, ...], the step ends its deal, and the next one belongs to another deal.
        None if the steps are of one deal.
      next_values: float32[..., num_players], for each player the value of its next turn after the last
        step, V(t + 1) of its last turn there. Ignored if the last step ends its deal; zeros if None.

    Returns:
      float32[steps, ...], 0 where `decides` is False.
    """
    num_players = rewards.shape[-1]
    zeros = jnp.zeros(rewards.shape[1:], jnp.float32)
    # Behind the last step: rewards that wait for an earlier turn, values of the next turns, advantages.
    start = zeros, zeros if next_values is None else next_values.astype(jnp.float32), zeros
    if terminated is None:
        steps: tuple[jax.Array, ...] = (rewards, players, values, decides)
    else:
        steps = (rewards, players, values, decides, terminated)
    # seats: int32[1, …, num_players], to broadcast against the axes of the deals.
    seats = jnp.arange(num_players, dtype=jnp.int32).reshape((1,) * (rewards.ndim - 2) + (-1,))

    def back(
        carry: tuple[jax.Array, jax.Array, jax.Array], step: tuple[jax.Array, ...]
    ) -> tuple[tuple[jax.Array, jax.Array, jax.Array], jax.Array]:
        reward, player, value, turn, *ends = step
        if ends:  # the later steps belong to another deal
            carry = jax.tree.map(lambda later: jnp.where(ends[0][..., None], 0, later), carry)
        # pending: for each player, the rewards from here until its next turn.
        pending, next_value, next_advantage = carry
        pending = pending + reward
        # own: bool[…, num_players], the acting player if the step is a turn.
        own = (seats == player[..., None]) & turn[..., None]
        # delta(t) and A(t) of the docstring, for all players at once; only the entry in `own` is used.
        error = pending + discount * next_value - value[..., None]
        advantage = error + discount * gae_lambda * next_advantage
        # The player who acts starts anew; the sums of the others go on.
        carry = (
            jnp.where(own, 0, pending),
            jnp.where(own, value[..., None], next_value),
            jnp.where(own, advantage, next_advantage),
        )
        # At most one entry is left: the sum selects it.
        return carry, jnp.where(own, advantage, 0).sum(-1)

    return jax.lax.scan(back, start, steps, reverse=True)[1]
