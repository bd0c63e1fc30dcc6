"""Proximal policy optimisation by self-play, as one compiled function.

One function deals, plays, computes advantages and updates the parameters; the host sees a few numbers
after some updates. The policy sees what a player may know; the critic, needed only while training, sees
the whole deal, which takes the luck of the cards out of the advantages (the baseline of a policy
gradient may depend on anything but the action). The learner does not learn from forced moves.

Schulman et al. 2017 (PPO), 2016 (advantages); Pinto et al. 2018 (a critic that knows more).
"""

import dataclasses
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

from jaxcards.agent import RandomAgent
from jaxcards.agents import masking
from jaxcards.agents.network import BitsNetwork, NetworkAgent, forward
from jaxcards.agents.ppo.advantages import turn_based
from jaxcards.agents.ppo.config import PPOConfig
from jaxcards.agents.ppo.experience import Experience, self_play
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.rollouts import rollout
from jaxcards.xla import devices, prng

_AXIS = "deals"
_PROBE_DEALS = 2048


class TrainState(NamedTuple):
    """Everything that training changes, and what a checkpoint saves.

    Attributes:
      params: {"policy": …, "critic": …}.
      optimiser: state of Optax.
      update: int32, updates done.
      scale: float32, the standard deviation of the returns of random play; rewards are divided by it.
    """

    params: Any
    optimiser: Any
    update: jax.Array
    scale: jax.Array


class Rows(NamedTuple):
    """Steps of deals, one in each row: the fields of `Experience`, and what a gradient needs.

    Attributes:
      features, full, legal, action, log_probability: see `Experience`.
      advantage: float32[rows], with mean 0 and deviation 1 over the decisions of a minibatch.
      target: float32[rows], what the critic shall predict, in units of `TrainState.scale`.
      weight: float32[rows], 1 / (decisions of the minibatch on all devices); 0 if not a decision.
    """

    features: jax.Array
    full: jax.Array
    legal: jax.Array
    action: jax.Array
    log_probability: jax.Array
    advantage: jax.Array
    target: jax.Array
    weight: jax.Array


class Minibatch(NamedTuple):
    """One device's share of the deals of a gradient step.

    Attributes:
      rows: every step of these deals.
      decisions: int32[parts, room], the indices of the rows that are decisions, in order, then padding
        with the number of rows.
    """

    rows: Rows
    decisions: jax.Array


