"""OpenSpiel's Hearts under its own loop in C++."""

from peers.open_spiel_cpp import INSTALL as INSTALL
from peers.open_spiel_cpp import PACKAGES as PACKAGES
from peers.open_spiel_cpp import loop

TITLE = "OpenSpiel Hearts, loop in C++"
OURS = "hearts/open_spiel"
UNIT = "decisions"
SAME = "the same for Hearts, passing included"
NOT_SAME = "as for Euchre"


def start():
    # The second sum is that of a deal in which a player shoots the moon.
    return loop("hearts", lambda points: sum(points) in (3 * 26, 26))
