"""Proximal policy optimisation by self-play, as one compiled function.

One function deals, plays, computes advantages and updates the parameters; the host sees a few numbers
after some updates. The policy sees what a player may know; the critic, needed only while training, sees
the whole deal, which takes the luck of the cards out of the advantages (the baseline of a policy
gradient may depend on anything but the action). The learner does not learn from forced moves.

Schulman et al. 2017 (PPO), 2016 (advantages); Pinto et al. 2018 (a critic that knows more).
"""

import dataclasses
import functools
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agent import RandomAgent
from jaxcards.agents import sharing
from jaxcards.agents.mixture import Mixture
from jaxcards.agents.network import NetworkAgent
from jaxcards.agents.ppo import rows
from jaxcards.agents.ppo.average import average_of, averaging
from jaxcards.agents.ppo.config import PPOConfig
from jaxcards.agents.ppo.experience import Experience, self_play
from jaxcards.agents.ppo.loss import Bonus, loss
from jaxcards.agents.ppo.networks import Networks
from jaxcards.agents.ppo.rows import Minibatch
from jaxcards.agents.vocabulary import Vocabulary
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.rollouts import rollout
from jaxcards.xla import prng

_PROBE_DEALS = 2048


class TrainState(NamedTuple):
    """Everything that training changes, and what a checkpoint saves.

    Attributes:
      params: {"policy": …, "critic": …}.
      optimiser: state of Optax.
      update: int32, updates done.
      scale: float32, the standard deviation of the returns of random play, by which rewards are
        divided; of several games float32[games].
    """

    params: Any
    optimiser: Any
    update: jax.Array
    scale: jax.Array


