"""Euchre Game Notation: content of a file, unseen cards, and refusals with deal and trick."""

import copy
import json
from pathlib import Path

import pytest

import jaxcards
from jaxcards.records import egn, egn_writer, formats, verify
from jaxcards.records.items import Read, Refused

BY_HAND = Path(__file__).with_name("data") / "by_hand.egn"
REAL = Path(__file__).parents[3] / "shared" / "data" / "egn"
GAME = json.loads(BY_HAND.read_text(encoding="utf-8"))
DECK = jaxcards.make("euchre").deck


def read(game):
    return list(egn.read(json.dumps(game), "by_hand.egn"))


def changed(deal, change):
    """Return the file by hand after `change(deal, bidding, play)`."""
    game = copy.deepcopy(GAME)
    own = game["deals"][deal]
    bidding, play = own["phases"]
    change(own, bidding, play)
    return game


def test_a_game_is_read_deal_by_deal():
    items = read(GAME)
    assert [item.place for item in items] == ["deal 0", "deal 1", "deal 2"]
    first, second, third = (item.record for item in items)
    assert first.players == ("Ann", "Bob", "Cid", "Dör")
    assert first.source == {
        "file": "by_hand.egn", "title": "By hand", "date": "2026-11-22T18:00", "deal": 0,
    }  # fmt: skip
    assert [one.points for one in (first, second, third)] == [(1, 0, 1, 0), (0, 4, 0, 4), (2, 0, 2, 0)]
    assert [one.facts["totals"] for one in (first, second, third)] == [(0, 0), (1, 0), (1, 4)]
    names = jaxcards.make("euchre").action_names()
    assert [names[action] for action in second.actions[:8]] == [*["pass"] * 5, "call c", "alone", "As"]
    assert first.notes == {1: "The right bower\ngoes to my partner.", 8: "Draws trumps."}
    assert names[first.actions[8]] == "Jh"
    assert verify.problems([first, second, third]) == [None] * 3


def test_cards_that_nobody_saw_are_marked():
    first, second, third = (item.record for item in read(GAME))
    # The card laid down and the kitty; the hand that sat out and the kitty; nothing.
    assert first.unknown == (4, 21, 22, 23)
    assert second.unknown == (5, 6, 7, 8, 9, 21, 22, 23)
    assert third.unknown == ()
    assert sorted(first.deck[:4]) == sorted(DECK.cards("Jd As Kd 9h"))
    assert first.actions[2] == first.deck[4]
    assert DECK.names(third.deck[20:]) == "Ad 9c Js Qh"
    assert third.actions[4] == DECK.card("9s")


def test_five_cards_without_the_upcard_show_that_it_was_laid_down():
    def change(deal, bidding, play):
        deal["initialState"]["upCard"] = "Th"  # of seat 3, which gets the jack of clubs for it
        play["tricks"][1][0], play["tricks"][1][3] = "Jh", "Jc"

    (first, *_) = read(changed(0, change))
    assert first.record.actions[2] == DECK.card("Th") and first.record.unknown == (21, 22, 23)
    assert verify.problems([first.record]) == [None]


@pytest.mark.parametrize("cut", [0, 1, 6, 13, 19])
def test_a_deal_that_was_broken_off_replays_as_far_as_it_goes(cut):
    def change(deal, bidding, play):
        cards = [card for trick in play["tricks"] for card in trick][:cut]
        play["tricks"] = [cards[i : i + 4] for i in range(0, len(cards), 4)]

    (first, *_) = read(changed(0, change))
    assert first.record.points is None and len(first.record.actions) == 4 + cut
    assert verify.problems([first.record]) == [None]


def test_a_deal_that_nobody_takes():
    def change(deal, bidding, play):
        deal["phases"] = [bidding | {"calls": ["Pass"] * 8}]

    game = changed(0, change)
    assert "the dealer may not pass" in read(game)[0].reason
    game["metadata"]["ruleset"]["std"] = False
    (first, *_) = read(game)
    assert first.record.points == (0, 0, 0, 0) and first.record.rules == {"stick_dealer": False}
    assert verify.problems([first.record]) == [None]


