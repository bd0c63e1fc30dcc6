"""From a run folder to a player: the same actions, or one line that says what is wrong."""

import dataclasses
import random
import shutil
from pathlib import Path

import jax
import numpy as np
import pytest

import jaxcards
from jaxcards.agents.learners.registry import make_learner, settings_of
from jaxcards.agents.networks import saved
from jaxcards.agents.networks.saved import PlayerInfo, write_network
from jaxcards.errors import UserError
from jaxcards.training import checkpoints
from jaxcards.training.folder import RunFolder
from jaxcards.training.player import load_trained_player

GAME = jaxcards.make("jass")
PARTS = ("config.toml", "player.msgpack", "checkpoints")


@pytest.fixture
def run(finished, tmp_path):
    """Return a copy of a run, to break."""
    return shutil.copytree(finished[0], tmp_path / "run")


def params_of(run):
    return load_trained_player(run, GAME)[1]


def test_the_player_is_the_average_of_the_policy_in_the_newest_checkpoint(finished):
    agent, params = load_trained_player(finished[0], GAME)
    assert agent.greedy and agent.hidden == (16,) and agent.precision == "float32"
    update = checkpoints.latest(finished[0] / "checkpoints")
    assert update == 40
    state, _, _ = checkpoints.read(finished[0] / "checkpoints", update)
    (average,) = [part["average"] for part in state["optimiser"] if set(part or ()) == {"average"}]
    jax.tree.map(np.testing.assert_array_equal, params, average["policy"])


def test_the_exported_player_plays_the_same(run):
    agent, params = load_trained_player(run, GAME)
    shutil.rmtree(run / "checkpoints")
    exported, others = load_trained_player(run, GAME)
    assert exported == agent
    act = jax.jit(jax.vmap(play, in_axes=(None, None, 0)), static_argnums=0)
    keys = jax.random.split(jax.random.key(1), 64)
    first = act(agent, params, keys)
    np.testing.assert_array_equal(first, act(agent, others, keys))
    # The parameters matter: a fresh player does something else.
    assert (np.asarray(first) != act(agent, agent.init(jax.random.key(5), GAME), keys)).any()


def play(agent, params, key):
    state = GAME.init(key)
    observation = GAME.observe(state, state.current_player)
    return agent.act(params, observation, GAME.legal_actions(state), key)


def test_the_exported_player_is_small(run):
    policy = sum(x.nbytes for x in jax.tree.leaves(params_of(run)))
    assert policy < (run / "player.msgpack").stat().st_size < policy + 1000


def test_other_rules_at_the_same_table(finished):
    agent, _ = load_trained_player(finished[0], jaxcards.make("jass", match_bonus=0))
    assert agent.game == jaxcards.make("jass", match_bonus=0)


@pytest.mark.parametrize("without_checkpoints", [False, True])
def test_another_number_of_features(run, without_checkpoints):
    if without_checkpoints:
        shutil.rmtree(run / "checkpoints")
    words = "was trained on jass/schieber_1000 with .* cannot play jass/differenzler"
    with pytest.raises(UserError, match=words):
        load_trained_player(run, jaxcards.make("jass/differenzler"))


def test_a_run_does_not_begin_with_what_had_other_features(run):
    info = PlayerInfo("jass/schieber_1000", GAME.num_features - 12, GAME.num_actions, (16,), "float32")
    words = f"run has {GAME.num_features - 12} features and 43 actions, and jass/schieber_1000 has "
    with pytest.raises(UserError, match=words + f"{GAME.num_features} and 43 in this version"):
        saved.start("run", GAME, info.to_json(), params_of(run))


def test_another_game(run):
    info = PlayerInfo("euchre/usual", GAME.num_features, GAME.num_actions, (16,), "float32")
    write_network(RunFolder(run).player, info, params_of(run))
    shutil.rmtree(run / "checkpoints")
    with pytest.raises(UserError, match="run was trained on euchre/usual and cannot play jass"):
        load_trained_player(run, GAME)


def test_a_player_of_planes():
    """The kind of input is saved; players of features are described as they always were."""
    game = jaxcards.make("belote/bela")
    learner = make_learner("reinforce", game, settings_of("reinforce")(inputs="planes", hidden=(8,)))
    info = learner.describe_network()
    assert info.num_features == 392 and PlayerInfo.from_json(info.to_json()) == info
    assert info.agent(game, Path("run")) == learner.player
    features = dataclasses.replace(info, inputs="features")
    assert "inputs" not in features.to_json()
    with pytest.raises(UserError, match="with 392 features and 37 actions and cannot play"):
        features.agent(game, Path("run"))


def test_a_network_of_another_shape(run):
    info = PlayerInfo("jass/swisslos", GAME.num_features, GAME.num_actions, (17,), "float32")
    write_network(RunFolder(run).player, info, params_of(run))
    shutil.rmtree(run / "checkpoints")
    with pytest.raises(UserError, match=r"do not match a network of \[17\]"):
        load_trained_player(run, GAME)


def empty(run):
    for name in PARTS[1:]:
        shutil.rmtree(run / name) if (run / name).is_dir() else (run / name).unlink()


def no_checkpoint(run):
    empty(run)
    (run / "checkpoints").mkdir()


def garbage(run):
    shutil.rmtree(run / "checkpoints")
    (run / "player.msgpack").write_bytes(b"garbage")


def cut(run):
    shutil.rmtree(run / "checkpoints")
    content = (run / "player.msgpack").read_bytes()
    (run / "player.msgpack").write_bytes(content[: len(content) // 2])


def without_state(run):
    shutil.rmtree(run / "checkpoints/40/state")


def without_counters(run):
    for file in (run / "checkpoints/40/run").iterdir():
        file.unlink()


@pytest.mark.parametrize("size", [1, 200])
@pytest.mark.parametrize("part", ["checkpoints/40", "player.msgpack"])
def test_random_damage_is_found_or_changes_nothing(run, part, size):
    """Of single flipped bits, and of 200 random bytes."""
    if part == "player.msgpack":
        shutil.rmtree(run / "checkpoints")
    expected, source, damaged = jax.tree.leaves(load_trained_player(run, GAME)[1]), random.Random(5), 0
    files = sorted(path for path in [run / part, *(run / part).rglob("*")] if path.is_file())
    for _ in range(12):
        file = source.choice(files)
        content = file.read_bytes()
        place = source.randrange(len(content) or 1)
        changed = bytearray(content)
        bits = [1 << source.randrange(8)] if size == 1 else source.randbytes(size)
        for i, bit in enumerate(bits):
            if place + i < len(content):
                changed[place + i] ^= bit
        file.write_bytes(changed)
        try:
            found = jax.tree.leaves(load_trained_player(run, GAME)[1])
            assert all(map(np.array_equal, found, expected))
        except UserError as error:
            assert "is damaged" in str(error)
            damaged += 1
        file.write_bytes(content)
    assert damaged > 7


@pytest.mark.parametrize(
    "damage, words",
    [
        (empty, "has no player"),
        (no_checkpoint, "has no player"),
        (garbage, "player.msgpack is damaged"),
        (cut, "player.msgpack is damaged"),
        (without_state, "checkpoints/40 is damaged"),
        (without_counters, "checkpoints/40 is damaged"),
    ],
)
def test_damaged_folders(run, damage, words, capsys):
    damage(run)
    with pytest.raises(UserError, match=words) as error:
        load_trained_player(run, GAME)
    assert "\n" not in str(error.value)
    assert capsys.readouterr().err == ""
