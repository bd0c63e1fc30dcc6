"""`sample_state` is uniform over all deals that fit, by enumeration and replay."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from games.spades.playout import BID, PLAYOUTS, game_of
from games.uniform import check_uniform, few_cards
from jaxcards.testing.deals import quick_jit


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("standard", 1),
        ("whiz", 3),
        *(pytest.param(name, 3, marks=pytest.mark.slow) for name in ("cutthroat", "whiz_three")),
        *(pytest.param(name, 4, marks=pytest.mark.slow) for name in ("blind_nil", "open_spiel")),
    ],
)
def test_uniform_over_all_deals_that_fit(name, seed):
    # Low cards first: then high cards stay hidden, and spades are not broken for long.
    def lower(actions):
        return min(actions, key=lambda action: action % 13 if action < BID else -action)

    def begin(deals, i, deal, player, acted, hands):
        again = deals.reference(name, i)
        gone = [set(dealt) - set(hand) for dealt, hand in zip(deal.dealt, deal.hands, strict=True)]
        again.hands = [sorted({*a, *b}) for a, b in zip(gone, hands, strict=True)]
        return again, acted

    check_uniform(PLAYOUTS, name, *few_cards(PLAYOUTS, name, seed, lower, begin))


def sampled_hands(game, state, player, number=4096):
    """Return bool[number, seats, 52]: the hands of sampled states."""
    seen = game.observe(state, jnp.int32(player))

    def draw(key):
        return jnp.stack([hand.mask() for hand in game.sample_state(key, seen).hands])

    return np.asarray(quick_jit(jax.vmap(draw))(jax.random.split(jax.random.key(2), number)))


@pytest.mark.slow
def test_a_player_who_has_not_looked_may_hold_any_card():
    game = game_of("blind_nil")
    state = game.init_from_deck(np.arange(52), 3, totals=(0, 100))
    hands = sampled_hands(game, state, 0)
    assert (hands.sum(axis=2) == 13).all() and (hands.sum(axis=1) == 1).all()
    assert abs(hands.mean(axis=0) - 0.25).max() < 0.04
    hands = sampled_hands(game, state, 1)  # this player sees its cards
    assert (hands[:, 1].sum(axis=0) == [4096 * (13 <= card < 26) for card in range(52)]).all()


@pytest.mark.slow
def test_bids_of_whiz_tell_the_number_of_spades():
    game = game_of("whiz")
    state = game.init(jax.random.key(5))
    first = int(state.current_player)
    spades = [int(jax.lax.population_count(hand.suit(3))) for hand in state.hands]
    bids = [spades[(first + turn) % 4] for turn in range(3)]
    assert all(bids[:2])
    for bid in (bids[0], 0):
        state = game.step(state, jnp.int32(BID + bid))
    player = (first + 2) % 4
    found = sampled_hands(game, state, player)[:, :, 39:].sum(axis=2)
    assert (found[:, first] == bids[0]).all()
    assert len(set(found[:, (first + 1) % 4])) > 2  # a nil tells nothing
