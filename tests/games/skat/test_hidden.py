"""`sample_state` is uniform over all deals and discards that fit, by enumeration and replay."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from games.skat.playout import PLAYOUTS, game_of, random_deals
from games.skat.reference import BID, LEVELS, PASS, TAKE, ReferenceDeal, kind
from games.uniform import check_uniform
from jaxcards.testing.deals import quick_jit

# The auctions and announcements of the positions; cards follow at random.
TAKEN = [BID, PASS, PASS, TAKE]
HAND_OUVERT = [BID, BID, PASS, PASS, 39, LEVELS + 3]
RAMSCH = [PASS, PASS, PASS]


def possible(deal: ReferenceDeal, player: int, lacks) -> list[tuple[int, ...]]:
    """Return every holder of each hidden card, in order, that fits the suits that seats lack."""
    unseen = hidden(deal, player)
    known = [s for s in range(3) if s == player or (s == deal.declarer and deal.level == 3)]
    sizes = [0 if s in known else len(deal.hands[s]) for s in range(3)]
    took = player == deal.declarer and not deal.hand
    sizes.append(0 if took else len(deal.skat))
    found = []
    for holders in itertools.product(range(4), repeat=len(unseen)):
        if [holders.count(place) for place in range(4)] != sizes:
            continue
        if not any((h, kind(deal.game, c)) in lacks for c, h in zip(unseen, holders, strict=True)):
            found.append(holders)
    return found


def hidden(deal: ReferenceDeal, player: int) -> list[int]:
    """Return the cards whose place a player does not know."""
    open_ = [s for s in range(3) if s == deal.declarer and deal.level == 3]
    cards = [c for s, hand in enumerate(deal.hands) if s not in (player, *open_) for c in hand]
    took = player == deal.declarer and not deal.hand
    return sorted(cards if took else cards + deal.skat)


def position(name: str, first: list[int], seed: int, opponent: bool):
    """Return a deal with two or three cards in each hand, and several possible ones for a player."""
    rng = np.random.default_rng(seed)
    deals = random_deals(400, seed)
    for i in range(400):
        deal, actions, lacks = deals.reference(name, i), [], set()
        left = 6 + int(rng.integers(3))
        while not deal.terminated and sum(map(len, deal.hands)) > left:
            number = len(actions)
            legal = deal.legal()
            action = first[number] if number < len(first) else int(rng.choice(legal))
            if action not in legal:
                break
            if deal.phase == "play" and deal.table:
                led = kind(deal.game, deal.table[0][1])
                if kind(deal.game, action) != led:
                    lacks.add((deal.current_player, led))
            actions.append(action)
            deal.step(action)
        player = deal.current_player
        if deal.terminated or sum(map(len, deal.hands)) > left:
            continue
        if (player != deal.declarer) is opponent and 4 <= len(possible(deal, player, lacks)) < 80:
            return deals, i, actions, deal, player, possible(deal, player, lacks)
    raise AssertionError("no such position")


@pytest.mark.parametrize(
    ("name", "first", "seed", "opponent"),
    [
        ("isko", TAKEN, 1, True),
        pytest.param("isko", TAKEN, 2, False, marks=pytest.mark.slow),
        pytest.param("isko", HAND_OUVERT, 3, True, marks=pytest.mark.slow),
        pytest.param("isko", HAND_OUVERT, 4, False, marks=pytest.mark.slow),
        pytest.param("ramsch", RAMSCH, 5, True, marks=pytest.mark.slow),
    ],
)
def test_uniform_over_all_deals_that_fit(name, first, seed, opponent):
    deals, i, actions, deal, player, fits = position(name, first, seed, opponent)
    check_uniform(PLAYOUTS, name, deals, i, actions, player, hidden(deal, player), fits)


@pytest.mark.slow
def test_any_two_cards_of_a_declarer_may_have_been_the_skat():
    game = game_of("isko")
    state = game.init(jax.random.key(3))
    for action in TAKEN:
        state = game.step(state, jnp.int32(action))
    declarer = int(state.current_player)
    seen = game.observe(state, jnp.int32((declarer + 1) % 3))

    def drawn(key):
        one = game.sample_state(key, seen)
        return one.skat.mask(), one.hands[declarer].mask(), seen.hand.mask()

    keys = jax.random.split(jax.random.key(4), 4096)
    skat, hand, own = map(np.asarray, quick_jit(jax.vmap(drawn))(keys))
    assert (skat.sum(1) == 2).all() and (hand.sum(1) == 10).all() and not (skat & hand).any()
    others = ~own[0]
    assert abs(skat[:, others].mean(0) - 2 / 22).max() < 0.03
    mine = game.observe(state, jnp.int32(declarer))
    again = game.sample_state(keys[0], mine)
    assert again.skat.to_list() == state.skat.to_list()
