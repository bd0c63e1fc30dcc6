"""A small game behind all doors, compiled fast; the slow tests open them for every game."""

import pytest
from support import quick

import jaxcards
from jaxcards import xla

SMALL = jaxcards.make("rikiki", num_players=3, schedule=(3,))
OTHERS = ("jass", "belote", "euchre", "rikiki", "sheepshead", "hearts", "spades", "skat")
OTHERS += ("bridge", "jass/differenzler", "belote/coinche")
OTHERS += ("euchre/three_handed", "euchre/dummy_partner", "rikiki/standard5", "sheepshead/six_called")


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch, request):
    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr(xla, "jit", quick.jit)


@pytest.fixture(
    params=[SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)],
    ids=lambda game: game if isinstance(game, str) else "small",
)
def game(request):
    """Each game: a small one, and those of the slow tests."""
    return jaxcards.make(request.param) if isinstance(request.param, str) else request.param


@pytest.fixture
def small():
    """Return the small game alone."""
    return SMALL
