"""One player's view of a Jass deal: the trick, the worth of cards, the possible hands."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics import worth
from jaxcards.agents.heuristics.outlook import Outlook, PerCard
from jaxcards.agents.heuristics.worth import View
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import NO_SUIT, CardSet, fence_set
from jaxcards.cards.tricks import TRUMP, Trick
from jaxcards.games.jass.play import (
    BOTTOM_UP_ORDER,
    DECK,
    JACK,
    LAST_TRICK_POINTS,
    NO_TRUMP,
    NUM_SEATS,
    NUM_TRICKS,
    OBENABE_POINTS,
    PLAIN_ORDER,
    PLAIN_POINTS,
    POINTS_BITS,
    SLALOM_BOTTOM,
    TRUMP_ORDER,
    TRUMP_POINTS,
    UNDENUFE,
    UNDENUFE_POINTS,
    Observation,
    downward,
    partner_leads,
)
from jaxcards.games.jass.rules import JassRules
from jaxcards.xla.fence import fence

_WIDTH = DECK.ranks_per_suit
_LANE = (1 << _WIDTH) - 1
_SUIT = worth.suits_of(DECK)
_TRUMP_STRENGTH = worth.strengths(DECK, TRUMP_ORDER)
# In the order of the choices below: trumps, low cards beat high ones, high cards beat low ones.
_ORDERS = (TRUMP_ORDER, BOTTOM_UP_ORDER, PLAIN_ORDER)
_ABOVE = [worth.above(DECK, order) for order in _ORDERS]


def view_of(rules: JassRules, seen: Observation, legal: CardSet) -> View:
    """Return the view of the player with this observation.

    Args:
      rules: the rules.
      seen: the player's observation.
      legal: the cards that it may play; empty before a mode is chosen.
    """
    public = seen.public
    me, hand = seen.player.astype(jnp.uint32), fence_set(seen.hand)
    alone = rules.game == "differenzler"
    others = [(me + places) & 3 for places in (1, 2, 3)]
    unseen, seats = worth.table_round(
        hand=hand,
        played_by=seen.played_by,
        num_played=public.num_played,
        lacks=[_lacks(seen, seat) for seat in others],
        sure=seen.shown and [by_seat(seen.shown, seat) for seat in others],
        ally=(0.0, 0.0 if alone else 1.0, 0.0),
    )
    trick, last = public.trick, public.num_played >= NUM_SEATS * (NUM_TRICKS - 1)
    # Differenzler always has a trump suit.
    bottom_up = jnp.bool_(False) if alone else downward(rules, public)
    best_suit, best_above = worth.winning_card(DECK, trick, public.mode, _higher(trick, bottom_up))
    number, trumps = worth.own_suits(hand, public.mode)
    forehand = public.forehand
    pushed = public.num_calls == 2
    # After a push, the partner of forehand has chosen.
    declarer = (forehand + jnp.where(pushed, jnp.uint32(2), 0)) & 3
    # Forehand leads first, unless the rules give the lead to the partner that chose.
    by_partner = partner_leads(rules, pushed, public.mode)
    leader = forehand if by_partner is None else jnp.where(by_partner, declarer, forehand)
    return View(
        outlook=Outlook(
            hand=hand,
            legal=fence_set(legal),
            unseen=unseen,
            suit=jnp.asarray(_SUIT),
            above=_above(public.mode, bottom_up),
            trump=jnp.where(public.mode < NO_TRUMP, public.mode, NO_SUIT),
            led=trick.led,
            best_suit=best_suit,
            best_above=best_above,
            winner_ally=0.0 if alone else (trick.winner == others[1]).astype(jnp.float32),
            seats=seats,
        ),
        strength=_TRUMP_STRENGTH,
        value=_values(public.mode),
        number=number,
        trumps=trumps,
        position=fence(public.num_played & 3),
        on_table=trick.points.astype(jnp.float32) + jnp.where(last, LAST_TRICK_POINTS, 0),
        swept=worth.tricks_swept(public.winners, public.num_played),
        from_declarer=fence((me - declarer) & 3),
        led=worth.suits_led(DECK, public.history, public.winners, public.num_played, leader, me),
    )


def missing_points(seen: Observation) -> jax.Array:
    """Return the prediction less the points made so far (Differenzler): float32."""
    assert seen.prediction is not None
    made = field(seen.public.points, seen.player, POINTS_BITS)
    return (seen.prediction.astype(jnp.int32) - made.astype(jnp.int32)).astype(jnp.float32)


def _lacks(seen: Observation, seat: jax.Array) -> CardSet:
    """Return the cards that the play rules out for a seat: whole suits, never the jack of trumps."""
    public = seen.public
    voids = field(public.voids, seat, 4)
    # A word has the lanes of two suits.
    lanes = [jnp.where((voids >> suit) & 1, _LANE, 0).astype(jnp.uint32) for suit in range(4)]
    suits = CardSet(DECK, [low | high << _WIDTH for low, high in (lanes[:2], lanes[2:])])
    return suits - CardSet.in_suit(DECK, public.mode, jnp.uint32(1 << JACK))


def _higher(trick: Trick, bottom_up: jax.Array) -> jax.Array:
    """Return the ranks that beat the winning card in its suit: uint32, bit r for rank r."""
    strength = trick.best & (TRUMP - 1)
    trumps, down, up = (order.stronger(strength) for order in _ORDERS)
    return jnp.where(trick.best > TRUMP, trumps, jnp.where(bottom_up, down, up))


def _above(mode: jax.Array, bottom_up: jax.Array) -> PerCard:
    """Return the cards of its suit that beat each card in this trick."""
    return tuple(
        jnp.where(mode == _SUIT, trumps, jnp.where(bottom_up, down, up))
        for trumps, down, up in zip(*_ABOVE, strict=True)
    )


def _values(mode: jax.Array) -> jax.Array:
    """Return the points of each card: float32[36]."""
    plain, trumps, top, bottom = (
        jnp.asarray(np.tile(np.array(points, np.float32), len(DECK.suits)))
        for points in (PLAIN_POINTS, TRUMP_POINTS, OBENABE_POINTS, UNDENUFE_POINTS)
    )
    suited = jnp.where(mode == _SUIT, trumps, plain)
    downward = (mode == UNDENUFE) | (mode == SLALOM_BOTTOM)
    return jnp.where(mode < NO_TRUMP, suited, jnp.where(downward, bottom, top))