@dataclasses.dataclass(frozen=True)
class PPO:
    """A learner: `init` makes its state, `train` does updates.

    With `config.presets` or `config.variants` several games share the deals of each update evenly, and
    one network learns them all: see `jaxcards.agents.vocabulary`.

    Attributes:
      game: the game that is learned; of several, the one that is evaluated.
      config: every setting.
      num_devices: how many devices share a batch; the result is the same up to float rounding.
    """

    game: Game
    config: PPOConfig
    num_devices: int = 1

    def __post_init__(self) -> None:
        self.config.check_devices(self.num_devices)
        shared, games = self.config.shared_deals // self.num_devices, len(self.games)
        if shared % games:
            raise UserError(
                f"{games} games cannot share the {shared} deals that a device has of a minibatch "
                "evenly: change deals_per_update, minibatches, presets or variants"
            )

    @cached_property
    def networks(self) -> Networks:
        """Policy and critic of every game that is learned."""
        config = self.config
        mixture = Mixture.of(self.game, config.presets, config.variants, config.seed)
        return Networks(mixture, config)

    @property
    def games(self) -> tuple[Game, ...]:
        """The games that are learned; the first is `game`."""
        return self.networks.mixture.games

    @property
    def player(self) -> NetworkAgent:
        """The agent that plays the policy's likeliest action."""
        return self.networks.agent(self.game)

    @property
    def vocabulary(self) -> Vocabulary | None:
        """What the inputs and outputs of the policy are; None of one game."""
        return self.networks.mixture.policy

    def optimiser(self) -> optax.GradientTransformation:
        """Adam behind a limit to the gradient's norm; the learning rate is set for each update."""
        parts = [
            optax.clip_by_global_norm(self.config.max_gradient_norm),
            optax.inject_hyperparams(optax.adam)(learning_rate=self.config.learning_rate, eps=1e-5),
        ]
        if self.config.average:
            parts.append(averaging(self.config.average))
        return optax.chain(*parts)

    def init(self) -> TrainState:
        """Returns `fresh()` on all devices."""
        return self.place(self.fresh())

    def fresh(self) -> TrainState:
        """Returns the state before the first update, decided by `config.seed`."""
        key = jax.random.key(self.config.seed)
        policy_key, critic_key, probe_key = jax.random.split(key, 3)
        params = self.networks.fresh(policy_key, critic_key)
        scales = [_spread(game, probe_key) for game in self.games]
        scale = jnp.stack(scales) if len(scales) > 1 else scales[0]
        return TrainState(params, self.optimiser().init(params), jnp.int32(0), scale)

    def place(self, state: TrainState) -> TrainState:
        """Puts a state onto all devices; see `sharing.place`."""
        return sharing.place(self.num_devices, state)

    def parameters(self, state: TrainState) -> Any:
        """Returns the parameters of the policy of `game`."""
        if self.vocabulary is None:
            return self.saved(state)
        return self.vocabulary.for_game(self.game, jax.device_get(self.saved(state)))

    def saved(self, state: TrainState) -> Any:
        """Returns the parameters of the policy, of all games: their average, if the run has one."""
        average = average_of(state.optimiser)
        return (average or state.params)["policy"]

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
        return sharing.repeat(self.num_devices, self._update, num_updates)(state, schedule)

    # ---- One update, on one device's share of the deals -----------------------------------------

    def _update(
        self, state: TrainState, schedule: jax.Array
    ) -> tuple[TrainState, dict[str, jax.Array]]:
        config, networks = self.config, self.networks
        # Play: one deal for each key, each game its share of them.
        played = [
            self_play(game, networks.policy(game), networks.policy_params(game, state.params), keys)
            for game, keys in zip(self.games, self._keys(state.update), strict=True)
        ]
        # Values and advantages, minibatch by minibatch, before any parameter changes.
        batches = [self._minibatches(experience) for experience, _ in played]
        values = [
            jax.lax.map(partial(networks.values, game, state.params), batch.full)
            for game, batch in zip(self.games, batches, strict=True)
        ]
        scales = jnp.atleast_1d(state.scale)
        minibatches = jax.vmap(partial(rows.minibatch, config, sharing.AXIS, scales))(batches, values)

        # Schedules: learning rate and entropy bonuses change linearly over the run.
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        calls = config.entropy + done * (config.final_entropy - config.entropy)
        cards = config.card_entropy + done * (config.final_card_entropy - config.card_entropy)
        bonus = Bonus(calls, cards)
        optimiser_state = _with_learning_rate(state.optimiser, rate)

        # Gradient steps: in every epoch one for each minibatch, its gradient summed over the devices.
        def step(
            carry: tuple[Any, Any], minibatch: list[Minibatch]
        ) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
            params, optimiser_state = carry
            gradient, metrics = jax.lax.psum(self._gradient(params, minibatch, bonus), sharing.AXIS)
            change, optimiser_state = self.optimiser().update(gradient, optimiser_state, params)
            metrics["gradient_norm"] = optax.global_norm(gradient)
            return (optax.apply_updates(params, change), optimiser_state), metrics

        def epoch(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
            return jax.lax.scan(step, carry, minibatches)

        (params, optimiser_state), metrics = jax.lax.scan(
            epoch, (state.params, optimiser_state), length=config.epochs
        )
        metrics = jax.tree.map(lambda x: x.mean(), metrics)
        metrics |= self._play_metrics(played)
        metrics["learning_rate"] = rate
        return TrainState(params, optimiser_state, state.update + 1, state.scale), metrics

    def _keys(self, update: jax.Array) -> list[prng.KeyWords]:
        """Returns the keys of this device's deals, for each game.

        The numbers of the deals run over all devices, so that minibatch m holds the same deals however
        many devices share it, and in a minibatch first those of the first game.
        """
        config, games = self.config, len(self.games)
        shared = config.shared_deals
        first = jnp.arange(config.minibatches, dtype=jnp.uint32)[:, None] * shared
        own = sharing.own_numbers(self.num_devices, shared // games)
        numbers = [(first + game * (shared // games) + own).reshape(-1) for game in range(games)]
        return [sharing.keys_of(config.seed, update, of_game) for of_game in numbers]

    def _minibatches(self, experience: Experience) -> Experience:
        """Splits the deals into minibatches: axes [minibatches, max_steps, deals]."""
        parts = self.config.minibatches

        def split(x: jax.Array) -> jax.Array:
            x = x.reshape(x.shape[0], parts, x.shape[1] // parts, *x.shape[2:])
            return jnp.swapaxes(x, 0, 1)

        return jax.tree.map(split, experience)

    def _gradient(
        self, params: Any, minibatch: list[Minibatch], bonus: Bonus
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Returns this device's share of the gradient and of metrics; the sums are the means."""
        of_games = [
            self._gradient_of(game, params, own, bonus)
            for game, own in zip(self.games, minibatch, strict=True)
        ]
        return jax.tree.map(lambda *parts: functools.reduce(jnp.add, parts), *of_games)

    def _gradient_of(
        self, game: Game, params: Any, minibatch: Minibatch, bonus: Bonus
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Returns what the rows of one game add to the gradient and to metrics.

        Only parts with decisions are computed, so that little time goes into forced moves and steps
        after the end. All decisions count, however the deals are spread over devices: what is learned
        must not depend on which deals share a device.
        """
        size = minibatch.rows.weight.size

        def part(number: jax.Array) -> tuple[Any, dict[str, jax.Array]]:
            index = minibatch.decisions[number]
            own = jax.tree.map(lambda x: x[jnp.minimum(index, size - 1)], minibatch.rows)
            own = own._replace(weight=jnp.where(index < size, own.weight, 0))
            of_game = partial(loss, self.networks, game)
            return jax.grad(of_game, has_aux=True)(params, own, bonus)

        def add(number: jax.Array, total: Any) -> Any:
            return jax.tree.map(jnp.add, total, part(number))

        nothing = jax.tree.map(jnp.zeros_like, jax.eval_shape(part, jnp.int32(0)))
        room = minibatch.decisions.shape[1]
        used = -(-(minibatch.decisions < size).sum() // room)
        return jax.lax.fori_loop(0, used, add, nothing)

    def _play_metrics(self, played: list[tuple[Experience, jax.Array]]) -> dict[str, jax.Array]:
        """Returns how many decisions there were, and how far the returns of `game` spread."""
        number = sum(experience.valid.sum() for experience, _ in played)
        choices = sum(experience.decides.sum() for experience, _ in played)
        sums = {
            "decisions": jnp.float32(number),
            "choices": jnp.float32(choices),
            "return_spread": jnp.square(played[0][1]).mean() / self.num_devices,
        }
        sums = jax.lax.psum(sums, sharing.AXIS)
        return sums | {"return_spread": jnp.sqrt(sums["return_spread"])}


def _spread(game: Game, key: jax.Array) -> jax.Array:
    """Returns the standard deviation of the returns of random play: float32."""
    agent = RandomAgent()
    play = jax.jit(jax.vmap(lambda k: rollout(game, agent, (), k).returns))
    return jnp.maximum(play(jax.random.split(key, _PROBE_DEALS)).std(), 1e-3)


def _with_learning_rate(optimiser_state: Any, rate: jax.Array) -> Any:
    clip, adam, *rest = optimiser_state
    return clip, adam._replace(hyperparams=adam.hyperparams | {"learning_rate": rate}), *rest
