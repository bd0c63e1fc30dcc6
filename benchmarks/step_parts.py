"""The parts of a training step, each alone, for benchmarks/training.py.

Acting, judging and learning are the network arithmetic of the step. They make the same passes over the
same numbers of rows as the step, with the same optimiser, on inputs that are already floats. The engine
is complete self-play, by a policy that costs nothing. Each part is a program with the updates of one
dispatch, on the same devices, compiled with the options of `jaxcards train`.
"""

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import PartitionSpec

from jaxcards import xla
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.decisions import part_size
from jaxcards.agents.learners.ppo.learner import PPO, TrainState
from jaxcards.agents.learners.self_play import self_play
from jaxcards.agents.networks.dense import product

SCHEDULE = np.float32(1e6)  # updates of the whole run; the learning rate depends on it
_BITS_SET = 0.15  # fraction of features that are 1 in the inputs here, roughly as in games
Part = Callable[[], Any]


class Counts(NamedTuple):
    """The number of network evaluations in each update of a dispatch, on each device.

    Attributes:
      asked: int32[devices, updates], steps of the deals in which a player has a choice; other steps
        skip the policy.
      parts: int32[devices, updates, minibatches], the number of parts (`PPO.room`) of a gradient.
      choices: float32[devices, updates], training decisions, on all devices together.
    """

    asked: Any
    parts: Any
    choices: Any


def spread(learner: PPO, function: Callable[..., Any], inputs: Any, outputs: Any) -> Any:
    """Compile a function of one device's share as `jaxcards train` compiles the step.

    Args:
      learner: whose devices share the work.
      function: the work of each device.
      inputs, outputs: `PartitionSpec`s, as for `jax.shard_map`.
    """
    mesh = sharding.mesh(learner.num_devices)
    mapped = jax.shard_map(function, mesh=mesh, in_specs=inputs, out_specs=outputs, check_vma=False)
    return xla.jit(mapped, split=learner.num_devices == 1)


