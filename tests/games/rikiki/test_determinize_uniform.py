"""`determinize` is uniform over all deals that fit the known facts, by enumeration."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from games.rikiki.playout import game_of, random_deals
from games.rikiki.reference import ReferenceDeal, suit
from games.rikiki.variants import rules_of
from jaxcards.testing.deals import quick_jit

SAMPLES = 40_000
LIMIT = 4.5  # standard deviations
# A variant, the round, and cards that each seat still has at most. Few cards are not dealt.
SITUATIONS = [("seventeen", 1, 2)]
MORE = [
    ("up_down_13", 11, 2),
    ("standard7", 0, 1),
    ("seventeen", 0, 4),
    ("up_down_13", 12, 2),
    ("standard5", 0, 1),
    ("standard6", 0, 1),
    ("dealers_card", 0, 2),
]


def all_deals(deal: ReferenceDeal, player: int) -> list[tuple[int, ...]]:
    """Every consistent deal: the holder of each unseen card in order; holder n are cards not dealt."""
    unseen = sorted(
        c for c in itertools.chain(*deal.hands, deal.undealt) if c not in deal.hands[player]
    )
    sizes = [len(hand) for hand in deal.hands] + [len(deal.undealt)]
    sizes[player] = 0
    found = []

    def place(k: int, chosen: tuple[int, ...]) -> None:
        if k == len(unseen):
            found.append(chosen)
            return
        for holder in range(deal.n + 1):
            if unseen[k] == deal.turnup and holder != deal.dealer:
                continue  # everybody saw that the dealer has it
            if sizes[holder] and (holder, suit(unseen[k])) not in deal.voids:
                sizes[holder] -= 1
                place(k + 1, (*chosen, holder))
                sizes[holder] += 1

    place(0, ())
    return found


def situation(name: str, round: int, left: int):
    """Return a random position near the end with some voids and a moderate number of deals."""
    rules, rng = rules_of(name), np.random.default_rng(round + left)
    deals = random_deals(rules, 100, seed=left)
    deals.rounds[:] = round
    for i in range(100):
        deal, actions = deals.reference(rules, i), []
        stop = rules.num_players * (1 + deal.k - left) + int(rng.integers(rules.num_players))
        while len(actions) < stop:
            actions.append(int(rng.choice(deal.legal())))
            deal.step(actions[-1])
        player = int(rng.integers(rules.num_players))
        hidden = sum(map(len, deal.hands)) + len(deal.undealt)
        if hidden < 14:
            consistent = all_deals(deal, player)
            if 30 <= len(consistent) <= 2000 and deal.voids:
                return deals, i, actions, deal, player, consistent
    raise AssertionError("no such position")


@pytest.mark.parametrize(
    ("name", "round", "left"),
    [*SITUATIONS, *(pytest.param(*more, marks=pytest.mark.slow) for more in MORE)],
)
def test_uniform_over_all_consistent_deals(name, round, left):
    deals, i, actions, deal, player, consistent = situation(name, round, left)
    game = game_of(name)
    step = quick_jit(game.step)
    state = game.init_from_deck(deals.decks[i], deals.dealers[i], round=jnp.uint32(round))
    for action in actions:
        state = step(state, jnp.int32(action))

    def places(state):
        found = game.card_places(state)
        return jnp.stack([cards.mask() for cards in (*found.hands, found.aside)])

    # Two programs: one alone would draw each deal again for every place that is asked for.
    draw = quick_jit(jax.vmap(lambda key: game.determinize(key, state, jnp.int32(player))))
    states = draw(jax.random.split(jax.random.key(1), SAMPLES))
    dealt = np.asarray(quick_jit(jax.vmap(places))(states))
    own = np.flatnonzero(dealt[0, player]).tolist()
    assert own == deal.hands[player]
    held = sorted({c for hand in deal.hands for c in hand} - set(own) | set(deal.undealt))
    holders = dealt[:, :, held].argmax(axis=1)
    index = {given: number for number, given in enumerate(consistent)}
    counts = np.zeros(len(consistent))
    kinds, times = np.unique(holders, axis=0, return_counts=True)
    for given, n in zip(kinds.tolist(), times, strict=True):
        counts[index[tuple(given)]] += n
    expected, freedom = SAMPLES / len(consistent), len(consistent) - 1
    chi = ((counts - expected) ** 2).sum() / expected
    assert abs(chi - freedom) / math.sqrt(2 * freedom) < LIMIT
