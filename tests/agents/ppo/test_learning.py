"""The default configuration learns: a minute of the run that `make train` does."""

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards.agents.network import NetworkAgent
from jaxcards.agents.players import make_player
from jaxcards.agents.ppo.config import PPOConfig
from jaxcards.agents.ppo.learner import PPO
from jaxcards.evaluation.duplicate import evaluate


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
