"""Exactly uniform sampling of hidden cards, and counting of deals.

`sample_hidden` draws one deal that fits a `Situation`, all of them equally likely, without rejection;
`count_deals` counts them. Both are pure functions of one situation (batch with `jax.vmap`), independent
of games, with fixed loop counts. The static fields of a situation choose between three methods, each in
a file that states its cost and its accuracy:

* `by_suit`, for situations with classes: up to seven holders whose constraints are about whole suits,
  and holders that must have a card of a class (the declarer who called for it).
* `by_class`, up to three holders and 34 cards (Jass, Belote and most others).
* `by_card`, all other situations.
"""

from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.determinize import by_card, by_class, by_suit
from jaxcards.determinize.situation import Situation, Words, count_cards, union
from jaxcards.xla.fence import fence


def sample_hidden(key: jax.Array, situation: Situation) -> tuple[Words, ...]:
    """Return one deal of the hidden cards, uniform over all deals that the situation admits.

    Args:
      key: a JAX key, typed or raw uint32[2].
      situation: at least one deal must exist. So the sizes must add up to the number of cards that any
        holder may have, and each size must be within its static limit. Otherwise the result is
        undefined.

    Returns:
      For each holder its cards, as words like those of `situation.allowed`. They are computed once,
      even with many uses: see `fence`.
    """
    method = by_suit if situation.classes is not None else _method(situation)
    return tuple(tuple(map(fence, words)) for words in method.sample(key, situation))


def count_deals(situation: Situation) -> jax.Array:
    """Return the number of deals that fit a situation: float32 scalar, 0 if none fits.

    Exact below 2**24. Above, the relative error is below 2**-23 by class, and below N * H * 2**-24 by
    card, for N cards and H holders. With classes, see `by_suit`.
    """
    if situation.classes is not None:
        return by_suit.count(situation)
    total = sum(situation.sizes, jnp.int32(0))
    consistent = total == count_cards(union(situation.allowed))
    return jnp.where(consistent, _method(situation).count(situation), jnp.float32(0))


def _method(situation: Situation) -> Any:
    """Return the module that samples and counts a situation without classes."""
    return by_class if by_class.applies(situation) else by_card
