"""Choosing a card at Jass: the weights of the rules of thumb in `worth`.

In Differenzler, the same estimates tell how close a card brings the player to the points predicted.
"""

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.outlook import best_of
from jaxcards.agents.heuristics.worth import View, Weights, card_scores, chance, gained, kept
from jaxcards.xla.fence import fence

# An evolution strategy in duplicate deals of self-play found the numbers;
# `experiments/heuristics/jass.py play` continues from here.

TRUMPS = Weights(
    trick=(4.2, 4.06, 3.72, -2.06),
    sweep=0.59,
    cash=0.75,
    ruffs=0.66,
    rescue=1.11,
    unforced=0.84,
    keep=(3.54, 2.65, -0.1, -1.95),
    keep_points=(0.65, 0.29, 0.05, 0.16),
    keep_guard=0.89,
    keep_length=-0.81,
    keep_trump=(5.76, 5.49, 4.51, 14.43, 13.44, 16.3, 21.6, 28.44, 54.03),
    keep_trump_against=0.79,
    keep_last_trump=6.58,
    lead_top_trump=48.53,
    lead_trump=5.59,
    lead_trump_points=-2.23,
    lead_trump_for_partner=3.88,
    lead_spent_trump=-12.87,
    lead_trump_against=-4.03,
    lead_top=3.41,
    lead_length=-2.41,
    lead_single=-3.1,
    lead_partner_void=2.81,
    lead_partner_suit=4.68,
    lead_opponent_suit=0.12,
)

NO_TRUMPS = TRUMPS._replace(
    trick=(18.79, 4.82, 3.86, 5.07),
    sweep=1.71,
    cash=5.16,
    ruffs=0.93,
    rescue=0.6,
    keep=(15.71, 8.97, 1.85, -0.22),
    keep_points=(1.62, 0.29, -0.02, -0.06),
    keep_guard=4.36,
    keep_length=0.91,
    lead_top=3.49,
    lead_length=-2.97,
    lead_partner_suit=1.23,
    lead_opponent_suit=-0.04,
)

ALONE = TRUMPS._replace(
    trick=(4.95, 2.91, 2.65, -1.25),
    ruffs=0.27,
    unforced=None,
    keep=(3.45, 2.44, 1.76, 1.23),
    keep_points=(0.06, 0.03, 0.1, 0.14),
    keep_guard=-0.37,
    keep_length=-0.96,
    keep_trump=(3.17, 3.32, 5.07, 6.28, 6.21, 7.38, 13.19, 17.72, 27.1),
    keep_trump_against=0.0,
    keep_last_trump=6.79,
)


def choose_card(weights: Weights, view: View) -> jax.Array:
    """Return the legal card of the greatest worth, the lowest number if equal: int32."""
    return best_of(card_scores(weights, view), view.outlook.legal)


def choose_toward(weights: Weights, view: View, missing: jax.Array) -> jax.Array:
    """Return the card with the smallest expected gap between prediction and points: int32.

    Args:
      weights: those of playing alone.
      view: the deal.
      missing: float32, the prediction less the player's points so far.
    """
    wins, gain, later = chance(weights, view), gained(weights, view), fence(kept(weights, view))
    # XLA sums floats fastest in one reduction, unlike integers (`over_cards`).
    in_hand = jnp.sum(jnp.where(view.outlook.hand.mask(), later, 0.0))
    # The points still missing if the other cards in hand bring what they are worth later.
    left = fence(missing - in_hand) + later
    # The expected gap over both results of the trick.
    return best_of(-(wins * abs(left - gain) + (1 - wins) * abs(left)), view.outlook.legal)
