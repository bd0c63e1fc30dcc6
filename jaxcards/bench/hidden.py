"""The workload that resamples hidden cards."""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.bench.program import MOST_ROUNDS, Done, Program, Subject, num_batches, seeds
from jaxcards.game import Game
from jaxcards.rollouts import deal_keys
from jaxcards.throughput import check_devices, check_sizes, in_parts
from jaxcards.xla import prng

# Situations side by side: the tables of a sample stay in the cache of a core.
_IN_CACHE = 256
_SITUATIONS = 1024  # different situations; in a larger batch they repeat, with other keys
_SAMPLES = 1 << 15  # of a program that is started once or more for each repeat
_SEED = 1 << 31


def determinization(game: Game, batch: int, devices: int) -> Subject:
    """Draw hidden cards with `Game.determinize` at a uniformly random moment of a deal.

    Every sample does the full work: samples of the same situation share no results.
    """
    check_sizes(batch, 1)
    check_devices(batch, devices)
    states = situations(game)
    batches = num_batches(batch, _SAMPLES)

    def part(states: Any, seed: jax.Array, first: jax.Array, lanes: int) -> Any:
        # States have scalar leaves, so that a batch has one axis: repeat the situations along it.
        repeated = jax.tree.map(lambda leaf: jnp.resize(leaf, (lanes,)), states)

        def one(number: jax.Array, total: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            # The number of the first sample of this part, counted over all batches.
            place = number.astype(jnp.uint32) * jnp.uint32(batch) + first
            keys = deal_keys(seed, place + jnp.arange(lanes, dtype=jnp.uint32))
            # Without the barrier, XLA would compute the parts that depend on the situation alone once
            # for all of its samples. This would hide the cost of one sample.
            guarded, keys = jax.lax.optimization_barrier((repeated, keys))
            used, right = jax.vmap(functools.partial(_sample, game))(keys, guarded)
            return total[0] + used, total[1] + right

        return jax.lax.fori_loop(0, batches, one, (jnp.zeros(lanes, jnp.uint32),) * 2)

    function = xla.jit(in_parts(part, batch, devices, _IN_CACHE))
    program = Program.of(function, states, jnp.uint32(0))

    def run(seed: int, rounds: int) -> Any:
        return [program(states, jnp.uint32(word)) for word in seeds(seed, rounds)]

    def judge(result: Any, rounds: int) -> Done:
        used, right = (
            sum(int(np.asarray(leaf).astype(np.uint64).sum()) for leaf in leaves)
            for leaves in zip(*result, strict=True)
        )
        samples = batch * batches * rounds
        wrong = "" if right == samples else f"{samples - right} of {samples} are not deals of the cards"
        return Done({"samples": float(samples)}, {"used": used, "right": right}, wrong)

    return Subject(run, judge, program, MOST_ROUNDS)


@functools.lru_cache(maxsize=8)
def situations(game: Game) -> Any:
    """Return states of random deals, each at a uniformly random decision of its deal."""

    def play(key: jax.Array) -> Any:
        words = prng.key_words(key)

        def decide(state: Any, made: jax.Array) -> Any:
            choice = prng.wrap(prng.fold(words, made))
            return game.step(state, RandomAgent().act((), None, game.legal_actions(state), choice))

        def count(carry: tuple[Any, jax.Array], made: jax.Array) -> tuple[Any, None]:
            state, decisions = carry
            return (decide(state, made), decisions + (~state.terminated)), None

        # First count the decisions of the deal, then replay it up to a random one.
        steps = jnp.arange(game.max_steps, dtype=jnp.uint32)
        start = game.init(key)
        (_, decisions), _ = jax.lax.scan(count, (start, jnp.int32(0)), steps)
        # 24 random bits, which a float32 holds exactly, from a sub-stream that no decision uses.
        share = prng.fold(words, 0xFFFFFFFF)[0] >> 8
        stop = (share.astype(jnp.float32) * 2**-24 * decisions).astype(jnp.uint32)

        def replay(state: Any, made: jax.Array) -> tuple[Any, None]:
            following = decide(state, made)
            return jax.tree.map(lambda a, b: jnp.where(made < stop, a, b), following, state), None

        return jax.lax.scan(replay, start, steps)[0]

    return jax.jit(jax.vmap(play))(deal_keys(_SEED, jnp.arange(_SITUATIONS, dtype=jnp.uint32)))


def _sample(game: Game, key: jax.Array, state: Any) -> tuple[jax.Array, jax.Array]:
    """Return a number that depends on every hidden card, and whether every card occurs once."""
    places = game.card_places(game.determinize(key, state, state.current_player))
    sets = [*places.hands, *places.played, places.aside]
    together = functools.reduce(lambda a, b: a | b, sets)
    number = sum((cards.count().astype(jnp.uint32) for cards in sets), jnp.uint32(0))
    # Sets that add up to the deck, and whose union is as large, hold every card once.
    cards = jnp.uint32(game.deck.num_cards)
    right = (number == cards) & (together.count().astype(jnp.uint32) == cards)
    used = jnp.uint32(0)
    # Another factor for each seat, so that moving a card between hands changes the number.
    for seat, hand in enumerate(places.hands):
        for word in hand.words:
            used += word * jnp.uint32(2 * seat + 1)
    return used, right.astype(jnp.uint32)
