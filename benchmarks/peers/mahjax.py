"""MahJax: Riichi Mahjong in JAX, under the random loop of pgx, whose interface it has."""

TITLE = "MahJax"
PACKAGES = ("mahjax", "jax", "jaxlib")
INSTALL = "pip install mahjax"
OURS = "jass/schieber_1000"
UNIT = "decisions"
SAME = "as pgx, with 256 games"
NOT_SAME = "another game"
VARIANTS = ("no_red_mahjong",)

BATCH = 256


def start(variant: str):
    import mahjax
    from mahjax.wrappers.auto_reset_wrapper import auto_reset

    from peers.pgx import random_play

    env = mahjax.make(variant)
    return random_play(env, auto_reset(env.step, env.init), BATCH)
