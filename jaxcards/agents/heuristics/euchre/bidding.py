"""Naming trumps at Euchre, playing alone, defending alone: the expected result of a hand.

The tricks of the makers are estimated from features of the hand and from the place at the table:
bowers, trumps, side aces, voids, the dealer, the owner of the up-card, "next" suits. The estimate gives
the chances of three tricks and of all five, and these give the points by the rules. The player names a
suit if these points exceed the value of passing. `experiments/heuristics/euchre.py` finds the
numbers in self-play.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.euchre.hands import best_five, hand_parts
from jaxcards.agents.heuristics.euchre.playing import KEEP, choose_discard
from jaxcards.agents.heuristics.euchre.view import renamed
from jaxcards.cards import sets
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.seats import places_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.euchre.calls import CALL, PASS, REDEAL, SAY_ALONE, SAY_TEAM
from jaxcards.games.euchre.features import first_suit
from jaxcards.games.euchre.play import (
    ALONE,
    BID1,
    BID2,
    DEFEND,
    JACK,
    JOKER,
    NAME_BLIND,
    Observation,
    deck_of,
    turned_suit,
)
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.xla.fence import fence

PLACE_PARTS = (
    "any hand", "dealer", "partner dealt", "leads", "second round",
    "partner picks up the right bower", "partner picks up ace or king", "partner picks up",
    "opponent picks up the right bower", "opponent picks up ace or king", "opponent picks up",
    "next suit, opponent dealt", "next suit, own side dealt",
)  # fmt: skip
"""Names of the features that `place_parts` returns."""

_OPPONENT_GETS_BOWER = PLACE_PARTS.index("opponent picks up the right bower")


class Estimate(NamedTuple):
    """Weights of the estimate of tricks.

    Attributes:
      worth: tricks of each of `PLACE_PARTS` and `HAND_PARTS`.
      three: the logit of three tricks or more: a constant, and the slope in the estimate.
      five: the same for five tricks.
    """

    worth: Any
    three: Any
    five: Any


class Bids(NamedTuple):
    """The numbers of a kind of seat.

    Attributes:
      together: playing with the partner, or with the dummy's cards.
      alone: playing alone.
      open: tricks of each of `HAND_PARTS` in the dummy's open hand, () without a dummy.
      passing: expected points of passing, in the first round and in the second, by the number of places
        to the left of the dealer.
      lone_margin: advantage in expected points that playing alone needs.
    """

    together: Estimate
    alone: Estimate
    open: Any
    passing: Any
    lone_margin: Any


class Defence(NamedTuple):
    """Weights for defending alone.

    Attributes:
      worth: tricks of a lone defender, of each of `HAND_PARTS` after a constant, against a lone maker.
      partner: the same against a maker who has a partner.
      least: lowest number of expected tricks for defending alone: against a lone maker, against two.
    """

    worth: Any
    partner: Any
    least: Any


class Offer(NamedTuple):
    """Expected results of naming a suit: float32 scalars.

    Attributes:
      tricks, tricks_alone: of the makers.
      points, points_alone: of the makers, less those of the others.
    """

    tricks: jax.Array
    tricks_alone: jax.Array
    points: jax.Array
    points_alone: jax.Array


def expected_points(
    rules: EuchreRules, estimate: Estimate, tricks: jax.Array, march: int, euchre: int
) -> jax.Array:
    """Return the expected points of the makers, less those of the defenders: float32."""
    three = jax.nn.sigmoid(estimate.three[0] + estimate.three[1] * tricks)
    # Five tricks cannot be likelier than three.
    five = jnp.minimum(jax.nn.sigmoid(estimate.five[0] + estimate.five[1] * tricks), three)
    # A march is among the deals of three tricks or more, and adds the difference.
    made = three * rules.points_make + five * (march - rules.points_make)
    return made - (1 - three) * euchre


def place_parts(rules: EuchreRules, seen: Observation, colour: int) -> list[jax.Array]:
    """Return the features that do not depend on the hand: float32 scalars.

    Args:
      rules: the rules.
      seen: the observation of the player who names trumps or has named them.
      colour: relation of the suit to `first_suit`, the exclusive or of their numbers; 3 is "next".
    """
    public = seen.public
    seating, call = seating_of(rules), public.calls
    me, dealer = call.seat, public.dealer
    first_round = (call.phase == BID1) | (call.phase == NAME_BLIND) | public.picked_up
    mine = me == dealer
    partners = (seating.partner_bit(me) >> dealer) & 1 == 1
    others = ~mine & ~partners
    leads = places_after(dealer, me, seating.num_seats) == 1
    rank = public.up_card - turned_suit(public.up_card) * deck_of(rules).ranks_per_suit
    # Ranks 4 and 5 are king and ace; the joker counts as rank 0.
    bower, high = rank == JACK, rank >= 4
    # The suit of the up-card's colour; after the second round `colour` is counted from trumps.
    named = (call.phase == ALONE) & (call.trump == (turned_suit(public.up_card) ^ 3))
    is_next = ~first_round & ((colour == 3) & (call.phase == BID2) | (colour == 0) & named)
    gives, hands_over = first_round & partners, first_round & others
    found = [
        jnp.ones((), bool), mine, partners, leads, ~first_round,
        gives & bower, gives & high, gives,
        hands_over & bower, hands_over & high, hands_over,
        is_next & others, is_next & ~others,
    ]  # fmt: skip
    return [part.astype(jnp.float32) for part in found]


def _hands(rules: EuchreRules, seen: Observation, colour: int) -> tuple[CardSet, CardSet]:
    """Return the hands to play with, together and alone, the suits renamed."""
    public = seen.public
    seating, call, deck = seating_of(rules), public.calls, deck_of(rules)
    first = first_suit(seen)
    own = seen.hand
    up = CardSet(deck, [jnp.uint32(1) << public.up_card])
    # Only a dealer who takes the up-card has six cards.
    picks = (call.phase == BID1) if colour == 0 else jnp.zeros((), bool)
    picks = (picks | (call.phase == NAME_BLIND)) & (call.seat == public.dealer)
    own = own | sets.select(picks, up, CardSet.empty(deck))
    # From here on, clubs are trumps.
    own = _renamed(first ^ colour, own)
    alone = own
    if colour == 0:
        may_go = own if rules.discard_upcard else own - _renamed(first, up)
        out = CardSet.single(deck, choose_discard(KEEP, own, may_go))
        alone = own - sets.select(own.count() > 5, out, CardSet.empty(deck))
    if not seating.pool:
        return alone, alone
    assert seen.dummy is not None
    # Seat 0 may take the dummy's cards; in cutthroat every seat may.
    takes = (call.seat == 0) | (rules.mode == "dummy_cutthroat")
    dummy = _renamed(first ^ colour, seen.dummy)
    more = CardSet(deck, [jnp.where(takes, dummy.words[0], 0)])
    return best_five(own | more), alone


def _renamed(first: jax.Array, held: CardSet) -> CardSet:
    return CardSet(held.deck, [fence(word) for word in renamed(first, held).words])


def parts(
    rules: EuchreRules, seen: Observation, colour: int
) -> tuple[list[jax.Array], list[jax.Array], list[jax.Array]]:
    """Return the features of a suit: together, alone, and of the dummy's open hand."""
    place = place_parts(rules, seen, colour)
    hand, alone = _hands(rules, seen, colour)
    counted = hand_parts(hand)
    # Where no dummy can be taken, both hands are the same.
    lone = hand_parts(alone) if seating_of(rules).pool else counted
    opened: list[jax.Array] = []
    if seating_of(rules).dummy_seat is not None:
        assert seen.dummy is not None
        opened = hand_parts(_renamed(first_suit(seen) ^ colour, seen.dummy))
    return place + counted, place + lone, opened


