"""The score of a deal of Bridge (docs/bridge.md, 5 and 6)."""

import jax
import jax.numpy as jnp

from jaxcards.games.bridge.play import PLAY, Public
from jaxcards.xla.lookup import lookup

_FACTORS = (1, 2, 4)  # plain, doubled, redoubled
_SLAMS = (0, 0, 0, 0, 0, 0, 500, 1000)  # by level, if not vulnerable


def made_score(level: jax.Array, strain: jax.Array, doubled: jax.Array, vulnerable: jax.Array,
               overtricks: jax.Array) -> jax.Array:  # fmt: skip
    """Return the score of a contract made: int32.

    Args:
      level: uint32, 1 to 7.
      strain: uint32, 0 to 4.
      doubled: uint32, 0 to 2.
      vulnerable: bool.
      overtricks: int32, 0 or more.
    """
    worth = jnp.where(strain < 2, 20, 30)
    level = level.astype(jnp.int32)
    factor = lookup(_FACTORS, doubled).astype(jnp.int32)
    tricks = (worth * level + jnp.where(strain == 4, 10, 0)) * factor
    bonus = jnp.where(tricks >= 100, jnp.where(vulnerable, 500, 300), 50)
    slam = lookup(_SLAMS, level.astype(jnp.uint32)).astype(jnp.int32)
    slam = jnp.where(vulnerable, slam + jax.lax.div(slam, 2), slam)
    # A doubled overtrick scores 100, vulnerable 200; redoubled twice as much.
    extra = jnp.where(vulnerable, 100, 50) * factor
    each = jnp.where(doubled == 0, worth, extra)
    insult = jax.lax.div(factor, 2) * 50
    return tricks + bonus + slam + insult + each * overtricks


def down_score(doubled: jax.Array, vulnerable: jax.Array, short: jax.Array) -> jax.Array:
    """Return the score of the opponents of a contract that failed: int32.

    Args:
      doubled: uint32, 0 to 2.
      vulnerable: bool.
      short: int32, missing tricks, 1 or more.
    """
    plain = jnp.where(vulnerable, 100, 50) * short
    # 100, 200, 200, then 300 each; vulnerable 200, then 300 each.
    few = jnp.where(vulnerable, 300 * short - 100, 200 * short - 100)
    many = jnp.where(vulnerable, 0, 100 * jnp.maximum(short - 3, 0))
    return jnp.where(doubled == 0, plain, (few + many) << jnp.maximum(doubled.astype(jnp.int32) - 1, 0))


def side_points(public: Public) -> tuple[jax.Array, jax.Array]:
    """Return the scores of both sides of a finished deal: int32; one of them is 0."""
    declares = public.declarer & 1
    vulnerable = (public.vulnerability >> declares) & 1 == 1
    over = public.won_by(declares) - 6 - public.level.astype(jnp.int32)
    made = made_score(public.level, public.strain, public.doubled, vulnerable, jnp.maximum(over, 0))
    down = down_score(public.doubled, vulnerable, jnp.maximum(-over, 1))
    played = (public.phase >= PLAY) & (public.num_bids > 0)
    own = jnp.where(played & (over >= 0), made, 0)
    other = jnp.where(played & (over < 0), down, 0)
    return jnp.where(declares == 0, own, other), jnp.where(declares == 0, other, own)
