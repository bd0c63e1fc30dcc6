"""OpenSpiel's Skat under its own loop in C++."""

from peers.open_spiel_cpp import INSTALL as INSTALL
from peers.open_spiel_cpp import PACKAGES as PACKAGES
from peers.open_spiel_cpp import loop

TITLE = "OpenSpiel Skat, loop in C++"
OURS = "skat/open_spiel"
UNIT = "decisions"
SAME = "the same for Skat, as in `skat/open_spiel`"
NOT_SAME = "its declarer names the game before it discards; games have no values; else as for Euchre"


def start():
    # The shares of the declarer and of the two opponents add up to 0.
    return loop("skat", lambda points: abs(sum(points)) < 1e-9 and max(map(abs, points)) <= 0.5)
