"""pgx: its own card games and a board game, in JAX, under the random loop of its documentation."""

TITLE = "pgx"
PACKAGES = ("pgx", "jax", "jaxlib")
INSTALL = "pip install -e '.[peers]'"
OURS = "jass/schieber_1000"
UNIT = "decisions"
SAME = "a JAX engine: 4,096 games side by side, new games after the end"
NOT_SAME = "other games, not trick-taking; states carry observation and rewards; threefry keys"
VARIANTS = ("kuhn_poker", "leduc_holdem", "sparrow_mahjong", "connect_four")

BATCH = 4096


def start(variant: str):
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(variant)
    return random_play(env, auto_reset(env.step, env.init), BATCH)


def random_play(env, step, batch: int):
    """Return `play` for games with the interface of pgx, side by side."""
    import jax
    import jax.numpy as jnp

    def turn(carry, key):
        state, ended = carry
        choose, advance = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(choose, logits, axis=-1)
        state = jax.vmap(step)(state, action, jax.random.split(advance, batch))
        return (state, ended + state.terminated.sum()), state.rewards.sum()

    @jax.jit
    def rounds(key, number):
        start, loop = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(start, batch))

        def one(i, carry):
            state, ended, rewards = carry
            (state, ended), given = turn((state, ended), jax.random.fold_in(loop, i))
            return state, ended, rewards + given

        _, ended, rewards = jax.lax.fori_loop(0, number, one, (state, jnp.int32(0), jnp.float32(0)))
        return ended, rewards

    def play(seed: int, deals: int) -> dict[str, float]:
        # A fixed number of steps of all games; count how many games end in them.
        number = -(-deals // batch)
        ended, rewards = jax.block_until_ready(rounds(jax.random.key(seed), number))
        if abs(float(rewards)) > 1e-3 * batch * number:
            raise AssertionError(f"rewards add up to {float(rewards)}")
        return {"deals": float(ended), "decisions": float(batch * number)}

    return play
