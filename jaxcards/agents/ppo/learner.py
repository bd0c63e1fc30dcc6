"""Proximal policy optimisation by self-play, or against a player that does not learn.

One compiled function deals, plays, computes advantages and updates the parameters; the host sees a few
numbers after some updates. The policy sees what a player may know; the critic, needed only while
training, sees the whole deal, which takes the luck of the cards out of the advantages (the baseline of
a policy gradient may depend on anything but the action). The learner does not learn from forced moves.

Schulman et al. 2017 (PPO), 2016 (advantages); Pinto et al. 2018 (a critic that knows more).
"""

import dataclasses
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agents import sharing
from jaxcards.agents.average import average_of
from jaxcards.agents.decisions import Decisions, added, gradient
from jaxcards.agents.fixed import FixedPlayer
from jaxcards.agents.learner import SelfPlayLearner
from jaxcards.agents.magnet import magnet_of
from jaxcards.agents.mixture import Mixture
from jaxcards.agents.network import NetworkAgent, who_answers_in_bulk
from jaxcards.agents.optimiser import adam, with_learning_rate, with_share
from jaxcards.agents.ppo import rows
from jaxcards.agents.ppo.config import PPOConfig
from jaxcards.agents.ppo.loss import Bonus, loss
from jaxcards.agents.ppo.networks import Networks
from jaxcards.agents.self_play import Experience, Frozen, play_metrics, self_play, spread
from jaxcards.agents.vocabulary import Start, Vocabulary, begun, policy_vocabulary
from jaxcards.errors import UserError
from jaxcards.evaluation.seatings import sides
from jaxcards.game import Game
from jaxcards.xla import prng


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


class TrainStateAgainst(NamedTuple):
    """The state of a learner with an adversary.

    Attributes:
      params, optimiser, update, scale: see `TrainState`.
      adversary: the parameters of the adversary, which stay what they are.
    """

    params: Any
    optimiser: Any
    update: jax.Array
    scale: jax.Array
    adversary: Any


State = TrainState | TrainStateAgainst


class Table(NamedTuple):
    """A kind of table that shares the deals of every minibatch.

    Attributes:
      game: what is played.
      place: of the game among those that are learned.
      deals: of a minibatch, on all devices.
      frozen: whether the adversary has the seats of all sides but one.
    """

    game: Game
    place: int
    deals: int
    frozen: bool


