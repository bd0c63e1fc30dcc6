"""Typed answers, and the messages for invalid ones."""

import pytest

import jaxcards
from jaxcards.errors import UserError
from jaxcards.play import answers
from jaxcards.view.structure import Choice, View
from jaxcards.view.text import Text


class Named:
    """The names of actions of a game."""

    names = {"pass": 25, "call h": 28, "ah": 17}

    def string_to_action(self, text):
        if text not in self.names:
            raise UserError(f"unknown action {text}")
        return self.names[text]

    def action_to_string(self, action):
        return next(name for name, number in self.names.items() if number == action)


def view_of(*choices):
    return View("g", ("♥J",), 0, (), 0, 0, Text("Choose"), choices=choices)


CALLS = view_of(
    Choice(28, Text("do.order_up", card=0), "trumps"),
    Choice(25, Text("do.pass"), "pass"),
    Choice(29, Text("order down {card}", card=0), "trumps", forbidden=Text("it is never done")),
)


@pytest.mark.parametrize(
    "text, action",
    [("1", 28), (" 2 ", 25), ("PASS", 25), ("order up", 28), ("order up ♥j", 28), ("p", 25)]
    + [("call h", 28), ("Order  UP", 28)],
)
def test_a_choice_by_number_by_words_or_by_name(text, action):
    assert answers.choice(Named(), CALLS, answers.Keys(CALLS), text).action == action


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "type a number or a name: 1 to 2"),
        ("3", "'3' is not a choice: type 1 to 2"),
        ("0", "'0' is not a choice"),
        ("order", "'order' is not a choice"),
        ("pas?", "did you mean 'pass'"),
        ("order down", "you may not order down ♥J: it is never done"),
        ("ah", "ah is not possible now: type 1 to 2"),
        ("٣", "is not a choice"),
    ],
)
def test_what_is_refused(text, words):
    with pytest.raises(UserError, match=words.replace("?", r"\?")):
        answers.choice(Named(), CALLS, answers.Keys(CALLS), text)


def test_bids_have_their_own_numbers():
    no = {2: Text("no")}
    texts = [Text("do.bid", number=n) for n in range(5)]
    bids = view_of(*(Choice(52 + n, texts[n], "bid", forbidden=no.get(n)) for n in range(5)))
    keys = answers.Keys(bids)
    assert [keys.of_action(52 + n) for n in range(5)] == ["0", "1", "", "3", "4"]
    assert answers.choice(Named(), bids, keys, "3").action == 55
    nil = view_of(Choice(52, Text("do.nil"), "bid"), *(Choice(52 + n, texts[n], "bid") for n in (1, 3)))
    assert [answers.Keys(nil).of_action(52 + n) for n in (0, 1, 3)] == ["0", "1", "3"]
    with pytest.raises(UserError, match="you may not bid 2: no"):
        answers.choice(Named(), bids, keys, "bid 2")
    points = [Text("do.predict", number=n) for n in range(158)]
    many = view_of(*(Choice(36 + n, points[n], "predict") for n in range(158)))
    assert answers.Keys(many).numbers == (0, 157) and keys.numbers is None


@pytest.mark.parametrize(
    "text, command", [("?", "?"), ("HELP", "h"), ("quit", "q"), (" l ", "l"), ("x", None), ("", None)]
)
def test_commands(text, command):
    assert answers.command(text) == command


def test_names_of_a_real_game():
    game = jaxcards.make("euchre")
    state = game.init_from_deck(list(range(24)), 3)
    view = game.view(state, 0)
    keys = answers.Keys(view)
    assert answers.choice(game, view, keys, "pass").action == 25
    assert answers.choice(game, view, keys, "s").action == 29  # the last word of "call s"
