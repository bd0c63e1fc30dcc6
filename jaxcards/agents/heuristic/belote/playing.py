"""Choosing a card at Belote: what each legal card is worth, as a sum of rules of thumb.

The worth of a card is what the trick brings with it (the points on the table, its own, and some for
what is still to come, times the chance to win them less the chance to lose them) less what the card
would be worth later on, plus or minus a few points that experience gives to leads. So a ten
goes into the partner's trick and not into the opponents', the last player takes as cheaply as
possible, an ace is cashed before it is ruffed, and the taker draws trumps with the jack.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristic.belote.view import NUM_SUITS, SUIT, TRUMP_STRENGTH, View, suits_led
from jaxcards.agents.heuristic.outlook import best_of, by_class
from jaxcards.agents.heuristic.weights import select
from jaxcards.games.belote.deck import ALL_TRUMP, LAST_TRICK_POINTS, NO_TRUMP, NUM_TRICKS
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.games.belote.state import NUM_SEATS, Observation, Public
from jaxcards.xla.fence import fence


class Weights(NamedTuple):
    """How much each rule of thumb counts, in points unless said otherwise.

    Attributes:
      trick: extra value of winning a trick as leader, second, third, last: cards to come, the lead.
      sweep: value of a trick, times the number of tricks so far, while one side has won them all.
      cash: value of being on lead, for each own card that nobody can beat.
      ruffs: how likely an opponent who can beat a card does so.
      rescue: how likely the partner who can beat an opponent's card does so.
      keep: what a plain card is worth later, by the number of unseen cards above it: 0, 1, 2, more.
      keep_points: the same for each of its points.
      keep_guard: a low card beside an own card that a single unseen card beats.
      keep_length: times the number of own cards in the suit.
      keep_trump: a trump, by strength from the seven to the jack.
      keep_trump_against: times its points, as a defender.
      keep_last_trump: a trump while nobody else has any.
      lead_top_trump, lead_trump: leading trumps while opponents may have some, as the bidding side,
        with a trump that nobody beats, or another.
      lead_trump_points: the same for each of its points, if somebody can beat it.
      lead_trump_for_partner: the same if the partner is the bidder.
      lead_spent_trump: leading trumps that only the own side has.
      lead_trump_against: leading trumps as the other side.
      lead_top: a plain card that none beats in its suit.
      lead_length: times the number of own cards in the suit, for other plain leads.
      lead_single: a single card while having trumps.
      lead_partner_void: a suit that the partner may ruff, times the chance that it can.
      lead_partner_suit, lead_opponent_suit: a suit that the partner, or an opponent, has led before.
    """

    trick: Any
    sweep: Any
    cash: Any
    ruffs: Any
    rescue: Any
    keep: Any
    keep_points: Any
    keep_guard: Any
    keep_length: Any
    keep_trump: Any
    keep_trump_against: Any
    keep_last_trump: Any
    lead_top_trump: Any
    lead_trump: Any
    lead_trump_points: Any
    lead_trump_for_partner: Any
    lead_spent_trump: Any
    lead_trump_against: Any
    lead_top: Any
    lead_length: Any
    lead_single: Any
    lead_partner_void: Any
    lead_partner_suit: Any
    lead_opponent_suit: Any


# TRUMPS was found by self-play on duplicate deals, see `experiments/belote_heuristic/fit.py`, all but
# `lead_top_trump`, which came out at 23; NO_TRUMPS and ALL_TRUMPS are still guesses.

TRUMPS = Weights(
    trick=(1.1, 3.6, 2.7, 0.7),
    sweep=-0.9,
    cash=1.2,
    ruffs=1.0,
    rescue=0.0,
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


def card_scores(rules: BeloteRules, weights: Weights, seen: Observation, view: View) -> jax.Array:
    """Returns the worth of playing each card: float32[32], in points."""
    public = seen.public
    look = view.outlook
    on_table = public.trick.points.astype(jnp.float32)
    last = jnp.where(public.num_played >= NUM_SEATS * (NUM_TRICKS - 1), LAST_TRICK_POINTS, 0)
    gain = on_table + last + view.value + select(weights.trick, view.position) + _sweep(weights, public)
    cash = weights.cash * look.tops.sum().astype(jnp.float32)
    gain = gain + jnp.where(look.wins, cash, 0.0)
    chance = look.chance(ruffs=weights.ruffs, rescue=weights.rescue)
    worth = gain * (2 * chance - 1) - _kept(weights, view)
    return worth + jnp.where(view.position == 0, _leads(weights, seen, view), 0.0)


def _sweep(weights: Weights, public: Public) -> jax.Array:
    """Returns the extra value of a trick while one side has won all: its capot, or our saving it."""
    tricks = public.num_played >> 2
    every = jnp.uint32(0x5555) & ((jnp.uint32(1) << (2 * tricks)) - 1)
    teams = public.winners & every
    swept = (teams == 0) | (teams == every)
    return jnp.where(swept, weights.sweep * tricks.astype(jnp.float32), 0.0)


def _kept(weights: Weights, view: View) -> jax.Array:
    """Returns what each card is expected to be worth in later tricks: float32[32]."""
    look = view.outlook
    rivals = look.rivals
    none_left, guarded = _suit_flags(view)
    plain = select(weights.keep, rivals) + view.value * select(weights.keep_points, rivals)
    plain = plain + weights.keep_length * view.number
    plain = plain + jnp.where(guarded & (rivals > 1), weights.keep_guard, 0.0)
    trump = select(weights.keep_trump, TRUMP_STRENGTH)
    trump = trump + jnp.where(view.from_bidder & 1 == 1, weights.keep_trump_against * view.value, 0.0)
    trump = trump + jnp.where(none_left, weights.keep_last_trump, 0.0)
    return jnp.where(view.is_trump, trump, plain)


def _suit_flags(view: View) -> tuple[jax.Array, jax.Array]:
    """Returns of each card whether nobody else has its suit, and whether an own one has one rival."""
    look = view.outlook
    one_rival = (look.hand.mask() & (look.rivals == 1)).astype(jnp.uint32)
    rivalled = fence((one_rival << (SUIT * 4)).sum(dtype=jnp.uint32))
    empty = jnp.uint32(0)
    for suit in range(NUM_SUITS):
        empty = empty | (look.unseen.suit(suit) == 0).astype(jnp.uint32) << suit
    return (fence(empty) >> SUIT) & 1 == 1, (rivalled >> (SUIT * 4)) & 15 != 0


def _leads(weights: Weights, seen: Observation, view: View) -> jax.Array:
    """Returns what experience adds to the worth of leading each card: float32[32]."""
    look = view.outlook
    following, partner, previous = look.seats
    voids = [by_class(seat.void, look.trump) for seat in (following, previous)]
    spent = jnp.minimum(*voids) > 0.999
    top = look.rivals == 0
    low = weights.lead_trump + weights.lead_trump_points * view.value
    by_us = jnp.where(top, weights.lead_top_trump, low)
    by_us = by_us + jnp.where(view.from_bidder == 2, weights.lead_trump_for_partner, 0.0)
    trump = jnp.where(view.from_bidder & 1 == 0, by_us, weights.lead_trump_against)
    trump = jnp.where(spent, weights.lead_spent_trump, trump)

    plain = jnp.where(top, weights.lead_top, weights.lead_length * view.number)
    single = (view.number == 1) & (view.trumps > 0) & ~top
    plain = plain + jnp.where(single, weights.lead_single, 0.0)
    void = by_class(partner.void, look.suit)
    ruffs = void * (1 - by_class(partner.void, look.trump))
    plain = plain + weights.lead_partner_void * ruffs
    by_partner, by_opponents = suits_led(seen)
    plain = plain + jnp.where((by_partner >> SUIT) & 1 == 1, weights.lead_partner_suit, 0.0)
    plain = plain + jnp.where((by_opponents >> SUIT) & 1 == 1, weights.lead_opponent_suit, 0.0)
    return jnp.where(view.is_trump, trump, plain)


def choose_card(rules: BeloteRules, weights: Any, seen: Observation, view: View) -> jax.Array:
    """Returns the legal card of the greatest worth: int32; of equal ones the lowest number.

    Args:
      weights: those for trumps, no trump and all trump.
    """
    public = seen.public
    chosen = weights[0]
    if rules.modes_nt_at:
        no_trump, all_trump = public.mode == NO_TRUMP, public.mode == ALL_TRUMP
        chosen = jax.tree.map(
            lambda a, b, c: jnp.where(all_trump, c, jnp.where(no_trump, b, a)), *weights
        )
    return best_of(card_scores(rules, chosen, seen, view), view.outlook.legal)
