"""Policy distillation as one compiled function: a network learns the action probabilities of another.

The network plays the deals itself, so that it sees the positions to which its own play leads. The
teacher gives its policy for these positions. A teacher that averages over all names of the suits
answers under one name in each update, in turn; the student learns the mean.

Hinton, Vinyals and Dean 2015; Rusu et al. 2015 (policy distillation); Ross, Gordon and Bagnell 2011
(why the learner plays).
"""

import dataclasses
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.base import SelfPlayLearner
from jaxcards.agents.learners.decisions import Decisions, added, decisions_of, gradient, masks
from jaxcards.agents.learners.distillation.config import DistillationConfig
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.mixture import Mixture
from jaxcards.agents.learners.optimiser import adam, with_learning_rate
from jaxcards.agents.learners.self_play import play_metrics, self_play
from jaxcards.agents.networks import masking, symmetry
from jaxcards.agents.networks.network import NetworkAgent, forward
from jaxcards.agents.networks.vocabulary import Start, Vocabulary, begun, policy_vocabulary
from jaxcards.errors import UserError
from jaxcards.game import Game


class TrainState(NamedTuple):
    """The training state, which a checkpoint saves.

    Attributes:
      params: {"policy": …}.
      optimiser: state of Optax.
      update: int32, updates done.
      teacher: the constant parameters of the teacher; with several games, those for each.
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

    With `config.presets`, several games share the deals of each update evenly, and one network learns
    them all: see `jaxcards.agents.networks.vocabulary`.

    Attributes:
      game: the game to learn; with several games, the one that is evaluated.
      teachers: the teachers, for each of `mixture.games` a `NetworkAgent` that sees the features of the
        game.
      start: the policy that a new run begins with, if `config.start` names one.
    """

    config: DistillationConfig
    teachers: tuple[FixedPlayer, ...] = ()
    start: Start | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        games, name = self.mixture.games, self.config.teacher
        if self.config.deals_per_update % (self.num_devices * len(games)):
            raise UserError(
                f"{len(games)} games cannot share {self.config.deals_per_update} deals evenly: change "
                "deals_per_update or presets"
            )
        for game, agent in zip(games, self._agents, strict=True):
            if agent.inputs != "features":
                raise UserError(f"{name} sees {agent.inputs}, but a teacher must see features")
            if agent.game != game:
                raise UserError(f"{name} reads the score of a match, but a teacher must play deals")

    @cached_property
    def mixture(self) -> Mixture:
        """The games to learn; the first is `game`."""
        return Mixture.of(self.game, self.config.presets, 0, self.config.seed)

    @cached_property
    def _agents(self) -> tuple[NetworkAgent, ...]:
        """The teacher of each game."""
        agents = [teacher.agent for teacher in self.teachers]
        networks = tuple(agent for agent in agents if isinstance(agent, NetworkAgent))
        if len(networks) < len(self.mixture.games):
            raise UserError("distillation needs a teacher that is a network")
        return networks

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the policy's inputs and outputs; None with one game."""
        return self.mixture.policy

    @cached_property
    def player(self) -> NetworkAgent:
        """The agent that plays the policy's most likely action."""
        return self._player(self.game)

    def _player(self, game: Game) -> NetworkAgent:
        return NetworkAgent(game, self.config.hidden, True, self.config.precision)

    def optimiser(self) -> optax.GradientTransformation:
        """Return the optimiser; the learning rate is set for each update."""
        return adam(self.config.learning_rate, self.config.max_gradient_norm)

    def fresh(self) -> TrainState:
        """Return the state before the first update, determined by `config.seed`."""
        network = self.mixture.policy_network(self.config.hidden, self.config.precision)
        policy = network.fresh(jax.random.key(self.config.seed))
        if self.start is not None:
            wanted = self.vocabulary or policy_vocabulary([self.game])
            policy = begun(self.config.start, self.start, wanted, policy, self.game)
        params = {"policy": policy}
        teachers = tuple(teacher.params for teacher in self.teachers)
        teacher = teachers if len(teachers) > 1 else teachers[0]
        return TrainState(params, self.optimiser().init(params), jnp.int32(0), teacher)

    def parameters(self, state: TrainState) -> Any:
        """Return the parameters of the policy of `game`."""
        if self.vocabulary is None:
            return self.saved(state)
        return self.mixture.policy_params(self.game, jax.device_get(self.saved(state)))

    def saved(self, state: TrainState) -> Any:
        """Return the parameters of the policy, of all games."""
        return state.params["policy"]

    # ---- One update, on one device's share of the deals -----------------------------------------

    def _update(
        self, state: TrainState, schedule: jax.Array, seed: jax.Array
    ) -> tuple[TrainState, dict[str, jax.Array]]:
        """Do one update.

        Two of the metrics are `divergence`, of the policy from the teacher's in nats, and `agreement`.
        The latter is the fraction of decisions in which both have the same most likely action.
        """
        config, games = self.config, self.mixture.games
        # Every game plays its share of the deals with its own part of the shared network.
        played = [
            self_play(
                game,
                self._player(game).network,
                self.mixture.policy_params(game, state.params["policy"]),
                sharding.keys_of(seed, state.update, numbers),
                critic=False,
            )
            for game, numbers in zip(games, self._numbers(), strict=True)
        ]
        # Weights are relative to the decisions of all devices, so that sums over devices are means.
        own = sum(experience.decides.sum() for experience, _ in played)
        count = jnp.maximum(jax.lax.psum(own, sharding.AXIS), 1)
        found = []
        for place, (experience, _) in enumerate(played):
            # weight: float32[max_steps, deals].
            weight = experience.decides / jnp.float32(count)
            rows = Rows(experience.features, experience.legal, weight)
            decisions = decisions_of(rows, experience.decides, config.decision_share)
            found.append(self._gradient(state, place, decisions))
        slope, metrics = jax.lax.psum(added(found), sharding.AXIS)
        # Calls that the teacher did not answer in this update are left out of the means.
        answered = jnp.maximum(metrics.pop("answered"), 1e-6)
        metrics = {name: value / answered for name, value in metrics.items()}
        # The learning rate falls linearly over the run.
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        before = with_learning_rate(state.optimiser, rate)
        change, optimiser = self.optimiser().update(slope, before, state.params)
        metrics |= {"gradient_norm": optax.global_norm(slope), "learning_rate": rate}
        metrics |= play_metrics(self.mixture.games[0], played, self.num_devices)
        params = optax.apply_updates(state.params, change)
        return state._replace(params=params, optimiser=optimiser, update=state.update + 1), metrics

    def _numbers(self) -> list[jax.Array]:
        """Return the numbers of this device's deals in an update: uint32[deals] by game."""
        deals = self.config.deals_per_update // len(self.mixture.games)
        own = sharding.own_numbers(self.num_devices, deals)
        # The numbers run on from game to game, so that no two deals have the same key.
        return [place * deals + own for place in range(len(self.mixture.games))]

    def _gradient(
        self, state: TrainState, place: int, decisions: Decisions
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Return the contributions of one game's decisions to the gradient and to the metrics."""
        game, agent = self.mixture.games[place], self._agents[place]
        network = self._player(game).network
        own = state.teacher[place] if len(self.teachers) > 1 else state.teacher
        teacher, of_calls = _answering(agent, own, state.update)

        def lost(params: Any, rows: Rows) -> tuple[jax.Array, dict[str, jax.Array]]:
            mask = masks(game, rows.legal)
            # The teacher's answer is the goal: no gradient flows into it.
            asked = forward(agent.network, teacher, rows.features)
            wanted = jax.lax.stop_gradient(masking.log_probabilities(asked, mask))
            logits = forward(network, self.mixture.policy_params(game, params["policy"]), rows.features)
            policy = masking.log_probabilities(logits, mask)
            # Actions behind the cards are calls.
            is_call = mask[:, game.deck.num_cards :].any(-1)
            # Under some names of the suits the teacher answers only decisions about cards.
            weight = jnp.where(is_call & ~of_calls, 0, rows.weight)
            apart = (masking.divergence(wanted, policy) * weight).sum()
            same = ((wanted.argmax(-1) == policy.argmax(-1)) * weight).sum()
            return apart, {"divergence": apart, "agreement": same, "answered": weight.sum()}

        return gradient(lost, state.params, decisions)


def _answering(agent: NetworkAgent, params: Any, update: jax.Array) -> tuple[Any, jax.Array]:
    """Return a teacher under the names of an update, and whether these names are valid for calls."""
    if not agent.symmetric:
        return params, jnp.bool(True)
    calls = jnp.asarray(symmetry.symmetries(agent.game).calls)
    # Each update uses the next naming of the suits.
    number = update % len(calls)
    return symmetry.renamed(agent.game, params, number), calls[number]
