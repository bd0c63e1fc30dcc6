"""pyschieber: its game with its random players."""

import random

TITLE = "pyschieber, Schieber"
PACKAGES = ("pyschieber",)
INSTALL = "pip install -e '.[peers]'"
OURS = "jass/tournament"
UNIT = "card_plays"
SAME = "as jass-kit"
NOT_SAME = "in Python; every move is checked again and told to all players"


def start():
    from pyschieber.game import Game
    from pyschieber.player.random_player import RandomPlayer
    from pyschieber.team import Team

    def play(seed: int, deals: int) -> dict[str, float]:
        random.seed(seed)
        for deal in range(deals):
            players = [RandomPlayer(name=str(seat)) for seat in range(4)]
            for seat, player in enumerate(players):
                player.id = seat
            teams = [Team(players=[players[side], players[side + 2]]) for side in range(2)]
            game = Game(teams=teams, use_counting_factor=False)
            game.play(start_player_index=deal % 4, whole_rounds=True)
            points = [team.points for team in teams]
            if sum(points) != 157:
                raise AssertionError(f"a deal of {points} points")
        return {"deals": deals, "card_plays": 36 * deals}

    return play
