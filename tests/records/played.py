"""Records that several tests share, each played once."""

import functools

import jax

import jaxcards
from jaxcards import records
from jaxcards.agent import RandomAgent

# A preset for each way in which something is dealt or carried from deal to deal.
FEW = (
    "jass/schieber_1000",  # totals
    "jass/differenzler",  # a mode that is drawn
    "belote/belote_501",  # a card turned up, litige
    "euchre/dummy_partner",
    "rikiki/standard",  # rounds
    "sheepshead/deepsheep_doubler",  # stakes
)
ALL = tuple(id for id in jaxcards.games() if "/" in id)


@functools.cache
def deal(id, seed=0):
    """Return the record of a deal of random play."""
    game = jaxcards.make(id)
    players = tuple(f"player {number}" for number in range(game.num_players))
    source = {"seed": seed, "deal": 0}
    key = jax.random.key(seed)
    return records.play_deal(game, RandomAgent(), (), key, players=players, source=source)


@functools.cache
def match(id, seed=0):
    """Return the record of a match of random play."""
    return records.play_match(jaxcards.make(id), RandomAgent(), (), jax.random.key(seed))