def offer(rules: EuchreRules, bids: Bids, seen: Observation, colour: int) -> Offer:
    """Return the tricks and points expected of naming a suit, or of having named it (colour 0)."""
    together, alone, opened = parts(rules, seen, colour)
    tricks = _sum(bids.together.worth, together) + _sum(bids.open, opened)
    lone = _sum(bids.alone.worth, alone)
    euchre = rules.points_euchre
    # A lone maker that is euchred pays at least this.
    lone_euchre = max(euchre, rules.points_lone_euchre)
    return Offer(
        tricks,
        lone,
        expected_points(rules, bids.together, tricks, rules.points_march, euchre),
        expected_points(rules, bids.alone, lone, rules.points_alone_march, lone_euchre),
    )


def _sum(worth: Sequence[Any], counted: Sequence[jax.Array]) -> jax.Array:
    total = jnp.float32(0)
    for value, part in zip(worth, counted, strict=True):
        total = total + value * part
    return total


def passing(bids: Bids, rules: EuchreRules, seen: Observation) -> jax.Array:
    """Return the expected points of passing: float32."""
    public = seen.public
    place = places_after(public.dealer, public.calls.seat, seating_of(rules).num_seats)
    second = public.calls.phase == BID2
    chosen: Any = jnp.float32(0)
    for number, (early, late) in enumerate(zip(*bids.passing, strict=True)):
        chosen = jnp.where(place == number, jnp.where(second, late, early), chosen)
    return jnp.asarray(chosen)


