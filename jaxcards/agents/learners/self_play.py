"""Self-play: batches of deals played by one policy, stored in the compact form that training reads.

Some seats may be frozen: a fixed player has them. Its decisions are excluded from training, but its
steps pass rewards on to the turns of the others, as forced moves do.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent, RandomAgent
from jaxcards.agents.learners import sharding
from jaxcards.agents.networks import masking
from jaxcards.agents.networks.encoding import Encoding
from jaxcards.agents.networks.network import Network, forward
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.rollouts import rollout
from jaxcards.xla import prng
from jaxcards.xla.pooled import somewhere

_PROBE_DEALS = 2048


class Experience(NamedTuple):
    """Decisions of a batch of deals; leaves have axes [max_steps, deals].

    Attributes:
      features: uint32[..., words], the player's features, as bits; or the result of `Encoding.encode`.
      full: uint32[..., words], the whole deal, as bits, for a critic; None without a critic.
      legal: uint32[..., words], the legal actions, under the names of the features.
      action: int32, the chosen action, under the names of the features.
      log_probability: float32, of the chosen action under the policy.
      player: int32, the player who decided.
      decides: bool, whether the policy had a choice: the deal was not over, the seat was not frozen,
        and at least two actions were legal.
      valid: bool, whether the deal was not over.
      rewards: float32[..., num_players], change of `game.returns`, or of `potential`, with the step.
    """

    features: jax.Array
    full: Any
    legal: jax.Array
    action: jax.Array
    log_probability: jax.Array
    player: jax.Array
    decides: jax.Array
    valid: jax.Array
    rewards: jax.Array


class Frozen(NamedTuple):
    """A fixed player in some of the seats.

    Attributes:
      agent: the player.
      params: its parameters.
      seats: bool[deals, num_players], the seats that it has in each deal; may be all False.
    """

    agent: Agent
    params: Any
    seats: jax.Array


def self_play(
    game: Game,
    network: Network,
    params: Any,
    keys: prng.KeyWords,
    *,
    inputs: str = "features",
    potential: Callable[[Any], jax.Array] | None = None,
    critic: bool = True,
    distribution: Callable[[jax.Array, jax.Array], jax.Array] = masking.log_probabilities,
    frozen: Frozen | None = None,
) -> tuple[Experience, jax.Array]:
    """Play one deal for each key, with the same policy in every seat that is not frozen.

    Args:
      game: the game.
      network: the policy.
      params: its parameters.
      keys: two uint32[deals], the keys of the deals.
      inputs: the inputs of the policy; see `Encoding`.
      potential: from a state to float32[num_players]; rewards are its changes. By default
        `game.returns`.
      critic: whether to store the input of a critic.
      distribution: (outputs of the network, mask) -> log-probabilities, from which actions are drawn.
      frozen: another player in some of the seats; None for none.

    Returns:
      The experience, and float32[deals, num_players], the returns of the finished deals.
    """
    encoding = Encoding(game, inputs)
    potential = potential or game.returns

    def look(state: Any) -> tuple[Any, ActionSet, ActionSet, jax.Array, jax.Array]:
        # Legal actions come in two forms: the game's own, and under the names of the network.
        observation = game.observe(state, state.current_player)
        legal = game.legal_actions(state)
        choice = (legal.count() > 1) & ~state.terminated
        return (
            observation,
            legal,
            encoding.legal(observation, legal),
            encoding.encode(observation),
            choice,
        )

    def step(states: Any, time: jax.Array) -> tuple[Any, Experience]:
        # Every leaf has the axis [deals]; features of bits are uint32[deals, words].
        observations, own_legal, legal, features, choice = jax.vmap(look)(states)
        decides = choice
        if frozen is not None:
            # sits: bool[deals], whether the frozen player has the seat to act.
            sits = jnp.take_along_axis(frozen.seats, states.current_player[:, None], -1)[:, 0]
            decides = choice & ~sits
        # One random number for each decision, from the key of its deal.
        drawn = prng.uniform(jax.vmap(lambda *key: prng.fold(key, time)[0])(*keys))

        def choose() -> tuple[jax.Array, jax.Array]:
            logits = forward(network, params, features)
            log_probabilities = distribution(logits, jax.vmap(lambda s: s.mask())(legal))
            action = masking.sample(log_probabilities, drawn)
            if frozen is not None:
                # The fixed player answers in the game's names of actions; the record has the network's.
                own_keys = jax.vmap(lambda *key: prng.wrap(prng.fold(key, time)))(*keys)
                act = jax.vmap(frozen.agent.act, in_axes=(None, 0, 0, 0))
                other = act(frozen.params, observations, own_legal, own_keys)
                action = jnp.where(sits, jax.vmap(encoding.action)(observations, other), action)
            chosen = jnp.take_along_axis(log_probabilities, action[:, None], -1)[:, 0]
            return action, chosen

        def follow() -> tuple[jax.Array, jax.Array]:
            # No deal of the batch has a choice, as in the last trick: skip the network.
            forced = jax.vmap(lambda s: s.nth(jnp.uint32(0)))(legal)
            return forced, jnp.zeros(forced.shape, jnp.float32)

        # One condition for the whole batch: a branch of each deal would compute both sides.
        # `somewhere` does the same for the deals of several seeds.
        # `choice` includes the frozen seats, whose player acts within `choose`.
        action, log_probability = jax.lax.cond(somewhere(choice.any()), choose, follow)
        # Back to the game's names, which `step` takes; the translation is its own inverse.
        named = jax.vmap(encoding.action)(observations, action)
        # After its end a deal stays as it is, so later steps have rewards of 0.
        after = jax.vmap(game.step)(states, named)
        record = Experience(
            features=features,
            full=jax.vmap(game.full_state_words)(states) if critic else None,
            legal=jnp.stack(legal.words, -1),
            action=action,
            log_probability=log_probability,
            player=states.current_player,
            decides=decides,
            valid=~states.terminated,
            rewards=jax.vmap(potential)(after) - jax.vmap(potential)(states),
        )
        return after, record

    def step_or_rest(states: Any, time: jax.Array) -> tuple[Any, Experience]:
        # Skip the steps after the end of the longest deal of the batch; none of them is valid.
        def rest(states: Any, time: jax.Array) -> tuple[Any, Experience]:
            # Zeros in the form of a record: `valid` and `decides` are False.
            return states, jax.tree.map(jnp.zeros_like, jax.eval_shape(step, states, time)[1])

        return jax.lax.cond(somewhere(~states.terminated.all()), step, rest, states, time)

    # One key for each deal: it deals the cards, and its sub-keys make the decisions.
    start = jax.vmap(lambda *key: game.init(jnp.stack(key)))(*keys)
    times = jnp.arange(game.max_steps, dtype=jnp.uint32)
    final, experience = jax.lax.scan(step_or_rest, start, times)
    return experience, jax.vmap(game.returns)(final)


def play_metrics(
    game: Game, played: list[tuple[Experience, jax.Array]], num_devices: int
) -> dict[str, jax.Array]:
    """Return metrics of the deals played on all devices: float32 scalars.

    Args:
      game: the first game.
      played: the result of `self_play` on this device, for each game.
      num_devices: the number of devices.

    Returns:
      `decisions`: the turns of all games.
      `choices`: the turns in which the policy had a choice.
      `return_spread`: the root mean square of the returns of the first game.
      `commonest_call`, if that game has calls: the share of its commonest call among the chosen calls.
    """
    number = sum(experience.valid.sum() for experience, _ in played)
    choices = sum(experience.decides.sum() for experience, _ in played)
    sums = {
        "decisions": jnp.float32(number),
        "choices": jnp.float32(choices),
        # A sum over devices follows, which makes this the mean.
        "return_spread": jnp.square(played[0][1]).mean() / num_devices,
    }
    experience, num_calls = played[0][0], game.num_actions - game.deck.num_cards
    # Index -1 stands for "not a call" and counts nowhere.
    calls = jnp.where(experience.decides, experience.action - game.deck.num_cards, -1)
    counts = jax.nn.one_hot(calls, num_calls, dtype=jnp.float32).sum((0, 1))
    sums, counts = jax.lax.psum((sums, counts), sharding.AXIS)
    if num_calls:
        sums["commonest_call"] = counts.max() / jnp.maximum(counts.sum(), 1)
    return sums | {"return_spread": jnp.sqrt(sums["return_spread"])}


def spread(game: Game, value: Callable[[Any], jax.Array], key: jax.Array) -> jax.Array:
    """Return the standard deviation of a value of finished deals in random play: float32.

    Args:
      game: the game to play.
      value: from a state to float32[num_players].
      key: PRNG key.
    """
    # A lower limit, because rewards are divided by the result.
    return jnp.maximum(_probe(game, value, jax.random.split(key, _PROBE_DEALS)).std(), 1e-3)


@partial(jax.jit, static_argnums=(0, 1))
def _probe(game: Game, value: Callable[[Any], jax.Array], keys: jax.Array) -> jax.Array:
    return jax.vmap(lambda key: value(rollout(game, RandomAgent(), (), key).state))(keys)
