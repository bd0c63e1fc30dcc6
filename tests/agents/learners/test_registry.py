"""Learners by name."""

import pytest

import jaxcards
from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.registry import LEARNERS, make_learner, settings_of
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.errors import UserError


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_is_made_by_its_name(name):
    config = settings_of(name)(seed=7)
    assert isinstance(config, LearnerConfig) and set(config.fixed) <= set(
        type(config).__dataclass_fields__
    )
    game = jaxcards.make("euchre")
    network = FixedPlayer(NetworkAgent(game, (8,)), ())
    given = {"teachers": (network,)} if hasattr(config, "teacher") else {}
    learner = make_learner(name, game, config, **given)
    assert learner.config is config and learner.num_devices == 1
    assert hash(learner) == hash(make_learner(name, game, config, **given))
    assert learner.player.act


def test_an_unknown_learner_is_refused():
    with pytest.raises(UserError, match=r"unknown learner 'pop'.*did you mean 'ppo'"):
        settings_of("pop")


def test_devices_that_cannot_share_the_deals_are_refused():
    with pytest.raises(UserError, match="3 devices cannot share 64 deals evenly"):
        LearnerConfig(deals_per_update=64).check_devices(3)
