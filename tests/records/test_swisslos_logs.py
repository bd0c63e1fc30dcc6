"""Text logs of Swisslos games: there and back, thinking times, and broken lines."""

import dataclasses
import math
import re

import jax
import numpy as np
import pytest
from records.swisslos_played import GAME, cards, deals, trump
from support import quick

import jaxcards
from jaxcards import records, xla
from jaxcards.agent import RandomAgent
from jaxcards.cli.main import main
from jaxcards.records import formats, swisslos_logs_writer
from jaxcards.records.items import Read, Refused
from jaxcards.records.swisslos_logs_writer import Writer, nicknames
from jaxcards.records.swisslos_rows import rows_of
from jaxcards.records.thinking import Thinking


@pytest.fixture(scope="module", autouse=True)
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        patch.setattr("jaxcards.xla.cache.enable", lambda wanted: None)
        yield


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """Return a log of all deals."""
    folder = tmp_path_factory.mktemp("logs")
    with Writer(folder) as writer:
        writer.write(deals())
    (log,) = folder.iterdir()
    assert re.fullmatch(r"S2500_[0-9a-f]{32}\.game", log.name)
    return log.read_text(encoding="utf-8")


def test_cards_of_a_hand_are_written_without_blanks(text):
    """Other readers of logs accept no blanks there; this one accepts both."""
    hands = re.findall(r'"cardset.*?\]', text)
    assert hands and all(re.fullmatch(r'"cardset":\[("\d+",){8}"\d+"\]', hand) for hand in hands)


@pytest.mark.slow
def test_cards_of_a_hand_are_read_with_blanks(text, tmp_path):
    spaced = re.sub(r'"cardset":\[.*?\]', lambda hand: hand[0].replace(",", ", "), text)
    assert spaced != text
    assert [item.record for item in read(spaced, tmp_path)] == [
        item.record for item in read(text, tmp_path)
    ]


