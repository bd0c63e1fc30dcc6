"""Schedules: the parts of a deal; waiting deals in a stage; the last trick is forced."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards import stages
from jaxcards.agent import RandomAgent
from jaxcards.stages import CALLS, COMPLETE, FOLLOW, LEAD, Repeat
from jaxcards.testing.deals import quick_jit, require_equal, to_numpy
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


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("of", [lambda game: game, jaxcards.Match], ids=["deal", "match"])
def test_a_deal_that_plays_cards_waits_while_others_call(of):
    game = of(jaxcards.make("jass/tournament"))
    before = game.init(jax.random.key(0))
    call = game.string_to_action("choose d")
    lead = quick_jit(lambda state: (game.step(state, call), game.legal_actions(state, CALLS).mask()))
    first, legal = lead(before)
    assert not legal.all()
    card = jnp.argmax(game.legal_action_mask(first))

    def step(state):
        waits = game.step(state, card, CALLS), game.legal_actions(state, CALLS).mask()
        return waits, game.step(state, card, LEAD), game.step(state, card)

    (waits, legal), led, plain = quick_jit(step)(first)
    require_equal(to_numpy(waits), to_numpy(first), "a deal that waits goes on")
    assert legal.all()
    require_equal(to_numpy(led), to_numpy(plain), "a stage changes the state")
    assert led.current_player != first.current_player


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
