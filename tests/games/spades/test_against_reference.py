"""The compiled game against the plain-Python reference, at every decision of random deals."""

from games.agreement import agreement
from games.spades.playout import PLAYOUTS
from games.spades.variants import RARE, VARIANTS, rules_of

test_every_moment, test_rules_are_those_of_the_page, test_after_the_end, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=16
)


def test_random_deals_have_made_and_failed_nils_and_blind_nils():
    points = PLAYOUTS.random_record("standard")[1]["points"][:, -1]
    assert (points > 100).any() and (points < -100).any()
    points = PLAYOUTS.random_record("blind_nil")[1]["points"][:, -1]
    assert (points < -200).any()
