"""The description of Rikiki for a table: a bid near the expected tricks, then the play towards it."""

import jax.numpy as jnp

from jaxcards.agents.heuristics.rikiki import hands
from jaxcards.agents.heuristics.rikiki.view import view_of
from jaxcards.agents.heuristics.weights import float32
from jaxcards.agents.learners.qtable import cards
from jaxcards.agents.learners.qtable.decision import Found, bucket, options
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.games.rikiki.calls import BID
from jaxcards.games.rikiki.play import DECK, Observation
from jaxcards.games.rikiki.rules import RikikiRules

_LEFT = (3, 5, 8)  # classes of cards in hand
_STEPS = (-1, 0, 1, 2)  # tricks by which a bid differs from the expected number of whole tricks
_BIDS = (
    "bid one less than the whole tricks promised", "bid the whole tricks promised",
    "bid one more than the whole tricks promised", "bid two more than the whole tricks promised",
)  # fmt: skip

_PROMISE = Feature("the hand promises", tuple(f"{quarter / 4:g} tricks" for quarter in range(25)))
_CARDS = Feature("cards", tuple(map(str, range(1, 14))))
_WANTED = Feature("others want", ("few tricks", "their share", "many tricks"))
_NEED = Feature("tricks short of the bid", ("too many already", "none", "one", "two", "three or more"))
_HOPE = Feature(
    "the hand promises", ("far too few", "too few", "about as many", "too many", "far too many")
)


def situations(rules: RikikiRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    del rules
    bidding = Situation("bidding", (_PROMISE, _CARDS, _WANTED), _BIDS)
    return bidding, *cards.situations((_NEED, _HOPE), _LEFT, alone=True)


def look(rules: RikikiRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    playable = legal.cards(DECK)
    view = view_of(rules, seen, playable)
    promised = hands.winning_chances(float32(hands.WEIGHTS), view).sum()
    whole = jnp.clip(jnp.floor(promised).astype(jnp.int32), 0, view.left)
    said = [BID + whole + step for step in _STEPS]
    bidding = Found(
        ~playable.any(),
        # The promise counts in quarters of a trick.
        # The numbers of `_CARDS` begin with one card.
        [jnp.floor(4 * promised), view.left - 1, bucket(view.pressure, (-0.1, 0.1))],
        # A bid below 0 would be the number of a card.
        options(*((legal.contains(bid) & (bid >= BID), bid) for bid in said)),
    )
    need = view.bid - view.won
    hope = bucket(promised - need, (-1.0, -0.35, 0.35, 1.0))
    # Value 0 of the first feature stands for too many tricks already.
    own = [jnp.clip(need + 1, 0, None), hope]
    return [bidding, *cards.found(playable.any(), view.outlook, own, _LEFT)]