def count(learner: PPO, state: TrainState) -> Counts:
    """Do the updates of one dispatch, and count; the state is not donated."""
    config = learner.config
    own = config.deals_per_update // config.minibatches // learner.num_devices
    room = part_size(config.decision_share, learner.game.max_steps * own)

    def one(state: TrainState, _: None) -> tuple[TrainState, Counts]:
        (keys,) = learner._keys(config.seed, state.update)
        policy = learner.networks.policy(learner.game)
        experience, _ = self_play(learner.game, policy, state.params["policy"], keys)
        asked = experience.decides.any(1).sum()
        decisions = learner._minibatches(experience).decides.sum((1, 2))
        state, metrics = learner._update(state, jnp.float32(SCHEDULE), jnp.uint32(config.seed))
        return state, Counts(asked, -(-decisions // room), metrics["choices"])

    def dispatch(state: TrainState) -> Counts:
        _, counts = jax.lax.scan(one, state, length=config.updates_per_dispatch)
        return jax.tree.map(lambda x: x[None], counts)

    each = PartitionSpec(sharding.AXIS)
    return jax.device_get(spread(learner, dispatch, PartitionSpec(), each)(state))


# ---- Network arithmetic --------------------------------------------------------------------------


def dense(params: Any, x: jax.Array) -> jax.Array:
    """Return the outputs of `BitsNetwork` for unpacked features: float32[rows, outputs]."""
    layers, multiply = params["params"], product if x.dtype == jnp.bfloat16 else jnp.matmul
    x = x.astype(jnp.float32)
    for number in range(len(layers)):
        layer = layers[f"Dense_{number}"]
        x = multiply(x, layer["kernel"]) + layer["bias"]
        x = jax.nn.relu(x) if number + 1 < len(layers) else x
    return x


def arithmetic(learner: PPO, state: TrainState, counts: Counts) -> dict[str, Part]:
    """Return the network arithmetic of a dispatch in three parts: acting, judging, learning.

    Args:
      learner: of the dispatch.
      state: with the parameters to compute with.
      counts: the number of evaluations of each part.
    """
    config, game = learner.config, learner.game
    own = config.deals_per_update // config.minibatches // learner.num_devices
    steps = game.max_steps * own
    everywhere, each = PartitionSpec(), PartitionSpec(sharding.AXIS)

    def ready(rows: int, size: int) -> jax.Array:
        bits = jax.random.bernoulli(jax.random.key(0), _BITS_SET, (rows, size))
        return sharding.place(learner.num_devices, bits.astype(config.precision))

    def program(function: Callable[..., Any], inputs: Any, *arguments: Any) -> Part:
        return partial(spread(learner, function, inputs, everywhere), *arguments)

    seen, whole = game.num_features, game.num_full_state_features
    room = part_size(config.decision_share, steps)
    policy, critic = state.params["policy"], state.params["critic"]
    return {
        "acting": program(
            _acting, (everywhere, each, everywhere),
            policy, counts.asked, ready(own * config.minibatches, seen),
        ),
        "judging": program(
            partial(_judging, config.updates_per_dispatch * config.minibatches),
            (everywhere, everywhere), critic, ready(steps, whole),
        ),
        "learning": program(
            partial(_learning, learner), (everywhere, each, everywhere, everywhere),
            state, counts.parts, ready(room, seen), ready(room, whole),
        ),
    }  # fmt: skip


def _acting(params: Any, asked: jax.Array, x: jax.Array) -> jax.Array:
    """Pass all deals of a device through the policy, at every step with a choice."""
    return _forward(params, asked.sum(), x)


def _judging(times: int, params: Any, x: jax.Array) -> jax.Array:
    """Pass all steps of a minibatch through the critic, for each minibatch."""
    return _forward(params, times, x)


def _forward(params: Any, times: Any, x: jax.Array) -> jax.Array:
    def once(_: jax.Array, largest: jax.Array) -> jax.Array:
        # The barrier makes every pass a separate computation that cannot be moved out of the loop.
        again, largest = jax.lax.optimization_barrier((x, largest))
        return jnp.maximum(largest, dense(params, again).max())

    return jax.lax.fori_loop(0, times, once, jnp.float32(0))


def _learning(
    learner: PPO, state: TrainState, parts: jax.Array, features: jax.Array, full: jax.Array
) -> Any:
    """Do the gradient steps, each over its number of parts, and return the parameters."""

    def loss(params: Any, features: jax.Array, full: jax.Array) -> jax.Array:
        policy, value = dense(params["policy"], features), dense(params["critic"], full)
        return jnp.square(policy).mean() + jnp.square(value).mean()

    def step(carry: tuple[Any, Any], used: jax.Array) -> tuple[tuple[Any, Any], None]:
        params, optimiser = carry

        def add(_: jax.Array, total: Any) -> Any:
            *rows, total = jax.lax.optimization_barrier((features, full, total))
            return jax.tree.map(jnp.add, total, jax.grad(loss)(params, *rows))

        nothing = jax.tree.map(jnp.zeros_like, params)
        gradient = jax.lax.fori_loop(0, used, add, nothing)
        gradient = jax.lax.psum(gradient, sharding.AXIS)
        change, optimiser = learner.optimiser().update(gradient, optimiser, params, steps=state.update)
        return (optax.apply_updates(params, change), optimiser), None

    def epochs(used: jax.Array) -> jax.Array:
        return jnp.tile(used, learner.config.epochs)

    carry = (state.params, state.optimiser)
    return jax.lax.scan(step, carry, jax.vmap(epochs)(parts[0]).reshape(-1))[0][0]


# ---- The engine ----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Costless:
    """A policy whose logits are its parameters, whatever the input: float32[num_actions]."""

    def apply(self, params: jax.Array, words: jax.Array, /) -> jax.Array:
        return jnp.broadcast_to(params, (*words.shape[:-1], *params.shape))


def engine(learner: PPO, first_update: int) -> Part:
    """Return self-play of the deals of a dispatch, with all of its experience read once.

    Args:
      learner: of the deals.
      first_update: of the dispatch; the deals depend on it.

    Returns:
      A function that returns uint32[devices, updates, arrays]: for each array of the experience, and
      for the returns, a sum over its words.
    """
    game, updates = learner.game, learner.config.updates_per_dispatch
    seed = learner.config.seed

    def digest(x: jax.Array) -> jax.Array:
        words = x.astype(jnp.uint32) if x.dtype == bool else jax.lax.bitcast_convert_type(x, jnp.uint32)
        # Small whole floats differ in their upper bits alone, whose sum would often be 0.
        return (words ^ (words >> 16)).sum(dtype=jnp.uint32)

    def dispatch(logits: jax.Array, first: jax.Array) -> jax.Array:
        def one(update: jax.Array, _: None) -> tuple[jax.Array, jax.Array]:
            played = self_play(game, Costless(), logits, *learner._keys(seed, update))
            return update + 1, jnp.stack([digest(x) for x in jax.tree.leaves(played)])

        return jax.lax.scan(one, first, length=updates)[1][None]

    everywhere, each = PartitionSpec(), PartitionSpec(sharding.AXIS)
    place = partial(sharding.place, learner.num_devices)
    logits, first = place(jnp.zeros(game.num_actions)), place(jnp.int32(first_update))
    return partial(spread(learner, dispatch, (everywhere, everywhere), each), logits, first)
