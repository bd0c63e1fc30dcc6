"""OpenSpiel's Skat under its own loop in C++."""

from peers.open_spiel_cpp import INSTALL as INSTALL
from peers.open_spiel_cpp import PACKAGES as PACKAGES
from peers.open_spiel_cpp import loop

TITLE = "OpenSpiel Skat, loop in C++"
OURS = "skat/open_spiel"
UNIT = "decisions"
SAME = "whole deals of Skat: the first who does not pass declares, takes the skat and discards; play"
NOT_SAME = (
    "its declarer names the game before it discards; the score is a share of the card points, "
    "without values of games; else as for Euchre"
)


def start():
    # The shares of the declarer and of the two opponents add up to 0.
    return loop("skat", lambda points: abs(sum(points)) < 1e-9 and max(map(abs, points)) <= 0.5)
