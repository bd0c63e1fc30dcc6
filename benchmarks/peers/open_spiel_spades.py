"""OpenSpiel's Spades under its own loop in C++."""

from peers.open_spiel_cpp import INSTALL as INSTALL
from peers.open_spiel_cpp import PACKAGES as PACKAGES
from peers.open_spiel_cpp import loop

TITLE = "OpenSpiel Spades, loop in C++"
OURS = "spades/open_spiel"
UNIT = "decisions"
SAME = "the same for Spades"
NOT_SAME = "as for Euchre"


def start():
    # Partners have equal points: at worst two failed nils and the penalty of ten bags.
    return loop("spades", lambda points: points[:2] == points[2:] and max(map(abs, points)) <= 290)
