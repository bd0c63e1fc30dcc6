"""Policy gradient by self-play, as one compiled function.

The gain of a decision is the sum of its player's rewards from there to the end of the deal. Gains are
normalised over the decisions of an update. A gradient step raises the probability of decisions in
proportion to their gain, without a critic. The rewards of a deal come with its tricks and at its end,
and add up to `game.returns`.

Williams 1992 (REINFORCE); Ng, Harada and Russell 1999 (reward shaping that preserves the best policy).
"""

import dataclasses
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from jaxcards.agent import Agent, RandomAgent
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.advantages import turn_based_advantages
from jaxcards.agents.learners.base import SelfPlayLearner
from jaxcards.agents.learners.decisions import Decisions, decisions_of, gradient, normalised
from jaxcards.agents.learners.optimiser import adam, with_learning_rate
from jaxcards.agents.learners.reinforce.config import ReinforceConfig
from jaxcards.agents.learners.reinforce.loss import Rows, loss
from jaxcards.agents.learners.self_play import Experience, play_metrics, self_play, spread
from jaxcards.agents.networks.network import NetworkAgent, forward
from jaxcards.game import Game
from jaxcards.rollouts import rollout

WINDOW = 100
"""The number of recent deals against random players in the share of wins."""


class TrainState(NamedTuple):
    """The training state, which a checkpoint saves.

    Attributes:
      params: {"policy": …}.
      optimiser: state of Optax.
      update: int32, updates done.
      scale: float32[2], the standard deviations of the returns and of the `margin` in random play. They
        make rewards of tricks and of the end comparable.
      won: int8[WINDOW], the last deals against random players, the newest last: 1 if won, 0 if not, -1
        if the entry is empty.
    """

    params: Any
    optimiser: Any
    update: jax.Array
    scale: jax.Array
    won: jax.Array


