"""Policy distillation as one compiled function: a network learns how likely another plays each action.

The network plays the deals itself, so that it learns what to do where its own play leads, and the
teacher says what it would do there. A teacher that answers by the mean under all names of the suits
answers under one of them in each update, in turn: what is learned is that mean.

Hinton, Vinyals and Dean 2015; Rusu et al. 2015 (policy distillation); Ross, Gordon and Bagnell 2011
(why the learner plays).
"""

import dataclasses
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agents import masking, sharing, symmetry
from jaxcards.agents.decisions import decisions_of, gradient, masks
from jaxcards.agents.distillation.config import DistillationConfig
from jaxcards.agents.fixed import FixedPlayer
from jaxcards.agents.learner import SelfPlayLearner
from jaxcards.agents.network import NetworkAgent, forward
from jaxcards.agents.optimiser import adam, with_learning_rate
from jaxcards.agents.self_play import play_metrics, self_play
from jaxcards.agents.vocabulary import Start, begun, policy_vocabulary
from jaxcards.errors import UserError


class TrainState(NamedTuple):
    """Everything that training changes, and what a checkpoint saves.

    Attributes:
      params: {"policy": …}.
      optimiser: state of Optax.
      update: int32, updates done.
      teacher: the parameters of the teacher, which stay what they are.
    """

    params: Any
    optimiser: Any
    update: jax.Array
    teacher: Any


class Rows(NamedTuple):
    """Steps of deals, one in each row.

    Attributes:
      features, legal: see `Experience`.
      weight: float32[rows], 1 / (decisions of the update on all devices); 0 if not a decision.
    """

    features: jax.Array
    legal: jax.Array
    weight: jax.Array


@dataclasses.dataclass(frozen=True)
class Distillation(SelfPlayLearner):
    """A learner: `fresh` makes its state, `train` does updates.

    Attributes:
      teacher: whose policy is learned, a `NetworkAgent` that sees the features of the game.
      start: the policy that a new run begins with, if `config.start` names one.
    """

    config: DistillationConfig
    teacher: FixedPlayer | None = None
    start: Start | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        agent, name = self._teacher, self.config.teacher
        if agent.inputs != "features":
            raise UserError(f"{name} sees {agent.inputs}, and a teacher is a network of features")
        if agent.game != self.game:
            raise UserError(f"{name} sees how a match stands, and a teacher is a player of deals")

    @property
    def _teacher(self) -> NetworkAgent:
        if self.teacher is None or not isinstance(self.teacher.agent, NetworkAgent):
            raise UserError("a learner by distillation has a teacher that is a network")
        return self.teacher.agent

    @cached_property
    def player(self) -> NetworkAgent:
        """The agent that plays the policy's likeliest action."""
        return NetworkAgent(self.game, self.config.hidden, True, self.config.precision)

    def optimiser(self) -> optax.GradientTransformation:
        """Returns the optimiser; the learning rate is set for each update."""
        return adam(self.config.learning_rate, self.config.max_gradient_norm)

    def fresh(self) -> TrainState:
        """Returns the state before the first update, decided by `config.seed`."""
        assert self.teacher is not None
        policy = self.player.init(jax.random.key(self.config.seed), self.game)
        if self.start is not None:
            wanted = policy_vocabulary([self.game])
            policy = begun(self.config.start, self.start, wanted, policy, self.game)
        params = {"policy": policy}
        return TrainState(params, self.optimiser().init(params), jnp.int32(0), self.teacher.params)

    def parameters(self, state: TrainState) -> Any:
        """Returns the parameters of the policy."""
        return state.params["policy"]

    saved = parameters

    # ---- One update, on one device's share of the deals -----------------------------------------

    def _update(
        self, state: TrainState, schedule: jax.Array
    ) -> tuple[TrainState, dict[str, jax.Array]]:
        """Does one update.

        Two of the metrics are `divergence`, of the policy from the teacher's in nats, and `agreement`,
        the share of the decisions at which both find the same action the likeliest.
        """
        config, game, network = self.config, self.game, self.player.network
        own = sharing.own_numbers(self.num_devices, config.deals_per_update)
        keys = sharing.keys_of(config.seed, state.update, own)
        experience, returns = self_play(game, network, state.params["policy"], keys, critic=False)
        count = jnp.maximum(jax.lax.psum(experience.decides.sum(), sharing.AXIS), 1)
        weight = experience.decides / jnp.float32(count)
        rows = Rows(experience.features, experience.legal, weight)
        teacher, of_calls = self._answering(state.teacher, state.update)

        def lost(params: Any, rows: Rows) -> tuple[jax.Array, dict[str, jax.Array]]:
            mask = masks(game, rows.legal)
            asked = forward(self._teacher.network, teacher, rows.features)
            wanted = jax.lax.stop_gradient(masking.log_probabilities(asked, mask))
            logits = forward(network, params["policy"], rows.features)
            policy = masking.log_probabilities(logits, mask)
            is_call = mask[:, game.deck.num_cards :].any(-1)
            weight = jnp.where(is_call & ~of_calls, 0, rows.weight)
            apart = (masking.divergence(wanted, policy) * weight).sum()
            same = ((wanted.argmax(-1) == policy.argmax(-1)) * weight).sum()
            return apart, {"divergence": apart, "agreement": same, "answered": weight.sum()}

        decisions = decisions_of(rows, experience.decides, config.decision_share)
        slope, metrics = jax.lax.psum(gradient(lost, state.params, decisions), sharing.AXIS)
        answered = jnp.maximum(metrics.pop("answered"), 1e-6)
        metrics = {name: value / answered for name, value in metrics.items()}
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        before = with_learning_rate(state.optimiser, rate)
        change, optimiser = self.optimiser().update(slope, before, state.params)
        metrics |= {"gradient_norm": optax.global_norm(slope), "learning_rate": rate}
        metrics |= play_metrics([(experience, returns)], self.num_devices)
        params = optax.apply_updates(state.params, change)
        return state._replace(params=params, optimiser=optimiser, update=state.update + 1), metrics

    def _answering(self, params: Any, update: jax.Array) -> tuple[Any, jax.Array]:
        """Returns the teacher under the names of an update, and whether it answers calls there."""
        if not self._teacher.symmetric:
            return params, jnp.bool(True)
        calls = jnp.asarray(symmetry.symmetries(self.game).calls)
        number = update % len(calls)
        return symmetry.renamed(self.game, params, number), calls[number]
