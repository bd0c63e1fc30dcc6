"""OpenSpiel under its own loop in C++."""

from collections.abc import Callable

TITLE = "OpenSpiel Euchre, loop in C++"
PACKAGES = ("open_spiel",)
INSTALL = "pip install -e '.[peers]'"
OURS = "euchre/open_spiel"
UNIT = "decisions"
SAME = "whole deals of Euchre by the same rules, score"
NOT_SAME = "it keeps the history of a deal, and Python makes its first state"


def start():
    return loop("euchre()", lambda points: sum(points) == 0)


def loop(name: str, is_score: Callable[[list[float]], bool]):
    """Return `play` for a game of OpenSpiel; `is_score` checks the returns of each deal."""
    import pyspiel

    game = pyspiel.load_game(name)
    players = range(game.num_players())
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in players]
    # The loop does not count, so decisions are those of a deal on average.
    counted = 2000
    decisions = sum(_decisions(pyspiel, game, bots, seed) for seed in range(counted)) / counted

    def play(seed: int, deals: int) -> dict[str, float]:
        for deal in range(deals):
            state = game.new_initial_state()
            points = pyspiel.evaluate_bots(state, bots, (seed * deals + deal) % 2**31)
            if not is_score(points):
                raise AssertionError(f"a deal of {points} points")
        return {"deals": deals, "decisions": decisions * deals}

    return play


def _decisions(pyspiel, game, bots, seed: int) -> int:
    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, seed)
    return sum(action.player >= 0 for action in state.full_history())
