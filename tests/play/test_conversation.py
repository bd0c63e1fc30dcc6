"""Whole deals of every game in lines: what is asked, what is told, and what is never told."""

import dataclasses
import re

import jax
import jax.numpy as jnp
import pytest
import rich.text
from play.evening import Typist, converse, seed_where_first, table_of
from support.marks import by_cost

import jaxcards
from jaxcards.play import answers, events, screen
from jaxcards.play.conversation import Conversation, Stopped
from jaxcards.play.hints import Hint, Worth
from jaxcards.view.text import Text

GAMES = {
    "jass": ("jass", (0,)),
    "jass/differenzler": ("jass/differenzler", (0,)),
    "belote": ("belote/coinche", (1,)),
    "euchre": ("euchre/defend_alone", (2,)),
    "three-handed euchre": ("euchre/three_handed_code", (0,)),
    "euchre with a dummy": ("euchre/dummy_partner", (0,)),
    "rikiki": ("rikiki/standard3", (1,)),
    "sheepshead": ("sheepshead/standard_crack", (0,)),
}
RARE = {*GAMES} - {"rikiki", "euchre"}


def cards_in(text):
    return set(re.findall(r"[♣♦♥♠](?:10|[2-9JQKA])", text))


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", by_cost(GAMES, rare=RARE))
def test_a_whole_deal(name, monkeypatch, capsys):
    id, people = GAMES[name]
    game = jaxcards.make(id)
    table = table_of(game, people=people, seed=4)
    kept = []
    typist = Typist(table, deals=2)
    with pytest.raises(Stopped):
        converse(monkeypatch, table, typist, keep=lambda: kept.append(len(table.actions)))
    out = capsys.readouterr().out
    assert table.deal_over and table.number == 1
    assert "Your turn" in out and "next deal" in typist.prompts[-1]
    assert max(map(len, out.splitlines())) <= 80
    assert kept[:3] == [0, 1, 2], "every action is kept at once"


def test_nothing_is_told_that_the_person_cannot_see(monkeypatch, capsys):
    """In Sheepshead: what is printed before a card falls names no card of another hand."""
    game = jaxcards.make("sheepshead")
    table = table_of(game, seed=8)
    seen = []

    class Watching(Typist):
        def __call__(self, prompt=""):
            told = cards_in(capsys.readouterr().out)
            if not table.deal_over:
                hands = game.card_places(table.deal).hands
                others = {game.deck.pretty(card) for hand in hands[1:] for card in hand.to_list()}
                called = {
                    view.say(fact)
                    for view in [table.view(0)]
                    for fact in view.facts
                    if fact.key == "fact.called"
                }
                seen.append(told & others <= called)
            return super().__call__(prompt)

    with pytest.raises(Stopped):
        converse(monkeypatch, table, Watching(table))
    assert len(seen) > 3 and all(seen)


def test_answers_that_are_none(monkeypatch, capsys):
    table = table_of(jaxcards.make("euchre"), seed=seed_where_first("euchre", 0))
    script = ["", "99", "nonsense", "♥Z", "Ah", "h", "l", "?", "q"]
    with pytest.raises(Stopped):
        converse(monkeypatch, table, Typist(table, script))
    out = capsys.readouterr().out
    assert "type a number or a name: 1 to 2" in out
    assert "'99' is not a choice: type 1 to 2" in out and "'nonsense' is not a choice" in out
    assert "Ah is not possible now: type 1 to 2" in out
    assert "q  stop; the game is saved after every action" in out
    assert out.count("Your hand") == 2 and "Hints need a trained player" in out
    assert table.actions == []


@pytest.mark.parametrize("line, error", [("q", Stopped), (EOFError, Stopped), (KeyboardInterrupt,) * 2])
def test_the_ways_to_stop(line, error, monkeypatch):
    table = table_of(jaxcards.make("euchre"), seed=1)
    kept = []
    with pytest.raises(error):
        converse(monkeypatch, table, Typist(table, [line]), keep=lambda: kept.append(table.actions[:]))
    assert kept[-1] == table.actions


def test_a_match_ends_with_its_winner(monkeypatch, capsys):
    game = jaxcards.make("euchre", target=1)
    table = table_of(game, seed=3, match=True)
    finished = []

    def finish():
        finished.append(table.over)
        return "Won 1 of the last 1 match."

    converse(monkeypatch, table, Typist(table, deals=99), finish=finish)
    out = capsys.readouterr().out
    assert table.over and finished == [True]
    assert "won the match" in out and out.rstrip().endswith("Won 1 of the last 1 match.")
    assert sum(table.returns()) == 0


def test_what_one_person_does_is_not_told_to_the_other():
    """Both sit at one terminal: the unknown card and the bury of Sheepshead stay the picker's."""
    game = jaxcards.make("sheepshead")
    table = table_of(game, people=range(5), seed=3)
    conversation = Conversation(table, keep=lambda: None, finish=lambda: "", hints=None)
    table.play(33)  # pick
    picker = table.player
    while not table.view(picker).phase.key == "ask.play":
        seer = conversation._seer(picker)
        assert seer != picker
        before, old = table.view(picker), table.view(seer)
        action = before.legal[0].action
        table.play(action)
        after = table.view(seer)
        told = " ".join(map(after.say, events.told(old, after, picker)))
        if before.phase.key in ("ask.bury", "ask.unknown"):
            assert told and game.deck.pretty(action) not in told


