"""The description of Sheepshead for a table: picking, calling, burying, cracking, then the play."""

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.sheepshead import bidding
from jaxcards.agents.heuristics.sheepshead.player import WEIGHTS
from jaxcards.agents.heuristics.sheepshead.view import POINTS, View, view_of
from jaxcards.agents.learners.qtable import cards
from jaxcards.agents.learners.qtable.decision import Found, Options, bucket, options
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.seats import places_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.sheepshead.calls import (
    ALONE_ACTION,
    CRACK_ACTION,
    PARTNER_ACTION,
    PASS_ACTION,
    PICK_ACTION,
    RECRACK_ACTION,
)
from jaxcards.games.sheepshead.play import (
    BURY,
    CALL,
    CRACK,
    DECK,
    LONER,
    PICK,
    PLAY,
    RECRACK,
    UNKNOWN,
    Observation,
)
from jaxcards.games.sheepshead.rules import SheepsheadRules

_LEFT = (3, 5, 8)  # classes of cards in hand
_POINTS = (4, 14)  # classes of points on the table
_WORTH = range(0, 900, 30)  # classes of the worth of a hand, in hundredths of a chip

_HAND = Feature(
    "worth of the hand in hundredths of a chip", ("less", *(str(worth) for worth in _WORTH))
)
_BEHIND = Feature("players who may still pick", tuple(map(str, range(6))))
_TRUMPS = Feature("trumps", tuple(map(str, range(9))))
_ROLE = Feature("role", ("picker", "partner", "defender", "leaster"))
_TRICK = Feature("has a trick", cards.YES)


def situations(rules: SheepsheadRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    return (
        Situation("asked to pick", (_HAND, _BEHIND), ("pass", "pick")),
        Situation("picked", (_HAND,), ("play with a partner", "play alone")),
        Situation("asked to crack", (_HAND,), ("pass", "crack")),
        Situation("cracked", (_HAND,), ("pass", "crack back")),
        Situation("calling", (_TRUMPS,), ("call in the shortest suit", "call in the longest suit")),
        Situation("choosing the unknown", (_TRUMPS,), ("make the least card the unknown",)),
        Situation(
            "burying",
            (_TRUMPS,),
            (
                "bury the most points of the plain cards",
                "bury a lone plain card",
                "bury the least card",
            ),
        ),
        *cards.situations((_ROLE, _TRICK), _LEFT, points=_POINTS),
    )


def look(rules: SheepsheadRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    public, (playable, others) = seen.public, legal.words
    view = view_of(rules, seen, CardSet(DECK, [playable]))
    phase = public.phase
    worth = bucket(bidding.worth(rules, WEIGHTS.hand, seen), _WORTH)
    # The dealer is asked last, so the places up to it are those still behind.
    behind = places_after(seen.player, public.dealer, rules.num_players)

    # The calls are the second word of the legal set, from `PASS_ACTION` on.
    def say(*actions: int) -> Options:
        return options(*(((others >> (action - PASS_ACTION)) & 1, action) for action in actions))

    own = [view.role, view.has_trick]
    return [
        Found(phase == PICK, [worth, behind], say(PASS_ACTION, PICK_ACTION)),
        Found(phase == LONER, [worth], say(PARTNER_ACTION, ALONE_ACTION)),
        Found(phase == CRACK, [worth], say(PASS_ACTION, CRACK_ACTION)),
        Found(phase == RECRACK, [worth], say(PASS_ACTION, RECRACK_ACTION)),
        *_with_cards(phase, view),
        *cards.found(phase == PLAY, view.outlook, own, _LEFT, POINTS, view.table, _POINTS),
    ]


def _with_cards(phase: jax.Array, view: View) -> list[Found]:
    """Return the purpose of the picker's card: the call, the unknown, the bury."""
    legal, suit = view.outlook.legal.mask(), view.outlook.suit
    plain, number = suit != view.outlook.trump, view.number.astype(jnp.int32)
    dear = cards.keys(view.outlook, POINTS)
    lone = legal & plain & (number == 1)
    # In the order of the actions of "burying".
    bury = [(legal & plain, 1), (lone, 1), (legal, -1)]
    trumps = [view.trumps]
    return [
        # By the number of own cards in the suit: the shortest suit, then the longest.
        Found(phase == CALL, trumps, cards.pick(number, [(legal, -1), (legal, 1)])),
        Found(phase == UNKNOWN, trumps, cards.pick(dear, [(legal, -1)])),
        Found(phase == BURY, trumps, cards.pick(dear, bury)),
    ]
