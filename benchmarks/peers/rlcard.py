"""RLCard: its Bridge with its random players."""

TITLE = "RLCard, Bridge"
PACKAGES = ("rlcard", "numpy")
INSTALL = "pip install -e '.[peers]'"
OURS = "rikiki/open_spiel"
UNIT = "decisions"
SAME = "whole deals with bidding, score"
NOT_SAME = "Bridge, not Rikiki; in Python; every decision gets an observation"


def start():
    import numpy as np
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("bridge")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play(seed: int, deals: int) -> dict[str, float]:
        env.seed(seed % 2**31)
        np.random.seed(seed % 2**31)
        decisions = 0
        for _ in range(deals):
            trajectories, payoffs = env.run(is_training=False)
            # A trajectory is state, action, state, …, and ends with a state.
            decisions += sum(len(one) // 2 for one in trajectories)
            if not np.isfinite(payoffs).all():
                raise AssertionError(f"payoffs {payoffs}")
        return {"deals": deals, "decisions": decisions}

    return play
