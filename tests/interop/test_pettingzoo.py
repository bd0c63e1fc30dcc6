"""Our games as AEC environments of PettingZoo: its own tests, and play that is ours."""

import jax
import numpy as np
import pytest

from jaxcards.errors import UserError
from jaxcards.interop import turns

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, performance_benchmark, seed_test  # noqa: E402

from jaxcards.interop.pettingzoo import to_aec  # noqa: E402

# PettingZoo prints this for every environment with a mask in its observations, except its own.
masked = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)


@masked
def test_their_own_test(game):
    api_test(to_aec(game, render_mode="ansi"), num_cycles=60)


def test_their_test_of_seeds(game):
    seed_test(lambda: to_aec(game), num_cycles=20)


@pytest.mark.slow
def test_their_benchmark(game, capsys):
    performance_benchmark(to_aec(game))
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_play_is_ours(small):
    env = to_aec(small)
    env.reset(seed=1)
    deal, earned = env._state, dict.fromkeys(env.possible_agents, 0.0)
    ours = jax.jit(lambda deal, action: turns.play(small, deal, action))
    for agent in env.agent_iter():
        seen, reward, over, truncated, _ = env.last()
        earned[agent] += reward
        if over:
            env.step(None)
            continue
        player = env.possible_agents.index(agent)
        assert player == int(deal.current_player) and not truncated
        assert (seen["observation"] == turns.turn(small, deal).features).all()
        assert not env.observe(env.possible_agents[player - 1])["action_mask"].any()
        action = int(np.flatnonzero(seen["action_mask"])[0])
        deal = ours(deal, action)
        env.step(action)
    assert bool(deal.terminated) and list(earned.values()) == small.returns(deal).tolist()
    assert not env.agents


def test_pictures(small):
    env = to_aec(small, render_mode="svg")
    env.reset(seed=0)
    assert env.render().startswith("<svg")


def test_bad_input(small):
    with pytest.raises(UserError, match="render_mode must be None or one of"):
        to_aec(small, render_mode="human")
    env = to_aec(small)
    env.reset(seed=0)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(
        UserError, match=f"player_. chose {illegal}, which is not legal here; legal are"
    ):
        env.step(illegal)
    with pytest.raises(UserError, match="chose 1.5, which is not legal here"):
        env.step(1.5)
