"""States, actions and cells of a table: their numbers, and what they are called."""

import pytest

import jaxcards
from jaxcards.agents.learners.qtable.description import layout_of
from jaxcards.agents.learners.qtable.layout import Feature, Layout, Situation
from jaxcards.errors import UserError

SMALL = Layout(
    (
        Situation("bidding", (Feature("aces", ("none", "one", "two")),), ("pass", "bid")),
        Situation(
            "playing",
            (Feature("leads", ("no", "yes")), Feature("", ("early", "late"))),
            ("pass", "play high", "play low"),
        ),
    )
)


def test_cells_are_numbered_through():
    assert (SMALL.num_states, SMALL.num_cells, SMALL.width) == (3 + 4, 3 * 2 + 4 * 3, 3)
    assert SMALL.actions == ("pass", "bid", "play high", "play low")
    places = [SMALL.place(cell) for cell in range(SMALL.num_cells)]
    assert places[:6] == [(state, action) for state in range(3) for action in (0, 1)]
    assert places[6:] == [(state, action) for state in range(3, 7) for action in (0, 2, 3)]
    assert [SMALL.cell(*place) for place in places] == list(range(SMALL.num_cells))


def test_what_is_no_cell():
    assert [SMALL.cell(*place) for place in [(0, 2), (3, 1), (7, 0), (-1, 0), (0, 4)]] == [None] * 5


def test_states_in_words():
    assert SMALL.describe(1) == "bidding, aces: one"
    assert SMALL.describe(3 + 2) == "playing, leads: yes, early"


@pytest.mark.parametrize("id", [id for id in jaxcards.games() if "/" in id])
def test_tables_are_small(id):
    layout = layout_of(jaxcards.make(id))
    assert 1000 < layout.num_cells <= 200_000
    assert layout.place(layout.num_cells - 1)[0] == layout.num_states - 1
    names = [feature.name for s in layout.situations for feature in s.features]
    assert all("  " not in name for name in names)
    assert all(len(set(f.values)) == len(f.values) for s in layout.situations for f in s.features)


def test_a_game_without_a_description():
    class Other:
        name = "coin"

    with pytest.raises(UserError, match="coin has no description for a table .*belote"):
        layout_of(Other())
