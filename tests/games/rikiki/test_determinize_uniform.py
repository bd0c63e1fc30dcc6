"""`determinize` is uniform over all deals that fit the known facts, by enumeration."""

import itertools

import numpy as np
import pytest

from games.rikiki.playout import PLAYOUTS, random_deals
from games.rikiki.reference import ReferenceDeal, suit
from games.rikiki.variants import rules_of
from games.uniform import check_uniform

SAMPLES = 40_000
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
        deal, actions = deals.reference(name, i), []
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "round", "left"),
    [*SITUATIONS, *(pytest.param(*more, marks=pytest.mark.slow) for more in MORE)],
)
def test_uniform_over_all_consistent_deals(name, round, left):
    deals, i, actions, deal, player, consistent = situation(name, round, left)
    held = sorted({c for hand in deal.hands for c in hand} - {*deal.hands[player]} | {*deal.undealt})
    check_uniform(PLAYOUTS, name, deals, i, actions, player, held, consistent, SAMPLES)
