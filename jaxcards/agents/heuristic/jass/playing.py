"""Choosing a card at Jass: what each legal card is worth, as a sum of rules of thumb.

The worth of a card is what the trick brings with it (the points on the table, its own, and some for
what is still to come, times the chance to win them less the chance to lose them) less what the card
would be worth later on, more or less a few points for what experience knows about leads. So a ten
goes into the partner's trick and not into the opponents', the last player takes as cheaply as
possible, an ace is kept for its own suit, and nobody ruffs three empty cards with the nine.

In Differenzler the same estimates answer another question: how close does this card bring the
player to the points predicted?
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristic.jass import view as jass_view
from jaxcards.agents.heuristic.jass.view import CERTAIN, CHANCE_BITS, LANE, STRENGTH, SUIT, View
from jaxcards.agents.heuristic.weights import select
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass.deck import CARD_POINTS, DECK, LAST_TRICK_POINTS, NUM_TRICKS
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import NUM_SEATS, POINTS_BITS, Observation, Public
from jaxcards.xla.fence import fence

# The weights were found by an evolution strategy in duplicate deals against themselves, beginning with
# guesses: `experiments/jass_heuristic/fit.py play` goes on from here.
UNIT = 16  # worths are in sixteenths of a point


class Weights(NamedTuple):
    """How much each rule of thumb counts, in sixteenths of a point unless said otherwise.

    Attributes:
      trick: extra value of winning a trick as leader, second, third, last: cards to come, the lead.
      sweep: value of a trick, times the number of tricks so far, while one side has won them all.
      cash: value of being on lead, for each own card that nobody can beat.
      ruff, overruff: chance (of 127) that a player who can follow ruffs, or ruffs over a ruff.
      rescue: chance (of 127) that the partner, yet to play, beats the opponent who beats this card.
      partner_top: the same for a lead of a suit whose top card is, as far as is known, with him.
      top_up: chance (of 127) that the partner as last player does beat what he can beat.
      keep: what a plain card is worth later, by the number of unseen cards above it: 0, 1, 2, more.
      keep_points: the same for each of its points.
      keep_guard: a card beside an own card that one unseen card beats.
      keep_length: times the number of own cards in the suit.
      keep_trump: a trump, by strength from the six to the jack.
      keep_last_trump: a trump while nobody else has any.
      lead_top_trump, lead_trump: leading trumps while opponents may have some, as the side that chose,
        with a trump that nobody beats, or another.
      lead_trump_for_partner: the same if the partner chose.
      lead_spent_trump: leading trumps that only the own side has.
      lead_trump_against: leading trumps as the other side.
      lead_top: a plain card that none beats in its suit.
      lead_length: times the number of own cards in the suit, for other plain leads.
      lead_single: a single card while having trumps.
      lead_partner_void: a suit that the partner may ruff.
      lead_partner_suit, lead_opponent_suit: a suit that the partner, or an opponent, has led before.
    """

    trick: Any
    sweep: Any
    cash: Any
    ruff: Any
    overruff: Any
    rescue: Any
    partner_top: Any
    top_up: Any
    keep: Any
    keep_points: Any
    keep_guard: Any
    keep_length: Any
    keep_trump: Any
    keep_last_trump: Any
    lead_top_trump: Any
    lead_trump: Any
    lead_trump_for_partner: Any
    lead_spent_trump: Any
    lead_trump_against: Any
    lead_top: Any
    lead_length: Any
    lead_single: Any
    lead_partner_void: Any
    lead_partner_suit: Any
    lead_opponent_suit: Any


TRUMPS = Weights(
    trick=(130, 44, 51, -11),
    sweep=0,
    cash=-1,
    ruff=71,
    overruff=54,
    rescue=103,
    partner_top=0,
    top_up=137,
    keep=(68, 60, 10, -35),
    keep_points=(6, -4, -5, -3),
    keep_guard=10,
    keep_length=-44,
    keep_trump=(77, 81, 87, 212, 171, 215, 312, 539, 840),
    keep_last_trump=82,
    lead_top_trump=562,
    lead_trump=29,
    lead_trump_for_partner=38,
    lead_spent_trump=-172,
    lead_trump_against=-87,
    lead_top=28,
    lead_length=-20,
    lead_single=13,
    lead_partner_void=49,
    lead_partner_suit=55,
    lead_opponent_suit=-21,
)

NO_TRUMPS = Weights(
    trick=(285, 106, 59, 63),
    sweep=18,
    cash=46,
    ruff=15,
    overruff=54,
    rescue=16,
    partner_top=44,
    top_up=134,
    keep=(214, 101, 11, -18),
    keep_points=(19, 3, 1, 1),
    keep_guard=31,
    keep_length=14,
    keep_trump=(59, 62, 90, 82, 76, 109, 174, 186, 272),
    keep_last_trump=72,
    lead_top_trump=190,
    lead_trump=58,
    lead_trump_for_partner=28,
    lead_spent_trump=-131,
    lead_trump_against=-160,
    lead_top=49,
    lead_length=-32,
    lead_single=-2,
    lead_partner_void=41,
    lead_partner_suit=13,
    lead_opponent_suit=-6,
)

ALONE = Weights(
    trick=(71, 62, 46, -7),
    sweep=0,
    cash=-7,
    ruff=-5,
    overruff=49,
    rescue=27,
    partner_top=43,
    top_up=103,
    keep=(60, 36, 18, 16),
    keep_points=(-2, -1, 1, 2),
    keep_guard=-1,
    keep_length=-9,
    keep_trump=(66, 68, 85, 88, 106, 114, 248, 309, 619),
    keep_last_trump=80,
    lead_top_trump=0,
    lead_trump=4,
    lead_trump_for_partner=-5,
    lead_spent_trump=-1,
    lead_trump_against=-5,
    lead_top=-1,
    lead_length=5,
    lead_single=2,
    lead_partner_void=-4,
    lead_partner_suit=-1,
    lead_opponent_suit=0,
)


def card_scores(rules: JassRules, weights: Weights, seen: Observation, view: View) -> jax.Array:
    """Returns int32[36], the worth of playing each card, indexed as in `view`."""
    public = seen.public
    alone = rules.game == "differenzler"
    value = jass_view.points(view, public.mode)
    wins, chance = _chances(weights, view, alone)
    on_table = public.trick.points.astype(jnp.int32)
    last = jnp.where(public.num_played >= NUM_SEATS * (NUM_TRICKS - 1), LAST_TRICK_POINTS, 0)
    kept = _kept(weights, view, value)
    extra = select(weights.trick, view.position, jnp.int32)
    gain = UNIT * (on_table + last + value) + extra
    if alone:
        return _toward_prediction(seen, view, chance, gain, kept)
    gain = gain + _sweep(weights, public)
    cash = jnp.where(wins, weights.cash * fence(top_cards(view).count()), 0)
    worth = (gain + cash) * (2 * chance - CERTAIN) // CERTAIN - kept
    return worth + jnp.where(view.position == 0, _leads(rules, weights, seen, view), 0)


def _chances(weights: Weights, view: View, alone: bool) -> tuple[jax.Array, jax.Array]:
    """Returns for each card whether it wins so far, and the chance (of 127) that its side wins."""
    leading = view.position == 0
    beats = ((SUIT == view.best_suit) & (STRENGTH > view.best_strength)) | (
        (SUIT == view.trump_suit) & (view.best_suit != view.trump_suit)
    )
    beats = beats | leading
    best_lane = (view.best_suit & 1) * LANE
    best_above = ((jass_view.LANE_MASK << (view.best_strength + 1)) & jass_view.LANE_MASK) << best_lane
    suit = jnp.where(beats, SUIT, fence(view.best_suit))
    above = jnp.where(beats, jass_view.ABOVE, fence(best_above))
    following, partner, previous = [
        jass_view.beaten(view, seat, suit, above, leading, weights.ruff, weights.overruff)
        for seat in view.seats
    ]
    stands = jnp.where(view.position <= 2, CERTAIN - following, CERTAIN)
    stands = jnp.where(leading, stands * (CERTAIN - previous) // CERTAIN, stands)
    partner_to_come = view.position <= 1
    if alone:
        stands = jnp.where(partner_to_come, stands * (CERTAIN - partner) // CERTAIN, stands)
        return beats, jnp.where(beats, stands, 0)
    rescue = jnp.where(leading, _partner_has_top(weights, view), weights.rescue)
    rescue = jnp.where(partner_to_come, rescue, 0)
    own = stands + ((CERTAIN - stands) * rescue >> CHANCE_BITS)
    topped = jnp.where(partner_to_come, partner * weights.top_up >> CHANCE_BITS, 0)
    other = jnp.where(view.partner_wins, stands, topped)
    return beats, jnp.where(beats, own, other)


def _partner_has_top(weights: Weights, view: View) -> jax.Array:
    """Returns the chance that the partner saves a trick that is led low: int32[36]."""
    partner = view.seats[1]
    sure, possible = jnp.uint32(0), jnp.uint32(0)
    for suit in range(jass_view.NUM_SUITS):
        unseen = view.unseen.suit(suit)
        top = jnp.uint32(1) << (31 - jax.lax.clz(unseen | 1))
        sure = sure | ((partner.sure.suit(suit) & top) != 0).astype(jnp.uint32) << suit
        possible = possible | ((partner.possible.suit(suit) & top) != 0).astype(jnp.uint32) << suit
    sure, possible = jass_view.of_suit(fence(sure), 1), jass_view.of_suit(fence(possible), 1)
    return jnp.where(sure, CERTAIN, jnp.where(possible, weights.partner_top, weights.rescue))


def top_cards(view: View) -> CardSet:
    """Returns the own cards that no unseen card of their suit beats."""
    words = []
    for hand, unseen in zip(view.hand.words, view.unseen.words, strict=True):
        below = (unseen >> 1) & _WITHOUT_UPPER[1]
        for shift in (1, 2, 4):
            below = below | ((below >> shift) & _WITHOUT_UPPER[shift])
        words.append(hand & ~below)
    return CardSet(DECK, words)


# What is shifted down by so much must not arrive in the upper end of the next suit's lane.
_WITHOUT_UPPER = {s: (jass_view.LANE_MASK >> s) * (1 + (1 << LANE)) for s in (1, 2, 4)}


def _sweep(weights: Weights, public: Public) -> jax.Array:
    """Returns the extra value of a trick while one side has won all: its match, or our saving it."""
    tricks = public.num_played >> 2
    played = (jnp.uint32(1) << (2 * tricks)) - 1
    teams = public.winners & jnp.uint32(0x15555) & played
    swept = (teams == 0) | (teams == (jnp.uint32(0x15555) & played))
    return jnp.where(swept, weights.sweep * tricks.astype(jnp.int32), 0)


def _kept(weights: Weights, view: View, value: jax.Array) -> jax.Array:
    """Returns what each card is expected to be worth in later tricks: int32[36]."""
    unseen = jnp.where(jass_view.FIRST_WORD, view.unseen.words[0], view.unseen.words[1])
    higher = jax.lax.population_count(unseen & jass_view.ABOVE)
    number, guarded, none_left = jnp.uint32(0), jnp.uint32(0), jnp.uint32(0)
    for suit in range(jass_view.NUM_SUITS):
        own, others = view.hand.suit(suit), view.unseen.suit(suit)
        best = jnp.uint32(31) - jax.lax.clz(own | 1)
        one_above = jax.lax.population_count(others >> best) == 1
        number = number | jax.lax.population_count(own) << (4 * suit)
        guarded = guarded | one_above.astype(jnp.uint32) << suit
        none_left = none_left | (others == 0).astype(jnp.uint32) << suit
    number, guarded = jass_view.of_suit(fence(number), 4), jass_view.of_suit(fence(guarded), 1)
    none_left = jass_view.of_suit(fence(none_left), 1)
    plain = value * select(weights.keep_points, higher, jnp.int32)
    plain = plain + select(weights.keep, higher, jnp.int32)
    plain = plain + weights.keep_length * number
    plain = plain + jnp.where((guarded != 0) & (higher > 1), weights.keep_guard, 0)
    trump = jnp.stack([jnp.asarray(w, jnp.int32) for w in weights.keep_trump] * 4)
    trump = trump + jnp.where(none_left != 0, weights.keep_last_trump, 0)
    return jnp.where(SUIT == view.trump_suit, trump, plain)


def _leads(rules: JassRules, weights: Weights, seen: Observation, view: View) -> jax.Array:
    """Returns what experience adds to the worth of leading each card: int32[36]."""
    public = seen.public
    me = seen.player.astype(jnp.uint32)
    forehand = public.forehand
    declarer = forehand + jnp.where(public.num_calls == 2, 2, 0).astype(jnp.uint32)
    from_declarer = (me - declarer) & 3
    leader = declarer if rules.pushed_leader == "declarer" else forehand
    following, partner, previous = view.seats
    opponents_trumps = jnp.maximum(following.trump, previous.trump) > 0
    unseen = jnp.where(jass_view.FIRST_WORD, view.unseen.words[0], view.unseen.words[1])
    top = (unseen & jass_view.ABOVE) == 0
    by_us = jnp.where(top, weights.lead_top_trump, weights.lead_trump)
    by_us = by_us + jnp.where(from_declarer == 2, weights.lead_trump_for_partner, 0)
    trump = jnp.where(from_declarer & 1 == 0, by_us, weights.lead_trump_against)
    trump = jnp.where(opponents_trumps, trump, weights.lead_spent_trump)

    number, trumps = jnp.uint32(0), jnp.uint32(0)
    for suit in range(jass_view.NUM_SUITS):
        count = jax.lax.population_count(view.hand.suit(suit))
        number = number | count << (4 * suit)
        trumps = jnp.where(view.trump_suit == suit, count, trumps)
    number = jass_view.of_suit(fence(number), 4)
    plain = jnp.where(top, weights.lead_top, weights.lead_length * number)
    plain = plain + jnp.where((number == 1) & (fence(trumps) > 0) & ~top, weights.lead_single, 0)
    ruffs = ((partner.void_suits >> SUIT) & 1 == 1) & (partner.trump > 0)
    plain = plain + jnp.where(ruffs, weights.lead_partner_void, 0)
    by_partner = jass_view.suits_led(seen, (me + 2) & 3, leader & 3)
    by_opponents = jass_view.suits_led(seen, (me + 1) & 3, leader & 3) | jass_view.suits_led(
        seen, (me + 3) & 3, leader & 3
    )
    plain = plain + jnp.where((by_partner >> SUIT) & 1, weights.lead_partner_suit, 0)
    plain = plain + jnp.where((by_opponents >> SUIT) & 1, weights.lead_opponent_suit, 0)
    return jnp.where(SUIT == view.trump_suit, trump, plain)


def _toward_prediction(
    seen: Observation, view: View, chance: jax.Array, gain: jax.Array, kept: jax.Array
) -> jax.Array:
    """Returns minus the expected distance between prediction and points: int32[36]."""
    assert seen.prediction is not None
    made = field(seen.public.points, seen.player, POINTS_BITS)
    missing = UNIT * (seen.prediction.astype(jnp.int32) - made.astype(jnp.int32))
    later = fence(jnp.sum(jass_view.lanes(view.hand) * kept) + UNIT * CARD_POINTS * 8)
    left = missing - (later - UNIT * CARD_POINTS * 8) + kept
    return -(chance * jnp.abs(left - gain) + (CERTAIN - chance) * jnp.abs(left))


def choose_card(rules: JassRules, weights: Weights, seen: Observation, view: View) -> jax.Array:
    """Returns the legal card of the greatest worth: int32 scalar."""
    scores = card_scores(rules, weights, seen, view)
    legal = jass_view.lanes(view.legal) == 1
    # Of equal cards the lowest. Index and score are one number, because XLA:CPU takes 800 ns for an
    # argmax of 36 numbers, eight times as much as for all the rest.
    ranked = jnp.where(legal, scores * _INDICES + _INDEX, np.iinfo(np.int32).min)
    return jass_view.to_card(view, _INDEX[0] - (jnp.max(ranked) & (_INDICES - 1)))


_INDICES = 64  # the next power of two above the number of cards
_INDEX = np.arange(DECK.num_cards, dtype=np.int32)[::-1].copy()
