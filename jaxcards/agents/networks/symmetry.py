"""What a network would see, and call its actions, were the suits named otherwise.

Which of the other suits is called hearts changes nothing, but a network knows nothing of that, and
answers differently. The mean of its answers under all names is a better one (experiments/symmetry).
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.networks import masking
from jaxcards.game import Game

_UNLIKELY = -20.0  # what is less likely than e to this counts as that likely in the mean


class Symmetries(NamedTuple):
    """Permutations of suits that change nothing; see `Game.suit_symmetry`.

    Attributes:
      inputs: int32[n, num_features], under each of them, which feature of the position as it is comes
        in each place.
      actions: int32[n, num_actions], under each of them, the name of each action.
      calls: bool[n], whether calls, too, are the same under it.
    """

    inputs: np.ndarray
    actions: np.ndarray
    calls: np.ndarray


@functools.lru_cache(maxsize=64)
def symmetries(game: Game) -> Symmetries:
    """Return the permutations of suits of a game, in its features and actions."""
    symmetry, deck, names = game.suit_symmetry, game.deck, list(game.action_names())
    orders = symmetry.permutations
    places = [symmetry.features(deck, game.feature_table, order) for order in orders]
    return Symmetries(
        np.argsort(places, axis=1).astype(np.int32),
        np.array([symmetry.actions(deck, names, order) for order in orders]),
        np.array([symmetry.holds_for_calls(order) for order in orders]),
    )


def mean_log_probabilities(
    game: Game, answer: Callable[[jax.Array], jax.Array], features: jax.Array, mask: jax.Array
) -> jax.Array:
    """Return the mean of a policy under all names of the suits, normalised: float32[num_actions].

    Args:
      game: what is played.
      answer: the policy, from float[n, num_features] to the logits float[n, num_actions].
      features: float[num_features], of a position, 0 or 1.
      mask: bool[num_actions], what is legal, under the names of the features.
    """
    found = symmetries(game)
    renamed = answer(features[found.inputs])
    logits = jnp.take_along_axis(renamed, jnp.asarray(found.actions), -1)
    each = jnp.maximum(masking.log_probabilities(logits, mask), _UNLIKELY)
    is_call = mask[game.deck.num_cards :].any()
    counts = jnp.where(is_call, found.calls, True)[:, None]
    return masking.log_probabilities(jnp.where(counts, each, 0).sum(0) / counts.sum(), mask)


def renamed(game: Game, params: Any, number: jax.Array) -> Any:
    """Return the parameters of the policy that answers as another does under other names of the suits.

    Args:
      game: what is played.
      params: of a `BitsNetwork` for the game.
      number: int32, which of the `symmetries`.
    """
    found, layers = symmetries(game), dict(params["params"])
    first, *_, last = sorted(layers, key=lambda name: int(name.rpartition("_")[2]))
    # A feature comes in another place: there are the weights that it meets.
    places = jnp.asarray(np.argsort(found.inputs, axis=1))[number]
    names = jnp.asarray(found.actions)[number]
    layers[first] = layers[first] | {"kernel": layers[first]["kernel"][places]}
    layers[last] = {part: values[..., names] for part, values in layers[last].items()}
    return {**params, "params": layers}
