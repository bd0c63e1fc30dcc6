"""The compiled game against the plain-Python reference, at every decision of random deals."""

from games.agreement import agreement
from games.bridge.playout import PLAYOUTS
from games.bridge.variants import RARE, VARIANTS, rules_of

test_every_moment, test_rules_are_those_of_the_page, test_after_the_end, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=14
)


def test_random_deals_have_contracts_made_and_failed():
    record = PLAYOUTS.random_record("duplicate")[1]
    points = record["points"][:, -1]
    assert (points.max(axis=1) > 1000).any() and len(set(points.max(axis=1).tolist())) > 30
