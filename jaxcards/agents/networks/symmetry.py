"""Inputs and actions of a network under other names of the suits.

The names of suits other than trumps do not matter, but a network does not know this and answers
differently. The mean of its answers under all names is better than one answer (experiments/symmetry).
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.networks import masking
from jaxcards.game import Game

_UNLIKELY = -20.0  # lower limit of a log-probability in the mean


class Symmetries(NamedTuple):
    """Permutations of suits that change nothing; see `Game.suit_symmetry`.

    Attributes:
      inputs: int32[n, num_features], for each permutation and place, the feature of the original
        position that comes there.
      actions: int32[n, num_actions], for each permutation, the new name of each action.
      calls: bool[n], whether the permutation is valid for calls, too.
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
        # The inverse permutations: for each place, the feature that comes there.
        np.argsort(places, axis=1).astype(np.int32),
        np.array([symmetry.actions(deck, names, order) for order in orders]),
        np.array([symmetry.holds_for_calls(order) for order in orders]),
    )


def mean_log_probabilities(
    game: Game, answer: Callable[[jax.Array], jax.Array], features: jax.Array, mask: jax.Array
) -> jax.Array:
    """Return the mean of a policy under all names of the suits, normalised: float32[num_actions].

    Args:
      game: the game to play.
      answer: the policy, from float[n, num_features] to the logits float[n, num_actions].
      features: float[num_features], of a position, 0 or 1.
      mask: bool[num_actions], the legal actions, under the names of the features.
    """
    found = symmetries(game)
    # renamed: float[n, num_actions], the answers under each naming.
    renamed = answer(features[found.inputs])
    # Back to the original names of the actions.
    logits = jnp.take_along_axis(renamed, jnp.asarray(found.actions), -1)
    each = jnp.maximum(masking.log_probabilities(logits, mask), _UNLIKELY)
    # Calls name suits, so only permutations that hold for calls count.
    is_call = mask[game.deck.num_cards :].any()
    counts = jnp.where(is_call, found.calls, True)[:, None]
    return masking.log_probabilities(jnp.where(counts, each, 0).sum(0) / counts.sum(), mask)


def renamed(game: Game, params: Any, number: jax.Array) -> Any:
    """Return parameters of the policy that answers as another does under other names of the suits.

    Args:
      game: the game to play.
      params: of a `BitsNetwork` for the game.
      number: int32, an index into the `symmetries`.
    """
    found, layers = symmetries(game), dict(params["params"])
    # By number: as texts, "Dense_10" would come before "Dense_2".
    first, *_, last = sorted(layers, key=lambda name: int(name.rpartition("_")[2]))
    # Move each feature's weights to the feature's new place.
    places = jnp.asarray(np.argsort(found.inputs, axis=1))[number]
    names = jnp.asarray(found.actions)[number]
    layers[first] = layers[first] | {"kernel": layers[first]["kernel"][places]}
    # The output of an action is the answer under its new name.
    layers[last] = {part: values[..., names] for part, values in layers[last].items()}
    return {**params, "params": layers}