def test_a_lone_defender():
    def change(deal, bidding, play):
        bidding["aloneDefender"] = 2
        play["tricks"] = [
            [card for card in trick if card[0] + card[1] not in OUT] for trick in play["tricks"]
        ]

    OUT = ("Qs", "Tc", "Qh", "Qd", "Kd")  # seat 0, the partner of the defender
    game = changed(1, change)
    game["metadata"]["ruleset"]["defend_alone"] = True
    record = read(game)[1].record
    assert record.rules == {"defend_alone": "if_alone"} and len(record.actions) == 8 + 10
    assert verify.problems([record]) == [None]
    assert egn_writer._deal(1, record)["phases"][0]["aloneDefender"] == 2


def swap(trick, place, card):
    return lambda deal, bidding, play: play["tricks"][trick].__setitem__(place, card)


@pytest.mark.parametrize(
    "change, words",
    [
        (swap(0, 1, "9h"), "trick 4: 9h is played a second time"),
        (lambda deal, bidding, play: play.update(tricks=[["Ks", "Jh"]]), "seat 2 plays the up-card"),
        (swap(0, 1, "Zz"), "'Zz' is not a card from 9c to As"),
        (swap(0, 1, 7), "7 is not a card"),
        (lambda deal, bidding, play: play["tricks"][0].pop(), "trick 0 has 3 cards, where 4 players"),
        (lambda deal, bidding, play: play["tricks"].append(["Ts"]), "trick 5 has 1 cards"),
        (
            lambda deal, bidding, play: bidding.update(discard="As"),
            "the dealer plays As, which it has laid",
        ),
        (
            lambda deal, bidding, play: bidding.update(discard="Qh"),
            "Qh is in the hand of seat 0, and also",
        ),
        (
            lambda deal, bidding, play: bidding.update(calls=["Order", "Pass"]),
            "call 1 comes after trumps",
        ),
        (
            lambda deal, bidding, play: bidding.update(calls=["h"]),
            "call 0 is 'h', which is not played here",
        ),
        (
            lambda deal, bidding, play: bidding.update(calls=["Pass"] * 4 + ["h"]),
            "that was turned down",
        ),
        (lambda deal, bidding, play: bidding.update(calls=["Pass"] * 9), "there are 9 calls"),
        (lambda deal, bidding, play: bidding.update(calls="Pass"), "calls must be a list, not 'Pass'"),
        (
            lambda deal, bidding, play: play.update(initialLead=2),
            "seat 1 leads first, but initialLead is 2",
        ),
        (lambda deal, bidding, play: bidding.update(type="DANCE"), "EUCHRE_BIDDING and TRICK_PLAY"),
        (
            lambda deal, bidding, play: deal["initialState"].update(dealer=4),
            "the dealer must be a seat",
        ),
        (
            lambda deal, bidding, play: deal["initialState"].update(kitty=["Ks"]),
            "and also in the kitty",
        ),
        (lambda deal, bidding, play: deal.pop("phases"), "phases is missing"),
    ],
    ids=range(18),
)
def test_a_deal_that_breaks_the_rules_is_refused_and_the_rest_is_read(change, words):
    first, second, third, *final = read(changed(0, change))
    assert isinstance(first, Refused) and first.place == "deal 0"
    assert words in first.reason and "\n" not in first.reason
    assert second.repairs == ("its totals are without deal 0",) and isinstance(third, Read)
    assert final[0].reason.startswith("finalScore is [3, 4], but the readable deals add up to")


def test_a_revoke_is_named_by_its_trick():
    def change(deal, bidding, play):
        play["tricks"][0][1], play["tricks"][3][2] = "Qd", "9s"  # seat 2 keeps its spade

    (first, *_) = read(changed(0, change))
    assert first.reason == "trick 0: seat 2 plays Qd and does not follow s, but has 9s for trick 3"


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda game: game.update(fileType="x"), 'its fileType is not "Euchre Game Notation"'),
        (lambda game: game.update(deals=3), "deals must be a list"),
        (lambda game: game["metadata"].update(players=["a"]), "players must be a list of 4"),
        (
            lambda game: game["metadata"].update(players=[1, 2, 3, 4]),
            "the name of a player must be a text",
        ),
        (lambda game: game["metadata"].update(initialScore=["0", 0]), "initialScore must be two whole"),
        (
            lambda game: game["metadata"]["ruleset"].update(farmers=True),
            "the rule farmers=True is not played",
        ),
        (
            lambda game: game["metadata"]["ruleset"].update(std=1),
            "the rule std must be of type bool, not 1",
        ),
        (lambda game: game["metadata"]["ruleset"].update(stdd=1), "did you mean 'std'?"),
        (
            lambda game: game["metadata"]["ruleset"].update(loner_lead="x"),
            "unknown value of loner_lead 'x'",
        ),
        (lambda game: game["metadata"]["ruleset"].update(winning_score=-1), "must be from 0 to 1000"),
        (
            lambda game: game["metadata"]["ruleset"].update(winning_score=10, num_deals=5),
            "the rules winning_score and num_deals exclude each other",
        ),
    ],
    ids=range(11),
)
def test_a_file_that_is_no_game_is_refused_as_a_whole(change, words):
    game = copy.deepcopy(GAME)
    change(game)
    with pytest.raises(jaxcards.UserError) as error:
        read(game)
    assert words in str(error.value)


