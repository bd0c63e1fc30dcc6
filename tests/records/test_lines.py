"""A record as a line of JSON: round trips, and what is refused."""

import dataclasses
import json

import pytest
from records.played import FEW, deal, match

import jaxcards
from jaxcards import records
from jaxcards.records import lines

ID = "euchre/dummy_partner"


@pytest.mark.slow_after(2)
@pytest.mark.parametrize("id", FEW)
def test_a_deal_comes_back_from_its_line(id):
    assert records.from_line(records.to_line(deal(id))) == deal(id)


def test_a_match_comes_back_from_its_line():
    line = records.to_line(match("sheepshead/deepsheep_doubler"))
    assert "\n" not in line
    assert records.from_line(line) == match("sheepshead/deepsheep_doubler")


def test_all_that_can_be_said_of_a_deal_comes_back():
    said = {"seconds": (0.5,) * len(deal(ID).actions), "notes": {0: "zögert", 3: 'a "Q"\n'}}
    record = dataclasses.replace(deal(ID), unknown=(20, 22), source={"file": "a.egn"}, **said)
    assert records.from_line(records.to_line(record)) == record


def test_only_rules_that_differ_are_said():
    assert "rules" not in json.loads(records.to_line(deal(ID)))
    game = jaxcards.make("rikiki/cycle", trump_cycle=(0, 1, 2, 3))
    id, rules = records.record.id_and_rules(game)
    assert id == "rikiki/cycle" and list(rules) in ([], ["trump_cycle"])
    game = jaxcards.make("euchre", stick_dealer=True)
    assert records.record.id_and_rules(game) == ("euchre/standard", {"stick_dealer": True})


def test_a_line_names_cards_and_actions():
    found = json.loads(records.to_line(deal(ID)))
    game = jaxcards.make(ID)
    assert game.deck.cards(found["deck"]) == list(deal(ID).deck)
    assert [game.string_to_action(name) for name in found["actions"]] == list(deal(ID).actions)
    assert found["format"] == lines.FORMAT and found["version"] == jaxcards.__version__


def changed(**parts):
    line = json.loads(records.to_line(deal(ID)))
    line |= parts
    return json.dumps({name: part for name, part in line.items() if part is not ...})


@pytest.mark.parametrize(
    "line, words",
    [
        ("", "is not valid JSON"),
        ("[1]", "a JSON object is needed, not [1]"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": NaN}', "NaN is not a number that a record may have"),
        ('{"a": 1, "a": 2}', "the name 'a' is there twice"),
        ("{}", '"record" must be "deal" or "match"'),
        (changed(format=2), "a later version of jaxcards wrote it"),
        (changed(format=True), "the format must be a whole number"),
        (changed(game=3), "game must be a text, not 3"),
        (changed(game="euchr"), "unknown game 'euchr'; did you mean 'euchre'?"),
        (changed(rules={"joker": 1}), "joker must be true or false, not 1"),
        (changed(delaer=1), "unknown name 'delaer'; did you mean 'dealer'?"),
        (changed(deck=...), "deck is missing"),
        (changed(deck="9c 9c"), "deck: there must be 24, not 2"),
        (changed(deck=" ".join(["9c"] * 24)), "deck: 9c is dealt twice"),
        (changed(deck="9c 1x"), "deck: unknown card '1x'"),
        (changed(dealer=2), "deck: the dealer is 2, not one of the seats 0, 1, 3"),
        (changed(dealer=True), "deck: the dealer is True"),
        (changed(facts={}), "facts: totals is missing"),
        (changed(facts={"totals": [0, 10]}), "totals must be a whole number from 0 to 9, not 10"),
        (changed(facts={"totals": 0}), "totals must be a list of 2 whole numbers, not 0"),
        (changed(facts={"total": [0, 0]}), "unknown fact of a deal 'total'; did you mean 'totals'?"),
        (changed(actions=["pass", "fold"]), "number 1 is 'fold', which does not name"),
        (changed(actions=["pass"] * 99), "actions: 99 exceed the 27 of a longest deal"),
        (changed(points=[1, 2]), "points: there must be 3, not 2"),
        (changed(points=[1, 2, 10**400]), "points must be a whole number"),
        (changed(players=["a"]), "players: 3 names are needed, not 1"),
        (changed(players=["a", "b", "c" * 5000]), "a text of up to 4000 characters"),
        (changed(seconds=[1.0]), "seconds: there must be one for each action"),
        (changed(notes={"99": "x"}), "notes: unknown action 99"),
        (changed(notes={"x": "x"}), "notes: 'x' is not a number of an action"),
        (changed(unknown=[24]), "a place of unknown must be a whole number from 0 to 23"),
        (changed(source={"file": [1]}), "a text of up to 4000 characters is needed, not [1]"),
    ],
    ids=range(33),
)
def test_a_line_that_is_no_record_is_refused_in_words(line, words):
    with pytest.raises(jaxcards.UserError) as error:
        records.from_line(line)
    assert words in str(error.value) and "\n" not in str(error.value)


def test_a_line_of_an_earlier_form_is_brought_up_to_date(monkeypatch):
    older = changed(format=1, dealer=..., giver=deal(ID).dealer)

    def upgrade(line):
        return {("dealer" if name == "giver" else name): part for name, part in line.items()}

    monkeypatch.setattr(lines, "FORMAT", 2)
    monkeypatch.setitem(lines._UPGRADES, 1, upgrade)
    assert records.from_line(older) == deal(ID)
