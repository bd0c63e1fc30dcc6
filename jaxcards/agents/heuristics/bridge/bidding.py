"""Calls of the Bridge heuristic: natural bids by high card points and the length of suits."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

_BIDS = np.arange(35)
_NT, _MAJORS = 4, np.array([False, False, True, True])
_POINTS = np.array([0] * 9 + [1, 2, 3, 4])  # of jack, queen, king and ace
# The first bid of a balanced hand by its points: 1NT, 2NT, or a suit (-1).
_NOTRUMP = np.array([-1] * 15 + [_NT] * 3 + [-1] * 2 + [5 + _NT] * 3 + [-1] * 18)
# Points and cards for a suit at levels one and two: to open, to overcall, to answer.
_NEEDED = np.array([[[12, 12], [0, 0]], [[9, 12], [5, 5]], [[6, 10], [4, 5]]])
# Points beyond the least that a bid shows, for levels above two and for 2NT.
_EXTRA = 2 * np.maximum(_BIDS // 5 - 1, 0) + 3 * (_BIDS == 5 + _NT)
# By strain: the level of game, and the points of both hands that it needs.
_GAME_LEVEL, _GAME = np.array([5, 5, 4, 4, 3]), np.array([28, 28, 25, 25, 25])
_SLAM, _GRAND = 33, 37


class Hand(NamedTuple):
    """The strength of a hand."""

    points: jax.Array  # int32, high card points
    length: jax.Array  # int32[4], cards of each suit
    balanced: jax.Array  # bool


def hand_of(cards: jax.Array) -> Hand:
    """Return the strength of a hand: bool[52]."""
    suits = cards.reshape(4, 13)
    length = suits.sum(1)
    # No suit is shorter than two cards, and at most one has only two.
    balanced = (length.min() >= 2) & ((length == 2).sum() <= 1)
    return Hand((suits * _POINTS).sum(), length, balanced)


class _Auction(NamedTuple):
    """The bids so far, seen from one seat; a bid is 0 to 34; -1 stands for no bid."""

    last: jax.Array  # the last bid
    mine: jax.Array  # the own last bid
    partner: jax.Array  # the last bid of the partner
    shown: jax.Array  # bool[4], suits that the partner has bid
    opened: jax.Array  # bool: the first bid was of the partner


def choose_bid(hand: Hand, bidders: jax.Array, me: jax.Array) -> jax.Array:
    """Return the bid that a player wants to make, from 0 to 34, or -1 to pass: int32.

    Args:
      hand: of the player.
      bidders: int32[35], the seat that has made each bid; -1 if none has.
      me: int32, the seat of the player.
    """
    made, by_partner = bidders >= 0, bidders == (me + 2) & 3
    last, mine, partner = (jnp.where(by, _BIDS, -1).max() for by in (made, bidders == me, by_partner))
    # Rows are levels; the last column, no trump, shows no suit.
    shown = by_partner.reshape(7, 5)[:, :_NT].any(0)
    seen = _Auction(last, mine, partner, shown, opened=by_partner[made.argmax()])
    # A side without a bid opens or overcalls; after that its calls answer the partner.
    fresh = (mine < 0) & (partner < 0)
    suit_bid = _suit_bid(hand, seen, jnp.where(fresh, jnp.where(last < 0, 0, 1), 2))
    notrump = jnp.asarray(_NOTRUMP)[hand.points]
    first = jnp.where((last < 0) & hand.balanced & (notrump >= 0), notrump, suit_bid)
    found = jnp.where(fresh, first, _next_bid(hand, seen, suit_bid))
    # A bid that is not above the last one stands for a pass.
    return jnp.where(found > last, found, -1)


def _cheapest(last: jax.Array, strain: jax.Array) -> jax.Array:
    """Return the lowest bid of a strain above another bid; 35 or more above 7NT."""
    # A strain comes back after five bids.
    return last + 1 + (strain - last - 1) % 5


def _suit_bid(hand: Hand, seen: _Auction, kind: jax.Array) -> jax.Array:
    """Return the cheapest bid of the longest suit that the partner has not bid; -1 if it needs more.

    The row `kind` of `_NEEDED` has the points and the cards that it needs at level one and level two.
    """
    new = jnp.where(seen.shown, 0, hand.length)
    bid = _cheapest(seen.last, (4 * new + np.arange(4)).argmax())  # of two long suits the higher one
    points, cards = jnp.asarray(_NEEDED)[kind, :, bid // 5]
    return jnp.where((bid < 10) & (hand.points >= points) & (new.max() >= cards), bid, -1)


def _partner_points(seen: _Auction) -> jax.Array:
    """Estimate the high card points of the partner from its last bid."""
    least = jnp.where(seen.opened, 13, jnp.where(seen.mine >= 0, 7, 10))
    shown = least + jnp.asarray(_EXTRA)[seen.partner]
    level, strain = seen.partner // 5, seen.partner % 5
    # An opening of 1NT shows 15 to 17 points, and one of 2NT five more.
    notrump = seen.opened & (seen.mine < 0) & (strain == _NT) & (level < 2)
    return jnp.where(seen.partner < 0, 5, jnp.where(notrump, 16 + 5 * level, shown))


def _next_bid(hand: Hand, seen: _Auction, suit_bid: jax.Array) -> jax.Array:
    """Return a raise, a new suit or a choice of game, once the own side has bid."""
    # The cards of both hands: four of a suit that the partner has bid, five of a major, one of others.
    length = hand.length + jnp.where(seen.shown, np.where(_MAJORS, 5, 4), 1)
    # Eight cards are a fit. Of several, a major comes first: its game needs fewer tricks.
    fit = jnp.where(length >= 8, length + 2 * _MAJORS, 0)
    suit, has_fit = fit.argmax(), fit.max() > 0
    # With a fit, short suits are worth points, because they are ruffed.
    short = jnp.where(has_fit, jnp.maximum(3 - hand.length, 0).sum() - (hand.length[suit] < 3), 0)
    flat = hand.points + _partner_points(seen)
    # A minor game needs three points more than three no trump.
    minor = (suit < 2) & ((flat + short < _GAME[0]) | hand.balanced) & (flat >= _GAME[_NT])
    strain = jnp.where(has_fit & ~minor, suit, _NT)
    total = flat + jnp.where(strain < _NT, short, 0)
    surplus = total - jnp.asarray(_GAME)[strain]
    # Grand slam, slam, game, or three of a fit; else two of no trump.
    reached = [total >= _GRAND, total >= _SLAM, surplus >= 0, has_fit]
    level = jnp.select(reached, [7, 6, jnp.asarray(_GAME_LEVEL)[strain], 3], 2)
    lowest = _cheapest(seen.last, strain)
    # A part score is bid as low as possible. A side rests in its own bid, but six points answer a first
    # bid, and an opener does not pass the new suit of its partner.
    weak, first = surplus < -2, seen.mine < 0
    answers = first & (hand.points + short >= 6) & (has_fit | (lowest < 5))
    new_suit = (seen.partner % 5 < _NT) & (seen.partner % 5 != seen.mine) & (seen.partner > seen.mine)
    asked = new_suit & ~first & (seen.mine < 5) & ~seen.opened
    ours = seen.last == jnp.maximum(seen.mine, seen.partner)
    settled = ours & (~has_fit | (seen.last % 5 == strain)) & ~answers & ~asked
    raises = jnp.where(weak, lowest, 5 * (level - 1) + strain)
    raises = jnp.where(weak & (settled | (lowest // 5 > 1)), -1, raises)
    # A new suit is bid before a major fit is found.
    shows = first & (suit_bid >= 0) & (total < _SLAM) & ~(has_fit & (suit >= 2))
    return jnp.where(shows, suit_bid, raises)
