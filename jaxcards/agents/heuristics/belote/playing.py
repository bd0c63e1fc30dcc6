"""Choosing a card at Belote: the weights of the rules of thumb in `worth`."""

from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.outlook import best_of
from jaxcards.agents.heuristics.worth import View, Weights, card_scores
from jaxcards.games.belote.play import ALL_TRUMP, NO_TRUMP
from jaxcards.games.belote.rules import BeloteRules

# Self-play on duplicate deals found TRUMPS, see `experiments/heuristics/belote.py`. Only
# `lead_top_trump` was changed by hand; the search gave 23. NO_TRUMPS and ALL_TRUMPS are still guesses.

TRUMPS = Weights(
    trick=(1.1, 3.6, 2.7, 0.7),
    sweep=-0.9,
    cash=1.2,
    ruffs=1.0,
    rescue=0.0,
    unforced=None,
    keep=(3.5, 1.3, 2.2, 1.1),
    keep_points=(-0.2, 0.5, -0.6, 0.0),
    keep_guard=1.1,
    keep_length=-2.4,
    keep_trump=(5.3, 5.5, 3.2, 9.1, 9.6, 12.1, 26.3, 49.7),
    keep_trump_against=0.1,
    keep_last_trump=6.4,
    lead_top_trump=45.0,
    lead_trump=-1.4,
    lead_trump_points=-1.4,
    lead_trump_for_partner=3.4,
    lead_spent_trump=-7.5,
    lead_trump_against=-10.0,
    lead_top=3.8,
    lead_length=-0.6,
    lead_single=1.0,
    lead_partner_void=6.7,
    lead_partner_suit=2.3,
    lead_opponent_suit=-2.2,
)

NO_TRUMPS = TRUMPS._replace(
    trick=(15.0, 6.0, 4.0, 4.0),
    sweep=1.0,
    cash=3.0,
    keep=(12.0, 6.0, 1.0, -1.0),
    keep_points=(0.8, 0.3, 0.0, 0.0),
    keep_guard=2.0,
    keep_length=0.5,
)

ALL_TRUMPS = NO_TRUMPS._replace(rescue=0.9)


def choose_card(rules: BeloteRules, weights: Any, mode: jax.Array, view: View) -> jax.Array:
    """Return the legal card of the greatest worth, the lowest number if equal: int32.

    Args:
      rules: the rules.
      weights: those for trumps, no trump and all trump.
      mode: uint32, the mode that is played.
      view: the deal.
    """
    chosen = weights[0]
    if rules.modes_nt_at:
        no_trump, all_trump = mode == NO_TRUMP, mode == ALL_TRUMP
        chosen = jax.tree.map(
            lambda a, b, c: jnp.where(all_trump, c, jnp.where(no_trump, b, a)), *weights
        )
    return best_of(card_scores(chosen, view), view.outlook.legal)