def call_scores(rules: EuchreRules, bids: Bids, seen: Observation) -> tuple[list[jax.Array], jax.Array]:
    """Return the expected points of naming each suit, by colour, and the gain of going alone.

    A dealer of the other side who picks up the right bower wins a trick with it. A march is then
    impossible, and the player does not go alone.
    """
    offers = [offer(rules, bids, seen, colour) for colour in range(4)]
    together = [found.points for found in offers]
    if not rules.allow_alone:
        return together, jnp.float32(-jnp.inf)
    if rules.canadian_loner:
        # Who orders the partner up plays alone.
        call, dealer = seen.public.calls, seen.public.dealer
        # Seats 0 and 2, and 1 and 3, are partners.
        orders = (call.phase == BID1) & (call.seat == dealer ^ 2)
        together[0] = jnp.where(orders, offers[0].points_alone, together[0])
    lone = [found.points_alone - bids.lone_margin for found in offers]
    no_march = place_parts(rules, seen, 0)[_OPPONENT_GETS_BOWER] > 0
    lone[0] = jnp.where(no_march, -jnp.inf, lone[0])
    return [jnp.maximum(*both) for both in zip(together, lone, strict=True)], lone[0] - together[0]


def choose_call(
    rules: EuchreRules, bids: Bids, defence: Defence, seen: Observation, legal: ActionSet
) -> jax.Array:
    """Return the action for the phases in which no card is chosen: int32.

    Among equal suits, the suit of the up-card comes first, then the others by number.
    """
    call = seen.public.calls
    scores, gain_alone = call_scores(rules, bids, seen)
    (word,) = legal.words
    first = first_suit(seen)
    # Compare 1/1024ths of a point, so that the last bit of a float does not matter.
    best, chosen = jnp.int32(-1 << 30), jnp.uint32(0)
    for colour, score in enumerate(scores):
        # Colour 0 is the suit of the card turned up, 3 the other suit of its colour.
        suit = first ^ colour
        rounded = jnp.round(1024 * jnp.clip(score, -1000, 1000)).astype(jnp.int32)
        better = ((word >> (CALL + suit)) & 1 == 1) & (rounded > best)
        best, chosen = jnp.where(better, rounded, best), jnp.where(better, suit, chosen)
    least = jnp.round(1024 * passing(bids, rules, seen)).astype(jnp.int32)
    # Pass if this is expected to bring more than the best suit.
    may_pass = (word >> PASS) & 1 == 1
    said = jnp.where(may_pass & (best < least), PASS, CALL + chosen.astype(jnp.int32))
    # Ask for a redeal whenever it is allowed.
    if rules.farmers_hand:
        said = jnp.where((word >> REDEAL) & 1 == 1, REDEAL, said)
    if not rules.allow_alone:
        return said
    lone = jnp.round(1024 * gain_alone) > 0
    if rules.defend_alone != "never":
        lone = jnp.where(call.phase == DEFEND, defends_alone(defence, seen), lone)
    # The player must go alone if the other answer is not legal.
    if rules.canadian_loner:
        lone = lone | ((word >> SAY_TEAM) & 1 == 0)
    answers = (call.phase == ALONE) | (call.phase == DEFEND)
    return jnp.where(answers, jnp.where(lone, SAY_ALONE, SAY_TEAM), said)


def defender_tricks(defence: Defence, seen: Observation) -> jax.Array:
    """Return the tricks that the player expects as a lone defender: float32."""
    counted = [jnp.float32(1), *hand_parts(_renamed(first_suit(seen), seen.hand))]
    lone = seen.public.calls.alone == 1
    return jnp.where(lone, _sum(defence.worth, counted), _sum(defence.partner, counted))


def defends_alone(defence: Defence, seen: Observation) -> jax.Array:
    """Return whether to defend alone: bool."""
    against_one, against_two = defence.least
    least = jnp.where(seen.public.calls.alone == 1, against_one, against_two)
    return jnp.round(1024 * (defender_tricks(defence, seen) - least)) >= 0


assert JOKER == 24  # `turned_suit` of the joker is 4; its rank counts from there
