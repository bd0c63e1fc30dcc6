"""jaxcards itself, in the same harness as the others: random play, 4,096 deals side by side."""

TITLE = "jaxcards"
PACKAGES = ("jax", "jaxlib", "numpy")

BATCH = 4096


def start(id: str):
    import jax

    import jaxcards
    from jaxcards.bench.deals import random_play

    subject = random_play(jaxcards.make(id), BATCH, 1)

    def play(seed: int, deals: int) -> dict[str, float]:
        rounds = -(-deals // BATCH)
        done = subject.judge(jax.block_until_ready(subject.run(seed, rounds)), rounds)
        if done.wrong:
            raise AssertionError(done.wrong)
        return done.amounts

    return play
