"""Calls of the Bridge heuristic: natural bids by high card points and the length of suits."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

_BIDS = np.arange(35)
_LEVEL, _STRAIN = _BIDS // 5 + 1, _BIDS % 5
_NT, _MAJORS = 4, np.array([False, False, True, True, False])
_POINTS = np.array([0] * 9 + [1, 2, 3, 4])  # of jack, queen, king and ace
_GAME_LEVEL = np.array([5, 5, 4, 4, 3])
# Points of both hands that a level of each strain needs.
_GAME = np.array([28, 28, 25, 25, 25])
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
    balanced = (length.min() >= 2) & ((length == 2).sum() <= 1)
    return Hand((suits * _POINTS).sum(), length, balanced)


class _Auction(NamedTuple):
    """The bids so far, seen from one seat; a bid is 0 to 34; -1 stands for no bid."""

    last: jax.Array  # the last bid
    ours: jax.Array  # bool: the own side made it
    mine: jax.Array  # the own last bid
    partner: jax.Array  # the last bid of the partner
    shown: jax.Array  # bool[5], strains that the partner has bid
    opened: jax.Array  # bool: the first bid was of the partner


def _auction_of(bidders: jax.Array, me: jax.Array) -> _Auction:
    partner, made = (me + 2) & 3, bidders >= 0

    def last(where: jax.Array) -> jax.Array:
        return jnp.where(where, _BIDS, -1).max()

    newest = last(made)
    first = jnp.where(made, _BIDS, 99).min()
    by_partner, by_me = made & (bidders == partner), made & (bidders == me)
    shown = jnp.stack([(by_partner & (_STRAIN == strain)).any() for strain in range(5)])
    ours = newest == jnp.maximum(last(by_partner), last(by_me))
    opened = (jnp.where(by_partner, _BIDS, 99).min() == first) & (first < 99)
    return _Auction(newest, ours & (newest >= 0), last(by_me), last(by_partner), shown, opened)


def choose_bid(hand: Hand, bidders: jax.Array, me: jax.Array) -> jax.Array:
    """Return the bid that a player wants to make, from 0 to 34, or -1 to pass: int32.

    Args:
      hand: of the player.
      bidders: int32[35], the seat that has made each bid; -1 if none has.
      me: int32, the seat of the player.
    """
    seen = _auction_of(bidders, me)
    fresh = (seen.mine < 0) & (seen.partner < 0)
    found = jnp.where(fresh, _first_bid(hand, seen), _next_bid(hand, seen))
    return jnp.where(found > seen.last, found, -1)


def _cheapest(last: jax.Array, strain: jax.Array) -> jax.Array:
    """Return the lowest bid of a strain above another bid; 35 or more above 7NT."""
    return last + 1 + (strain - last - 1) % 5


def _first_bid(hand: Hand, seen: _Auction) -> jax.Array:
    """Return an opening or an overcall: the first bid of a side."""
    suit = (4 * hand.length + np.arange(4)).argmax()  # of two long suits the higher one
    points, flat = hand.points, hand.balanced
    opening = jnp.where(points >= 12, suit, -1)
    opening = jnp.where(flat & (points >= 15) & (points <= 17), _NT, opening)
    opening = jnp.where(flat & (points >= 20) & (points <= 22), 5 + _NT, opening)
    call = _cheapest(seen.last, suit)
    needed = jnp.where(call < 5, 9, 12)
    overcall = jnp.where((hand.length.max() >= 5) & (points >= needed) & (call < 10), call, -1)
    return jnp.where(seen.last < 0, opening, overcall)


def _partner_points(seen: _Auction) -> jax.Array:
    """Estimate the high card points of the partner from its last bid."""
    level, notrump = seen.partner // 5, seen.partner % 5 == _NT
    base = jnp.where(seen.opened, 13, jnp.where(seen.mine >= 0, 7, 10))
    shown = base + 2 * jnp.maximum(level - 1, 0)
    shown = jnp.where(notrump & (level == 1), base + 3, shown)
    first = seen.opened & (seen.mine < 0) & notrump
    shown = jnp.where(first & (level < 2), 16 + 5 * level, shown)
    return jnp.where(seen.partner < 0, 5, shown)


def _next_bid(hand: Hand, seen: _Auction) -> jax.Array:
    """Return a raise, a new suit or a choice of game, once the own side has bid."""
    length = hand.length + jnp.where(seen.shown[:4], np.where(_MAJORS[:4], 5, 4), 1)
    fit = jnp.where(length >= 8, length + 2 * _MAJORS[:4], 0)
    suit = fit.argmax()
    has_fit = fit.max() > 0
    short = jnp.where(has_fit, jnp.maximum(3 - hand.length, 0).sum() - (hand.length[suit] < 3), 0)
    flat = hand.points + _partner_points(seen)
    # A minor game needs three points more than three no trump.
    minor = (suit < 2) & ((flat + short < _GAME[0]) | hand.balanced) & (flat >= _GAME[_NT])
    strain = jnp.where(has_fit & ~minor, suit, _NT)
    total = flat + jnp.where(strain < _NT, short, 0)
    strong = total >= jnp.asarray(_GAME)[strain]
    level = jnp.where(strong, jnp.asarray(_GAME_LEVEL)[strain], 2)
    level = jnp.where(total >= _GRAND, 7, jnp.where(total >= _SLAM, 6, level))
    invites = ~strong & (total >= jnp.asarray(_GAME)[strain] - 2)
    level = jnp.where(invites & has_fit, 3, jnp.where(invites & (strain == _NT), 2, level))
    wanted = 5 * (level - 1) + strain
    lowest = _cheapest(seen.last, strain)
    # A part score is bid as low as possible. A side rests in its own bid, but six points answer a first
    # bid, and an opener does not pass the new suit of its partner.
    weak = ~strong & ~invites
    wanted = jnp.where(weak, lowest, wanted)
    answers = (seen.mine < 0) & (hand.points + short >= 6) & (has_fit | (lowest < 5))
    new_suit = (seen.partner > seen.mine) & (seen.mine >= 0) & (seen.mine < 5) & ~seen.opened
    asked = new_suit & (seen.partner % 5 < _NT) & (seen.partner % 5 != seen.mine % 5)
    settled = seen.ours & (~has_fit | (seen.last % 5 == strain)) & ~answers & ~asked
    rests = weak & (settled | (lowest // 5 > 1))
    raises = jnp.where(rests | (wanted < lowest), -1, wanted)
    # A new suit, before a fit is found: four cards at level one, five at level two.
    new = jnp.where(seen.shown[:4], 0, hand.length)
    longest = (4 * new + np.arange(4)).argmax()
    call = _cheapest(seen.last, longest)
    enough = (hand.points >= jnp.where(call < 5, 6, 10)) & (new.max() >= jnp.where(call < 5, 4, 5))
    shows = (seen.mine < 0) & (seen.partner >= 0) & (call < 10) & enough & (total < _SLAM)
    return jnp.where(shows & ~(has_fit & (suit >= 2)), call, raises)
