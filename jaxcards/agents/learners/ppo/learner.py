"""Proximal policy optimisation by self-play, or against a fixed player.

One compiled function deals, plays, computes advantages and updates the parameters. The host gets a few
metrics after some updates. The policy sees the player's observation. The critic, needed only for
training, sees the whole deal, which removes the luck of the cards from the advantages. (The baseline of
a policy gradient may depend on anything except the action.) Forced moves are excluded from training.

Schulman et al. 2017 (PPO), 2016 (advantages); Pinto et al. 2018 (a critic that knows more).
"""

import dataclasses
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.average import average_of
from jaxcards.agents.learners.base import SelfPlayLearner
from jaxcards.agents.learners.decisions import Decisions, added, gradient
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.magnet import magnet_of
from jaxcards.agents.learners.mixture import Mixture
from jaxcards.agents.learners.optimiser import adam, with_learning_rate, with_share
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.loss import Bonus, loss
from jaxcards.agents.learners.ppo.minibatch import minibatch_decisions
from jaxcards.agents.learners.ppo.networks import Networks
from jaxcards.agents.learners.self_play import Experience, Frozen, play_metrics, self_play, spread
from jaxcards.agents.networks.network import NetworkAgent, fast_policy_of
from jaxcards.agents.networks.vocabulary import Start, Vocabulary, begun, policy_vocabulary
from jaxcards.errors import UserError
from jaxcards.evaluation.seatings import sides
from jaxcards.game import Game
from jaxcards.xla import prng


class TrainState(NamedTuple):
    """The training state, which a checkpoint saves.

    Attributes:
      params: {"policy": …, "critic": …}.
      optimiser: state of Optax.
      update: int32, updates done.
      scale: float32, the standard deviation of the returns of random play, by which rewards are
        divided; with several games float32[games].
    """

    params: Any
    optimiser: Any
    update: jax.Array
    scale: jax.Array


class TrainStateAgainst(NamedTuple):
    """The state of a learner with an adversary.

    Attributes:
      params, optimiser, update, scale: see `TrainState`.
      adversary: the constant parameters of the adversary.
    """

    params: Any
    optimiser: Any
    update: jax.Array
    scale: jax.Array
    adversary: Any


State = TrainState | TrainStateAgainst


class DealGroup(NamedTuple):
    """A group of deals of every minibatch, with the same game and the same kind of players.

    Attributes:
      game: the game to play.
      place: index of the game among the learned games.
      deals: number of deals of a minibatch, on all devices.
      frozen: whether the adversary has the seats of all other sides.
    """

    game: Game
    place: int
    deals: int
    frozen: bool


