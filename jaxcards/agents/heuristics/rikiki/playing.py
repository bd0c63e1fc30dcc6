"""Playing cards at Rikiki: the card after which the bid is most likely to be made.

The worth of a card is the expected score after it. It depends on the chance that the card wins the
trick, the tricks still wanted in either case, and the worth of the other cards. So the player throws
off high cards if it has too many, and keeps them if it wants tricks. Among equal cards it plays the one
whose trick is the least certain.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.outlook import Seat, best_of, by_class, count_in, none_of, steady
from jaxcards.agents.heuristics.rikiki.aim import Aim, expected, steps
from jaxcards.agents.heuristics.rikiki.view import ABOVE, BELOW, View
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.score import seat_points


class Weights(NamedTuple):
    """Weights of the rules of thumb.

    Attributes:
      aim: how reliably bids are made in the tricks that follow; see `Aim`.
      keen: chance that a player who wants tricks beats a card that it can beat.
      urgent: increase of this chance, times the fraction of the remaining tricks that the player wants.
      sated: the same chance for a player who has its tricks and can stay below.
      lead: expected extra tricks of the hand that is on lead.
      single: expected extra tricks from playing the only card of a plain suit while having trumps.
      spoil: value of a trick (the player's bid being worth 1000), times the tricks that the others want
        beyond those left: taking the trick, or leaving it, makes others miss.
    """

    aim: Aim
    keen: Any
    urgent: Any
    sated: Any
    lead: Any
    single: Any
    spoil: Any


# An evolution strategy in duplicate deals of self-play found the numbers.
WEIGHTS = Weights(
    aim=Aim(steer=0.36, steer_more=-0.008, spread=0.164, spread_cards=0.517),
    keen=1.173,
    urgent=0.16,
    sated=0.392,
    lead=0.03,
    single=0.007,
    spoil=19.366,
)

_FULL = 1000.0  # scores are scaled to the range between the best and the worst of the bid


def winning(weights: Weights, view: View) -> jax.Array:
    """Return the chance that each card wins this trick: float32[52]."""
    look = view.outlook
    left = jnp.maximum(view.left, 1).astype(jnp.float32)
    stands: jax.Array = jnp.ones(look.suit.shape, jnp.float32)
    for seat, need in zip(look.seats, view.needs, strict=True):
        urgency = jnp.minimum(need.astype(jnp.float32) / left, 1.0)
        will = jnp.where(need > 0, weights.keen + weights.urgent * urgency, weights.sated)
        will = steady(jnp.clip(will, 0.0, 1.0))
        # A seat that would rather stay below still beats the card if all it has is higher.
        can, must = look.beaten_by(seat), _must_beat(view, seat)
        beats = jnp.where(seat.plays, will * can + (1 - will) * jnp.minimum(must, can), 0.0)
        stands = stands * (1 - beats)
    return jnp.where(look.wins, stands, 0.0)


def _must_beat(view: View, seat: Seat) -> jax.Array:
    """Return the chance that a seat follows suit and has only higher cards: float32[52]."""
    look = view.outlook
    share = by_class(seat.share, look.suit)
    # The seat has a card above this one, and lacks those below it.
    some = 1 - none_of(count_in(ABOVE, seat.possible), share)
    must = some * none_of(count_in(BELOW, seat.possible), share)
    return jnp.where(look.leading | (look.suit == look.led), must, 0.0)


def card_scores(rules: RikikiRules, weights: Weights, view: View, chances: jax.Array) -> jax.Array:
    """Return the worth of playing each card: float32[52], up to about 1000.

    Args:
      rules: the rules.
      weights: of the rules of thumb.
      view: the round.
      chances: float32[52], the chance of each own card to win a trick later.
    """
    wins = winning(weights, view)
    left = view.left - 1
    # The tricks expected of the other cards in hand.
    mean = chances.sum() - chances + jnp.where(_ruffs_later(view), weights.single, 0.0)
    uncertain = chances * (1 - chances)
    variance = uncertain.sum() - uncertain
    worth, size = _steps(rules, view)
    lead = jnp.where(left > 0, weights.lead, 0.0)
    kept = expected(weights.aim, worth, view.bid, view.won, left, mean, variance)
    taken = expected(weights.aim, worth, view.bid, view.won + 1, left, mean + lead, variance)
    # The expected score over both results of the trick.
    score = (kept + wins * (taken - kept)) * (_FULL / size)
    return score + weights.spoil * jnp.clip(view.pressure, -1.0, 1.0) * wins


def _ruffs_later(view: View) -> jax.Array:
    """Return whether a card is the only one of a plain suit in a hand with trumps: bool[52]."""
    look = view.outlook
    alone = jnp.ones(look.suit.shape, bool)
    for above, below, word in zip(ABOVE, BELOW, look.hand.words, strict=True):
        alone = alone & ((jnp.asarray(above | below) & word) == 0)
    return alone & (look.suit != look.trump) & (view.trumps > 0)


def _steps(rules: RikikiRules, view: View) -> tuple[list[jax.Array], jax.Array]:
    """Return the steps of the player's bid, and the range between its best and its worst score."""
    scores = [
        seat_points(rules, view.bid, jnp.int32(won), view.size).astype(jnp.float32)
        for won in range(max(rules.schedule) + 1)
    ]
    best, worst = scores[0], scores[0]
    for score in scores[1:]:
        best, worst = jnp.maximum(best, score), jnp.minimum(worst, score)
    return steps(rules, view.bid, view.size), jnp.maximum(best - worst, 1.0)


def choose_card(rules: RikikiRules, weights: Weights, view: View, chances: jax.Array) -> jax.Array:
    """Return the legal card of the greatest worth, the lowest number if equal: int32."""
    return best_of(card_scores(rules, weights, view, chances), view.outlook.legal)
