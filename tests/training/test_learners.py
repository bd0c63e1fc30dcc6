"""Every learner through the host: a run, its player, and settings of others refused."""

import jax
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import xla
from jaxcards.agents.learners.registry import LEARNERS
from jaxcards.cli import main
from jaxcards.training.player import load_trained_player

GAME = "euchre/three_handed"
TINY = {
    "ppo": ["--deals-per-update", "8", "--minibatches", "2", "--hidden", "8", "--average", "0.5"],
    "reinforce": ["--deals-per-update", "8", "--hidden", "8", "--random-deals", "2"],
    "dqn": ["--deals-per-update", "8", "--hidden", "8", "--replay", "256", "--batch", "16"],
    "distillation": ["--deals-per-update", "8", "--hidden", "8", "--presets", "dummy_partner"],
    "q-table": ["--deals-per-update", "8"],
}
RUN = ["--updates", "2", "--updates-per-dispatch", "1", "--evaluation-deals", "2", "--devices", "1"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "imitation"])
def test_a_run_leaves_a_player(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(xla, "jit", quick.jit)
    monkeypatch.chdir(tmp_path)
    train = ["train", GAME, "--learner", name, "--no-evaluate", "--out", "run", *RUN, *TINY[name]]
    assert main.main(train) == 0
    assert f"training {GAME} by {name} in run" in capsys.readouterr().out
    game = jaxcards.make(GAME)
    agent, params = load_trained_player(tmp_path / "run", game)
    state = game.init_from_deck(np.arange(24), 0)
    observation = game.observe(state, state.current_player)
    action = agent.act(params, observation, game.legal_actions(state), jax.random.key(0))
    assert bool(game.legal_actions(state).contains(action))
    if name == "distillation":  # it has learned another preset, too
        other = jaxcards.make("euchre/dummy_partner")
        assert load_trained_player(tmp_path / "run", other)[0].game == other
    resume = ["train", "--resume", "run", "--updates", "3", "--no-evaluate"]
    assert main.main(resume) == 0
    assert "trained: 3 updates" in capsys.readouterr().out


def test_a_setting_of_another_learner_is_refused(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main.main(["train", GAME, "--replay", "5"]) == 2
    expected = "replay is a setting of dqn, but this run uses ppo: leave it out"
    assert expected in capsys.readouterr().err
    learn = ["train", GAME, "--learner", "distillation", "--teacher"]
    assert main.main([*learn, "heuristic"]) == 2
    assert "heuristic is not a network: name champion, or the run folder of" in capsys.readouterr().err
    (tmp_path / "c.toml").write_text(f'game = "{GAME}"\nlearner = "dqn"\nclip = 0.2\n')
    assert main.main(["train", "--config", "c.toml"]) == 2
    assert "c.toml: clip is a setting of ppo, but this run uses dqn" in capsys.readouterr().err
