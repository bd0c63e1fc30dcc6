"""The default configuration learns: a minute of the run that `make train` does. And it exploits."""

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.learner import PPO
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.players import make_player
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.gain import gain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "updates", "random", "rules"),
    # Lower ends of the intervals that have to be reached, well below what was seen.
    [("jass/schieber_1000", 160, 60, -20), ("jass/tournament", 160, 60, -25),
     ("jass/differenzler", 160, 25, -20)],
)  # fmt: skip
def test_the_default_configuration_learns(id, updates, random, rules):
    game = jaxcards.make(id)
    config = PPOConfig()
    learner = PPO(game, config, num_devices=2)
    state = learner.init()
    for _ in range(updates // 8):
        state, _ = learner.train(state, 8, jnp.float32(updates))
    agents = [NetworkAgent(game, config.hidden, greedy=True)]
    agents += [make_player(name, game) for name in ("heuristic", "random")]
    params = [jax.device_get(state.params["policy"]), (), ()]
    result = evaluate(game, agents, params, ["network", "heuristic", "random"], 1000)
    print(result.to_text())
    against = {pair.b: pair.difference for pair in result.pairs if pair.a == "network"}
    assert against["random"].low > random
    assert against["heuristic"].low > rules


@pytest.mark.slow
def test_an_exploiter_gains():
    """The exploiter of random play gains about 2.8, like the heuristic."""
    game = jaxcards.make("rikiki", num_players=3, schedule=(2,))
    config = PPOConfig(
        deals_per_update=256, minibatches=4, hidden=(64,), critic_hidden=(64,), learning_rate=5e-3,
        entropy=0.1, against="random",
    )  # fmt: skip
    learner = PPO(game, config, adversary=FixedPlayer(RandomAgent(), ()))

    def measured(state):
        players = (learner.player, RandomAgent()), (learner.parameters(state), ())
        return gain(game, *players, ("exploiter", "random"), 2000).gain

    state = learner.init()
    before = measured(state)
    for _ in range(20):
        state, _ = learner.train(state, 12, jnp.float32(240))
    after = measured(state)
    assert before.high < 1 < 2 < after.low
