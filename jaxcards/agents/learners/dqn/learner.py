"""Deep Q-learning by self-play, as one compiled function.

One network values every action of every decision, calls and cards alike, from the player's observation.
All seats play by it, greedily except for a fraction of random actions. A replay buffer stores the
turns. The value of a later turn is that of the network's best action, valued by a slowly moving copy of
the network.

Mnih et al. 2015 (deep Q-learning), van Hasselt et al. 2016 (double Q), Schaul et al. 2016 (priorities),
Lillicrap et al. 2016 (slowly moving target), Hessel et al. 2018 (n-step returns).
"""

import dataclasses
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.base import SelfPlayLearner
from jaxcards.agents.learners.dqn import replay
from jaxcards.agents.learners.dqn.config import DQNConfig
from jaxcards.agents.learners.dqn.replay import Replay, Turns
from jaxcards.agents.learners.dqn.turns import ahead
from jaxcards.agents.learners.optimiser import adam, with_learning_rate
from jaxcards.agents.learners.self_play import Experience, play_metrics, self_play, spread
from jaxcards.agents.networks import masking
from jaxcards.agents.networks.network import NetworkAgent, forward
from jaxcards.cards.actions import ActionSet
from jaxcards.xla import prng

_SMALLEST_PRIORITY = 1e-3


class TrainState(NamedTuple):
    """The training state, which a checkpoint saves.

    Attributes:
      params: {"values": …, "target": …}.
      optimiser: state of Optax.
      update: int32, updates done.
      scale: float32, the standard deviation of the returns of random play; rewards are divided by it.
      replay: the replay buffer, the same on every device.
    """

    params: Any
    optimiser: Any
    update: jax.Array
    scale: jax.Array
    replay: Replay