@dataclasses.dataclass(frozen=True)
class PPO(SelfPlayLearner):
    """A learner: `init` makes its state, `train` does updates.

    With `config.presets` or `config.variants` several games share the deals of each update evenly, and
    one network learns them all: see `jaxcards.agents.vocabulary`.

    Against an adversary it learns one side, each in turn: what exploits this adversary. It may do so in
    a share of the deals (`config.against_share`), and play itself in the others. With `config.matches`
    these are deals of matches, and the adversary is told how they stand as well.

    Attributes:
      game: the game that is learned; of several, the one that is evaluated.
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
                f"{games} games cannot share the {shared} deals that a device has of a minibatch "
                "evenly: change deals_per_update, minibatches, presets or variants"
            )
        if (self.adversary is not None) != bool(self.config.against):
            raise UserError("a learner has an adversary if and only if its setting against names one")
        if self.adversary is not None and not self._tables[-1].frozen:
            raise UserError(
                f"{self.config.against} has no deal of the {self.config.shared_deals} of a minibatch: "
                "raise against_share, or make minibatches larger"
            )

    @cached_property
    def networks(self) -> Networks:
        """Policy and critic of every game that is learned."""
        config = self.config
        mixture = Mixture.of(self.game, config.presets, config.variants, config.seed, config.matches)
        return Networks(mixture, config)

    @property
    def games(self) -> tuple[Game, ...]:
        """The games that are learned; the first is `game`, or a deal of its matches."""
        return self.networks.mixture.games

    @property
    def player(self) -> NetworkAgent:
        """The agent that plays the policy's likeliest action."""
        return self.networks.agent(self.games[0])

    @property
    def vocabulary(self) -> Vocabulary | None:
        """What the inputs and outputs of the policy are; None of one game."""
        return self.networks.mixture.policy

    def _begun(self, fresh: Any) -> Any:
        """Returns the policy that the run begins with."""
        if self.start is None:
            return fresh
        game = self.games[0]
        wanted = self.vocabulary or policy_vocabulary([game])
        return begun(self.config.start, self.start, wanted, fresh, game)

    def optimiser(self) -> optax.GradientTransformation:
        """Returns the optimiser; the learning rate is set for each update."""
        config = self.config
        slow = "policy" if config.policy_warmup else ""
        magnet = "policy" if config.card_magnet else ""
        return adam(config.learning_rate, config.max_gradient_norm, config.average, slow, magnet)

    def init(self) -> State:
        """Returns `fresh()` on all devices."""
        return self.place(self.fresh())

    def fresh(self) -> State:
        """Returns the state before the first update, decided by `config.seed`."""
        key = jax.random.key(self.config.seed)
        policy_key, critic_key, probe_key = jax.random.split(key, 3)
        params = self.networks.fresh(policy_key, critic_key)
        params["policy"] = self._begun(params["policy"])
        scales = [spread(game, game.returns, probe_key) for game in self.games]
        scale = jnp.stack(scales) if len(scales) > 1 else scales[0]
        state = TrainState(params, self.optimiser().init(params), jnp.int32(0), scale)
        return state if self.adversary is None else TrainStateAgainst(*state, self.adversary.params)

    def parameters(self, state: State) -> Any:
        """Returns the parameters of the policy of `game`."""
        if self.vocabulary is None:
            return self.saved(state)
        return self.vocabulary.for_game(self.games[0], jax.device_get(self.saved(state)))

    def saved(self, state: State) -> Any:
        """Returns the parameters of the policy, of all games: their average, if the run has one."""
        average = average_of(state.optimiser)
        return (average or state.params)["policy"]

    # ---- One update, on one device's share of the deals -----------------------------------------

    def _update(self, state: State, schedule: jax.Array) -> tuple[State, dict[str, jax.Array]]:
        config, networks = self.config, self.networks
        # Play: one deal for each key, each kind of table its share of them.
        tables = self._tables
        played = [
            self_play(
                table.game,
                networks.policy(table.game),
                networks.policy_params(table.game, state.params),
                keys,
                frozen=self._frozen(state) if table.frozen else None,
            )
            for table, keys in zip(tables, self._keys(state.update), strict=True)
        ]
        # Values and advantages, minibatch by minibatch, before any parameter changes.
        batches = [self._minibatches(experience) for experience, _ in played]
        values = [
            jax.lax.map(partial(networks.values, table.game, state.params), batch.full)
            for table, batch in zip(tables, batches, strict=True)
        ]
        scales = jnp.stack([jnp.atleast_1d(state.scale)[table.place] for table in tables])
        minibatches = jax.vmap(partial(rows.minibatch, config, sharing.AXIS, scales))(batches, values)

        # Schedules: learning rate and entropy bonuses change linearly over the run.
        done = jnp.minimum(state.update / schedule, 1.0)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        calls = config.entropy + done * (config.final_entropy - config.entropy)
        cards = config.card_entropy + done * (config.final_card_entropy - config.card_entropy)
        bonus = Bonus(calls, cards, magnet_of(state.optimiser))
        optimiser_state = with_learning_rate(state.optimiser, rate)
        if config.policy_warmup:
            optimiser_state = with_share(optimiser_state, jnp.minimum(1, done / config.policy_warmup))

        # Gradient steps: in every epoch one for each minibatch, its gradient summed over the devices.
        def step(
            carry: tuple[Any, Any], minibatch: list[Decisions]
        ) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
            params, optimiser_state = carry
            slope, metrics = jax.lax.psum(self._gradient(params, minibatch, bonus), sharing.AXIS)
            change, optimiser_state = self.optimiser().update(slope, optimiser_state, params)
            metrics["gradient_norm"] = optax.global_norm(slope)
            return (optax.apply_updates(params, change), optimiser_state), metrics

        def epoch(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
            return jax.lax.scan(step, carry, minibatches)

        (params, optimiser_state), metrics = jax.lax.scan(
            epoch, (state.params, optimiser_state), length=config.epochs
        )
        metrics = jax.tree.map(lambda x: x.mean(), metrics)
        metrics |= play_metrics(tables[0].game, played, self.num_devices)
        metrics["learning_rate"] = rate
        return state._replace(
            params=params, optimiser=optimiser_state, update=state.update + 1
        ), metrics

    @property
    def _tables(self) -> tuple[Table, ...]:
        """The kinds of tables of a minibatch: one for each game, or without and with the adversary."""
        shared, games = self.config.shared_deals, self.games
        if self.adversary is None:
            return tuple(Table(game, i, shared // len(games), False) for i, game in enumerate(games))
        free = round((1 - self.config.against_share) * shared / self.num_devices) * self.num_devices
        (game,) = games
        both = Table(game, 0, free, False), Table(game, 0, shared - free, True)
        return tuple(table for table in both if table.deals)

    def _keys(self, update: jax.Array) -> list[prng.KeyWords]:
        """Returns the keys of this device's deals, for each kind of table."""
        return [sharing.keys_of(self.config.seed, update, numbers) for numbers in self._numbers()]

    def _frozen(self, state: State) -> Frozen:
        """Returns the adversary with its seats in this device's deals at its kind of table.

        Deal n of an update leaves side n, modulo the number of sides, to the policy. A network that
        plays by the mean under all names of the suits answers under one; see `in_bulk`.
        """
        assert self.adversary is not None and isinstance(state, TrainStateAgainst)
        own = sides(self.game)
        learns = jnp.asarray(own)[self._numbers()[-1] % len(own)]
        agent = who_answers_in_bulk(self.adversary.agent)
        return Frozen(agent, state.adversary, ~learns)

    def _numbers(self) -> list[jax.Array]:
        """Returns the numbers of this device's deals in an update: uint32[deals] by kind of table.

        The numbers of the deals run over all devices, so that minibatch m holds the same deals however
        many devices share it, and in a minibatch first those of the first kind of table.
        """
        config, found, before = self.config, [], 0
        first = jnp.arange(config.minibatches, dtype=jnp.uint32)[:, None] * config.shared_deals
        for table in self._tables:
            own = sharing.own_numbers(self.num_devices, table.deals)
            found.append((first + before + own[None]).reshape(-1))
            before += table.deals
        return found

    def _minibatches(self, experience: Experience) -> Experience:
        """Splits the deals into minibatches: axes [minibatches, max_steps, deals]."""
        parts = self.config.minibatches

        def split(x: jax.Array) -> jax.Array:
            x = x.reshape(x.shape[0], parts, x.shape[1] // parts, *x.shape[2:])
            return jnp.swapaxes(x, 0, 1)

        return jax.tree.map(split, experience)

    def _gradient(
        self, params: Any, minibatch: list[Decisions], bonus: Bonus
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Returns this device's share of the gradient and of metrics; the sums are the means."""

        def at(table: Table, own: Decisions) -> tuple[Any, dict[str, jax.Array]]:
            game = table.game
            return gradient(lambda p, rows: loss(self.networks, game, p, rows, bonus), params, own)

        return added(list(map(at, self._tables, minibatch)))
