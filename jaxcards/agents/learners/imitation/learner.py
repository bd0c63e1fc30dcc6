"""Imitation as a compiled function: gradient steps raise the probability of the recorded actions.

The batches come from outside; see `jaxcards.training.feeding`. Pomerleau 1991 (behavioural cloning).
"""

import dataclasses
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax.sharding import PartitionSpec

from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.base import Learner
from jaxcards.agents.learners.decisions import decisions_of, gradient, masks
from jaxcards.agents.learners.imitation import measures
from jaxcards.agents.learners.imitation.config import ImitationConfig
from jaxcards.agents.learners.imitation.examples import Deals, Integers, Rows, examples
from jaxcards.agents.learners.optimiser import with_learning_rate
from jaxcards.agents.networks import integers, masking
from jaxcards.agents.networks.network import NetworkAgent, forward

Metrics = dict[str, jax.Array]


class TrainState(NamedTuple):
    """The training state, which a checkpoint saves.

    Attributes:
      params: {"policy": …}.
      optimiser: state of Optax.
      update: int32, updates done.
      data: uint32, a checksum of the training records.
    """

    params: Any
    optimiser: Any
    update: jax.Array
    data: jax.Array


class HeldOutSums(NamedTuple):
    """Sums over held-out decisions; see `measures`.

    Attributes:
      calls, cards: of decisions with a legal call, and of decisions about cards alone.
      times: of the seconds before moves; None for a policy that does not predict times.
    """

    calls: measures.Sums
    cards: measures.Sums
    times: measures.Times | None


