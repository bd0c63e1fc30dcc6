"""Properties of every deal, over random deals of every variant."""

import numpy as np
import pytest
from support.marks import by_cost

from games.playout import bits
from games.sheepshead.playout import BATCH, Deals, game_of, play, random_deals, random_record
from games.sheepshead.reference import RECRACK, cards, points, sizes
from games.sheepshead.variants import RARE, VARIANTS, rules_of

every_variant = pytest.mark.parametrize("variant", by_cost(VARIANTS, RARE))


@pytest.mark.slow_after(1)
@every_variant
def test_phases_and_legal_sets(variant):
    """1 and 10: legal sets are not empty, phases never go back, and only those of the rules occur."""
    rules, (_, record) = rules_of(variant), random_record(variant)
    assert record["mask"].any(axis=2).all()
    phase = record["phase"][:, :, 0].astype(int)
    assert (np.diff(phase, axis=1) >= 0).all()
    seen = set(np.unique(phase))
    assert bool(seen & {5, 6}) == rules.crack and (6 in seen) == rules.recrack
    if rules.partner == "none":
        assert not seen & {1, 2, 3}


@every_variant
def test_points_and_chips_add_up(variant):
    """3 and 4: 120 points with what lies aside, and chips that sum to 0."""
    rules, (deals, record) = rules_of(variant), random_record(variant)
    h, n = sizes(rules)[0], rules.num_players
    assert not record["chips"][:, -1].sum(axis=1).any()
    for i in range(BATCH):
        end = {key: value[i, -1] for key, value in record.items()}
        if not end["num_played"]:
            assert not end["chips"].any()
            continue
        picked = end["picker"][0] < n
        aside = bits(end["buried"][0]) if picked else deals.decks[i][n * h :].tolist()
        given_away = not picked and rules.leaster_blind != "none"
        total = end["progress"].sum() + (0 if given_away else sum(map(points, aside)))
        assert total == 120 and end["tricks"].sum() == h


CALLS = [variant for variant in VARIANTS if rules_of(variant).partner == "called_ace"]


@pytest.mark.parametrize("variant", by_cost(CALLS, {*RARE} & {*CALLS}))
def test_the_picker_never_has_the_called_card(variant):
    """5: the called card is with another seat, not in the picker's hand or bury."""
    _, record = random_record(variant)
    called, picker = record["called"][:, :, 0], record["picker"][:, :, 0]
    for i, t in zip(*np.nonzero((called < 32) & ~record["terminated"]), strict=True):
        hand = bits(record["hand"][i, t, picker[i, t]])
        aside = bits(record["buried"][i, t, picker[i, t]])
        assert int(called[i, t]) not in hand + aside


@every_variant
def test_turning_the_table(variant):
    """12: seats, dealer and hands one place on give the same results one place on."""
    rules = rules_of(variant)
    n, h = rules.num_players, sizes(rules)[0]
    deals = random_deals(variant, BATCH, seed=31)
    record = play(variant, deals, seed=32)
    decks = deals.decks.copy()
    decks[:, : n * h] = np.roll(deals.decks[:, : n * h], h, axis=1)
    turned = Deals(decks, (deals.dealers + 1) % n, deals.stakes)
    scripts = [row.tolist() for row in record["action"]]
    again = play(variant, turned, scripts)
    assert (again["mask"] == record["mask"]).all()
    for key in ("chips", "progress", "tricks"):
        assert (again[key] == np.roll(record[key], 1, axis=2)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "other"),
    [
        ("deepsheep", "deepsheep_spitz"),
        ("deepsheep_crack", "deepsheep"),
        ("deepsheep_doubler", "deepsheep"),
        ("deepsheep_forced", "deepsheep"),
    ],
)
def test_rules_without_effect_change_nothing(variant, other):
    """13: the same actions give the same chips where the differing rule had no chance to matter."""
    deals = random_deals(variant, BATCH, seed=41)
    record = play(variant, deals, seed=42)
    again = play(other, deals, [_actions(record, i, other) for i in range(BATCH)])
    quiet = np.ones(BATCH, bool)
    if "crack" in variant:
        quiet = record["cracker"][:, -1, 0] == 7
    if "spitz" in other:
        seven = np.uint32(1 << cards("7D")[0])
        quiet = (record["buried"][:, -1, 0] & seven) != 0
    quiet &= record["picker"][:, -1, 0] < 5
    assert quiet.sum() >= 3
    assert (again["chips"][quiet, -1] == record["chips"][quiet, -1]).all()


def _actions(record, i, other) -> list[int]:
    """Return the actions of a deal up to its end, without those that the other rules skip."""
    over = record["terminated"][i]
    found = []
    for t in range(int(over.argmax()) if over.any() else len(over)):
        phase = int(record["phase"][i, t, 0])
        if phase in (5, 6) and not game_of(other).rules.crack:
            assert record["action"][i, t] <= RECRACK
            continue
        found.append(int(record["action"][i, t]))
    return found


def test_sides_and_units():
    """9: sides share the sign of the result, and each defender has one unit, two in a lost deal."""
    deals = random_deals("standard", BATCH, seed=51)
    record = play("standard", deals, seed=52)
    for i in range(BATCH):
        deal = deals.reference("standard", i)
        for action in record["action"][i].tolist():
            if not deal.terminated:
                deal.step(action)
        if deal.picker is None:
            continue
        m = deal.magnitude()
        unit = abs(m) * deal.stakes * (2 if m < 0 else 1)
        chips = record["chips"][i, -1].tolist()
        defenders = [seat for seat in range(5) if seat not in deal.side()]
        assert {chips[seat] for seat in defenders} == {-unit if m > 0 else unit}
        assert all((chips[seat] > 0) == (m > 0) for seat in deal.side())
