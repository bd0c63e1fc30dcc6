"""The trained players in experiments/: they can be read, and play as well as is said of them."""

from pathlib import Path

import jax
import pytest

import jaxcards
from jaxcards import settings
from jaxcards.agent import RandomAgent
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.result import Evaluation
from jaxcards.training.player import load_trained_player

ROOT = Path(__file__).parents[2]
STUDIES = sorted((ROOT / "experiments").glob("*_ppo"))


def said_of(study):
    return Evaluation.from_json((study / "evaluation.json").read_text(encoding="utf-8"))


def test_every_game_has_one():
    games = {file.parent.name for file in (ROOT / "jaxcards/games").glob("*/game.py")}
    assert {study.name for study in STUDIES} == {f"{name}_ppo" for name in games}


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_it_is_what_its_settings_make(study):
    values = settings.read_toml(study / "config.toml")
    game = jaxcards.make(values["game"])
    agent, params = load_trained_player(study, game)
    assert game.id == said_of(study).game
    assert list(agent.hidden) == values["hidden"]
    expected = jax.eval_shape(lambda: agent.init(jax.random.key(0), game))
    assert jax.tree.map(lambda x: x.shape, params) == jax.tree.map(lambda x: x.shape, expected)


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_it_plays_as_well_as_its_evaluation_says(study):
    """On other deals the mean is at most twice as far away as the two intervals of 95 % reach."""
    said = next(pair for pair in said_of(study).pairs if pair.b == "random")
    game = jaxcards.make(said_of(study).game)
    agent, params = load_trained_player(study, game)
    result = evaluate(game, [agent, RandomAgent()], [params, ()], ["it", "random"], 400, seed=1)
    found = result.pairs[0].difference
    widths = sum(interval.high - interval.low for interval in (found, said.difference))
    assert abs(found.mean - said.difference.mean) < widths
