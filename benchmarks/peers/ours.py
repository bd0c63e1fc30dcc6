"""jaxcards itself, in the same harness as the others: random play, 4,096 deals side by side."""

import math

TITLE = "jaxcards"
PACKAGES = ("jax", "jaxlib", "numpy")

BATCH = 4096


def start(id: str):
    import jax

    import jaxcards
    from jaxcards.bench.deals import random_play

    subject = random_play(jaxcards.make(id), BATCH, 1)
    deals_per_round = subject.judge(subject.run(0, 1), 1).amounts["deals"]

    def play(seed: int, deals: int) -> dict[str, float]:
        rounds = math.ceil(deals / deals_per_round)
        done = subject.judge(jax.block_until_ready(subject.run(seed, rounds)), rounds)
        if done.wrong:
            raise AssertionError(done.wrong)
        return done.amounts

    return play
