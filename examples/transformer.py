"""The training loop of ppo.py with a transformer that reads the deal as a sequence.

    python examples/transformer.py --game jass --minutes 10

Its tokens are the position as a whole, the cards in the player's hand, and all actions so far in their
order (`game.history`). The position attends to all of them, twice. The rest of the loop is the same:
only the policy reads an observation in another way.
"""

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import ppo

WIDTH, HEADS, MOST_HELD = 32, 2, 13  # MOST_HELD: room for the largest hand


class Transformer(nn.Module):
    """The logits and the value of a position, from its tokens."""

    outputs: int

    @nn.compact
    def __call__(self, seen: dict[str, jax.Array]) -> tuple[jax.Array, jax.Array]:
        place = self.param("place", nn.initializers.normal(0.02), (seen["action"].shape[-1], WIDTH))
        action = nn.Embed(self.outputs + 1, WIDTH, name="action")(seen["action"])
        tokens = place + action + nn.Embed(16, WIDTH, name="owner")(seen["owner"])
        whole = nn.Dense(WIDTH)(nn.relu(nn.Dense(128)(seen["features"])))[..., None, :]
        tokens = jnp.concatenate([whole, tokens], -2)
        used = jnp.concatenate([jnp.ones_like(seen["used"][..., :1]), seen["used"]], -1)
        for _ in range(2):  # attention between the tokens would cost three times as much
            whole = self.block(whole, tokens, used)
        found = nn.Dense(self.outputs + 1, kernel_init=nn.initializers.normal(0.001))(whole[..., 0, :])
        return found[..., :-1], found[..., -1]

    def block(self, x: jax.Array, tokens: jax.Array, used: jax.Array) -> jax.Array:
        """Let `x` attend to all used tokens, then transform the result."""
        normal, context = nn.LayerNorm()(x), nn.LayerNorm()(tokens)
        x += nn.MultiHeadDotProductAttention(HEADS)(normal, context, mask=used[..., None, None, :])
        return x + nn.Dense(WIDTH)(nn.relu(nn.Dense(2 * WIDTH)(nn.LayerNorm()(x))))


class SequencePolicy(ppo.Policy):
    """A policy whose network reads tokens: an action (or a card), its player, and its place."""

    def look(self, observation: Any) -> dict[str, jax.Array]:
        game, players = self.game, self.game.num_players
        past, held = game.history(observation), observation.hand.mask()
        (hand,) = jnp.nonzero(held, size=MOST_HELD, fill_value=-1)
        action = jnp.concatenate([hand, past.actions]).astype(jnp.int32)
        named = jax.vmap(lambda one: game.relabel_action(observation, one))(jnp.maximum(action, 0))
        owner = jnp.where(past.players < 0, -1, (past.players - observation.player) % players)
        owner = jnp.concatenate([jnp.where(hand < 0, -1, players), owner])
        return {
            "features": game.features(observation),
            "action": jnp.where(action < 0, game.num_actions, named),  # padding, or hidden
            "owner": jnp.maximum(owner, 0),
            "used": owner >= 0,
        }


if __name__ == "__main__":
    ppo.main(Transformer, SequencePolicy, lanes=64)
