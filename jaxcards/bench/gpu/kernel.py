"""Random play in a single kernel of a GPU: a deal stays in registers from the dealing to the score.

Compiled by XLA alone, `throughput.random_play` writes the state of every deal to memory after each
card. Here one program of a Pallas kernel plays a block of deals, batch after batch, and only their
sums leave it. The rules are those of the game's own `init`, `step` and `points`, taken apart by
`jaxcards.bench.gpu.scalarize`; keys and choices are the same, and so is every number of the `Tally`.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton

from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.bench.gpu.scalarize import Traced, Value, spread, value_of
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.rollouts import deal_key_words
from jaxcards.throughput import Tally, check_sizes, fresh_deal
from jaxcards.xla import prng
from jaxcards.xla.fence import without_fences


def random_play(
    game: Game,
    batch: int,
    num_batches: int,
    *,
    block: int = 128,
    num_warps: int = 4,
    interpret: bool = False,
) -> jax.stages.Wrapped:
    """Returns a compiled function from a uint32 seed to the `Tally` of `batch * num_batches` deals.

    The same results, entry by entry, as those of `throughput.random_play`.

    Args:
      game: what is played.
      batch: deals side by side, a multiple of `block`.
      num_batches: batches one after the other, inside the kernel.
      block: deals of one program, a power of two; `block / (32 * num_warps)` to each thread.
      num_warps: groups of 32 threads that share a program, a power of two.
      interpret: run the kernel on any device, as ordinary operations: to test it without a GPU.

    Raises:
      UserError: if the numbers do not fit, if there is no GPU, or if the game does what cannot be done
        lane by lane.
    """
    if not interpret and jax.default_backend() != "gpu":
        raise UserError(
            f"the kernel needs a GPU, and JAX found {jax.default_backend()!r}; interpret=True tests it "
            "anywhere, and throughput.random_play is fast on any device"
        )
    return xla.jit(
        tally_of_seed(game, batch, num_batches, block=block, num_warps=num_warps, interpret=interpret)
    )


def tally_of_seed(
    game: Game, batch: int, num_batches: int, *, block: int, num_warps: int, interpret: bool = False
) -> Callable[[jax.Array], Tally]:
    """Returns the function that `random_play` compiles; see there. It can be traced without a GPU."""
    check_sizes(batch, num_batches)
    for name, number in (("block", block), ("num_warps", num_warps)):
        if number < 1 or number & (number - 1):
            raise UserError(f"{name} must be a power of two, not {number}")
    if batch % block:
        raise UserError(f"batch must be a multiple of block: {batch} is none of {block}")
    deal = _Deal(game)
    num_outputs = game.num_players + 3
    lanes = pl.BlockSpec((block,), lambda i: (i,))
    call = pl.pallas_call(
        _kernel(deal, batch, num_batches, block),
        out_shape=[jax.ShapeDtypeStruct((batch,), jnp.int32)] * num_outputs,
        grid=(batch // block,),
        in_specs=[pl.BlockSpec((1,), lambda i: (0,))],
        out_specs=[lanes] * num_outputs,
        compiler_params=triton.CompilerParams(num_warps=num_warps, num_stages=1),
        interpret=interpret,
        name=f"random_play_{game.name}",
    )

    def play_all(seed: jax.Array) -> Tally:
        *points, lowest, highest, unfinished = call(jnp.asarray(seed, jnp.uint32).reshape(1))
        return Tally(jnp.stack(points, axis=-1), lowest.min(), highest.max(), unfinished.sum())

    return play_all


def _kernel(deal: "_Deal", batch: int, num_batches: int, block: int) -> Callable[..., None]:
    """Returns the kernel: from the seed to points, lowest, highest and unfinished of each lane."""

    def kernel(seed_ref: Any, *out_refs: Any) -> None:
        seed = seed_ref[0]
        lanes = jax.lax.iota(jnp.uint32, block)
        place = pl.program_id(0).astype(jnp.uint32) * jnp.uint32(block) + lanes

        def one_batch(number: jax.Array, sums: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
            numbers = number.astype(jnp.uint32) * jnp.uint32(batch) + place
            done = deal.play(deal_key_words(seed, numbers), number, block)
            *points, lowest, highest, unfinished = sums
            return (
                *(a + b for a, b in zip(points, done.points, strict=True)),
                jnp.minimum(lowest, done.total),
                jnp.maximum(highest, done.total),
                unfinished + done.unfinished,
            )

        limits = np.iinfo(np.int32)
        first = [0] * deal.num_players + [limits.max, limits.min, 0]
        start = tuple(jax.lax.full((block,), np.int32(number)) for number in first)
        sums = jax.lax.fori_loop(0, num_batches, one_batch, start)
        for ref, entry in zip(out_refs, sums, strict=True):
            ref[...] = entry

    return kernel


class _Played(NamedTuple):
    """What is kept of a block of deals; every vector is int32[block]."""

    points: list[jax.Array]
    total: jax.Array
    unfinished: jax.Array


class _Deal:
    """A deal of a game under random play, traced once and then played lane by lane."""

    def __init__(self, game: Game) -> None:
        self.num_players, self._max_steps = game.num_players, game.max_steps
        agent = RandomAgent()
        key = jax.ShapeDtypeStruct((2,), jnp.uint32)
        example = jax.eval_shape(game.init, key)
        leaves, tree = jax.tree.flatten(example)

        def scramble(key: jax.Array) -> list[Any]:
            return [jnp.stack(prng.key_words(key))]

        def begin(key: jax.Array, number: jax.Array) -> list[Any]:
            return jax.tree.leaves(fresh_deal(game, key, number))

        def decide(words: jax.Array, time: jax.Array, *leaves: jax.Array) -> list[Any]:
            state = jax.tree.unflatten(tree, leaves)
            decision_key = jnp.stack(prng.fold((words[0], words[1]), time))
            # The random player does not look at the observation.
            action = agent.act((), None, game.legal_actions(state), decision_key)
            return jax.tree.leaves(game.step(state, action))

        def end(*leaves: jax.Array) -> list[Any]:
            state = jax.tree.unflatten(tree, leaves)
            unfinished = (~state.terminated).astype(jnp.int32)
            return [game.points(state), game.progress(state).sum(), unfinished]

        # A value is computed once in a kernel, however much depends on it.
        with without_fences():
            self._scramble = Traced(scramble, key)
            self._begin = Traced(begin, key, jax.ShapeDtypeStruct((), jnp.uint32))
            self._decide = Traced(decide, key, jax.ShapeDtypeStruct((), jnp.uint32), *leaves)
            self._end = Traced(end, *leaves)
        self._results = range(3)
        self._kept, self._changing = self._needed_leaves()

    def _needed_leaves(self) -> tuple[list[int], list[int]]:
        """Returns the leaves of a state that the results depend on, and those that a step changes."""
        needed: set[int] = set()
        more = self._end.needed_inputs(self._results)
        while more - needed:
            needed |= more
            more = {i - 2 for i in self._decide.needed_inputs(needed) if i >= 2}
        passed = self._decide.passed()
        return sorted(needed), [i for i in sorted(needed) if passed.get(i) != i + 2]

    def play(self, words: prng.KeyWords, number: jax.Array, block: int) -> _Played:
        """Plays the deals of keys, given as two uint32[block], in the batch of a number."""
        key = value_of(words, (2,))
        batch = value_of([number.astype(jnp.uint32)])
        state: dict[int, Value] = self._begin([key, batch], self._kept)
        (words_of_deal,) = self._scramble([key], [0]).values()
        shapes = [state[i].shape for i in self._changing]

        def entries(state: dict[int, Value]) -> tuple[jax.Array, ...]:
            return tuple(spread(e, block) for i in self._changing for e in state[i].reshape(-1))

        def whole(entries: tuple[jax.Array, ...]) -> dict[int, Value]:
            changed, rest = dict(state), list(entries)
            for i, shape in zip(self._changing, shapes, strict=True):
                size = math.prod(shape)
                changed[i], rest = value_of(rest[:size], shape), rest[size:]
            return changed

        def step(time: jax.Array, carry: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
            now = whole(carry)
            inputs: list[Value | None] = [words_of_deal, value_of([time.astype(jnp.uint32)])]
            inputs += [now.get(i) for i in range(len(self._decide.jaxpr.invars) - 2)]
            return entries(self._decide(inputs, self._changing))

        final = whole(jax.lax.fori_loop(0, self._max_steps, step, entries(state)))
        last = [final.get(i) for i in range(len(self._end.jaxpr.invars))]
        points, total, unfinished = self._end(last, self._results).values()
        return _Played(
            [spread(entry, block) for entry in points],
            spread(total.item(), block),
            spread(unfinished.item(), block),
        )
