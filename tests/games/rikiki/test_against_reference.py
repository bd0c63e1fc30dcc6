"""The compiled game against the plain-Python reference, at every decision of random deals."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
from support.marks import by_cost

from games.agreement import agreement
from games.playout import long_suits, play_out
from games.rikiki.playout import BATCH, PLAYOUTS, compiled, random_deals
from games.rikiki.reference import rank, suit
from games.rikiki.variants import RARE, VARIANTS, rules_of
from jaxcards.games.rikiki.game import Rikiki
from jaxcards.games.rikiki.rules import RikikiRules

test_every_moment, test_rules_are_those_of_the_page, test_after_the_end, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=32
)


@pytest.mark.parametrize("name", by_cost(["standard3", "square", "crowd"], {"square", "crowd"}))
def test_hard_deals(name):
    """Deals of long suits and of equal ranks: many ruffs, and leads of long suits."""
    deals = replace(PLAYOUTS.deals(name, BATCH, seed=5), decks=long_suits(BATCH))
    record = PLAYOUTS.play(name, deals, seed=9)
    PLAYOUTS.check(name, deals, record)
    ruffs = (record["voids"][:, -1] > 0).sum()
    assert ruffs > BATCH


def test_deals_are_varied():
    """The comparison covers all trumps, all rounds, hooks, made and missed bids, ruffs."""
    deals, record = PLAYOUTS.random_record("standard")
    assert set(record["trump"][:, 0].tolist()) == {0, 1, 2, 3}
    assert set(deals.rounds.tolist()) == set(range(19))
    made = record["bids"][:, -1] == record["progress"][:, -1]
    assert 0.1 < made.mean() < 0.6
    assert len({(suit(c), rank(c)) for c in record["turnup"][:, 0].tolist()}) > 40


def random_rules(source: random.Random) -> RikikiRules:
    """Rules in which every field is drawn at random."""
    players = source.choice((2, 3, 4, 4, 5, 6, 7))
    most, number = 52 // players, source.randint(0, 3)
    return RikikiRules(
        num_players=players,
        schedule=(*(source.choice((1, source.randint(1, most))) for _ in range(number)), most),
        trump_mode=source.choice(("turnup", "turnup", "cycle", "none")),
        trump_cycle=tuple(source.randint(0, 4) for _ in range(source.randint(1, 5))),
        all_dealt=source.choice(("no_trump", "dealers_card")),
        forehead=source.random() < 0.5,
        hook=source.random() < 0.7,
        hook_from=source.randint(1, 4),
        lead_offset=source.randint(1, 2),
        dealer_rotates=source.random() < 0.5,
        made_base=source.randint(-20, 20),
        made_linear=source.randint(-5, 5),
        made_square=source.randint(-2, 2),
        made_zero_base=source.randint(-1, 8),
        made_zero_cards=source.randint(-2, 2),
        miss_base=source.randint(-20, 20),
        miss_made=source.random() < 0.3,
        miss_diff=source.randint(-5, 5),
        miss_square=source.randint(-2, 2),
        miss_trick=source.randint(-5, 5),
    )


def check_random_rules(seed: int, number: int) -> None:
    rules = random_rules(random.Random(seed))
    game, plain = Rikiki(rules), SimpleNamespace(**vars(rules))
    deals = random_deals(rules, number, seed)
    record = play_out(compiled(game), game, deals, seed=seed, batch=number)
    PLAYOUTS.check(plain, deals, record)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_random_rules(seed):
    check_random_rules(seed, 64)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_random_rules(seed):
    check_random_rules(seed, 256)
