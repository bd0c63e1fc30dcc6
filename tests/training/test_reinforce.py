"""`jaxcards train --learner reinforce` on planes, from the command line to a player that plays."""

import jax
import pytest

import jaxcards
from jaxcards.training.metrics import read_metrics
from jaxcards.training.player import load_trained_player

SETTINGS = [
    *("--learner", "reinforce", "--inputs", "planes", "--updates", "4", "--updates-per-dispatch", "2"),
    *("--deals-per-update", "16", "--hidden", "16", "--evaluation-deals", "4", "--devices", "1"),
]


@pytest.mark.slow
def test_a_run_on_planes_ends_in_a_player(command):
    process = command("train", "belote/bela", "--out", "planes", "--no-evaluate", *SETTINGS)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0 and "Traceback" not in err, err
    assert "training belote/bela by reinforce" in out
    assert "of the last 100 deals against random" in err
    folder, game = command.folder / "planes", jaxcards.make("belote/bela")
    last = read_metrics(folder / "metrics.jsonl")[-1]
    assert 0 <= last["won_against_random"] <= 1 and last["refused"] == 0
    agent, params = load_trained_player(folder, game)
    assert agent.inputs == "planes" and jax.tree.leaves(params)[1].shape == (392, 16)
    process = command("evaluate", "planes", "random", "--deals", "4")
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0 and "planes" in out, err
