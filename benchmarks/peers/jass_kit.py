"""jass-kit (HSLU): its simulation with its random player."""

TITLE = "jass-kit, Schieber"
PACKAGES = ("jass-kit", "numpy")
INSTALL = "pip install -e '.[peers]'"
OURS = "jass/tournament"
UNIT = "decisions"
SAME = "whole deals of Schieber without Weis: push, mode, cards, points"
NOT_SAME = "in Python; every player gets an observation; it pushes every other time"


def start():
    import numpy as np
    from jass.agents.agent_random_schieber import AgentRandomSchieber
    from jass.game.game_sim import GameSim
    from jass.game.game_util import deal_random_hand
    from jass.game.rule_schieber import RuleSchieber

    game = GameSim(rule=RuleSchieber())
    agent = AgentRandomSchieber()

    def play(seed: int, deals: int) -> dict[str, float]:
        np.random.seed(seed % 2**32)
        agent._rng = np.random.default_rng(seed)  # it offers no other way
        decisions = 0
        for deal in range(deals):
            game.init_from_cards(hands=deal_random_hand(), dealer=deal % 4)
            while game.state.trump == -1:
                game.action_trump(int(agent.action_trump(game.get_observation())))
                decisions += 1
            for _ in range(36):
                game.action_play_card(int(agent.action_play_card(game.get_observation())))
            decisions += 36
            if game.state.points.sum() != 157:
                raise AssertionError(f"a deal of {game.state.points} points")
        return {"deals": deals, "decisions": decisions, "card_plays": 36 * deals}

    return play
