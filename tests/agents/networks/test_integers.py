"""The player of 72 integers: its inputs, its choices at our tables, and its file."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from records.swisslos_played import GAME, deals
from support import quick
from support.fakes.players import Lowest

import jaxcards
from jaxcards.agents.learners.imitation.config import ImitationConfig
from jaxcards.agents.learners.imitation.learner import Imitation
from jaxcards.agents.networks import integers, saved
from jaxcards.records.swisslos_rows import row_of, rows_of
from jaxcards.rollouts import recorded_rollout

AGENT = integers.IntegersAgent(GAME, (16,), True)


@pytest.mark.slow
def test_integers_become_one_hot_vectors():
    states = np.concatenate([rows.state for rows in rows_of(GAME, deals(3))])
    found = np.asarray(integers.one_hot(states))
    assert found.shape == (len(states), 2562)
    expected = np.zeros_like(found)
    for row, state in enumerate(states):
        for place, code in enumerate(state.tolist()):
            if code:
                expected[row, 36 * place + code - 1] = 1
    np.testing.assert_array_equal(found, expected)
    assert not np.asarray(integers.one_hot(np.zeros((1, 72), np.uint8))).any()


@pytest.fixture(scope="module")
def played():
    params = jax.tree.map(lambda x: 10 * x, AGENT.init(jax.random.key(3), GAME))

    def play(key):
        final, played = recorded_rollout(GAME, AGENT, params, key)

        def look(observation, legal):
            call = Lowest().act(0, observation, legal, key)
            row = row_of(observation)
            output = AGENT.network.apply(params, row.astype(jnp.uint8))
            return row, legal.mask(), call, output, AGENT.probabilities(params, observation, legal)

        return played.action, played.valid, jax.vmap(look)(played.observation, played.legal)

    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(integers, "make_player", lambda *wanted: asked.append(wanted) or Lowest())
        keys = jax.random.split(jax.random.key(6), 16)
        found = jax.device_get(quick.jit(jax.vmap(play))(keys))
    assert set(asked) == {("heuristic", GAME)}
    return found


def test_it_plays_the_best_legal_slot_and_calls_as_the_heuristic(played):
    action, valid, (rows, legal, calls, outputs, probabilities) = played
    number = 0
    for deal, step in np.argwhere(valid):
        row, chosen = rows[deal, step], action[deal, step]
        assert legal[deal, step][chosen]
        assert probabilities[deal, step].argmax() == chosen
        assert probabilities[deal, step].sum() == pytest.approx(1)
        if not row[71]:
            assert chosen == calls[deal, step]
            continue
        hand = row[35:44]
        allowed = [n for n in range(9) if hand[n] and legal[deal, step][hand[n] - 1]]
        best = max(allowed, key=lambda n: outputs[deal, step][n])
        assert chosen == hand[best] - 1
        number += len(allowed) > 1 and best != allowed[0]
    assert number > 50


@pytest.mark.parametrize("id", ["jass/differenzler", "jass/slalom", "euchre"])
def test_other_games_are_refused_in_words(id):
    with pytest.raises(jaxcards.UserError, match="plays only Schieber without Slalom, not "):
        integers.IntegersAgent(jaxcards.make(id))
    with pytest.raises(jaxcards.UserError):
        Imitation(jaxcards.make(id), ImitationConfig(inputs="integers"))


def test_it_is_kept_in_a_file_and_plays_other_presets(tmp_path):
    learner = Imitation(GAME, ImitationConfig(inputs="integers", hidden=(16,)))
    state = learner.fresh()
    path = Path(tmp_path / "player.msgpack")
    saved.write_network(path, learner.describe_network(), learner.saved(state))
    found = saved.read_network(path)
    other = jaxcards.make("jass/tournament")
    agent, params = saved.for_game(path, other, *found)
    assert agent == integers.IntegersAgent(other, (16,), True)
    assert jax.tree.map(np.shape, params) == jax.tree.map(np.shape, state.params["policy"])
    with pytest.raises(jaxcards.UserError, match="sees integers, but a run must start from"):
        saved.start("it", GAME, *found)
    with pytest.raises(jaxcards.UserError, match="plays only Schieber without Slalom"):
        saved.for_game(path, jaxcards.make("jass/slalom"), *found)
