"""The hand as a plane of suits by ranks. (The planes of a position are compared with the reference.)"""

import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.games.belote.features import hand_plane


def test_the_hand_as_a_plane():
    game = jaxcards.make("belote/bela")
    seen = game.observe(game.init_from_deck(np.arange(32), 3), jnp.int32(0))
    plane = np.asarray(hand_plane(seen))
    assert plane.shape == (4, 8) and plane.dtype == np.float32
    assert np.flatnonzero(plane).tolist() == seen.hand.to_list() and plane.max() == 1