@dataclasses.dataclass(frozen=True)
class PPO:
    """A learner: `init` makes its state, `train` does updates.

    Attributes:
      game: the game that is learned.
      config: every setting.
      num_devices: how many devices share a batch; the result is the same up to float rounding.
    """

    game: Game
    config: PPOConfig
    num_devices: int = 1

    def __post_init__(self) -> None:
        self.config.check_devices(self.num_devices)

    @property
    def policy(self) -> BitsNetwork:
        """The Flax module of the policy."""
        return self.player.network

    @property
    def player(self) -> NetworkAgent:
        """The agent that plays the policy's likeliest action."""
        return NetworkAgent(self.game, self.config.hidden, greedy=True, precision=self.config.precision)

    @property
    def critic(self) -> BitsNetwork:
        """The Flax module of the critic."""
        return BitsNetwork(
            self.game.num_full_state_features,
            self.config.critic_hidden,
            1,
            jnp.dtype(self.config.precision),
        )

    @property
    def mesh(self) -> Mesh:
        """The devices, in one axis over which the deals are spread."""
        return jax.make_mesh(
            (self.num_devices,),
            (_AXIS,),
            axis_types=(AxisType.Auto,),
            devices=devices.first(self.num_devices),
        )

    def room(self, steps: int) -> int:
        """Returns how many of a device's `steps` of a minibatch a gradient is computed of at once."""
        return max(int(steps * self.config.decision_share), 1)

    def optimiser(self) -> optax.GradientTransformation:
        """Adam behind a limit to the gradient's norm; the learning rate is set for each update."""
        return optax.chain(
            optax.clip_by_global_norm(self.config.max_gradient_norm),
            optax.inject_hyperparams(optax.adam)(learning_rate=self.config.learning_rate, eps=1e-5),
        )

    def init(self) -> TrainState:
        """Returns `fresh()` on all devices."""
        return self.place(self.fresh())

    def fresh(self) -> TrainState:
        """Returns the state before the first update, decided by `config.seed`."""
        key = jax.random.key(self.config.seed)
        policy_key, critic_key, probe_key = jax.random.split(key, 3)
        features = jnp.zeros(-(-self.game.num_features // 32), jnp.uint32)
        full = jnp.zeros(-(-self.game.num_full_state_features // 32), jnp.uint32)
        params = {
            "policy": self.policy.init(policy_key, features),
            "critic": self.critic.init(critic_key, full),
        }
        return TrainState(params, self.optimiser().init(params), jnp.int32(0), self._spread(probe_key))

    def place(self, state: TrainState) -> TrainState:
        """Puts a state onto all devices; of several processes, each does it with its own."""
        sharding = NamedSharding(self.mesh, PartitionSpec())
        if sharding.is_fully_addressable:
            return jax.device_put(state, sharding)
        # `device_put` would compare the values of all processes, array by array.
        return jax.tree.map(
            lambda x: jax.make_array_from_callback(x.shape, sharding, lambda index: x[index]), state
        )

    def parameters(self, state: TrainState) -> Any:
        """Returns the parameters of the policy."""
        return state.params["policy"]

    def _spread(self, key: jax.Array) -> jax.Array:
        """Returns the standard deviation of the returns of random play."""
        agent = RandomAgent()
        play = jax.jit(jax.vmap(lambda k: rollout(self.game, agent, (), k).returns))
        return jnp.maximum(play(jax.random.split(key, _PROBE_DEALS)).std(), 1e-3)

    @partial(jax.jit, static_argnums=(0, 2), donate_argnums=1)
    def train(
        self, state: TrainState, num_updates: int, schedule: jax.Array
    ) -> tuple[TrainState, dict[str, jax.Array]]:
        """Does `num_updates` updates in one call.

        Args:
          state: donated; use the returned one.
          num_updates: static; updates of this call.
          schedule: float32, the number of updates after which the learning rate and the entropy bonus
            have their final values.

        Returns:
          The new state, and the means of the metrics over these updates: float32 scalars.
        """

        def updates(state: TrainState, schedule: jax.Array) -> tuple[TrainState, Any]:
            def one(state: TrainState, _: None) -> tuple[TrainState, dict[str, jax.Array]]:
                return self._update(state, schedule)

            state, metrics = jax.lax.scan(one, state, length=num_updates)
            return state, jax.tree.map(lambda x: x.mean(), metrics)

        everywhere = PartitionSpec()
        spread = jax.shard_map(
            updates,
            mesh=self.mesh,
            in_specs=(everywhere, everywhere),
            out_specs=(everywhere, everywhere),
            check_vma=False,
        )
        return spread(state, schedule)

    # ---- One update, on one device's share of the deals -----------------------------------------

    def _update(
        self, state: TrainState, schedule: jax.Array
    ) -> tuple[TrainState, dict[str, jax.Array]]:
        config = self.config
        # Play: one deal for each key.
        experience, returns = self_play(
            self.game, self.policy, state.params["policy"], self._keys(state.update)
        )
        # Values and advantages, minibatch by minibatch, before any parameter changes.
        batches = self._minibatches(experience)
        values = jax.lax.map(partial(self._values, state), batches)
        minibatches = jax.vmap(partial(self._minibatch, state.scale))(batches, values)

        # Schedules: learning rate and entropy bonus change linearly over the run.
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        bonus = config.entropy + done * (config.final_entropy - config.entropy)
        optimiser_state = _with_learning_rate(state.optimiser, rate)

        # Gradient steps: in every epoch one for each minibatch, its gradient summed over the devices.
        def step(
            carry: tuple[Any, Any], minibatch: Minibatch
        ) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
            params, optimiser_state = carry
            gradient, metrics = jax.lax.psum(self._gradient(params, minibatch, bonus), _AXIS)
            change, optimiser_state = self.optimiser().update(gradient, optimiser_state, params)
            metrics["gradient_norm"] = optax.global_norm(gradient)
            return (optax.apply_updates(params, change), optimiser_state), metrics

        def epoch(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
            return jax.lax.scan(step, carry, minibatches)

        (params, optimiser_state), metrics = jax.lax.scan(
            epoch, (state.params, optimiser_state), length=config.epochs
        )
        metrics = jax.tree.map(lambda x: x.mean(), metrics)
        metrics |= self._play_metrics(experience, returns)
        metrics["learning_rate"] = rate
        return TrainState(params, optimiser_state, state.update + 1, state.scale), metrics

    def _keys(self, update: jax.Array) -> prng.KeyWords:
        """Returns the keys of this device's deals.

        The numbers of the deals run over all devices, so that minibatch m holds the same deals however
        many devices share it.
        """
        config, shards = self.config, self.num_devices
        own = config.deals_per_update // config.minibatches // shards
        batch = jnp.arange(config.minibatches, dtype=jnp.uint32)[:, None]
        device = jax.lax.axis_index(_AXIS).astype(jnp.uint32)
        number = (batch * shards + device) * own + jnp.arange(own, dtype=jnp.uint32)
        stream = prng.key_words(jnp.stack([jnp.uint32(self.config.seed), update.astype(jnp.uint32)]))
        return jax.vmap(lambda n: _deal_key(stream, n))(number.reshape(-1))

    def _minibatches(self, experience: Experience) -> Experience:
        """Splits the deals into minibatches: axes [minibatches, max_steps, deals]."""
        parts = self.config.minibatches

        def split(x: jax.Array) -> jax.Array:
            x = x.reshape(x.shape[0], parts, x.shape[1] // parts, *x.shape[2:])
            return jnp.swapaxes(x, 0, 1)

        return jax.tree.map(split, experience)

    def _values(self, state: TrainState, batch: Experience) -> jax.Array:
        """Returns the critic's values in units of `scale`: float32[max_steps, deals]."""
        return forward(self.critic, state.params["critic"], batch.full)[..., 0]

    def _minibatch(self, scale: jax.Array, batch: Experience, values: jax.Array) -> Minibatch:
        """Computes advantages and finds the decisions of a minibatch, in parts of `room` rows."""
        # Advantages, over the turns of each player.
        advantages = turn_based(
            batch.rewards / scale,
            batch.player,
            values,
            batch.decides,
            self.config.discount,
            self.config.gae_lambda,
        )
        # Indices of the decisions, padded to whole parts.
        steps = batch.decides.size
        room = self.room(steps)
        parts = -(-steps // room)
        (index,) = jnp.nonzero(batch.decides.reshape(-1), size=parts * room, fill_value=steps)
        # Rows: all steps of all deals on one axis.
        decides = batch.decides.astype(jnp.float32)
        rows = Rows(
            features=batch.features,
            full=batch.full,
            legal=batch.legal,
            action=batch.action,
            log_probability=batch.log_probability,
            advantage=_normalised(advantages, decides),
            target=advantages + values,
            weight=decides / jax.lax.psum(decides.sum(), _AXIS),
        )
        rows = jax.tree.map(lambda x: x.reshape(steps, *x.shape[2:]), rows)
        return Minibatch(rows, index.reshape(parts, room))

    def _gradient(
        self, params: Any, minibatch: Minibatch, bonus: jax.Array
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Returns this device's share of the gradient and of metrics; the sums are the means.

        Only parts with decisions are computed, so that little time goes into forced moves and steps
        after the end. All decisions count, however the deals are spread over devices: what is learned
        must not depend on which deals share a device.
        """
        size = minibatch.rows.weight.size

        def part(number: jax.Array) -> tuple[Any, dict[str, jax.Array]]:
            index = minibatch.decisions[number]
            rows = jax.tree.map(lambda x: x[jnp.minimum(index, size - 1)], minibatch.rows)
            rows = rows._replace(weight=jnp.where(index < size, rows.weight, 0))
            return jax.grad(self._loss, has_aux=True)(params, rows, bonus)

        def add(number: jax.Array, total: Any) -> Any:
            return jax.tree.map(jnp.add, total, part(number))

        nothing = jax.tree.map(jnp.zeros_like, jax.eval_shape(part, jnp.int32(0)))
        room = minibatch.decisions.shape[1]
        used = -(-(minibatch.decisions < size).sum() // room)
        return jax.lax.fori_loop(0, used, add, nothing)

    def _loss(
        self, params: Any, rows: Rows, bonus: jax.Array
    ) -> tuple[jax.Array, dict[str, jax.Array]]:
        """Returns what these rows add to the loss, and to metrics; the sums are the means."""
        # The policy: clipped gain of the probability ratio (Schulman et al. 2017, equation 7), entropy.
        config = self.config
        layout = self.game.action_layout
        legal = ActionSet(layout, [rows.legal[:, i] for i in range(len(layout.offsets))])
        mask = jax.vmap(lambda s: s.mask())(legal)
        logits = forward(self.policy, params["policy"], rows.features)
        log_probabilities = masking.log_probabilities(logits, mask)
        chosen = jnp.take_along_axis(log_probabilities, rows.action[:, None], -1)[:, 0]
        log_ratio = jnp.where(rows.weight > 0, chosen - rows.log_probability, 0)
        ratio = jnp.exp(jnp.clip(log_ratio, -20, 20))
        clipped = jnp.clip(ratio, 1 - config.clip, 1 + config.clip)
        gain = jnp.minimum(ratio * rows.advantage, clipped * rows.advantage)
        entropy = masking.entropy(log_probabilities)
        # The critic: squared error.
        value = forward(self.critic, params["critic"], rows.full)[:, 0]
        error = jnp.square(value - rows.target)

        def mean(x: jax.Array) -> jax.Array:
            return (x * rows.weight).sum()

        loss = -mean(gain) - bonus * mean(entropy) + config.value_coefficient * mean(error)
        metrics = {
            "policy_loss": -mean(gain),
            "value_loss": mean(error),
            "entropy": mean(entropy),
            "kl": mean(ratio - 1 - log_ratio),
            "clipped": mean((jnp.abs(ratio - 1) > config.clip).astype(jnp.float32)),
        }
        return loss, jax.lax.stop_gradient(metrics)

    def _play_metrics(self, experience: Experience, returns: jax.Array) -> dict[str, jax.Array]:
        sums = {
            "decisions": experience.valid.sum().astype(jnp.float32),
            "choices": experience.decides.sum().astype(jnp.float32),
            "return_spread": jnp.square(returns).mean() / self.num_devices,
        }
        sums = jax.lax.psum(sums, _AXIS)
        return sums | {"return_spread": jnp.sqrt(sums["return_spread"])}


def _deal_key(stream: prng.KeyWords, number: jax.Array) -> prng.KeyWords:
    first, second = prng.fold(stream, number)
    return first, prng.mix(second ^ prng.mix(number))


def _with_learning_rate(optimiser_state: Any, rate: jax.Array) -> Any:
    clip, adam = optimiser_state
    return clip, adam._replace(hyperparams=adam.hyperparams | {"learning_rate": rate})


def _normalised(advantage: jax.Array, weight: jax.Array) -> jax.Array:
    """Returns advantages with mean 0 and deviation 1 over the rows of all devices."""
    count = jax.lax.psum(weight.sum(), _AXIS)
    mean = jax.lax.psum((advantage * weight).sum(), _AXIS) / count
    centred = (advantage - mean) * weight
    variance = jax.lax.psum(jnp.square(centred).sum(), _AXIS) / count
    return centred / (jnp.sqrt(variance) + 1e-6)
