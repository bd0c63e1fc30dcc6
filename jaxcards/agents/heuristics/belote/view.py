"""One player's view of a Belote deal: the trick, the worth of cards, the possible hands."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics import worth
from jaxcards.agents.heuristics.outlook import Outlook
from jaxcards.agents.heuristics.worth import View
from jaxcards.cards import sets
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.belote.play import (
    ALL_TRUMP,
    ALL_TRUMP_POINTS,
    DECK,
    LAST_TRICK_POINTS,
    NO_TRUMP,
    NO_TRUMP_POINTS,
    NUM_SEATS,
    NUM_TRICKS,
    PLAIN_ORDER,
    PLAIN_POINTS,
    TRUMP_ORDER,
    TRUMP_POINTS,
    Observation,
)
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.xla.fence import fence

SUIT = worth.suits_of(DECK)
_TRUMP_STRENGTH = worth.strengths(DECK, TRUMP_ORDER)
(_ABOVE_PLAIN,), (_ABOVE_TRUMP,) = worth.above(DECK, PLAIN_ORDER), worth.above(DECK, TRUMP_ORDER)


def view_of(rules: BeloteRules, seen: Observation, legal: CardSet) -> View:
    """Return the view of the player with this observation.

    Args:
      rules: the rules.
      seen: the player's observation.
      legal: the cards that it may play; empty during the auction.
    """
    public = seen.public
    me, hand = seen.player.astype(jnp.uint32), sets.fence_set(seen.hand)
    # high: bool[num_cards], whether a card ranks as a trump.
    high = public.mode == SUIT
    # In all trump every suit ranks as trumps do.
    high = high | (public.mode == ALL_TRUMP) if rules.modes_nt_at else high
    unseen, others = worth.table_round(
        hand=hand,
        played_by=seen.played_by,
        num_played=public.num_played,
        # Next player, partner, previous player.
        lacks=[by_seat(public.lacks, (me + places) & 3) for places in (1, 2, 3)],
        sure=[known_cards(seen, (me + places) & 3) for places in (1, 2, 3)],
        ally=(0.0, 1.0, 0.0),
    )
    trick = public.trick
    best_suit, best_above = worth.winning_card(DECK, trick, public.mode, _higher(seen))
    number, trumps = worth.own_suits(hand, public.mode)
    last = public.num_played >= NUM_SEATS * (NUM_TRICKS - 1)
    return View(
        outlook=Outlook(
            hand=hand,
            legal=sets.fence_set(legal),
            unseen=unseen,
            suit=jnp.asarray(SUIT),
            above=(jnp.where(high, _ABOVE_TRUMP, _ABOVE_PLAIN),),
            trump=jnp.where(public.mode < NO_TRUMP, public.mode, NO_SUIT).astype(jnp.uint32),
            led=trick.led,
            best_suit=best_suit,
            best_above=best_above,
            winner_ally=(trick.winner == ((me + 2) & 3)).astype(jnp.float32),
            seats=others,
        ),
        strength=_TRUMP_STRENGTH,
        value=_values(rules, public.mode, high),
        number=number,
        trumps=trumps,
        position=fence(public.num_played & 3),
        on_table=trick.points.astype(jnp.float32) + jnp.where(last, LAST_TRICK_POINTS, 0),
        swept=worth.tricks_swept(public.winners, public.num_played),
        from_declarer=fence((me - seen.bidder.astype(jnp.uint32)) & 3),
        led=suits_led(seen),
    )


def _higher(seen: Observation) -> jax.Array:
    """Return the ranks that beat the winning card in its suit: uint32, bit r for rank r."""
    public = seen.public
    best = public.trick.best
    # The lower bits of a strength are the place in the order of the suit.
    strength, high = best & (TRUMP - 1), (best > TRUMP) | (public.mode == ALL_TRUMP)
    return jnp.where(high, TRUMP_ORDER.stronger(strength), PLAIN_ORDER.stronger(strength))


def known_cards(seen: Observation, seat: jax.Array) -> CardSet:
    """Return the cards that a seat is known to have been dealt: laid open, announced or turned up."""
    known = CardSet.empty(DECK)
    for cards in (seen.shown, seen.belote):
        if cards is not None:
            known = known | by_seat(cards, seat)
    if seen.turn_up is not None:
        taken = CardSet.single(DECK, seen.turn_up.astype(jnp.uint32))
        known = known | sets.select(seen.bidder.astype(jnp.uint32) == seat, taken, CardSet.empty(DECK))
    return known


def suits_led(seen: Observation) -> tuple[jax.Array, jax.Array]:
    """Return the suits that the partner, and that an opponent, has led: uint32, bit s for suit s."""
    public = seen.public
    me, forehand = seen.player.astype(jnp.uint32), public.forehand
    return worth.suits_led(DECK, public.history, public.winners, public.num_played, forehand, me)


def _values(rules: BeloteRules, mode: jax.Array, high: jax.Array) -> jax.Array:
    # The points of each rank, repeated for each suit.
    plain, trumps, no_trump, all_trump = (
        jnp.asarray(np.tile(np.array(points, np.float32), len(DECK.suits)))
        for points in (PLAIN_POINTS, TRUMP_POINTS, NO_TRUMP_POINTS, ALL_TRUMP_POINTS)
    )
    values = jnp.where(high, trumps, plain)
    if rules.modes_nt_at:
        values = jnp.where(mode == NO_TRUMP, no_trump, values)
        values = jnp.where(mode == ALL_TRUMP, all_trump, values)
    return values
