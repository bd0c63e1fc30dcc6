"""`sample_state` is uniform over all deals that fit, by enumeration and replay."""

import pytest

from games.bridge.playout import PLAYOUTS
from games.uniform import check_uniform, few_cards


@pytest.mark.parametrize(
    ("name", "seed", "few"),
    [("duplicate", 1, ()), ("tiny", 1, (1, 2))]
    + [pytest.param("duplicate", 2, (), marks=pytest.mark.slow)]
    + [pytest.param("tiny", seed, (1, 2), marks=pytest.mark.slow) for seed in (2, 3)],
)
def test_uniform_over_all_deals_that_fit(name, seed, few):
    def lower(actions):
        return min(actions, key=lambda action: action % 13 if action < 52 else -action)

    def begin(deals, i, deal, player, acted, hands):
        # All see the dummy.
        if hands[deal.dummy] != deal.hands[deal.dummy]:
            return None
        again = deals.reference(name, i)
        gone = [set(dealt) - set(hand) for dealt, hand in zip(deal.dealt, deal.hands, strict=True)]
        again.hands = [sorted({*a, *b}) for a, b in zip(gone, hands, strict=True)]
        return again, acted

    found = few_cards(PLAYOUTS, name, seed, lower, begin, *few)
    deals, i, actions, player, unseen, fits = found
    deal = deals.reference(name, i)
    for action in actions:
        deal.step(action)
    # The declarer holds the open cards of the dummy.
    holders = {deal.dummy: deal.declarer}
    fits = [tuple(holders.get(seat, seat) for seat in one) for one in fits]
    check_uniform(PLAYOUTS, name, deals, i, actions, player, unseen, fits)
