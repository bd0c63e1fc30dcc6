"""The optimiser of the networks: gradient clipping, then Adam (Kingma and Ba 2015)."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agents.learners.average import averaging
from jaxcards.agents.learners.magnet import remembering


class Slowed(NamedTuple):
    """The state of `slowing`.

    Attributes:
      share: float32 scalar, the factor of the updates.
    """

    share: jax.Array


def slowing(part: str) -> optax.GradientTransformation:
    """Scale the updates of one part of the parameters; `with_share` sets the factor.

    Args:
      part: key of the parameters.
    """

    def init(params: Any) -> Slowed:
        return Slowed(jnp.float32(1))

    def update(updates: Any, state: Slowed, params: Any = None) -> tuple[Any, Slowed]:
        slowed = jax.tree.map(lambda x: state.share * x, updates[part])
        return updates | {part: slowed}, state

    return optax.GradientTransformation(init, update)


def with_share(state: Any, share: jax.Array) -> Any:
    """Return a state of `adam` with another factor of `slowing`, a float32 scalar."""
    return tuple(Slowed(share) if isinstance(part, Slowed) else part for part in state)


def adam(
    learning_rate: float,
    max_gradient_norm: float,
    average: float = 0.0,
    slow: str = "",
    magnet: str = "",
) -> optax.GradientTransformation:
    """Return the optimiser; `with_learning_rate` sets another learning rate for an update.

    Args:
      learning_rate: of the first update.
      max_gradient_norm: gradients are clipped to this global norm.
      average: decay of the moving average of the parameters; see `average.averaging`. 0 = no average.
      slow: key of the parameters that `with_share` slows down; "" for none.
      magnet: key of the parameters whose initial values are kept; see `magnet.remembering`. "" for
        none.
    """
    # `with_learning_rate` relies on this order: first clipping, then Adam.
    parts = [
        optax.clip_by_global_norm(max_gradient_norm),
        # The learning rate becomes a part of the state, so that it changes without compiling again.
        optax.inject_hyperparams(optax.adam)(learning_rate=learning_rate, eps=1e-5),
    ]
    if slow:
        parts.append(slowing(slow))
    # After everything that changes the updates: the average adds them to the parameters.
    if average:
        parts.append(averaging(average))
    if magnet:
        parts.append(remembering(magnet))
    return optax.chain(*parts)


def with_learning_rate(state: Any, rate: jax.Array) -> Any:
    """Return a state of `adam` with another learning rate, a float32 scalar."""
    clip, inner, *rest = state
    return clip, inner._replace(hyperparams=inner.hyperparams | {"learning_rate": rate}), *rest
