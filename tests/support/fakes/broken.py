"""Parts for tests of the checks: a few deals of Jass, and games that fail a check."""

import dataclasses
import functools

import jax
import pytest

import jaxcards
from jaxcards import testing
from jaxcards.games.jass.game import Jass

RULES = jaxcards.make("jass/tournament").rules


@functools.cache
def deals():
    return testing.play_deals(Jass(RULES, "jass"), 32)


@functools.cache
def openings():
    """Return the deals before a card is played, where the other hands may be exchanged as a whole."""
    whole = deals()
    states = jax.tree.map(lambda leaf: leaf[:1], whole.states)
    return dataclasses.replace(whole, states=states, actions=whole.actions[:0], over=whole.over[:1])


def fails(check, game, *args, match, **kwargs):
    """Assert that a check fails, with a text that names the check and says why."""
    with pytest.raises(AssertionError, match=match) as error:
        check(game, *args, **kwargs)
    text = str(error.value)
    assert text.startswith(f"{check.__name__}: broken: ")


def broken(cls: type[Jass]) -> Jass:
    return cls(RULES, "broken")
