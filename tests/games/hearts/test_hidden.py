"""`sample_state` is uniform over all deals and passes that fit, by enumeration and replay."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from games.hearts.playout import PLAYOUTS, game_of
from games.hearts.reference import ReferenceDeal
from games.uniform import check_uniform, few_cards
from jaxcards.testing.deals import quick_jit

SAMPLES = 20_000


def before_the_first_card(deals, i, deal, player, acted, hands):
    """Return the deal after the passing, with other hands at its end, and the plays."""
    receiver = (player + deal.direction) % deal.n
    elsewhere = set().union(*(hand for seat, hand in enumerate(hands) if seat != receiver))
    if elsewhere & set(deal.passed[player]):
        return None
    plays = acted[sum(map(len, deal.passed)) :]
    again = object.__new__(ReferenceDeal)
    vars(again).update(vars(deal), table=[], tricks=[], played=[])
    gone = [[card for seat, card in plays if seat == own] for own in range(deal.n)]
    again.hands = [a + b for a, b in zip(gone, hands, strict=True)]
    again.start()
    return again, plays


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("standard", 1),
        ("options", 2),
        *(pytest.param(name, 3, marks=pytest.mark.slow) for name in ("lax", "three")),
    ],
)
def test_uniform_over_all_deals_that_fit(name, seed):
    # Low cards first: then high cards stay hidden, and hearts are not broken for long.
    def lower(cards):
        return min(cards, key=lambda card: card % 13)

    check_uniform(PLAYOUTS, name, *few_cards(PLAYOUTS, name, seed, lower, before_the_first_card))


@pytest.mark.slow
def test_passes_are_uniform_and_known_ones_stay():
    """Each card of a receiver is passed by its sender in 3 of 13 deals."""
    game = game_of("standard")
    state = game.init(jax.random.key(3), round=0)
    for _ in range(12):
        legal = np.flatnonzero(game.legal_action_mask(state))
        state = game.step(state, jnp.int32(legal[len(legal) // 2]))
    assert bool(state.playing)
    seen = game.observe(state, jnp.int32(0))
    draw = quick_jit(jax.vmap(lambda key: game.sample_state(key, seen)))
    states = draw(jax.random.split(jax.random.key(1), SAMPLES))
    passed, hands = (
        np.stack([np.asarray(jax.vmap(type(state.played).mask)(cards)) for cards in sets])
        for sets in (states.passed, states.hands)
    )
    assert (passed.sum(axis=2) == 3).all()
    for seat in range(4):
        assert (hands[(seat + 1) % 4] | ~passed[seat]).all()
        own = np.asarray(state.passed[seat].mask())
        if seat in (0, 3):  # the player's own, and those that it received
            assert (passed[seat] == own).all()
        else:
            share = passed[seat].sum(axis=0) / hands[(seat + 1) % 4].sum(axis=0).clip(1)
            often = hands[(seat + 1) % 4].sum(axis=0) > 1000
            assert often.sum() > 20 and np.abs(share[often] - 3 / 13).max() < 0.08


def test_a_heart_in_the_first_trick_tells_that_a_hand_has_only_penalty_cards():
    game, rest = game_of("standard"), [card for card in range(52) if not 26 <= card < 39]
    hands = rest[0::3], rest[1::3], range(26, 39), rest[2::3]
    state = game.init_from_deck(np.array([card for hand in hands for card in hand]), 3, round=3)
    for card in (0, 1, 26):  # seat 2 has no club
        state = game.step(state, jnp.int32(card))
    seen = game.observe(state, jnp.int32(1))

    def draw(key):
        return jnp.stack([hand.mask() for hand in game.card_places(game.sample_state(key, seen)).hands])

    found = np.asarray(quick_jit(jax.vmap(draw))(jax.random.split(jax.random.key(1), 512)))
    queen = 49  # ♠Q, which seat 2 holds in most of the 13 possible hands
    assert (found[:, 2].sum(axis=1) == 12).all()
    assert found[:, 2, [*range(27, 39), queen]].sum() == 12 * 512
    assert abs(found[:, 2, queen].mean() - 12 / 13) < 0.05
