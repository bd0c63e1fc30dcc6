"""Texts about an action: the difference of two views, without facts that are only in a state."""

import dataclasses

import pytest

from jaxcards.play.events import told
from jaxcards.view.structure import Meld, Play, Seat, Trick, View
from jaxcards.view.text import Text

FACES = ("♥10", "♠A", "♣7", "♦J")


def seats(**changes):
    """Three seats with four cards each; `seat_1=dict(...)` changes one of them."""
    names = (Text("seat.you"), Text("anna"), Text("bert"))
    plain = [Seat(n, n, name, 4) for n, name in enumerate(names)]
    return tuple(dataclasses.replace(s, **changes.get(f"seat_{s.seat}", {})) for s in plain)


BEFORE = View("g", FACES, 0, seats(), 1, 2, Text("Bid"), facts=(Text("fact.stakes", times=1),))


def after(**changes):
    return dataclasses.replace(BEFORE, **changes)


@pytest.mark.parametrize(
    "changes, lines",
    [
        ({"trick": Trick((Play(1, 1),))}, ["anna plays ♠A"]),
        ({"trick": Trick((Play(1, None),))}, ["anna plays a card face down"]),
        ({"trick": Trick((Play(0, 2),))}, ["you play ♣7"]),
        (
            {"last_trick": Trick((Play(1, 1), Play(2, 0), Play(0, 3)), 2)},
            ["you play ♦J", "bert wins the trick"],
        ),
        ({"last_trick": Trick((Play(0, 1), Play(2, 0)), 0)}, ["bert plays ♥10", "you win the trick"]),
        ({"seats": seats(seat_1={"calls": (Text("said.pass"),)})}, ["anna: passed"]),
        ({"seats": seats(seat_1={"bid": Text("bid.tricks", number=3)})}, ["anna: bid 3"]),
        ({"seats": seats(seat_1={"roles": (Text("role.picker"),)})}, ["anna: picker"]),
        ({"seats": seats(seat_1={"num_cards": 3})}, ["anna lays a card aside"]),
        ({}, ["anna passes"]),
        ({"phase": Text("Play")}, []),
        (
            {
                "phase": Text("Play"),
                "facts": (Text("fact.stakes", times=2), Text("fact.called", card=0)),
            },
            ["partner's card: ♥10"],
        ),
        (
            {
                "phase": Text("Play"),
                "seats": seats(seat_2={"melds": (Meld(Text("meld.four.J"), 200, (3,)),)}),
            },
            ["bert: four jacks, 200"],
        ),
        (
            {
                "phase": Text("Play"),
                "seats": seats(seat_0={"melds": (Meld(Text("meld.stock"), 20),)}),
            },
            [],
        ),
    ],
)
def test_lines(changes, lines):
    now = after(**changes)
    assert [now.say(line) for line in told(BEFORE, now, 1)] == lines


def test_the_last_trick_of_a_deal_names_its_winner():
    over = after(to_act=None, last_trick=Trick((Play(1, 1),), 1), result=(Text("anna wins"),))
    lines = [over.say(line) for line in told(BEFORE, over, 1)]
    assert lines == ["anna plays ♠A", "anna wins the trick"]
