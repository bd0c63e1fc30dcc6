"""Proximal policy optimisation by self-play in one file, with Flax, Optax and `jaxcards.learn`.

    python examples/ppo.py --game jass --minutes 10

One policy plays all seats. Each update is one compiled function: it plays a window of deals, estimates
advantages and takes gradient steps. At the end the program prints how many points a deal the player is
ahead of the heuristic, on duplicate deals. docs/own_loop.md explains the parts.
"""

import argparse
import dataclasses
import time
from functools import partial
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

import jaxcards
from jaxcards import learn, rollout
from jaxcards.agent import RandomAgent
from jaxcards.evaluation import evaluate

STEPS, MINIBATCHES = 152, 16  # of an update; a window holds about four deals of Jass
CLIP, GAE_LAMBDA, VALUE_WEIGHT = 0.2, 0.7, 0.5
RATE, ENTROPY = (2.5e-3, 1e-4), (0.2, 0.02)  # at the start and at the end
OPTIMISER = optax.chain(optax.clip_by_global_norm(0.5), optax.scale_by_adam())


class Perceptron(nn.Module):
    """The logits and the value of a position, from its features."""

    outputs: int

    @nn.compact
    def __call__(self, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        for width in (256, 128):
            x = nn.relu(nn.Dense(width)(x))
        found = nn.Dense(self.outputs + 1, kernel_init=nn.initializers.normal(0.001))(x)
        return found[..., :-1], found[..., -1]


@dataclasses.dataclass(frozen=True)
class Policy:
    """A network as an agent, which plays the most likely action.

    Features put trumps first, whatever their suit, and the network names actions in the same way.
    """

    game: jaxcards.Game
    network: nn.Module

    def look(self, observation: Any) -> Any:
        """Return the input of the network."""
        return self.game.features(observation)

    def init(self, key: jax.Array, game: jaxcards.Game) -> Any:
        return self.network.init(key, self.look(game.observe(game.init(key), 0)))

    def judge(self, params: Any, observation: Any, legal: Any) -> tuple[jax.Array, jax.Array]:
        """Return log-probabilities, under the network's names of actions, and the value."""
        logits, value = self.network.apply(params, self.look(observation))
        mask = self.game.relabel_legal(observation, legal).mask()
        return learn.log_probabilities(logits, mask), value

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        best = self.judge(params, observation, legal)[0].argmax().astype(jnp.int32)
        return self.game.relabel_action(observation, best)

    def draw(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> tuple[jax.Array, Any]:
        """Return a random action of the policy, and the data for a gradient step."""
        log_probability, value = self.judge(params, observation, legal)
        named = learn.sample(log_probability, jax.random.uniform(key))
        return self.game.relabel_action(observation, named), (named, log_probability[named], value)


def loss(policy: Policy, entropy_weight: jax.Array, params: Any, rows: tuple[Any, ...]) -> jax.Array:
    """Return the loss of PPO (Schulman et al. 2017), a mean over the rows with a choice."""
    seen, legal, choice, (named, before, _), advantage, target = rows
    log_probability, value = jax.vmap(policy.judge, (None, 0, 0))(params, seen, legal)
    ratio = jnp.exp(jnp.take_along_axis(log_probability, named[:, None], 1)[:, 0] - before)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage)
    gain += entropy_weight * learn.entropy(log_probability)
    return (VALUE_WEIGHT * jnp.square(value - target) - gain).mean(where=choice)


def update(policy: Policy, scale: Any, learner: Any, key: jax.Array, done: Any) -> tuple[Any, Any]:
    """Play a window on every lane and learn from it; `done` is the share of the run so far."""
    (params, optimiser, states), game = learner, policy.game
    lanes, players = states.terminated.size, jnp.arange(game.num_players)
    window = partial(learn.collect, game, partial(policy.draw, params), num_steps=STEPS)
    states, played = jax.vmap(window, out_axes=(0, 1))(states, jax.random.split(key, lanes))

    def expected(state: Any, player: jax.Array) -> jax.Array:
        return policy.judge(params, game.observe(state, player), game.legal_actions(state))[1]

    choice, values = played.choice, played.extra[2]
    advantages = learn.turn_based_advantages(
        played.rewards / scale, played.player, values, choice, 1.0, GAE_LAMBDA,
        terminated=played.terminated,
        next_values=jax.vmap(jax.vmap(expected, (None, 0)), (0, None))(states, players),
    )  # fmt: skip
    normal = (advantages - advantages.mean(where=choice)) / (advantages.std(where=choice) + 1e-6)
    rows = played.observation, played.legal, choice, played.extra, normal, advantages + values
    order = jax.random.permutation(key, STEPS * lanes).reshape(MINIBATCHES, -1)
    rows = jax.tree.map(lambda x: x.reshape(STEPS * lanes)[order], rows)
    rate, entropy_weight = (start + done * (end - start) for start, end in (RATE, ENTROPY))

    def descend(learner: tuple[Any, Any], minibatch: Any) -> tuple[tuple[Any, Any], None]:
        params, optimiser = learner
        slope = jax.grad(partial(loss, policy, entropy_weight))(params, minibatch)
        change, optimiser = OPTIMISER.update(slope, optimiser, params)
        return (jax.tree.map(lambda x, by: x - rate * by, params, change), optimiser), None

    (params, optimiser), _ = jax.lax.scan(descend, (params, optimiser), rows)
    return (params, optimiser, states), played.terminated.sum()


def train(policy: Policy, minutes: float, lanes: int) -> Any:
    """Return the parameters of a policy after the given minutes of self-play."""
    game, keys = policy.game, jax.random.split(jax.random.key(0), lanes)
    by_chance = jax.vmap(lambda key: rollout(game, RandomAgent(), (), key).returns)(keys)
    params = policy.init(keys[0], game)
    learner = params, OPTIMISER.init(params), jax.vmap(game.init)(keys)
    improve = jax.jit(partial(update, policy, by_chance.std()), donate_argnums=0)
    start, number, deals, done = time.monotonic(), 0, 0, 0.0
    while done < 1:
        learner, ended = improve(learner, jax.random.key(number), done)
        number, deals = number + 1, deals + int(ended)
        done = (time.monotonic() - start) / (60 * minutes)
        if number % 100 == 1 or done >= 1:
            print(f"{done * minutes:.1f} minutes: {number} updates, {deals:,} deals", flush=True)
    return learner[0]


def main(network: type[nn.Module], kind: type[Policy], lanes: int) -> None:
    """Train a policy and compare it with the heuristic, as the command line says."""
    parser = argparse.ArgumentParser()
    for name, default in (("game", "jass"), ("minutes", 10.0), ("lanes", lanes), ("deals", 2000)):
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = parser.parse_args()
    game = jaxcards.make(options.game)
    policy = kind(game, network(game.num_actions))
    heuristic, own = jaxcards.load_player("heuristic", game)
    params = [train(policy, options.minutes, options.lanes), own]
    names = ["trained", "heuristic"]
    print(evaluate(game, [policy, heuristic], params, names, options.deals).to_text())


if __name__ == "__main__":
    main(Perceptron, Policy, lanes=256)