def test_two_people_share_a_terminal(monkeypatch, capsys):
    game = jaxcards.make("euchre")
    table = table_of(game, people=(0, 1), seed=2)
    with pytest.raises(Stopped):
        converse(monkeypatch, table, Typist(table))
    out = capsys.readouterr().out
    assert "person 0, press Enter when the others look away" in out
    assert "It is person 1's turn." in out


def test_a_table_without_people_plays_by_itself(monkeypatch, capsys):
    table = table_of(jaxcards.make("euchre"), people=(), seed=2)
    with pytest.raises(Stopped):
        converse(monkeypatch, table, Typist(table, [AssertionError]))
    assert "plays" in capsys.readouterr().out and table.deal_over


def test_a_hint_is_shown_with_its_reason(monkeypatch, capsys):
    table = table_of(jaxcards.make("euchre"), seed=seed_where_first("euchre", 0))

    class Fake:
        ready, worlds = False, 64

        def hint(self, deal, number):
            self.ready = True
            first, second = (c.action for c in table.view(0).legal)
            worths = Worth(second, 0.25, 1.5, 0.3), Worth(first, 0.75, -0.25, 0.4)
            return Hint(worths, Text("in {worlds} deals it brings more", worlds=64))

    with pytest.raises(Stopped):
        converse(monkeypatch, table, Typist(table, ["?", "?", "q"]), hints=Fake)
    out = capsys.readouterr().out
    assert out.count("Compiling the search of 64 deals") == 1
    assert re.search(r"2 +pass +25 % +\+1.50 ± 0.30", out)
    assert "Hint: pass, as in 64 deals it brings more." in out


@pytest.mark.parametrize(
    "unit, shown", [("points_ahead", r"\+1.50 ± 0.30"), ("penalty_points", "-1.50 ± 0.30")]
)
def test_hints_have_the_unit_of_the_game(unit, shown):
    table = table_of(jaxcards.make("euchre"), seed=seed_where_first("euchre", 0))
    view = dataclasses.replace(table.view(0), deal_unit=unit)
    first, second = (choice.action for choice in view.legal)
    found = Hint((Worth(first, 0.75, 1.5, 0.3), Worth(second, 0.25, -2.0, 0.3)), Text("hint.only"))
    head, best, other, _ = (line.plain for line in screen.hint(view, found, answers.Keys(view)))
    assert head.endswith(f"probability  expected {unit.replace('_', ' ')}")
    assert re.search(f"75 % +{shown}", best)
    assert re.search("25 % +2.00" if unit == "penalty_points" else "25 % +-2.00", other)


@pytest.mark.parametrize(
    "trump, lines",
    [
        (None, []),
        (Text("trump.none"), ["Trumps: not named yet"]),
        (Text("mode.suit", suit="♠"), ["Trumps: ♠"]),
        (Text("mode.fixed", suit="♠"), ["♠ are trumps"]),
    ],
)
def test_a_game_without_trumps_has_no_line_about_them(trump, lines):
    table = table_of(jaxcards.make("euchre"), seed=1)
    view = dataclasses.replace(table.view(0), trump=trump, trump_suit="♠")
    assert [line.plain for line in screen.header(view) if "rump" in line.plain] == lines


def test_a_terminal_that_knows_no_suits(monkeypatch, capsys):
    monkeypatch.setattr("jaxcards.play.conversation._knows_suits", lambda encoding: False)
    table = table_of(jaxcards.make("euchre"), seed=1)
    with pytest.raises(Stopped):
        converse(monkeypatch, table, Typist(table))
    out = capsys.readouterr().out
    assert out.isascii() and "Your hand" in out and re.search(r"\bh(10|[9JQKA])\b", out)


def test_a_long_hand_breaks_with_its_numbers():
    game = jaxcards.make("spades/cutthroat")
    state = game.init(jax.random.key(1))
    while not bool(game.legal_actions(state).mask()[:52].any()):
        state = game.step(state, jnp.int32(game.legal_actions(state).nth(0)))
    view = game.view(state, int(state.current_player))
    lines = [line.plain for line in screen.hand(view, answers.Keys(view))]
    faces, numbers = lines[0] + lines[2], lines[1] + lines[3]
    assert all(len(line) <= screen.WIDTH for line in lines)
    assert len(faces.split()) == 19 and len(numbers.split()) == 17  # "Your hand" is two words


def test_a_word_that_is_longer_than_a_line_is_cut_and_stays_whole():
    word = "".join(chr(ord("a") + i % 26) for i in range(2 * screen.WIDTH + 5))
    lines = screen.wrapped(rich.text.Text(f"{word} and more"))
    assert [len(line) for line in lines] == [screen.WIDTH, screen.WIDTH, 14]
    assert "".join(line.plain for line in lines) == f"{word} and more"