def test_what_is_written_is_read_again():
    first = [item.record for item in read(GAME)]
    text = egn_writer.to_text(first)
    again = [item.record for item in egn.read(text, "by_hand.egn")]
    assert again[:2] == first[:2]
    # The notation has no place for a kitty.
    assert again[2].unknown == (21, 22, 23) and again[2].deck[:21] == first[2].deck[:21]
    assert again[2].actions == first[2].actions
    assert json.loads(text)["metadata"]["finalScore"] == [3, 4]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"initialScore": [9, 0]}, "the game was over before this deal, at "),
        ({"initialScore": [0, 10]}, "the game was over before this deal, at 0:10 of 10 points"),
        ({"ruleset": {"num_deals": 1}}, "the game was over before this deal, after num_deals=1"),
    ],
)
def test_deals_behind_the_end_of_a_game_are_refused(change, words):
    game = copy.deepcopy(GAME)
    game["metadata"] |= change
    del game["metadata"]["finalScore"]
    last = read(game)[-1]
    assert isinstance(last, Refused) and last.place == "deal 2" and last.reason.startswith(words)


def test_a_limit_of_deals_is_written_and_read():
    game = copy.deepcopy(GAME)
    game["metadata"]["ruleset"] = {"num_deals": 3}
    found = [item.record for item in read(game)]
    assert found[0].rules == {"max_deals": 3}
    text = egn_writer.to_text(found)
    assert json.loads(text)["metadata"]["ruleset"]["num_deals"] == 3
    assert [item.record.rules for item in egn.read(text, "again.egn")] == 3 * [{"max_deals": 3}]


@pytest.mark.parametrize(
    "name, text", [("a.emn", "{}"), ("a.txt", '{"fileType": "Euchre Match Notation"}')]
)
def test_match_files_are_named(name, text, tmp_path):
    (tmp_path / name).write_text(text)
    with pytest.raises(jaxcards.UserError, match=r"match files .*\(.emn\) are not supported"):
        formats.format_to_read(tmp_path / name)


@pytest.mark.parametrize("rules", [{"joker": True}, {"points_make": 2}, {"defend_alone": "always"}])
def test_rules_without_a_place_in_the_notation_are_refused(rules):
    from jaxcards.records.egn_rules import ruleset_of

    with pytest.raises(jaxcards.UserError, match="Euchre Game Notation has no"):
        ruleset_of(jaxcards.make("euchre/stick_the_dealer", **rules).rules)


def test_a_game_ends_by_points_or_by_deals():
    from jaxcards.records.egn_rules import ruleset_of

    with pytest.raises(jaxcards.UserError, match="cannot express both target and max_deals"):
        ruleset_of(jaxcards.make("euchre/stick_the_dealer", target=7, max_deals=3).rules)


@pytest.mark.skipif(
    not REAL.is_dir(), reason=f"found no real games in {REAL.name} beside the project"
)
def test_every_deal_of_real_games_replays_to_the_score_of_its_tricks():
    """The last deal of each game, and no other, brings a side to ten points."""
    found = {}
    for file in sorted(REAL.glob("*.egn")):
        items = list(egn.read(file.read_text(encoding="utf-8"), file.name))
        assert all(isinstance(item, Read) and not item.repairs for item in items), file.name
        found[file.name] = [item.record for item in items]
    assert len(found) == 13 and sum(map(len, found.values())) == 134
    assert verify.problems([record for game in found.values() for record in game]) == [None] * 134
    for name, game in found.items():
        last = [a + b for a, b in zip(game[-1].facts["totals"], game[-1].points, strict=False)]
        assert max(max(record.facts["totals"]) for record in game) < 10, name
        assert max(last) >= 10 or name.startswith("Custom"), name
