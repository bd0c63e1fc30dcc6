"""Playing cards at Sheepshead: the card of the greatest worth.

The worth of a card has three terms. The first is the value of the trick with the card: points, times
the chance that the player's side takes them. The second is subtracted: the value of keeping the card.
The third is a bonus for leads from experience. In a leaster all players avoid points, but each needs a
trick.

All weights are in card points; self-play found them (`experiments/heuristics/sheepshead.py`).
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.outlook import best_of
from jaxcards.agents.heuristics.sheepshead.view import (
    CARDS,
    DEFENDER,
    LEASTER,
    PARTNER,
    PICKER,
    POINTS,
    View,
)
from jaxcards.games.sheepshead.play import ACE, KING, TEN, TRUMP_CLASS
from jaxcards.games.sheepshead.rules import SheepsheadRules


class Weights(NamedTuple):
    """Weights of the rules of thumb.

    Attributes:
      more: points expected from each player who is still to play.
      ruffs: chance that an opponent who can beat a card does so; rescue: the same for an ally.
      take: value for the player itself of winning the trick, and leading the next.
      trump: value of keeping a trump; top: bonus if it is the highest trump left; high: if one to three
        unseen trumps beat it; middle: if four to seven do.
      trump_point: for each card point of a trump.
      ace, ten, king: value of keeping a fail card of that rank; top_fail: bonus if it is the highest of
        its suit; guard: bonus for another card of a suit that has such a card.
      void: playing the only card of a suit, with trumps in hand.
      lead_trump: leading a trump; lead_top: bonus if it cannot be beaten; lead_weak: if more than three
        trumps beat it; lead_length: for each own trump above the fair share of those that are left.
      lead_ace: leading the highest fail card of its suit; lead_called: a card of the called suit while
        the called card is out; lead_long: for each other own card of the fail suit; lead_point: for
        each point of a fail card that can be beaten.
      lead_through: leading a fail card with the picker still to play, and not last.
    """

    more: Any
    ruffs: Any
    rescue: Any
    take: Any
    trump: Any
    top: Any
    high: Any
    middle: Any
    trump_point: Any
    ace: Any
    ten: Any
    king: Any
    top_fail: Any
    guard: Any
    void: Any
    lead_trump: Any
    lead_top: Any
    lead_weak: Any
    lead_length: Any
    lead_ace: Any
    lead_called: Any
    lead_long: Any
    lead_point: Any
    lead_through: Any


class LeasterWeights(NamedTuple):
    """Weights of the rules of thumb in a leaster, where all play alone and avoid points.

    Attributes:
      more: points expected from each player who is still to play.
      beats: chance that another player who can beat a card does so.
      first: value of the first trick; late: increase of it, divided by the tricks left.
      shed_point: getting rid of each point of a card; shed_trump: of a trump; shed_high: bonus if at
        most three trumps beat it; shed_top: of the highest fail card of its suit.
      lead: cost of winning the trick, and leading the next.
    """

    more: Any
    beats: Any
    first: Any
    late: Any
    shed_point: Any
    shed_trump: Any
    shed_high: Any
    shed_top: Any
    lead: Any


class Play(NamedTuple):
    """The weights of the card play, one set for each role."""

    picker: Weights
    partner: Weights
    defender: Weights
    leaster: LeasterWeights


WEIGHTS = Play(
    picker=Weights(
        more=0.8, ruffs=0.9, rescue=1.7, take=2.2,
        trump=2.1, top=6.3, high=2.2, middle=-1.2, trump_point=0.7,
        ace=5.1, ten=6.3, king=1.5, top_fail=2.7, guard=0.1, void=0.5,
        lead_trump=3.2, lead_top=5.6, lead_weak=-0.6, lead_length=2.4,
        lead_ace=0.8, lead_called=0.4, lead_long=-1.8, lead_point=-1.5, lead_through=-0.8,
    ),
    partner=Weights(
        more=2.5, ruffs=1.0, rescue=1.5, take=1.3,
        trump=1.9, top=6.5, high=2.4, middle=1.4, trump_point=0.2,
        ace=6.0, ten=5.2, king=1.6, top_fail=2.5, guard=0.2, void=0.5,
        lead_trump=5.4, lead_top=2.1, lead_weak=0.0, lead_length=-0.4,
        lead_ace=-0.6, lead_called=-1.2, lead_long=-1.0, lead_point=-0.9, lead_through=-1.5,
    ),
    defender=Weights(
        more=2.3, ruffs=1.6, rescue=1.0, take=1.1,
        trump=0.4, top=9.0, high=3.0, middle=-0.9, trump_point=0.5,
        ace=6.0, ten=3.9, king=1.4, top_fail=1.1, guard=0.4, void=0.7,
        lead_trump=-4.3, lead_top=-0.4, lead_weak=-2.0, lead_length=0.8,
        lead_ace=1.3, lead_called=3.0, lead_long=0.2, lead_point=0.4, lead_through=0.4,
    ),
    leaster=LeasterWeights(
        more=5.1, beats=0.4, first=10.2, late=17.2,
        shed_point=0.6, shed_trump=3.2, shed_high=2.6, shed_top=-0.5, lead=-0.1,
    ),
)  # fmt: skip


def card_scores(rules: SheepsheadRules, weights: Play, view: View) -> jax.Array:
    """Return the worth of playing each card: float32[32]."""
    plain = _with_sides(_of_role(weights, view.role), view)
    if rules.no_pick != "leaster":
        return plain
    return jnp.where(view.role == LEASTER, _leaster(rules, weights.leaster, view), plain)


def choose_card(rules: SheepsheadRules, weights: Play, view: View) -> jax.Array:
    """Return the legal card of the greatest worth, the lowest number if equal: int32."""
    return best_of(card_scores(rules, weights, view), view.outlook.legal)


def _of_role(weights: Play, role: jax.Array) -> Weights:
    def choose(picker: Any, partner: Any, defender: Any) -> Any:
        return jnp.where(role == PICKER, picker, jnp.where(role == PARTNER, partner, defender))

    assert DEFENDER not in (PICKER, PARTNER)
    chosen: Weights = jax.tree.map(choose, weights.picker, weights.partner, weights.defender)
    return chosen


def _with_sides(weights: Weights, view: View) -> jax.Array:
    look = view.outlook
    chance = look.chance(ruffs=weights.ruffs, rescue=weights.rescue)
    # The points on the table, those of the card, and those expected of the players to come.
    gain = chance * (view.table + POINTS + weights.more * view.to_come)
    # The player leads next only if its own card wins.
    gain = gain + weights.take * jnp.where(look.wins, chance, 0.0)
    lead = jnp.where(look.leading, _lead(weights, view), 0.0)
    return gain + lead - _kept(weights, view)


def _kept(weights: Weights, view: View) -> jax.Array:
    """Return the value of keeping each card: float32[32]."""
    look = view.outlook
    rivals, rank = look.rivals, CARDS % 8
    # Trumps count by the number of unseen trumps above them.
    power = jnp.where(rivals <= 7, weights.middle, 0.0)
    power = jnp.where(rivals <= 3, weights.high, power)
    power = jnp.where(rivals == 0, weights.top, power)
    trump = weights.trump + power + weights.trump_point * POINTS
    # High fails count by rank, and others as their guards.
    fail = jnp.where(rank == ACE, weights.ace, weights.guard * (view.number - 1))
    fail = jnp.where(rank == TEN, weights.ten, fail)
    fail = jnp.where(rank == KING, weights.king, fail)
    fail = fail + jnp.where(rivals == 0, weights.top_fail, 0.0)
    single = (view.number == 1) & (view.trumps > 0)
    fail = fail - jnp.where(single, weights.void, 0.0)
    return jnp.where(look.suit == TRUMP_CLASS, trump, fail)


def _lead(weights: Weights, view: View) -> jax.Array:
    """Return the weight added to the score of leading each card: float32[32]."""
    look = view.outlook
    rivals = look.rivals
    # The unseen trumps, spread evenly over the other seats.
    share = view.others / jnp.float32(len(look.seats))
    trump = weights.lead_trump + weights.lead_length * (view.trumps - share)
    trump = trump + jnp.where(rivals == 0, weights.lead_top, 0.0)
    trump = trump + jnp.where(rivals > 3, weights.lead_weak, 0.0)
    fail = jnp.where(rivals == 0, weights.lead_ace, weights.lead_point * POINTS)
    fail = fail + weights.lead_long * (view.number - 1)
    fail = fail + jnp.where(look.suit == view.called_suit, weights.lead_called, 0.0)
    fail = fail + jnp.where(view.picker_between, weights.lead_through, 0.0)
    return jnp.where(look.suit == TRUMP_CLASS, trump, fail)


def _leaster(rules: SheepsheadRules, weights: LeasterWeights, view: View) -> jax.Array:
    """Return the worth of each card if all play alone: float32[32]."""
    look = view.outlook
    chance = look.chance(ruffs=weights.beats)
    points = view.table + POINTS + weights.more * view.to_come + _blind_points(rules, view)
    # A player without a trick needs one, more urgently with fewer tricks left.
    urgent = weights.first + weights.late / jnp.maximum(view.left, 1.0)
    value = jnp.where(view.has_trick, 0.0, urgent) - points - weights.lead
    trump = weights.shed_trump + jnp.where(look.rivals <= 3, weights.shed_high, 0.0)
    shed = jnp.where(look.rivals == 0, weights.shed_top, 0.0)
    shed = jnp.where(look.suit == TRUMP_CLASS, trump, shed) + weights.shed_point * POINTS
    return chance * value + shed


def _blind_points(rules: SheepsheadRules, view: View) -> jax.Array:
    """Return the expected points of the blind that come with this trick: float32."""
    if rules.leaster_blind == "none":
        return jnp.float32(0)
    unseen = view.outlook.unseen
    number = jnp.maximum(unseen.count(), 1).astype(jnp.float32)
    # The mean points of an unseen card.
    mean = jnp.where(unseen.mask(), POINTS, 0.0).sum() / number
    # The blind comes with the last trick, or with the first one.
    trick = 1 if rules.leaster_blind == "last_trick" else rules.hand_size
    return jnp.where(view.left == trick, rules.blind_size * mean, 0.0)
