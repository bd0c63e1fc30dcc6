"""OpenSpiel's Bridge under its own loop in C++."""

from peers.open_spiel_cpp import INSTALL as INSTALL
from peers.open_spiel_cpp import NOT_SAME as NOT_SAME
from peers.open_spiel_cpp import PACKAGES as PACKAGES
from peers.open_spiel_cpp import loop

TITLE = "OpenSpiel Bridge, loop in C++"
OURS = "bridge/open_spiel"
UNIT = "decisions"
SAME = "whole deals of Bridge by the same rules, random legal calls and cards, score"


def start():
    # Without vulnerable sides, 13 redoubled undertricks cost the most.
    def is_score(points):
        return sum(points) == 0 and points[0] == points[2] and max(points) <= 7000

    return loop("bridge(use_double_dummy_result=false)", is_score)
