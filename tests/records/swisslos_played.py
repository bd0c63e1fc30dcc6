"""Deals of Schieber that tests of the Swisslos formats share, each played once."""

import functools

import jax

import jaxcards
from jaxcards import records
from jaxcards.agent import RandomAgent

GAME = jaxcards.make("jass/swisslos")


@functools.cache
def deals(number=12):
    """Return records of random play: some are pushed, and in some Weis are shown."""
    return tuple(records.play_deal(GAME, RandomAgent(), (), jax.random.key(n)) for n in range(number))


def cards(record):
    """Return the cards of a deal in the order of play."""
    return [action for action in record.actions if action < 36]


def trump(record):
    """Return the chosen mode, as an action."""
    return next(action for action in record.actions if 36 <= action < 42)
