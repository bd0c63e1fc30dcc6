"""The compiled game against the plain-Python reference, at every decision of random deals."""

from games.agreement import agreement
from games.skat.playout import PLAYOUTS
from games.skat.reference import VALUES
from games.skat.variants import RARE, VARIANTS, rules_of
from jaxcards.games.skat import rules

test_every_moment, test_rules_are_those_of_the_page, test_after_the_end, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=28
)


def test_values_of_all_games():
    assert list(rules.VALUES) == VALUES and len(VALUES) == 63
    assert VALUES[:10] == [18, 20, 22, 23, 24, 27, 30, 33, 35, 36] and VALUES[-3:] == [216, 240, 264]


def test_random_deals_are_won_lost_overbid_and_thrown_in():
    points = PLAYOUTS.random_record("isko")[1]["points"][:, -1].sum(axis=1)
    assert (points > 0).any() and (points == 0).any() and (points < -200).any()
    points = PLAYOUTS.random_record("ramsch")[1]["points"][:, -1]
    assert (points == 0).sum() > len(points)
