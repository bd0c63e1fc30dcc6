"""All seats in JaxMARL: play that is ours, what others see, its wrappers, and a policy back."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

from jaxcards.errors import UserError
from jaxcards.interop import turns
from jaxcards.interop.policies import PolicyAgent

pytest.importorskip("jaxmarl")

from jaxmarl.environments.multi_agent_env import MultiAgentEnv  # noqa: E402
from jaxmarl.wrappers.baselines import CTRolloutManager, LogWrapper  # noqa: E402

from jaxcards.interop.jaxmarl import to_jaxmarl  # noqa: E402

TABLES = 4


def test_play_is_ours(game):
    """Step by step, with the last legal action; the other agents choose nonsense."""
    env, key = to_jaxmarl(game, scale=0.5), jax.random.key(3)
    assert isinstance(env, MultiAgentEnv)
    step = quick.jit(env.step_env)
    ours = quick.jit(lambda deal, action: turns.play(game, deal, action))
    look = quick.jit(lambda deal: turns.of_all(game, deal))
    (obs, state), deal = quick.jit(env.reset)(key), quick.jit(game.init)(key)
    for number in range(game.max_steps):
        available, seen = env.get_avail_actions(state), look(deal)
        acts = env.agents[int(deal.current_player)]
        for seat, agent in enumerate(env.agents):
            features, mask = np.split(np.asarray(obs[agent]), [game.num_features])
            assert (features == seen.features[seat]).all() and (mask == seen.mask[seat]).all()
            assert (available[agent][:-1] == mask).all() and available[agent][-1] == (agent != acts)
            assert mask.any() == (agent == acts), "others do not see the legal actions"
        action = int(np.flatnonzero(available[acts])[-1])
        others = {agent: jnp.int32(number - 7) for agent in env.agents}
        obs, state, rewards, dones, infos = step(key, state, others | {acts: jnp.int32(action)})
        deal = ours(deal, action)
        jax.tree.map(np.testing.assert_array_equal, state, deal)
        assert not infos["illegal"].any() and set(dones) == {*env.agents, "__all__"}
        if dones["__all__"]:
            break
        assert not any(rewards.values())
    assert deal.terminated and all(dones.values())
    assert jnp.stack([*rewards.values()]).tolist() == (game.returns(deal) * 0.5).tolist()
    _, _, rewards, *_ = step(key, state, others)
    assert not any(rewards.values()), "after the end nothing is earned"


def test_a_legal_action_replaces_an_illegal_one(small):
    env, key = to_jaxmarl(small), jax.random.key(0)
    _, state = env.reset(key)
    seat, legal = int(state.current_player), np.asarray(small.legal_action_mask(state))
    step = quick.jit(lambda action: env.step_env(key, state, dict.fromkeys(env.agents, action))[1::3])
    for action in range(-1, small.num_actions + 1):
        after, infos = step(jnp.int32(action))
        bad = not (0 <= action < small.num_actions and legal[action])
        assert infos["illegal"].tolist() == [bad and agent == seat for agent in range(3)]
        assert int(after.current_player) != seat, "an action was played"


def test_spaces_and_names(small):
    env = to_jaxmarl(small)
    obs, _ = env.reset(jax.random.key(0))
    for agent in env.agents:
        space = env.observation_space(agent)
        assert space.contains(obs[agent]) and obs[agent].shape == space.shape
        assert obs[agent].dtype == space.dtype == jnp.float32
        assert env.action_space(agent).n == small.num_actions + 1
    assert env.num_agents == 3 and env.agent_classes == {"player": env.agents}
    assert env.name == f"jaxcards/{small.id or small.name}"
    same, other = to_jaxmarl(small), to_jaxmarl(small, scale=2.0)
    assert same == env != other and hash(same) == hash(env)
    with pytest.raises(UserError, match="a game is needed"):
        to_jaxmarl("jass")


def random_play(env, small, choose):
    """Three deals at several tables in one scan: rewards, ends and infos."""

    def once(carry, key):
        obs, state = carry
        first, second = jax.random.split(key)
        obs, state, *rest = jax.vmap(env.step)(
            jax.random.split(second, TABLES), state, choose(first, obs, state)
        )
        return (obs, state), rest

    def run(key):
        start, loop = jax.random.split(key)
        begun = jax.vmap(env.reset)(jax.random.split(start, TABLES))
        return jax.lax.scan(once, begun, jax.random.split(loop, 3 * small.max_steps))[1]

    return jax.device_get(quick.jit(run)(jax.random.key(0)))


@pytest.mark.slow
def test_their_log_of_deals_that_follow_each_other(small):
    env = LogWrapper(to_jaxmarl(small))

    def choose(key, obs, state):
        """As their baseline for Hanabi does, which asks for the moves of the wrapped state."""
        moves = jax.vmap(env.get_legal_moves)(state.env_state)
        return {
            agent: jax.random.categorical(key, jnp.log(moves[agent].astype(jnp.float32)))
            for agent in env.agents
        }

    rewards, dones, infos = random_play(env, small, choose)
    assert dones["__all__"].sum(0).tolist() == [3] * TABLES, "every deal has 12 decisions"
    earned = np.stack([rewards[agent] for agent in env.agents], -1)
    assert not earned[~dones["__all__"]].any() and earned.any()
    assert (infos["returned_episode_returns"][-1] == earned[-1]).all()
    assert not infos["illegal"].any() and infos["illegal"].shape == earned.shape


@pytest.mark.slow
def test_their_manager_of_rollouts(small):
    """The wrapper of their Q-learning: it knows only the sizes, and samples illegal actions, too."""
    env = CTRolloutManager(to_jaxmarl(small), TABLES)
    obs, state = env.batch_reset(jax.random.key(0))
    actions = {agent: env.batch_sample(jax.random.key(1), agent) for agent in env.agents}
    obs, state, rewards, *_ = env.batch_step(jax.random.key(2), state, actions)
    assert obs["agent_0"].shape == (TABLES, small.num_features + small.num_actions + 3)
    assert rewards["__all__"].tolist() == [0.0] * TABLES


def test_a_policy_plays_at_our_tables(small):
    """Its logits without the no-op choose the same action in both."""
    env = to_jaxmarl(small)
    inputs, outputs = env.observation_space("agent_0").shape[0], env.action_space("agent_0").n
    weights = jax.random.normal(jax.random.key(1), (inputs, outputs))
    agent = PolicyAgent(small, lambda weights, seen: (seen @ weights)[:, :-1], with_mask=True)

    def choose(key):
        obs, state = env.reset(key)
        seat = state.current_player
        seen = jnp.stack([*obs.values()])[seat]
        moves = jnp.stack([*env.get_avail_actions(state).values()])[seat]
        theirs = jnp.where(moves, seen @ weights, -jnp.inf).argmax()
        observation, legal = small.observe(state, seat), small.legal_actions(state)
        ours = agent.act(weights, observation, legal, key)
        return turns.game_action(small, state, theirs), ours

    theirs, ours = quick.jit(jax.vmap(choose))(jax.random.split(jax.random.key(0), 32))
    assert (theirs == ours).all() and len(set(ours.tolist())) > 1
