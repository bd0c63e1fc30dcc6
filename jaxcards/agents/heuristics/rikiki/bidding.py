"""Bidding at Rikiki: the bid of the highest expected score."""

from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.rikiki.aim import Aim, expected, steps
from jaxcards.agents.heuristics.rikiki.view import View
from jaxcards.cards.actions import ActionSet
from jaxcards.games.rikiki.calls import BID
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.score import seat_points

AIM = Aim(steer=0.261, steer_more=0.012, spread=0.187, spread_cards=0.377)


def expected_scores(rules: RikikiRules, aim: Aim, view: View, chances: jax.Array) -> jax.Array:
    """Return the expected score of each bid from 0 to the largest hand: float32[bids]."""
    bids = jnp.arange(max(rules.schedule) + 1, dtype=jnp.int32)
    # The tricks of the cards, taken as independent of each other.
    mean, variance = chances.sum(), (chances * (1 - chances)).sum()
    more = expected(aim, steps(rules, bids, view.size), bids, jnp.int32(0), view.left, mean, variance)
    return seat_points(rules, bids, jnp.int32(0), view.size).astype(jnp.float32) + more


def choose_bid(
    rules: RikikiRules, aim: Aim, view: View, chances: jax.Array, legal: ActionSet
) -> jax.Array:
    """Return the legal bid of the highest expected score, the lowest if equal: an action, int32.

    Args:
      rules: the rules.
      aim: how reliably bids are made.
      view: the round.
      chances: float32[52], the chance of each card to win a trick.
      legal: the legal actions.
    """
    scores = expected_scores(rules, aim, view, chances)
    number = scores.shape[0]
    # Scores in whole steps leave five bits for the bid.
    parts = jnp.round(scores * (_LEVELS / _largest(rules))).astype(jnp.int32)
    # Score and bid form one integer; of equal scores the lowest bid is the largest.
    index = jnp.arange(number, dtype=jnp.int32)
    ranked = jnp.where(_may_bid(legal, number), parts * 32 - index, jnp.iinfo(jnp.int32).min)
    # The highest number is 32 times a score, less the bid: its lowest five bits are minus the bid.
    return BID + (-jnp.max(ranked) & 31)


_LEVELS = 1 << 20  # scores are compared in this many steps, so the last bit of a float does not matter


def _largest(rules: RikikiRules) -> float:
    """Return the largest score, of either sign, that any bid may bring."""
    most = max(rules.schedule)
    made = abs(rules.made_linear) * most + abs(rules.made_square) * most**2
    made += max(abs(rules.made_base), rules.made_zero_base) + abs(rules.made_zero_cards) * most
    missed = abs(rules.miss_diff) * most + abs(rules.miss_square) * most**2
    missed += abs(rules.miss_base) + made * rules.miss_made
    return float(max(made, missed + abs(rules.miss_trick) * most, 1))


def _may_bid(legal: ActionSet, number: int) -> jax.Array:
    """Return the legal bids: bool[number]."""
    action: Any = jnp.arange(BID, BID + number, dtype=jnp.int32)
    found = jnp.zeros(number, bool)
    for word, offset, width in zip(legal.words, legal.layout.offsets, legal.layout.widths, strict=True):
        # The bit of each bid in this word, if it is there.
        place = action - offset
        bit = (word >> jnp.clip(place, 0, 31).astype(jnp.uint32)) & 1
        found = found | ((place >= 0) & (place < width) & (bit == 1))
    return found
