"""OpenSpiel's Bridge under its own loop in C++."""

from peers.open_spiel_cpp import INSTALL as INSTALL
from peers.open_spiel_cpp import PACKAGES as PACKAGES
from peers.open_spiel_cpp import loop

TITLE = "OpenSpiel Bridge, loop in C++"
OURS = "bridge/open_spiel"
UNIT = "decisions"
SAME = "the same for Bridge"
NOT_SAME = "as for Euchre"


def start():
    # Without vulnerable sides, 13 redoubled undertricks cost the most.
    def is_score(points):
        return sum(points) == 0 and points[0] == points[2] and max(points) <= 7000

    return loop("bridge(use_double_dummy_result=false)", is_score)
