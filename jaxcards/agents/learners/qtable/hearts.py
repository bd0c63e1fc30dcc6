"""The description of Hearts for a table: which kind of card is passed, led, followed or discarded."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.learners.qtable.decision import Found, bucket, options
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import NO_SUIT
from jaxcards.games.hearts.play import DECK, HEART_SUIT, QUEEN, Observation, all_passed
from jaxcards.games.hearts.rules import HeartsRules

_CARDS = np.arange(DECK.num_cards)
_SUIT, _RANK = _CARDS // DECK.ranks_per_suit, _CARDS % DECK.ranks_per_suit
_SPADE = _SUIT == QUEEN // DECK.ranks_per_suit

_QUEEN = Feature("the queen of spades is", ("in the hand", "with others", "gone"))
_LOW_SPADES = Feature("low spades", ("none", "one", "two", "three", "four or more"))
_HEARTS = Feature("hearts", ("none", "one", "two", "three", "four", "five or more"))
_TRICK = Feature("trick", tuple(map(str, range(1, 14))))
_TABLE = Feature("points on the table", ("none", "some", "the queen"))
_PLACE = Feature("place", ("second", "in between", "last"))
_CHOICES = {
    "the queen of spades": _CARDS == QUEEN,
    "a spade above the queen": _SPADE & (_CARDS > QUEEN),
    "a spade below the queen": _SPADE & (_CARDS < QUEEN),
    "a heart": _SUIT == HEART_SUIT,
    "a club": _SUIT == 0,
    "a diamond": _SUIT == 1,
}


def situations(rules: HeartsRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    del rules
    kinds = tuple(f"the {end} of {name}" for name in _CHOICES for end in ("highest", "lowest"))
    held = (_QUEEN, _LOW_SPADES, _HEARTS)
    follow = ("the highest card that loses", "the lowest card that wins", "the highest card")
    return (
        Situation("passing", held, kinds),
        Situation("leading", (*held, _TRICK), kinds),
        Situation("discarding", (*held, _TABLE), kinds),
        Situation("following", (_QUEEN, _TABLE, _PLACE, _TRICK), (*follow, "the queen of spades")),
    )


def look(rules: HeartsRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    public, may = seen.public, legal.cards(DECK).mask()
    hand, led = seen.hand.mask(), public.trick.led
    passing = ~all_passed(public, rules.num_players)
    gone = seen.played.contains(jnp.uint32(QUEEN))
    # The values of `_QUEEN`: 0 in the hand, 1 with others, 2 gone.
    queen = jnp.where(hand[QUEEN], 0, jnp.where(gone, 2, 1))
    held = [queen, (hand & _SPADE & (_CARDS < QUEEN)).sum(), (hand & (_SUIT == HEART_SUIT)).sum()]
    trick = public.num_played.astype(jnp.int32) // rules.num_players
    on_table = public.num_played.astype(jnp.int32) % rules.num_players
    # The bit above the points stands for the jack of diamonds; only the queen is worth 13.
    table = bucket(public.trick.points & 31, (1, 13))
    # The value of `_PLACE`, which only a player who follows needs.
    place = jnp.where(on_table == rules.num_players - 1, 2, jnp.where(on_table == 1, 0, 1))
    follows = (may & (_SUIT == led)).any()
    # Ranks suffice: the following cards are all of the suit led.
    # The strength of a card is its rank + 1, so an equal number is a higher card.
    wins = _RANK >= public.trick.best.astype(jnp.int32)
    of_kind = [may & kind for kind in _CHOICES.values()]
    kinds = options(*(pair for kind in of_kind for pair in (highest(kind), lowest(kind))))
    follow = options(
        highest(may & ~wins), lowest(may & wins), highest(may), highest(may & (_CARDS == QUEEN))
    )
    leads = ~passing & (led == NO_SUIT)
    discards = ~passing & (led != NO_SUIT) & ~follows
    return [
        Found(passing, held, kinds),
        Found(leads, [*held, trick], kinds),
        Found(discards, [*held, table], kinds),
        Found(~passing & (led != NO_SUIT) & follows, [queen, table, place, trick], follow),
    ]


def highest(cards: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return whether a set has a card, and the card of the highest rank: bool[52] to scalars."""
    return cards.any(), jnp.where(cards, _RANK, -1).argmax()


def lowest(cards: jax.Array) -> tuple[jax.Array, jax.Array]:
    return cards.any(), jnp.where(cards, _RANK, DECK.num_cards).argmin()
