"""EnvPool: its ports of pgx games to C++, with one call for a batch of games."""

TITLE = "EnvPool"
PACKAGES = ("envpool", "numpy")
INSTALL = "pip install envpool"
OURS = "jass/schieber_1000"
UNIT = "decisions"
SAME = "as pgx"
NOT_SAME = "in C++; NumPy draws the actions"
VARIANTS = ("KuhnPoker-v1", "LeducHoldem-v1", "SparrowMahjong-v1", "ConnectFour-v1")

BATCH = 4096


def start(variant: str):
    import envpool
    import numpy as np

    env = envpool.make(variant, env_type="gymnasium", num_envs=BATCH, num_threads=1)
    _, info = env.reset()
    done = np.zeros(BATCH, bool)

    def play(seed: int, deals: int) -> dict[str, float]:
        # A fixed number of steps of all games; count how many games end in them.
        nonlocal info, done
        rng = np.random.default_rng(seed)
        number, ended, resets = -(-deals // BATCH), 0, 0
        for _ in range(number):
            legal = info["legal_action_mask"]
            action = np.where(legal, rng.random(legal.shape, np.float32), -1).argmax(1)
            resets += int(done.sum())  # the action of a finished game only begins the next one
            _, _, terminated, truncated, info = env.step(action.astype(np.int32))
            done = terminated | truncated
            ended += int(done.sum())
        return {"deals": float(ended), "decisions": float(BATCH * number - resets)}

    return play
