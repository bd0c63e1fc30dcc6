"""`sample_state` is uniform over all deals and passes that fit, by enumeration and replay."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from games.hearts.playout import game_of, random_deals
from games.hearts.reference import ReferenceDeal
from games.hearts.variants import rules_of
from jaxcards.testing.deals import quick_jit

SAMPLES = 20_000
LIMIT = 4.5  # standard deviations


def possible(deal: ReferenceDeal, player: int, plays: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Every holder of each unseen card, in order, for which all plays so far were legal."""
    unseen = sorted(c for seat, hand in enumerate(deal.hands) if seat != player for c in hand)
    receiver = (player + deal.direction) % deal.n
    found = []
    for holders in itertools.product(range(deal.n), repeat=len(unseen)):
        if any(holders.count(s) != len(deal.hands[s]) * (s != player) for s in range(deal.n)):
            continue
        pairs = zip(unseen, holders, strict=True)
        if any(card in deal.passed[player] and holder != receiver for card, holder in pairs):
            continue
        again = object.__new__(ReferenceDeal)
        vars(again).update(vars(deal), table=[], tricks=[], played=[])
        again.hands = [[c for s, c in plays if s == seat] for seat in range(deal.n)]
        again.hands[player] += deal.hands[player]
        for c, holder in zip(unseen, holders, strict=True):
            again.hands[holder].append(c)
        again.start()
        if could_play(again, plays):
            found.append(holders)
    return found


def could_play(deal: ReferenceDeal, plays: list[tuple[int, int]]) -> bool:
    """Return whether the plays are legal in a deal, and play them."""
    for seat, card in plays:
        if deal.current_player != seat or card not in deal.legal():
            return False
        deal.step(card)
    return True


def position(name: str, seed: int):
    """Return a deal with two cards left in each hand, and several possible deals for a player."""
    rules, rng = rules_of(name), np.random.default_rng(seed)
    deals = random_deals(rules, 100, seed)
    for i in range(100):
        deal, actions, plays = deals.reference(name, i), [], []
        left = 2 * deal.n + int(rng.integers(deal.n))
        while deal.passing or sum(map(len, deal.hands)) > left:
            # Low cards first: then high cards stay hidden, and hearts are not broken for long.
            card = min(rng.choice(deal.legal(), 2).tolist(), key=lambda c: c % 13)
            plays += [] if deal.passing else [(deal.current_player, card)]
            actions.append(card)
            deal.step(card)
        player = deal.current_player
        fits = possible(deal, player, plays)
        if 4 <= len(fits) < 60:
            return deals, i, actions, deal, player, fits
    raise AssertionError("no such position")


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("standard", 1),
        ("options", 2),
        *(pytest.param(name, 3, marks=pytest.mark.slow) for name in ("lax", "three")),
    ],
)
def test_uniform_over_all_deals_that_fit(name, seed):
    deals, i, actions, deal, player, fits = position(name, seed)
    game = game_of(name)
    step = quick_jit(game.step)
    state = game.init_from_deck(deals.decks[i], deals.dealers[i], round=jnp.uint32(deals.rounds[i]))
    for action in actions:
        state = step(state, jnp.int32(action))
    seen = game.observe(state, jnp.int32(player))
    draw = quick_jit(jax.vmap(lambda key: game.sample_state(key, seen)))
    states = draw(jax.random.split(jax.random.key(1), SAMPLES))
    hands = np.asarray(
        quick_jit(
            jax.vmap(lambda one: jnp.stack([cards.mask() for cards in game.card_places(one).hands]))
        )(states)
    )
    unseen = sorted(c for seat, hand in enumerate(deal.hands) if seat != player for c in hand)
    kinds, times = np.unique(hands[:, :, unseen].argmax(axis=1), axis=0, return_counts=True)
    counts = dict(zip(map(tuple, kinds.tolist()), times.tolist(), strict=True))
    assert set(counts) <= set(fits)
    expected, freedom = SAMPLES / len(fits), len(fits) - 1
    chi = sum((counts.get(one, 0) - expected) ** 2 for one in fits) / expected
    assert abs(chi - freedom) / math.sqrt(2 * freedom) < LIMIT


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
