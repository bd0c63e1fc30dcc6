"""PBN and LIN of Bridge: boards by hand, there and back, and what is refused."""

from pathlib import Path

import pytest
from records.played import deal

from jaxcards import records
from jaxcards.errors import UserError
from jaxcards.records import bridge, bridge_writer, convert
from jaxcards.records.bridge import BID, DOUBLE, PASS, REDOUBLE
from jaxcards.records.items import Refused

FOLDER = Path(__file__).with_name("data")
ID = "bridge/duplicate"
PBN = (FOLDER / "by_hand.pbn").read_text(encoding="utf-8")
LIN = (FOLDER / "by_hand.lin").read_text(encoding="utf-8")
ONE_NT, FOUR_NT, SIX_NT = BID + 4, BID + 19, BID + 29


def pbn(text):
    return list(bridge.read_pbn(text, "a.pbn"))


def lin(text):
    return list(bridge.read_lin(text, "a.lin"))


def cards(text):
    return tuple(map(bridge.card_of, text.split()))


def test_bridge_boards_by_hand_are_read():
    claimed, doubled, passed = (item.record for item in pbn(PBN))
    said = (ONE_NT, PASS, FOUR_NT, PASS, SIX_NT, PASS, PASS, PASS)
    assert claimed.actions == said + cards("S3 S6 S5 SQ H3 H2 HA H4")
    assert claimed.players == ("Nils", "Edith", "Sam", "Wanda") and claimed.dealer == 0
    assert claimed.points is None and claimed.source["result"] == 12
    assert doubled.actions[:7] == (BID + 3, PASS, BID + 8, DOUBLE, PASS, PASS, PASS)
    assert doubled.actions[7:] == cards("D4 DT DJ DK") and doubled.dealer == 1
    assert [one.facts["vulnerability"] for one in (claimed, doubled, passed)] == [0, 1, 1]
    assert passed.actions == (PASS,) * 4 and passed.points == (0,) * 4
    in_lin = [item.record for item in lin(LIN)]
    for one, other in zip((claimed, passed), in_lin, strict=True):
        assert (one.deck, one.dealer, one.actions) == (other.deck, other.dealer, other.actions)
        assert one.facts == other.facts
    assert in_lin[0].source["result"] == 12


def test_bridge_missing_hand_gets_the_cards_left():
    first = pbn(PBN)[0].record
    # West is the last of the hands from North on, and the third one left of North, who deals.
    assert sorted(first.deck[26:39]) == sorted(cards("S8 S5 H8 H7 H4 DQ DT D6 D3 CQ CJ C8 C5"))


@pytest.mark.parametrize("ending", ["pbn", "lin"])
def test_bridge_records_come_back(ending, tmp_path):
    lines = [records.to_line(deal(ID)), *(records.to_line(item.record) for item in pbn(PBN))]
    source, out, back = (tmp_path / name for name in ("a.jsonl", f"b.{ending}", "c.jsonl"))
    source.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    assert convert.convert([source], out).written == 4
    assert convert.convert([out], back).written == 4
    before, after = ([item.record for item in convert.items_of(f)] for f in (source, back))
    for one, other in zip(before, after, strict=True):
        assert set(one.deck[:13]) == set(other.deck[:13]) and one.actions == other.actions
        assert (one.dealer, one.facts) == (other.dealer, other.facts)
        assert one.points == other.points


def test_bridge_tags_of_a_whole_deal():
    one = deal(ID)
    board = bridge_writer.to_pbn(one, 7)
    assert f'[Score "NS {one.points[0] - one.points[1]}"]' in board and '[Board "7"]' in board


@pytest.mark.slow
def test_a_rubber_has_no_score_of_duplicate():
    one = deal("bridge/rubber")
    board = bridge_writer.to_pbn(one, 1)
    assert '[Scoring "Rubber"]' in board and '[Score "' not in board
    (back,) = (item.record for item in pbn(board))
    assert back.actions == one.actions and back.facts["vulnerability"] == one.facts["vulnerability"]


@pytest.mark.parametrize(
    ("text", "action"),
    [("Pass", PASS), ("p", PASS), ("X", DOUBLE), ("d", DOUBLE), ("XX", REDOUBLE), ("1C", BID),
     ("1N!", ONE_NT), ("6NT", SIX_NT), ("7nt", BID + 34)],
)  # fmt: skip
def test_bridge_calls_are_read(text, action):
    assert bridge.call_of(text) == action


@pytest.mark.parametrize("text", ["", "8C", "0NT", "1", "1ST", "AP", "XXX"])
def test_bridge_wrong_calls_are_refused(text):
    with pytest.raises(UserError, match="is not a call: write Pass, X, XX or a bid"):
        bridge.call_of(text)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('[Dealer "N"]', "", "the tag Dealer is missing: add it"),
        ('[Dealer "N"]', '[Dealer "Q"]', "Dealer is 'Q': write N, E, S or W"),
        ('[Dealer "N"]', '[Dealer "E"]', "Auction must begin with the dealer"),
        ('[Vulnerable "None"]', '[Vulnerable "us"]', "Vulnerable is 'us': write None, NS, EW or All"),
        ("A43 -", "A43", "Deal has 3 hands"),
        ("A84.KT2 ", "A84.KT ", "N has 12 cards, not 13: correct the deal"),
        ("AQ72.K93", "AQQ2.K93", "has a card twice: correct the deal"),
        ("AQ72.K93", "AJ72.K93", "a card is dealt twice: correct the deal"),
        ("KT6.AQJ5.K72.A43 -", "- -", "the hands of S, W are missing: give at least three hands"),
        ("S3 S6", "S3 1S", "'1S' is not a card: write its suit and its rank"),
        ('[Play "E"]', '[Play "W"]', "W leads, but E sits left of the declarer: correct Play"),
    ],
)
def test_bridge_wrong_boards_are_refused_with_advice(old, new, reason):
    assert old in PBN
    item = pbn(PBN.replace(old, new, 1))[0]
    assert isinstance(item, Refused) and reason in item.reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("md|3", "md|5", "md is not a deal"),
        ("sv|o", "sv|x", "sv is 'x': write o, n, e or b"),
        ("mb|1N!", "mb|9N", "'9N' is not a call"),
        ("pc|S3", "pc|S1", "'S1' is not a card"),
    ],
)
def test_bridge_wrong_lin_is_refused_with_advice(old, new, reason):
    assert old in LIN
    item = lin(LIN.replace(old, new, 1))[0]
    assert isinstance(item, Refused) and reason in item.reason


@pytest.mark.parametrize("id", ["euchre/standard", "bridge/tiny"])
def test_bridge_formats_refuse_other_games(tmp_path, id):
    with bridge_writer.pbn(tmp_path / "a.pbn") as writer:
        with pytest.raises(UserError, match=f"PBN and LIN cannot express {id}"):
            writer.write([deal(id)])
