"""Two recorded rounds, replayed card by card to the points in the record."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from games.jass.peers import from_kit, from_kit_mode, from_kit_seat
from games.jass.playout import Line
from games.jass.positions import choose_action
from games.jass.reference import PUSH

ROUNDS = Path(__file__).parents[3].parent / "shared" / "data" / "jass_real_rounds.jsonl"


def rounds() -> list[dict]:
    if not ROUNDS.exists():
        return []
    return [json.loads(line) for line in ROUNDS.read_text().splitlines() if line.strip()]


@pytest.mark.skipif(not ROUNDS.exists(), reason=f"no recorded rounds at {ROUNDS}")
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("backend", ["reference", "engine"])
def test_recorded_round(number, backend):
    record = rounds()[number]
    dealer = from_kit_seat(record["dealer"])
    hands = {from_kit_seat(p): [from_kit(c) for c in hand] for p, hand in enumerate(record["hands"])}
    deck = [c for k in range(4) for c in hands[(dealer + 1 + k) % 4]]
    choice = [PUSH] if record["pushed"] else []
    choice.append(choose_action(from_kit_mode(record["trump"])))
    plays = [from_kit(c) for trick in record["tricks"] for c in trick["cards"]]
    deal = SimpleNamespace(deck=deck, dealer=dealer, arguments={})
    line = Line(backend, "tournament", deal, choice + plays)

    assert line.legally_played()
    for i, trick in enumerate(record["tricks"]):
        before, after = line[len(choice) + 4 * i], line[len(choice) + 4 * i + 4]
        assert before["player"] == from_kit_seat(trick["first"])
        if trick["win"] is None:
            continue
        winner = from_kit_seat(trick["win"])
        gained = after["progress"][winner] - before["progress"][winner]
        assert gained == trick["points"]
        assert after["progress"][(winner + 1) % 4] == before["progress"][(winner + 1) % 4]
        if not after["terminated"]:
            assert after["player"] == winner
    assert line.end["terminated"]
    assert line.end["progress"] == record["points"] * 2
    assert line.end["points"] == record["points"] * 2  # no Weis, all single, no match bonus
