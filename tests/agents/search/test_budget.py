"""A budget in milliseconds becomes a number of worlds."""

import jax
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.agents.search import budget
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.errors import UserError

GAME = jaxcards.make("euchre")
AGENT = SearchAgent(GAME, RandomAgent(), worlds=7, candidates=3)


def test_worlds_are_in_proportion_to_time(monkeypatch):
    monkeypatch.setattr(budget, "_seconds", lambda agent, params: [0.001, 0.004, 0.9])
    assert budget.within(AGENT, (), 40.0) == SearchAgent(GAME, RandomAgent(), worlds=320, candidates=3)
    assert budget.within(AGENT, (), 3_600_000).worlds == 10_000
    # A few worlds less, which come in parts of equal size; from 32 on.
    assert [budget.within(AGENT, (), ms).worlds for ms in (3.9, 8.9)] == [31, 68]
    with pytest.raises(UserError, match=r"0.2 ms are too short .* two worlds take 0.2 ms here"):
        budget.within(AGENT, (), 0.2)
    for wrong in (0.0, -5.0, float("nan"), 1e9):
        with pytest.raises(UserError, match="a budget must be above 0 milliseconds"):
            budget.within(AGENT, (), wrong)


@pytest.mark.slow
def test_a_search_is_timed_in_the_middle_of_deals(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)
    states = budget._moments(GAME)
    masks = np.asarray(jax.vmap(GAME.legal_action_mask)(states))
    assert len(masks) == 8 and (masks.sum(1) > 1).all() and not masks[:, GAME.deck.num_cards :].any()
    seconds = budget._seconds(AGENT, ())
    assert len(seconds) == 8 and min(seconds) > 0
    assert budget.within(AGENT, (), 1000.0).worlds >= 2