@dataclasses.dataclass(frozen=True)
class DQN(SelfPlayLearner):
    """A learner: `fresh` makes its state, `train` does updates."""

    config: DQNConfig

    @cached_property
    def player(self) -> NetworkAgent:
        """The agent that plays the action of the highest value."""
        return NetworkAgent(self.game, self.config.hidden, greedy=True, precision=self.config.precision)

    def optimiser(self) -> optax.GradientTransformation:
        """Return the optimiser; the learning rate is set for each update."""
        return adam(self.config.learning_rate, self.config.max_gradient_norm)

    def fresh(self) -> TrainState:
        """Return the state before the first update, determined by `config.seed`."""
        key, probe_key = jax.random.split(jax.random.key(self.config.seed))
        values = self.player.init(key, self.game)
        # A copy: `train` donates the state, so every leaf needs a buffer of its own.
        params = {"values": values, "target": jax.tree.map(jnp.copy, values)}
        # Features are bits in words of 32; the last word may be partly used.
        num_words = -(-self.game.num_features // 32)
        memory = replay.empty(self.config.replay, num_words, len(self.game.action_layout.offsets))
        scale = spread(self.game, self.game.returns, probe_key)
        # The optimiser moves the network only; the target follows without a gradient.
        return TrainState(params, self.optimiser().init(values), jnp.int32(0), scale, memory)

    def parameters(self, state: TrainState) -> Any:
        """Return the parameters of the network."""
        return state.params["values"]

    # ---- One update, on one device's share of the deals -----------------------------------------

    def _update(
        self, state: TrainState, schedule: jax.Array, seed: jax.Array
    ) -> tuple[TrainState, dict[str, jax.Array]]:
        config = self.config
        # Schedules: they change linearly over the run.
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        epsilon = config.epsilon + done * (config.final_epsilon - config.epsilon)
        correction = config.correction + done * (1 - config.correction)

        # Play: one deal for each key; every device stores the turns of all devices.
        own = sharding.own_numbers(self.num_devices, config.deals_per_update)
        keys = sharding.keys_of(seed, state.update, own)
        experience, returns = self_play(
            self.game,
            self.player.network,
            state.params["values"],
            keys,
            critic=False,
            distribution=partial(masking.epsilon_greedy, epsilon=epsilon),
        )
        # Leaves [max_steps, deals]; every device then stores those of all devices as rows.
        turns, which = self._turns(experience, state.scale)
        turns, which = jax.lax.all_gather((turns, which), sharding.AXIS, axis=1, tiled=True)
        rows = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), (turns, which))
        memory = replay.write(state.replay, *rows)

        # Gradient steps, each on one batch of turns.
        def step(
            carry: tuple[Any, Any, jax.Array], number: jax.Array
        ) -> tuple[tuple[Any, Any, jax.Array], dict[str, jax.Array]]:
            params, optimiser_state, priority = carry
            # Priorities change from step to step; the turns in the buffer do not.
            seen = memory._replace(priority=priority)
            place, weight = self._batch(seen, seed, state.update, number, correction)
            learn = jax.value_and_grad(self._loss, has_aux=True)
            # The gradient is that of the first argument, so the target network is constant.
            (lost, (error, value)), slope = learn(
                params["values"], params["target"], replay.taken(memory, place), weight
            )
            slope = jax.lax.psum(slope, sharding.AXIS)
            change, optimiser_state = self.optimiser().update(slope, optimiser_state, params["values"])
            values = optax.apply_updates(params["values"], change)
            # The target network follows slowly.
            target = optax.incremental_update(values, params["target"], config.target_rate)
            # Every device notes the new errors of the whole batch.
            if config.priority:
                every = jax.lax.all_gather((place, error), sharding.AXIS, tiled=True)
                # The constant keeps turns without an error in play.
                importance = (jnp.abs(every[1]) + _SMALLEST_PRIORITY) ** config.priority
                priority = priority.at[every[0]].set(importance)
            # Weights add up to 1 over all devices, so the loss needs no division.
            sums = {"value_loss": lost, "value": value.mean() / self.num_devices}
            metrics = jax.lax.psum(sums, sharding.AXIS) | {"gradient_norm": optax.global_norm(slope)}
            return ({"values": values, "target": target}, optimiser_state, priority), metrics

        optimiser_state = with_learning_rate(state.optimiser, rate)
        (params, optimiser_state, priority), metrics = jax.lax.scan(
            step,
            (state.params, optimiser_state, memory.priority),
            jnp.arange(config.gradient_steps, dtype=jnp.uint32),
        )
        metrics = jax.tree.map(lambda x: x.mean(), metrics)
        metrics |= play_metrics(self.game, [(experience, returns)], self.num_devices)
        metrics |= {"learning_rate": rate, "epsilon": epsilon}
        memory = memory._replace(priority=priority)
        return TrainState(params, optimiser_state, state.update + 1, state.scale, memory), metrics

    def _turns(self, experience: Experience, scale: jax.Array) -> tuple[Turns, jax.Array]:
        """Return all steps as turns, [max_steps, deals], and a mask of those that are turns."""
        config = self.config
        found = ahead(
            experience.rewards / scale,
            experience.player,
            experience.decides,
            config.turns,
            config.discount,
        )
        # A turn without a later one reads step 0; `goes_on` masks it.
        later = jnp.maximum(found.later, 0)

        def at(x: jax.Array) -> jax.Array:
            # From [max_steps, deals, words]: the words of each turn's later step.
            return jnp.take_along_axis(x, later[..., None], axis=0)

        turns = Turns(
            features=experience.features,
            action=experience.action,
            gain=found.gain,
            later_features=at(experience.features),
            later_legal=at(experience.legal),
            goes_on=found.later >= 0,
        )
        return turns, experience.decides

    def _batch(
        self,
        memory: Replay,
        seed: jax.Array,
        update: jax.Array,
        number: jax.Array,
        correction: jax.Array,
    ) -> tuple[jax.Array, jax.Array]:
        """Draw this device's part of a batch: places, and weights that add up to 1 over all devices.

        Frequently drawn turns get lower weights (Schaul et al. 2016, 3.4).
        """
        config = self.config
        own = sharding.own_numbers(self.num_devices, config.batch)
        # Numbers behind those of the deals, so that no key is used twice.
        drawn = config.deals_per_update + number * config.batch + own
        word, _ = sharding.keys_of(seed, update, drawn)
        place, chance = replay.draw(memory, prng.uniform(word))
        weight = chance**-correction
        return place, weight / jax.lax.psum(weight.sum(), sharding.AXIS)

    def _loss(
        self, params: Any, target: Any, turns: Turns, weight: jax.Array
    ) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
        """Return the contributions of the turns to the loss; and errors and values, float32[rows]."""
        network, layout = self.player.network, self.game.action_layout
        # The later turn: the network chooses the action, the target network values it.
        legal = ActionSet(layout, [turns.later_legal[:, i] for i in range(len(layout.offsets))])
        mask = jax.vmap(lambda s: s.mask())(legal)
        liked = jnp.where(mask, forward(network, params, turns.later_features), -jnp.inf).argmax(-1)
        worth = _of(forward(network, target, turns.later_features), liked)
        # The later turn lies `turns` turns ahead.
        factor = self.config.discount**self.config.turns
        goal = turns.gain + jnp.where(turns.goes_on, factor * worth, 0)
        value = _of(forward(network, params, turns.features), turns.action)
        error = jax.lax.stop_gradient(goal) - value
        # Huber's loss limits the gradient of a large error (Mnih et al. 2015).
        return (optax.huber_loss(error) * weight).sum(), (error, value)


def _of(values: jax.Array, action: jax.Array) -> jax.Array:
    """Return the values of actions: float32[rows] of float32[rows, num_actions]."""
    return jnp.take_along_axis(values, action[:, None], -1)[:, 0]
