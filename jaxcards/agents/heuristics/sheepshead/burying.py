"""The picker's choices before the play: the call, the unknown, and the bury.

Each is a choice of one card by rules of thumb. Call a suit in which you are short and risk little. Make
a useless card the unknown. Bury points of short fail suits and keep the trumps. All weights are in card
points; self-play found them (`experiments/heuristics/sheepshead.py`).
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.sheepshead.view import CARDS, POINTS, View, trump_places
from jaxcards.games.sheepshead.play import ACE, DECK, KING, NO_CARD, TEN, TRUMP_CLASS, Observation
from jaxcards.games.sheepshead.rules import SheepsheadRules


class Weights(NamedTuple):
    """Weights of the rules of thumb.

    Attributes:
      call_card: of calling a suit, for each own fail card of it; call_ten, call_king: bonus if this
        card is among them.
      unknown_trump: of making a trump the unknown; unknown_power: for each trump below it.
      unknown_point: for each point of a card that is made the unknown.
      bury_trump: of burying a trump; bury_power: for each trump below it.
      bury_point: for each point of a card that is buried.
      bury_ace: of burying a fail ace, besides its points.
      bury_void: of a card whose suit can be buried completely, together with the rest.
      bury_single: bonus if it is the only card of the suit; bury_called: of a card of the called suit.
    """

    call_card: Any
    call_ten: Any
    call_king: Any
    unknown_trump: Any
    unknown_power: Any
    unknown_point: Any
    bury_trump: Any
    bury_power: Any
    bury_point: Any
    bury_ace: Any
    bury_void: Any
    bury_single: Any
    bury_called: Any


WEIGHTS = Weights(
    call_card=-3.3, call_ten=-2.8, call_king=-0.7,
    unknown_trump=-3.2, unknown_power=-0.6, unknown_point=-1.2,
    bury_trump=-13.6, bury_power=-3.3, bury_point=2.0, bury_ace=-5.0, bury_void=5.0, bury_single=1.0,
    bury_called=-2.0,
)  # fmt: skip


def card_scores(
    rules: SheepsheadRules, weights: Weights, seen: Observation, view: View
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return the worth of calling each card, of making it the unknown, of burying it: float32[32]."""
    return (
        _call(weights, view),
        _unknown(rules, weights, view),
        _bury(rules, weights, seen, view),
    )


def _call(weights: Weights, view: View) -> jax.Array:
    held = view.outlook.hand.words[0]
    # The number of the first card of each card's suit.
    lane = CARDS & 24

    def has(rank: int) -> jax.Array:
        return ((held >> (lane + rank)) & 1).astype(jnp.float32)

    cards = weights.call_card * view.number
    return cards + weights.call_ten * has(TEN) + weights.call_king * has(KING)


def _power(rules: SheepsheadRules) -> np.ndarray:
    """Return the number of trumps below each trump: float32[32]."""
    below = np.zeros(DECK.num_cards, np.float32)
    for place, card in enumerate(reversed(trump_places(rules))):
        below[card] = place
    return below


def _unknown(rules: SheepsheadRules, weights: Weights, view: View) -> jax.Array:
    trump = weights.unknown_trump + weights.unknown_power * _power(rules)
    points = weights.unknown_point * POINTS
    return points + jnp.where(view.outlook.suit == TRUMP_CLASS, trump, 0.0)


def _bury(rules: SheepsheadRules, weights: Weights, seen: Observation, view: View) -> jax.Array:
    public = seen.public
    trump = weights.bury_trump + weights.bury_power * _power(rules)
    to_bury = (rules.blind_size - seen.num_buried.astype(jnp.int32)).astype(jnp.float32)
    fail = jnp.where(CARDS % 8 == ACE, weights.bury_ace, 0.0)
    fail = fail + jnp.where(view.number <= to_bury, weights.bury_void, 0.0)
    fail = fail + jnp.where(view.number == 1, weights.bury_single, 0.0)
    if public.called is not None and rules.calls:
        # A suit has eight cards, so the shift leaves the suit of a card.
        of_call = (CARDS >> 3 == public.called >> 3) & (public.called < NO_CARD)
        fail = fail + jnp.where(of_call, weights.bury_called, 0.0)
    return weights.bury_point * POINTS + jnp.where(view.outlook.suit == TRUMP_CLASS, trump, fail)