@dataclasses.dataclass(frozen=True)
class Reinforce(SelfPlayLearner):
    """A learner: `fresh` makes its state, `train` does updates."""

    config: ReinforceConfig

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.player.encoding.num_inputs  # raises the error for a game without planes

    @cached_property
    def player(self) -> NetworkAgent:
        """The agent that plays the policy's most likely action."""
        config = self.config
        return NetworkAgent(self.game, config.hidden, True, config.precision, config.inputs)

    def optimiser(self) -> optax.GradientTransformation:
        """Return the optimiser; the learning rate is set for each update."""
        return adam(self.config.learning_rate, self.config.max_gradient_norm)

    def fresh(self) -> TrainState:
        """Return the state before the first update, determined by `config.seed`."""
        policy_key, probe_key = jax.random.split(jax.random.key(self.config.seed))
        params = {"policy": self.player.init(policy_key, self.game)}
        values = (self.game.returns, partial(margin, self.game))
        scale = jnp.stack([spread(self.game, value, probe_key) for value in values])
        won = jnp.full(WINDOW, -1, jnp.int8)
        return TrainState(params, self.optimiser().init(params), jnp.int32(0), scale, won)

    def parameters(self, state: TrainState) -> Any:
        """Return the parameters of the policy."""
        return state.params["policy"]

    def metrics_of(self, state: TrainState) -> dict[str, jax.Array]:
        """Return `won_against_random`, the fraction won of the last deals against random players.

        The window has `WINDOW` deals, or fewer at the start of a run.
        """
        if not self.config.random_deals:
            return {}
        played = (state.won >= 0).sum()
        return {"won_against_random": (state.won > 0).sum() / jnp.float32(played)}

    # ---- One update, on one device's share of the deals -----------------------------------------

    def _update(
        self, state: TrainState, schedule: jax.Array, seed: jax.Array
    ) -> tuple[TrainState, dict[str, jax.Array]]:
        config, policy = self.config, state.params["policy"]
        # Play: one deal for each key.
        own = sharding.own_numbers(self.num_devices, config.deals_per_update)
        experience, returns = self_play(
            self.game,
            self.player.network,
            policy,
            sharding.keys_of(seed, state.update, own),
            inputs=config.inputs,
            potential=partial(self._potential, state.scale),
            critic=False,
        )
        won = state.won
        if config.random_deals:
            # Keep the newest results.
            won = jnp.concatenate([won, self._won(policy, seed, state.update)])[-WINDOW:]

        # Schedules: learning rate and entropy bonuses change linearly over the run.
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        calls = config.entropy + done * (config.final_entropy - config.entropy)
        cards = config.card_entropy + done * (config.final_card_entropy - config.card_entropy)

        # One gradient step on the policy that has just played.
        def lost(params: Any, rows: Rows) -> tuple[jax.Array, dict[str, jax.Array]]:
            logits = forward(self.player.network, params["policy"], rows.features)
            return loss(self.game, logits, rows, calls, cards)

        slope, metrics = gradient(lost, state.params, self._decisions(experience))
        slope, metrics = jax.lax.psum((slope, metrics), sharding.AXIS)
        before = state.params, with_learning_rate(state.optimiser, rate)
        params, optimiser_state, norm = self._step(*before, slope)
        metrics["gradient_norm"] = jnp.where(jnp.isfinite(norm), norm, 0)
        metrics["refused"] = jnp.float32(~jnp.isfinite(norm))
        metrics["learning_rate"] = rate
        metrics |= play_metrics(self.game, [(experience, returns)], self.num_devices)
        return TrainState(params, optimiser_state, state.update + 1, state.scale, won), metrics

    def _potential(self, scale: jax.Array, state: Any) -> jax.Array:
        """Return the potential whose change is the reward: float32[num_players].

        Before the end it is the margin so far, at the end the returns. So each trick brings a reward,
        and the end brings the rest. The sum is the returns, whatever the weight of tricks is.
        """
        tricks = self.config.trick_weight * margin(self.game, state) / scale[1]
        return jnp.where(state.terminated, self.game.returns(state) / scale[0], tricks)

    def _decisions(self, experience: Experience) -> Decisions:
        """Return every decision with the normalised sum of the rewards from it to the end."""
        nothing = jnp.zeros(experience.decides.shape, jnp.float32)
        # Without values, and with lambda 1, an advantage is the discounted sum of rewards.
        gains = turn_based_advantages(
            experience.rewards,
            experience.player,
            nothing,
            experience.decides,
            self.config.discount,
            1.0,
        )
        which = experience.decides.astype(jnp.float32)
        count = jnp.maximum(jax.lax.psum(which.sum(), sharding.AXIS), 1)
        rows = Rows(
            features=experience.features,
            legal=experience.legal,
            action=experience.action,
            gain=normalised(sharding.AXIS, [gains], [which], count)[0],
            weight=which / count,
        )
        return decisions_of(rows, experience.decides, self.config.decision_share)

    def _step(self, params: Any, optimiser_state: Any, slope: Any) -> tuple[Any, Any, jax.Array]:
        """Do a gradient step; skip it if the gradient is not finite."""
        norm = optax.global_norm(slope)
        change, after = self.optimiser().update(slope, optimiser_state, params)
        new = (optax.apply_updates(params, change), after)
        kept = jax.tree.map(
            lambda a, b: jnp.where(jnp.isfinite(norm), a, b), new, (params, optimiser_state)
        )
        return *kept, norm

    def _won(self, policy: Any, seed: jax.Array, update: jax.Array) -> jax.Array:
        """Play the update's deals against random players: int8[random_deals], 1 if the policy won.

        The policy has one side, each side in turn. It wins if its players have higher returns than the
        others, on average. Every device plays all of these few deals.
        """
        config = self.config
        agents: list[Agent] = [self.player, RandomAgent()]
        # Numbers behind those of the deals of self-play, so that no key is used twice.
        numbers = jnp.arange(config.random_deals, dtype=jnp.uint32)
        keys = sharding.keys_of(seed, update, config.deals_per_update + numbers)
        # Agent 0 is the policy, agent 1 the random player.
        others = jnp.asarray([~ours for ours in _sides(self.game)], jnp.int32)
        # The policy's side changes from deal to deal, on through the updates.
        turn = (update.astype(jnp.uint32) * config.random_deals + numbers) % len(others)

        def play(key: jax.Array, seats: jax.Array) -> jax.Array:
            returns = rollout(self.game, agents, [policy, ()], key, seats=seats).returns
            # Use whole numbers, so that ties are exact.
            ours, theirs = (seats == 0).sum(), seats.sum()
            return (returns * jnp.where(seats == 0, theirs, -ours)).sum() > 0

        return jax.vmap(play)(jnp.stack(keys, -1), others[turn]).astype(jnp.int8)


def margin(game: Game, state: Any) -> jax.Array:
    """Return float32[num_players]: the progress of a player's side less the mean of the others."""
    # own: bool[num_players, num_players], for each player the members of its side.
    own = np.array(_sides(game))[np.array(game.teams or range(game.num_players))]
    # others: float32[num_players, num_players], weights of the other sides' players, for their mean.
    others = jnp.asarray(~own / (~own).sum(1, keepdims=True), jnp.float32)
    progress = game.progress(state).astype(jnp.float32)
    return progress - (others * progress[None]).sum(-1)


def _sides(game: Game) -> list[np.ndarray]:
    """Return the players of each side, bool[num_players]; each player is a side if `teams` is None."""
    sides = np.array(game.teams or range(game.num_players))
    return [sides == side for side in range(sides.max() + 1)]
