"""The compiled game against the plain-Python reference, at every decision of random deals."""

from dataclasses import replace

import numpy as np
import pytest
from support.marks import by_cost

from games.agreement import agreement
from games.belote.playout import BATCH, PLAYOUTS, game_of, random_deals, random_scripts
from games.belote.reference import BID, NAME, PASS, levels
from games.belote.variants import RARE, VARIANTS, rules_of
from games.playout import clustered_decks
from jaxcards.testing import check_game

# Three auctions, all modes, and between them both values of nearly every field; the others are slow.
QUICK = ["bela", "void_bela", "turnup_must", "hard_contract"]
NEW = ["bids_to_210", "generale"]
REST = [*(name for name in VARIANTS if name not in (*QUICK, *NEW)), *(f"random {n}" for n in range(40))]

_, test_rules_are_those_of_the_page, _, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=4
)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", by_cost([*QUICK, *NEW, *REST], [*QUICK[1:], *NEW[:1], *REST]))
def test_every_moment(name):
    PLAYOUTS.check(name, *PLAYOUTS.random_record(name), rows=range(BATCH))


@pytest.mark.parametrize("name", by_cost(QUICK, QUICK[1:]))
def test_hard_deals(name):
    """Deals of long suits and of equal ranks: over-ruffs, declarations that share cards, capots."""
    deals = replace(
        random_deals(BATCH, seed=5), decks=arranged(name, clustered_decks(BATCH, 8, (0.2, 2.0)))
    )
    record = PLAYOUTS.play(name, deals, random_scripts(name, BATCH, seed=3), seed=9)
    PLAYOUTS.check(name, deals, record)
    # Eight cards of a suit end a deal before the first card.
    ends = record["terminated"].argmax(axis=1)
    straight = (record["points"][:, -1] == game_of(name).rules.target).any(axis=1) & (ends < 10)
    assert straight.any() == (game_of(name).rules.straight8 == "match")


def arranged(name: str, decks: np.ndarray) -> np.ndarray:
    """Decks that give each position eight cards in a row of the given ones, where forehand takes."""
    hands = np.arange(32).reshape(4, 8)
    if rules_of(name).auction == "bela":
        order = [*hands[:, :6].ravel(), *hands[:, 6:].ravel()]
    elif rules_of(name).auction == "turnup":
        order = [*hands[:, :5].ravel(), hands[0, 5], *hands[0, 6:], *hands[1:, 5:].ravel()]
    else:
        order = hands.ravel()
    return decks[:, order]


@pytest.mark.slow
def test_deals_are_varied():
    """The comparison covers void and straight deals, every outcome, declarations, belotes."""
    seen: set[object] = set()
    for name in QUICK:
        deals, record = PLAYOUTS.random_record(name)
        for i in range(len(deals)):
            deal = deals.reference(name, i)
            for action in record["action"][i]:
                if not deal.terminated:
                    deal.step(int(action))
            _, outcome, carry = deal.outcome()
            seen |= {outcome, ("carry", carry > 0), ("multiplier", deal.multiplier)}
            if not deal.void:
                seen |= {("mode", deal.mode), ("team", deal.decl_team)}
                seen.add(("belote", max(deal.belote_points())))
                seen.add(("capot", 8 in deal.tricks_won()))
    assert {"made", "failed", "litige", "void", ("carry", True), ("multiplier", 2)} <= seen
    assert {("mode", mode) for mode in range(6)} | {("team", 0), ("team", 1), ("team", None)} <= seen
    assert {("belote", 0), ("belote", 20), ("belote", 40), ("capot", True)} <= seen


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bids_to_210", "generale", "contract_only", "cards_make"])
def test_settings_pass_the_suite(name):
    game, first = game_of(name), [PASS] * 7 + [NAME]
    if rules_of(name).auction == "contract":
        bids = (BID + 6 * level for level in range(len(levels(rules_of(name)))))
        first = [PASS, *(call for bid in bids for call in (PASS, PASS, bid))]
        first += [PASS, PASS, game.num_actions - 2, PASS, PASS, game.num_actions - 1]
    assert check_game(game, jaxpr_budget={"points": 1_100}, first=first) == ()
