"""Schedules: what comes in a deal, and in the last trick nobody is asked."""

import dataclasses
from typing import Any

import jax
import pytest

import jaxcards
from jaxcards import stages
from jaxcards.agent import RandomAgent
from jaxcards.stages import COMPLETE, FOLLOW, LEAD, Repeat
from jaxcards.throughput import staged_rollout

LAST = [dataclasses.replace(stage, last=True) for stage in (LEAD, FOLLOW, COMPLETE)]


def test_tricks():
    tricks, last = stages.of_tricks(9, 4)
    assert tricks == Repeat(8, (LEAD, Repeat(2, (FOLLOW,)), COMPLETE))
    assert last == Repeat(1, (LAST[0], Repeat(2, (LAST[1],)), LAST[2]))


@pytest.mark.parametrize("num_players, parts", [(2, (LEAD, COMPLETE)), (3, (LEAD, FOLLOW, COMPLETE))])
def test_tricks_of_few(num_players, parts):
    assert stages.of_tricks(6, num_players)[0] == Repeat(5, parts)


@pytest.mark.parametrize("number", [1, 2, 9])
def test_room_for_every_decision(number):
    assert stages.num_decisions(stages.of_tricks(number, 5)) == 5 * number
    assert stages.num_decisions(stages.of_calls_and_tricks(3, number, 5)) == 3 + 5 * number


@dataclasses.dataclass(frozen=True)
class Counted(RandomAgent):
    """Random play that keeps the stages in which it is asked, while it is traced."""

    asked: Any

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        self.asked.append(len(self.asked))
        return super().act(params, observation, legal, key)

    def __hash__(self) -> int:
        return id(self)


def test_nobody_is_asked_in_the_last_trick(monkeypatch):
    game = jaxcards.make("jass/tournament")
    whole = len(traced(game))
    without_last = game.schedule()[:-1]
    monkeypatch.setattr(type(game), "schedule", lambda game, round=None: without_last)
    assert len(traced(game)) == whole > 0


def traced(game):
    agent = Counted([])
    jax.eval_shape(lambda key: staged_rollout(game, agent, (), key).points, jax.random.key(0))
    return agent.asked