def read(text, folder, name="S2500_1.log"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return list(formats.format_to_read(path).read(path))


def test_a_log_holds_cards_trump_and_weis(text, tmp_path):
    found = [item.record for item in read(text, tmp_path)]
    assert records.problems(found) == [None] * len(deals())
    for given, back in zip(deals(), found, strict=True):
        assert (back.deck, back.dealer, back.actions) == (given.deck, given.dealer, given.actions)
        assert back.points == given.points and len(back.seconds) == len(back.actions)
    # The Weis of the rules, and those that the log names.
    shown = [rows.shown for rows in rows_of(GAME, deals())]
    assert [rows.shown for rows in rows_of(GAME, found)] == shown and any(shown)


def test_log_data_and_record_hold_the_same(text, tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "S2500_1.log").write_text(text, encoding="utf-8")
    (tmp_path / "in" / "chat.txt").write_text("no log")
    for name in ("a.swisslos.h5", "b.jsonl"):
        assert main(["convert", str(tmp_path / "in"), str(tmp_path / name)]) == 0
    assert main(["convert", str(tmp_path / "a.swisslos.h5"), str(tmp_path / "c.jsonl")]) == 0
    from_log, from_data = (
        [records.from_line(line) for line in (tmp_path / name).read_text().splitlines()]
        for name in ("b.jsonl", "c.jsonl")
    )
    for given, log, data in zip(deals(), from_log, from_data, strict=True):
        assert cards(given) == cards(log) == cards(data) and trump(log) == trump(data) == trump(given)
        assert log.deck == data.deck == given.deck and log.players == data.players
        assert log.seconds[-36:] == data.seconds[-36:]
    states = [[rows.state for rows in rows_of(GAME, found)] for found in (from_log, from_data)]
    np.testing.assert_array_equal(*states)


@pytest.mark.slow
def test_a_match_is_a_log(tmp_path, capsys):
    match = records.play_match(GAME, RandomAgent(), (), jax.random.key(1))
    (tmp_path / "a.jsonl").write_text(records.to_line(match))
    assert main(["convert", str(tmp_path / "a.jsonl"), str(tmp_path / "a.logs")]) == 0
    (log,) = (tmp_path / "a.logs").iterdir()
    found = [item.record for item in read(log.read_text(), tmp_path)]
    assert [cards(deal) for deal in found] == [cards(deal) for deal in match.deals]
    assert [deal.source["round"] for deal in found] == list(range(1, len(match.deals) + 1))
    assert main(["convert", str(tmp_path / "a.jsonl"), str(tmp_path / "b.logs"), "--seed", "1"]) == 0
    (other,) = (tmp_path / "b.logs").iterdir()
    assert other.name == log.name and other.read_text() != log.read_text()
    assert main(["convert", str(tmp_path / "a.jsonl"), str(tmp_path / "a.logs")]) == 2
    assert "a.logs exists: remove it, or name another folder" in capsys.readouterr().err


def test_what_a_log_says_is_taken_and_not_what_the_rules_would_say(text, tmp_path):
    """A player keeps a Weis to himself, another one shows two at once."""
    lines = text.splitlines()
    said = [number for number, line in enumerate(lines) if "doRequestSuits" in line]
    pid = re.search('"pid": "(\\w+)"', lines[said[0]])[1]
    del lines[said[1]]
    lines[said[0]] += f' {{"pid": "{pid}","action":{{"doRequestSuits": ["Blatt;0,1,2"]}}}}'
    lines.insert(said[0], lines[said[0]].replace(lines[said[0]][40:], '{"chat": "hello"}'))
    found = [item.record for item in read("\n".join(lines), tmp_path)]
    notes = [note for record in found for note in record.notes.values()]
    assert sum(note.count("Weis") for note in notes) == len(said) - 1


# --- Broken lines -------------------------------------------------------------------------------


def line_of(text, word, number=0):
    return [line for line in text.splitlines() if word in line][number]


@pytest.mark.parametrize(
    "word, old, new, reasons",
    [
        ("submitsCard", "submitsCard", "submitsCart", ["acts, but it is the turn of"]),
        (
            "submitsCard",
            '"submitsCard": "',
            '"submitsCard": "x',
            ["submitsCard cannot be read", "turn"],
        ),
        ("submitsCard", '"submitsCard": "', '"submitsCard": "99', ["a card is from 0 to 35", "turn"]),
        ("submitsCard", "2000-01-01", "2000-13-01", ["is not a time", "turn"]),
        ("submitsCard", "2000-01-01", "half a line", ["does not begin with a time", "turn"]),
        ("submitTrump", '"submitTrump": ', '"submitTrump": 7', ["submitTrump is from -1", "trumps"]),
        ("submitTrump", "submitTrump", "nothing", ["trumps are chosen"]),
        ("doDeal", "doDeal", "doDeel", ["3 hands are dealt, not 4"]),
        ("doDeal", '"cardset":["', '"cardset":["1","', ["a hand has 9 cards", "3 hands"]),
        ("doDeal", '"doDeal": ', '"doDeal": 9', ["doDeal cannot be read", "3 hands"]),
        ("submitsCard", '"pid": "player', '"pid": "nobody', ["is not one of the four players"]),
    ],
)
def test_a_broken_line_is_reported_and_the_rest_goes_on(text, tmp_path, word, old, new, reasons):
    broken = line_of(text, word)
    assert old in broken
    found = read(text.replace(broken, broken.replace(old, new), 1), tmp_path)
    refused = [item for item in found if isinstance(item, Refused)]
    assert [reason in item.reason for item, reason in zip(refused, reasons, strict=True)] == [
        True
    ] * len(reasons), refused
    assert all("\n" not in item.reason and item.place.startswith("line") for item in refused)
    good = [item.record for item in found if isinstance(item, Read)]
    assert [cards(record) for record in good] == [cards(deal) for deal in deals()[1:]]


def test_a_log_that_is_cut_off_has_an_unfinished_deal(text, tmp_path):
    lines = text.splitlines()
    cut = [number for number, line in enumerate(lines) if "submitsCard" in line][20]
    (item,) = read("\n".join(lines[:cut]), tmp_path)
    assert len(cards(item.record)) == 20 and item.record.points is None
    assert records.problems([item.record]) == [None]


def test_events_before_the_first_round(text, tmp_path):
    found = read(line_of(text, "submitsCard") + "\n" + text, tmp_path)
    assert found[0].reason == "is outside of any round" and len(found) == 1 + len(deals())


@pytest.mark.slow
def test_the_name_of_a_log_has_the_target(text, tmp_path):
    assert read(text, tmp_path, "S1000_1.log")[0].record.game == "jass/schieber_1000"
    assert read(text, tmp_path, "other.log")[0].record.game == "jass/swisslos"


def test_rules_that_a_log_has_no_place_for(tmp_path):
    game = jaxcards.make("jass/tournament")
    deal = records.play_deal(game, RandomAgent(), (), jax.random.key(0))
    with Writer(tmp_path) as writer:
        with pytest.raises(jaxcards.UserError, match="a log cannot express jass/tournament"):
            writer.write([deal])


def test_nicknames_are_words_and_different():
    assert nicknames(("a b", "a_b", '{"usernickname": "x"}', "")) == ("a_b", "a_b_2", "x", "player_3")


# --- Thinking times -----------------------------------------------------------------------------


def test_thinking_grows_with_choice_and_entropy():
    thinking = Thinking()
    medians = [thinking.median(legal) for legal in range(1, 10)]
    assert medians == sorted(medians) and medians[0] == thinking.forced
    assert thinking.median(5, 0.0) < thinking.median(5, 0.5) < thinking.median(5, 1.5)
    assert thinking.median(7, call=True) > thinking.median(7)


def test_times_are_log_normal():
    thinking = Thinking(longest=1e9)
    generator = np.random.default_rng(0)
    drawn = np.log(thinking.draw(generator, [4] * 20_000, [False] * 20_000))
    assert drawn.mean() == pytest.approx(math.log(thinking.median(4)), abs=0.02)
    assert drawn.std() == pytest.approx(thinking.spread, abs=0.02)
    third = ((drawn - drawn.mean()) ** 3).mean() / drawn.std() ** 3
    assert abs(third) < 0.1, "the logarithm is not skewed"
    assert max(Thinking().draw(generator, [4] * 5_000, [True] * 5_000, [5.0] * 5_000)) == 60


def test_the_seed_decides_the_times(tmp_path):
    texts = []
    for number, seed in enumerate((0, 0, 1)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with Writer(folder, seed) as writer:
            writer.write(deals(3))
        texts.append(next(folder.iterdir()).read_text())
    assert texts[0] == texts[1] != texts[2]


def test_known_entropies_and_times_are_used(tmp_path):
    def times(records, **more):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        with Writer(folder, **more) as writer:
            writer.write(records)
        items = [item for log in folder.iterdir() for item in read(log.read_text(), folder)]
        return [item.record.seconds for item in items]

    unsure = times(deals(3), entropies=lambda deal: [3.0] * len(deal.actions))
    sure = times(deals(3), entropies=lambda deal: [0.0] * len(deal.actions))
    assert sum(map(sum, unsure)) > 2 * sum(map(sum, sure))
    given = [dataclasses.replace(d, seconds=(4.0,) * len(d.actions)) for d in deals(3)]
    assert times(given) == [deal.seconds for deal in given]
    assert swisslos_logs_writer.GAMES[-1] == GAME.id