@dataclasses.dataclass(frozen=True)
class PPO(SelfPlayLearner):
    """A learner: `init` makes its state, `train` does updates.

    With `config.presets` or `config.variants`, several games share the deals of each update evenly, and
    one network learns them all: see `jaxcards.agents.networks.vocabulary`.

    Against an adversary, the learner plays one side, each side in turn, and learns to exploit this
    adversary. With `config.against_share`, only a fraction of the deals is against the adversary; the
    rest is self-play. With `config.matches`, the deals are those of matches, and the adversary sees the
    score as well.

    Attributes:
      game: the game to learn; with several games, the one that is evaluated.
      adversary: the player that `config.against` names; None if that is "".
      start: the policy that a new run begins with, if `config.start` names one.
    """

    config: PPOConfig
    adversary: FixedPlayer | None = None
    start: Start | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        shared, games = self.config.shared_deals // self.num_devices, len(self.games)
        if shared % games:
            raise UserError(
                f"{games} games cannot evenly share the {shared} deals of a minibatch on one device: "
                "change deals_per_update, minibatches, presets or variants"
            )
        if (self.adversary is not None) != bool(self.config.against):
            raise UserError("pass an adversary if and only if the setting against names one")
        # Rounding may leave no deal for the adversary, whose group is the last one.
        if self.adversary is not None and not self._groups[-1].frozen:
            raise UserError(
                f"{self.config.against} has no deal of the {self.config.shared_deals} of a minibatch: "
                "raise against_share, or make minibatches larger"
            )

    @cached_property
    def networks(self) -> Networks:
        """Policy and critic of every learned game."""
        config = self.config
        mixture = Mixture.of(self.game, config.presets, config.variants, config.seed, config.matches)
        return Networks(mixture, config)

    @property
    def games(self) -> tuple[Game, ...]:
        """The games to learn; the first is `game`, or a deal of its matches."""
        return self.networks.mixture.games

    @property
    def player(self) -> NetworkAgent:
        """The agent that plays the policy's most likely action."""
        return self.networks.agent(self.games[0])

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the policy's inputs and outputs; None with one game."""
        return self.networks.mixture.policy

    def _begun(self, fresh: Any) -> Any:
        """Return the policy that the run begins with."""
        if self.start is None:
            return fresh
        game = self.games[0]
        wanted = self.vocabulary or policy_vocabulary([game])
        return begun(self.config.start, self.start, wanted, fresh, game)

    def optimiser(self) -> optax.GradientTransformation:
        """Return the optimiser; the learning rate is set for each update."""
        config = self.config
        slow = "policy" if config.policy_warmup else ""
        magnet = "policy" if config.card_magnet else ""
        return adam(config.learning_rate, config.max_gradient_norm, config.average, slow, magnet)

    def init(self) -> State:
        """Return `fresh()` on all devices."""
        return self.place(self.fresh())

    def fresh(self) -> State:
        """Return the state before the first update, determined by `config.seed`."""
        key = jax.random.key(self.config.seed)
        policy_key, critic_key, probe_key = jax.random.split(key, 3)
        params = self.networks.fresh(policy_key, critic_key)
        params["policy"] = self._begun(params["policy"])
        scales = [spread(game, game.returns, probe_key) for game in self.games]
        scale = jnp.stack(scales) if len(scales) > 1 else scales[0]
        state = TrainState(params, self.optimiser().init(params), jnp.int32(0), scale)
        return state if self.adversary is None else TrainStateAgainst(*state, self.adversary.params)

    def parameters(self, state: State) -> Any:
        """Return the parameters of the policy of `game`."""
        if self.vocabulary is None:
            return self.saved(state)
        return self.vocabulary.for_game(self.games[0], jax.device_get(self.saved(state)))

    def saved(self, state: State) -> Any:
        """Return the parameters of the policy, for all games: the moving average, if there is one."""
        average = average_of(state.optimiser)
        return (average or state.params)["policy"]

    # ---- One update, on one device's share of the deals -----------------------------------------

    def _update(
        self, state: State, schedule: jax.Array, seed: jax.Array
    ) -> tuple[State, dict[str, jax.Array]]:
        config, networks = self.config, self.networks
        # Play: one deal for each key; each group has its share of the keys.
        groups = self._groups
        played = [
            self_play(
                group.game,
                networks.policy(group.game),
                networks.policy_params(group.game, state.params),
                keys,
                frozen=self._frozen(state) if group.frozen else None,
            )
            for group, keys in zip(groups, self._keys(seed, state.update), strict=True)
        ]
        # Values and advantages, minibatch by minibatch, before any parameter changes.
        batches = [self._minibatches(experience) for experience, _ in played]
        # values: float32[minibatches, max_steps, deals] of each group.
        values = [
            jax.lax.map(partial(networks.values, group.game, state.params), batch.full)
            for group, batch in zip(groups, batches, strict=True)
        ]
        # scales: float32[groups], those of the games of the groups.
        scales = jnp.stack([jnp.atleast_1d(state.scale)[group.place] for group in groups])
        of_minibatch = partial(minibatch_decisions, config, sharding.AXIS, scales)
        # Leaves have a leading axis of minibatches, over which an epoch scans.
        minibatches = jax.vmap(of_minibatch)(batches, values)

        # Schedules: learning rate and entropy bonuses change linearly over the run.
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        calls = config.entropy + done * (config.final_entropy - config.entropy)
        cards = config.card_entropy + done * (config.final_card_entropy - config.card_entropy)
        bonus = Bonus(calls, cards, magnet_of(state.optimiser))
        optimiser_state = with_learning_rate(state.optimiser, rate)
        if config.policy_warmup:
            # A trained policy waits while the critic learns: its share of a step rises from 0 to 1.
            optimiser_state = with_share(optimiser_state, jnp.minimum(1, done / config.policy_warmup))

        # The gradient steps so far, from which the moving average takes its decay: in every epoch one
        # for each minibatch. Devices sum their gradients.
        steps = state.update * (config.epochs * config.minibatches)

        def step(
            carry: tuple[Any, Any], minibatch: list[Decisions]
        ) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
            params, optimiser_state = carry
            slope, metrics = jax.lax.psum(self._gradient(params, minibatch, bonus), sharding.AXIS)
            change, optimiser_state = self.optimiser().update(
                slope, optimiser_state, params, steps=steps
            )
            metrics["gradient_norm"] = optax.global_norm(slope)
            return (optax.apply_updates(params, change), optimiser_state), metrics

        def epoch(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
            return jax.lax.scan(step, carry, minibatches)

        (params, optimiser_state), metrics = jax.lax.scan(
            epoch, (state.params, optimiser_state), length=config.epochs
        )
        metrics = jax.tree.map(lambda x: x.mean(), metrics)
        metrics |= play_metrics(groups[0].game, played, self.num_devices)
        metrics["learning_rate"] = rate
        return state._replace(
            params=params, optimiser=optimiser_state, update=state.update + 1
        ), metrics

    @property
    def _groups(self) -> tuple[DealGroup, ...]:
        """The groups of a minibatch: one for each game, or one without and one with the adversary."""
        shared, games = self.config.shared_deals, self.games
        if self.adversary is None:
            share = shared // len(games)
            return tuple(DealGroup(game, place, share, False) for place, game in enumerate(games))
        # A multiple of the devices, so that each has the same number of either kind.
        free = round((1 - self.config.against_share) * shared / self.num_devices) * self.num_devices
        (game,) = games
        both = DealGroup(game, 0, free, False), DealGroup(game, 0, shared - free, True)
        return tuple(group for group in both if group.deals)

    def _keys(self, seed: int | jax.Array, update: jax.Array) -> list[prng.KeyWords]:
        """Return the keys of this device's deals, for each group."""
        return [sharding.keys_of(seed, update, numbers) for numbers in self._numbers()]

    def _frozen(self, state: State) -> Frozen:
        """Return the adversary with its seats in this device's deals of its group.

        The policy plays side n, modulo the number of sides, of deal n of an update. The adversary plays
        by its `fast_policy`.
        """
        assert self.adversary is not None and isinstance(state, TrainStateAgainst)
        own = sides(self.game)
        # learns: bool[deals, num_players], the seats of the policy.
        learns = jnp.asarray(own)[self._numbers()[-1] % len(own)]
        agent = fast_policy_of(self.adversary.agent)
        return Frozen(agent, state.adversary, ~learns)

    def _numbers(self) -> list[jax.Array]:
        """Return the numbers of this device's deals in an update: uint32[deals] for each group.

        The numbers run over all devices, so that minibatch m holds the same deals for any number of
        devices. In a minibatch, the deals of the first group come first.
        """
        config, found, before = self.config, [], 0
        # first: uint32[minibatches, 1], the number of the first deal of each minibatch.
        first = jnp.arange(config.minibatches, dtype=jnp.uint32)[:, None] * config.shared_deals
        for group in self._groups:
            own = sharding.own_numbers(self.num_devices, group.deals)
            # Minibatch after minibatch, as `_minibatches` splits the deals again.
            found.append((first + before + own[None]).reshape(-1))
            before += group.deals
        return found

    def _minibatches(self, experience: Experience) -> Experience:
        """Split the deals into minibatches: axes [minibatches, max_steps, deals]."""
        parts = self.config.minibatches

        def split(x: jax.Array) -> jax.Array:
            # x: [max_steps, parts, deals, ...].
            x = x.reshape(x.shape[0], parts, x.shape[1] // parts, *x.shape[2:])
            return jnp.swapaxes(x, 0, 1)

        return jax.tree.map(split, experience)

    def _gradient(
        self, params: Any, minibatch: list[Decisions], bonus: Bonus
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Return this device's share of the gradient and of metrics; the sums are the means."""

        def at(group: DealGroup, own: Decisions) -> tuple[Any, dict[str, jax.Array]]:
            game = group.game
            return gradient(lambda p, rows: loss(self.networks, game, p, rows, bonus), params, own)

        return added(list(map(at, self._groups, minibatch)))
