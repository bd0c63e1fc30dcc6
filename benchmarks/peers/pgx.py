"""pgx: its own card games and a board game, in JAX, under the random loop of its documentation."""

TITLE = "pgx"
PACKAGES = ("pgx", "jax", "jaxlib")
INSTALL = "pip install -e '.[peers]'"
OURS = "jass/schieber_1000"
UNIT = "decisions"
SAME = "a JAX engine on a CPU: 4,096 games side by side, a new game after the end"
NOT_SAME = "other games, not trick-taking; states carry observation and rewards; threefry keys"
VARIANTS = ("kuhn_poker", "leduc_holdem", "sparrow_mahjong", "connect_four")

BATCH = 4096


def start(variant: str):
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(variant)
    step = auto_reset(env.step, env.init)

    def turn(carry, key):
        state, ended = carry
        choose, advance = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(choose, logits, axis=-1)
        state = jax.vmap(step)(state, action, jax.random.split(advance, BATCH))
        return (state, ended + state.terminated.sum()), state.rewards.sum()

    @jax.jit
    def rounds(key, number):
        start, loop = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(start, BATCH))

        def one(i, carry):
            state, ended, rewards = carry
            (state, ended), given = turn((state, ended), jax.random.fold_in(loop, i))
            return state, ended, rewards + given

        _, ended, rewards = jax.lax.fori_loop(0, number, one, (state, jnp.int32(0), jnp.float32(0)))
        return ended, rewards

    def play(seed: int, deals: int) -> dict[str, float]:
        # A fixed number of steps of all games; count how many games end in them.
        number = -(-deals // BATCH)
        ended, rewards = jax.block_until_ready(rounds(jax.random.key(seed), number))
        if abs(float(rewards)) > 1e-3 * BATCH * number:
            raise AssertionError(f"rewards add up to {float(rewards)}")
        return {"deals": float(ended), "decisions": float(BATCH * number)}

    return play
