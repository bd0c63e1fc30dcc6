"""`sample_state` is uniform over all deals that fit, by enumeration and replay."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from games.spades.playout import BID, game_of, random_deals
from games.spades.reference import ReferenceDeal
from games.spades.variants import rules_of
from jaxcards.testing.deals import quick_jit

SAMPLES = 20_000
LIMIT = 4.5  # standard deviations


def possible(deals, name: str, i: int, deal: ReferenceDeal, player: int, actions: list[int]):
    """Return every holder of each unseen card, in order, for which all actions so far were legal."""
    unseen = sorted(c for seat, hand in enumerate(deal.hands) if seat != player for c in hand)
    found = []
    for holders in itertools.product(range(deal.n), repeat=len(unseen)):
        if any(holders.count(s) != len(deal.hands[s]) * (s != player) for s in range(deal.n)):
            continue
        again = deals.reference(name, i)
        held = [set(hand) for hand in deal.hands]
        for c, holder in zip(unseen, holders, strict=True):
            for seat in range(deal.n):
                held[seat].discard(c)
            held[holder].add(c)
        gone = [set(dealt) - set(hand) for dealt, hand in zip(deal.dealt, deal.hands, strict=True)]
        again.hands = [sorted(a | b) for a, b in zip(held, gone, strict=True)]
        if could_act(again, actions):
            found.append(holders)
    return found


def could_act(deal: ReferenceDeal, actions: list[int]) -> bool:
    """Return whether the actions are legal in a deal, and take them."""
    for action in actions:
        if action not in deal.legal():
            return False
        deal.step(action)
    return True


def position(name: str, seed: int):
    """Return a deal with two cards left in each hand, and several possible deals for a player."""
    rules, rng = rules_of(name), np.random.default_rng(seed)
    deals = random_deals(rules, 200, seed)
    for i in range(200):
        deal, actions = deals.reference(name, i), []
        left = 2 * deal.n + int(rng.integers(deal.n))
        while sum(map(len, deal.hands)) > left:
            # Low cards first: then high cards stay hidden, and spades are not broken for long.
            action = min(rng.choice(deal.legal(), 2).tolist(), key=lambda a: a % 13 if a < BID else -a)
            actions.append(action)
            deal.step(action)
        player = deal.current_player
        fits = possible(deals, name, i, deal, player, actions)
        if 4 <= len(fits) < 60:
            return deals, i, actions, deal, player, fits
    raise AssertionError("no such position")


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("standard", 1),
        ("whiz", 2),
        *(pytest.param(name, 3, marks=pytest.mark.slow) for name in ("cutthroat", "whiz_three")),
        *(pytest.param(name, 4, marks=pytest.mark.slow) for name in ("blind_nil", "open_spiel")),
    ],
)
def test_uniform_over_all_deals_that_fit(name, seed):
    deals, i, actions, deal, player, fits = position(name, seed)
    game = game_of(name)
    step = quick_jit(game.step)
    state = game.init_from_deck(deals.decks[i], deals.dealers[i], totals=jnp.asarray(deals.totals[i]))
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


def sampled_hands(game, state, player, number=4096):
    """Return bool[number, seats, 52]: the hands of sampled states."""
    seen = game.observe(state, jnp.int32(player))

    def draw(key):
        return jnp.stack([hand.mask() for hand in game.sample_state(key, seen).hands])

    return np.asarray(quick_jit(jax.vmap(draw))(jax.random.split(jax.random.key(2), number)))


def test_a_player_who_has_not_looked_may_hold_any_card():
    game = game_of("blind_nil")
    state = game.init_from_deck(np.arange(52), 3, totals=(0, 100))
    hands = sampled_hands(game, state, 0)
    assert (hands.sum(axis=2) == 13).all() and (hands.sum(axis=1) == 1).all()
    assert abs(hands.mean(axis=0) - 0.25).max() < 0.04
    hands = sampled_hands(game, state, 1)  # this player sees its cards
    assert (hands[:, 1].sum(axis=0) == [4096 * (13 <= card < 26) for card in range(52)]).all()


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