@dataclasses.dataclass(frozen=True)
class Imitation(Learner):
    """A learner from external data: `fresh` makes its state, `train` does an update."""

    config: ImitationConfig

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.player.encoding.num_inputs  # raises the error for a game without integers

    @cached_property
    def player(self) -> NetworkAgent:
        """The agent that plays the policy's most likely action."""
        config = self.config
        kind = integers.IntegersAgent if config.inputs == "integers" else NetworkAgent
        return kind(self.game, config.hidden, True, config.precision, config.inputs)

    def optimiser(self) -> optax.GradientTransformation:
        """Return AdamW (Loshchilov and Hutter 2019); the learning rate is set for each update."""
        config = self.config
        rates = {"learning_rate": config.learning_rate, "weight_decay": config.weight_decay}
        # The same order as in `optimiser.adam`, on which `with_learning_rate` relies.
        return optax.chain(
            optax.clip_by_global_norm(config.max_gradient_norm),
            optax.inject_hyperparams(optax.adamw)(eps=1e-5, **rates),
        )

    def fresh(self) -> TrainState:
        """Return the state before the first update, determined by `config.seed`, without data."""
        params = {"policy": self.player.init(jax.random.key(self.config.seed), self.game)}
        return TrainState(params, self.optimiser().init(params), jnp.int32(0), jnp.uint32(0))

    def parameters(self, state: TrainState) -> Any:
        """Return the parameters of the policy."""
        return state.params["policy"]

    @partial(jax.jit, static_argnums=0, donate_argnums=1)
    def train(self, state: TrainState, batch: Any, schedule: jax.Array) -> tuple[TrainState, Metrics]:
        """Do one update.

        Args:
          state: donated; use the returned one.
          batch: `Deals`, or `Integers` if these are the inputs; their axis is shared evenly among the
            devices.
          schedule: float32, the number of updates after which the learning rate has its final value.

        Returns:
          The new state, and metrics of the training decisions: float32 scalars.
        """
        return self._shared(self._update)(state, batch, schedule)

    @partial(jax.jit, static_argnums=0)
    def measure(self, params: Any, batch: Any) -> HeldOutSums:
        """Return sums over the decisions of a batch, for a policy of these parameters."""
        # The third input stands for the schedule, which measuring does not need.
        return self._shared(self._measure)(params, batch, jnp.float32(0))

    def _shared(self, function: Any) -> Any:
        """Return a function of (state, batch, value), each device with its part of the batch."""
        everywhere, own = PartitionSpec(), PartitionSpec(sharding.AXIS)
        return jax.shard_map(
            function,
            mesh=sharding.mesh(self.num_devices),
            in_specs=(everywhere, own, everywhere),
            out_specs=everywhere,
            check_vma=False,
        )

    # ---- One update, on one device's share of the batch -------------------------------------------

    def _update(self, state: TrainState, batch: Any, schedule: jax.Array) -> tuple[TrainState, Metrics]:
        config = self.config
        # The learning rate changes linearly over the run.
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        slope = self._of_integers if isinstance(batch, Integers) else self._of_deals
        found, metrics = jax.lax.psum(slope(state.params, batch), sharding.AXIS)
        before = with_learning_rate(state.optimiser, rate)
        change, after = self.optimiser().update(found, before, state.params)
        params = optax.apply_updates(state.params, change)
        metrics |= {"gradient_norm": optax.global_norm(found), "learning_rate": rate}
        return TrainState(params, after, state.update + 1, state.data), metrics

    def _of_deals(self, params: Any, deals: Deals) -> tuple[Any, Metrics]:
        """Return this device's share of the gradient and of metrics; the sums are the means."""
        rows, decides = examples(self.game, deals)
        # Weights are relative to the decisions of all devices, so that sums over devices are means.
        count = jnp.maximum(jax.lax.psum(decides.sum(), sharding.AXIS), 1)
        rows = rows._replace(weight=decides.astype(jnp.float32) / count.astype(jnp.float32))

        def lost(params: Any, rows: Rows) -> tuple[jax.Array, Metrics]:
            chances = self._chances(params["policy"], rows)
            chosen = jnp.take_along_axis(chances, rows.action[:, None], -1)[:, 0]
            # Padding may have the huge value of an illegal action: leave it out before weighting.
            cross_entropy = -(jnp.where(rows.weight > 0, chosen, 0) * rows.weight).sum()
            correct = (chances.argmax(-1) == rows.action) * rows.weight
            return cross_entropy, {"cross_entropy": cross_entropy, "accuracy": correct.sum()}

        parts = decisions_of(rows, decides, self.config.decision_share)
        slope, metrics = gradient(lost, params, parts)
        return slope, metrics | {"decisions": decides.sum().astype(jnp.float32)}

    def _chances(self, policy: Any, rows: Rows) -> jax.Array:
        """Return log-probabilities of actions: float32[n, num_actions]."""
        logits = forward(self.player.network, policy, rows.features)
        return masking.log_probabilities(logits, masks(self.game, rows.legal))

    def _of_integers(self, params: Any, rows: Integers) -> tuple[Any, Metrics]:
        """Return this device's share of the gradient and of metrics; the sums are the means."""
        weight, timed = self._weights(rows)
        # count, times: float32, the numbers of both on all devices, at least 1.
        count, times = (
            jnp.maximum(jax.lax.psum(one.sum(), sharding.AXIS), 1) for one in (weight, timed)
        )

        def lost(params: Any) -> tuple[jax.Array, Metrics]:
            chances, predicted = self._foretold(params["policy"], rows)
            chosen = jnp.take_along_axis(chances, rows.action[:, None].astype(jnp.int32), -1)[:, 0]
            cross_entropy = -(jnp.where(weight > 0, chosen, 0) * weight).sum() / count
            # NaN times 0 is NaN: replace unknown times before they get weight 0.
            logs = jnp.log1p(jnp.where(timed > 0, rows.seconds, 0))
            error = (jnp.square(predicted - logs) * timed).sum() / times
            correct = ((chances.argmax(-1) == rows.action) * weight).sum() / count
            metrics = {"cross_entropy": cross_entropy, "accuracy": correct, "time_loss": error}
            return cross_entropy + self.config.time_weight * error, metrics

        slope, metrics = jax.grad(lost, has_aux=True)(params)
        return slope, metrics | {"decisions": weight.sum()}

    def _foretold(self, policy: Any, rows: Integers) -> tuple[jax.Array, jax.Array]:
        """Return log-probabilities of slots, float32[n, 9], and log(1 + seconds), float32[n]."""
        output = forward(self.player.network, policy, rows.state)
        # The last output is the predicted time, the others belong to the slots.
        return masking.log_probabilities(output[:, :-1], rows.legal), output[:, -1]

    def _weights(self, rows: Integers) -> tuple[jax.Array, jax.Array]:
        """Return masks of the rows with a choice to learn from, and with a time: float32[n], 0 or 1."""
        choice = rows.valid & (rows.legal.sum(-1) > 1)
        timed = rows.valid & jnp.isfinite(rows.seconds)
        return choice.astype(jnp.float32), timed.astype(jnp.float32)

    # ---- Measuring, on one device's share of the batch -------------------------------------------

    def _measure(self, policy: Any, batch: Any, _: jax.Array) -> HeldOutSums:
        if isinstance(batch, Integers):
            weight, timed = self._weights(batch)
            chances, predicted = self._foretold(policy, batch)
            cards = measures.sums(chances, batch.legal, batch.action, weight)
            # The rows have no calls.
            nothing = jax.tree.map(jnp.zeros_like, cards)
            seconds = measures.times(predicted, batch.seconds, timed)
            return jax.lax.psum(HeldOutSums(nothing, cards, seconds), sharding.AXIS)
        rows, decides = examples(self.game, batch)

        def of_step(step: tuple[Rows, jax.Array]) -> tuple[measures.Sums, measures.Sums]:
            row, which = step
            mask = masks(self.game, row.legal)
            # A decision with a legal call counts as a call.
            is_call = mask[:, self.game.deck.num_cards :].any(-1)
            found = self._chances(policy, row), mask, row.action
            return (
                measures.sums(*found, (which & is_call).astype(jnp.float32)),
                measures.sums(*found, (which & ~is_call).astype(jnp.float32)),
            )

        parts = jax.lax.map(of_step, (rows, decides))  # step by step, to save memory
        calls, cards = jax.tree.map(lambda part: part.sum(0), parts)
        return jax.lax.psum(HeldOutSums(calls, cards, None), sharding.AXIS)
