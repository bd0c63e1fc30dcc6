"""Choosing a card at Euchre: the worth of each legal card, as a sum of rules of thumb.

The worth of a card has three terms. The first is the value of the trick with the card: points of the
deal, times the chance to win the trick. The second is subtracted: the value of the card in later
tricks. The third is an adjustment of leads from experience.

The value of a trick depends on the tricks already won: at two all, the fifth trick decides the deal;
after three of four, it is worth nothing. So makers draw trumps, and aces are cashed before they are
ruffed. Players let the partner's winner stand, and the last player takes as cheaply as possible.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.euchre.view import LANE, SUIT, SUIT_WORDS, TRUMPS, View
from jaxcards.agents.heuristics.outlook import best_of, by_class
from jaxcards.agents.heuristics.weights import float32, select
from jaxcards.cards.sets import CardSet
from jaxcards.games.euchre.play import JOKER, NOBODY, NUM_TRICKS, Observation, Public
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.xla.fence import fence
from jaxcards.xla.lookup import lookup_in


class Weights(NamedTuple):
    """Weights of the rules of thumb, in tricks unless said otherwise.

    Attributes:
      ruffs: chance that an opponent beats a card that it can beat.
      rescue: chance that the partner, yet to play, beats the opponent who beats this card.
      win: extra value of winning a trick as leader, second, third, last: the lead to the next.
      keep: value of a plain card in later tricks, by the number of unseen cards above it: 0, 1, 2,
        more.
      keep_guard: a lower card beside an own card that one unseen card beats.
      keep_single: a single plain card of a hand with trumps.
      keep_trump: a trump, by the number of unseen trumps above it: 0, 1, 2, 3, more.
      keep_only_trump: bonus for the last trump of a hand.
      keep_spent_trump: bonus for a trump when all other hands are out of trumps.
      lead_top_trump, lead_trump: leading trumps while opponents may have some, as a maker: with the
        highest trump left, or with another.
      lead_trump_for_maker: the same if the partner is the maker.
      lead_trump_alone: the same for a lone maker.
      lead_trump_against: leading trumps as a defender.
      lead_spent_trump: leading trumps when the opponents are out of trumps.
      lead_top: the highest card left of a plain suit.
      lead_top_late: the same while opponents may have trumps, as a maker who has trumps.
      lead_single: a single card of a hand with trumps.
      lead_partner_void: a suit that the partner may ruff.
      lead_under: a card below an own card of its suit.
    """

    ruffs: Any
    rescue: Any
    win: Any
    keep: Any
    keep_guard: Any
    keep_single: Any
    keep_trump: Any
    keep_only_trump: Any
    keep_spent_trump: Any
    lead_top_trump: Any
    lead_trump: Any
    lead_trump_for_maker: Any
    lead_trump_alone: Any
    lead_trump_against: Any
    lead_spent_trump: Any
    lead_top: Any
    lead_top_late: Any
    lead_single: Any
    lead_partner_void: Any
    lead_under: Any


WEIGHTS = Weights(
    ruffs=1.0,
    rescue=1.0,
    win=(0.187, 0.219, 0.143, 0.118),
    keep=(0.349, 0.216, 0.13, 0.078),
    keep_guard=0.012,
    keep_single=-0.072,
    keep_trump=(1.012, 0.678, 0.515, 0.407, 0.365),
    keep_only_trump=-0.068,
    keep_spent_trump=-0.241,
    lead_top_trump=0.955,
    lead_trump=-0.131,
    lead_trump_for_maker=0.442,
    lead_trump_alone=0.201,
    lead_trump_against=-0.432,
    lead_spent_trump=0.132,
    lead_top=0.364,
    lead_top_late=-0.224,
    lead_single=-0.195,
    lead_partner_void=0.275,
    lead_under=-0.114,
)

_MAKERS_TRICK = 0.62  # the makers' chance to win a later trick, for the value of a trick


def trick_values(rules: EuchreRules, alone: bool, against_one: bool) -> tuple[list[int], list[int]]:
    """Return the values of the next trick and the one after it: 0 to 255, by 5 * made + lost.

    Args:
      rules: determine the points of a deal.
      alone: the maker plays alone.
      against_one: a defender plays alone.
    """
    march = rules.points_alone_march if alone else rules.points_march
    euchre = rules.points_lone_defence if against_one else rules.points_euchre
    if alone:
        euchre = max(euchre, rules.points_lone_euchre)
    none = max(euchre, rules.points_super_euchre)

    # The expected points of a deal in which the makers win each later trick with a fixed chance.
    def value(made: int, lost: int) -> float:
        if made + lost == NUM_TRICKS:
            if made >= 3:
                return march if made == NUM_TRICKS else rules.points_make
            return -none if made == 0 else -euchre
        wins, loses = value(made + 1, lost), value(made, lost + 1)
        return _MAKERS_TRICK * wins + (1 - _MAKERS_TRICK) * loses

    def worth(made: int, lost: int) -> float:
        over = made + lost >= NUM_TRICKS
        return 0.0 if over else value(made + 1, lost) - value(made, lost + 1)

    places = [(made, lost) for made in range(NUM_TRICKS) for lost in range(NUM_TRICKS)]
    now = [worth(made, lost) for made, lost in places]
    # The trick after this one: the mean over both results of this one.
    later = [(worth(made + 1, lost) + worth(made, lost + 1)) / 2 for made, lost in places]
    # Whole numbers up to 255 fit in a packed table.
    unit = 255 / max(*now, *later)
    # Unusual rules may give makers less for five tricks than for three; the player still wants tricks.
    return [max(0, round(unit * v)) for v in now], [max(0, round(unit * v)) for v in later]


def _trick_values(rules: EuchreRules, public: Public, view: View) -> tuple[jax.Array, jax.Array]:
    """Return the values of this trick and of the next ones: float32 from 0 to 1."""
    alone, against = public.calls.alone == 1, public.calls.defender != NOBODY
    # A case for each condition, and the last one if none holds.
    cases = [(True, True), (True, False), (False, True), (False, False)]
    conditions = [alone & against, alone, against]
    if rules.defend_alone == "never":
        cases, conditions = [(True, False), (False, False)], [alone]
    place = view.made * 5 + view.lost
    tables = [trick_values(rules, *case) for case in cases]
    now = lookup_in([table[0] for table in tables], conditions, place)
    later = lookup_in([table[1] for table in tables], conditions, place)
    return now.astype(jnp.float32) / 255, later.astype(jnp.float32) / 255


def card_scores(rules: EuchreRules, weights: Weights, seen: Observation, view: View) -> jax.Array:
    """Return the worth of playing each card: float32[num_cards], in thousandths of a trick."""
    public = seen.public
    look = view.outlook
    now, later = _trick_values(rules, public, view)
    chance = look.chance(ruffs=weights.ruffs, rescue=weights.rescue)
    win = select(weights.win, view.position)
    gain = chance * now + jnp.where(look.wins, chance * win, 0.0) * later
    extra = jnp.where(look.leading, _leads(weights, public, view), 0.0)
    return 1000 * (gain + later * (extra - _kept(weights, view)))


def _counts(view: View) -> list[jax.Array]:
    """Return the number of own cards of each suit: float32 scalars."""
    (word,) = view.hand.words
    return [jax.lax.population_count(word & suit).astype(jnp.float32) for suit in SUIT_WORDS]


def _kept(weights: Weights, view: View) -> jax.Array:
    """Return the expected value of each card in later tricks: float32[num_cards]."""
    look = view.outlook
    counts = _counts(view)
    number, is_trump = by_class(counts, look.suit), look.suit == look.trump
    (held,) = look.hand.words
    bits = jnp.uint32(1) << jnp.arange(look.suit.shape[0], dtype=jnp.uint32)
    # Own cards that a single unseen card beats.
    # Each card has a bit of its own, so that the sum packs the flags into a word.
    second = held & jnp.where(look.rivals == 1, bits, 0).sum(dtype=jnp.uint32)
    guards = ((look.above[0] & fence(second)) != 0) & (look.rivals > 1)
    plain = select(weights.keep, look.rivals) + jnp.where(guards, weights.keep_guard, 0.0)
    plain = plain + jnp.where((number == 1) & (counts[0] > 0), weights.keep_single, 0.0)
    spent = (look.unseen.words[0] & SUIT_WORDS[0]) == 0
    trump = select(weights.keep_trump, look.rivals)
    trump = trump + jnp.where(counts[0] == 1, weights.keep_only_trump, 0.0)
    trump = trump + jnp.where(spent, weights.keep_spent_trump, 0.0)
    # Among equally good cards, play the lower one, but lead the higher one.
    tie = jnp.where(look.leading, -_TIE, _TIE) * _PLACE[: look.suit.shape[0]]
    return jnp.where(is_trump, trump, plain) + tie


_TIE = np.float32(0.002)
# Trumps count by strength, other cards by rank.
_PLACE = np.array([TRUMPS.index(c) if c in TRUMPS else c % LANE for c in range(JOKER + 1)], np.float32)


def _leads(weights: Weights, public: Public, view: View) -> jax.Array:
    """Return the weight added to the score of leading each card: float32[num_cards]."""
    look = view.outlook
    counts = _counts(view)
    top = look.rivals == 0
    # opponents: the chance that no opponent has a trump.
    opponents, partner_ruffs = jnp.float32(1), [jnp.float32(0)] * len(counts)
    for seat in look.seats:
        opponents = opponents * jnp.where(seat.ally > 0.5, 1.0, seat.void[0])
        # A seat ruffs if it is void in the suit and has a trump.
        ruffs = [void * (1 - seat.void[0]) for void in seat.void]
        partner_ruffs = [
            jnp.where(seat.ally > 0.5, a, b) for a, b in zip(ruffs, partner_ruffs, strict=True)
        ]
    out = opponents < 0.999  # an opponent may have a trump
    by_us = jnp.where(top, weights.lead_top_trump, weights.lead_trump)
    by_us = by_us + jnp.where(view.maker, 0.0, weights.lead_trump_for_maker)
    by_us = by_us + jnp.where(public.calls.alone == 1, weights.lead_trump_alone, 0.0)
    trump = jnp.where(view.attacks, by_us, weights.lead_trump_against)
    trump = jnp.where(out, trump, weights.lead_spent_trump)
    has_trump = counts[0] > 0
    late = jnp.where(out & view.attacks & has_trump, weights.lead_top_late, 0.0)
    number = by_class(counts, look.suit)
    (held,) = look.hand.words
    plain = jnp.where(top, weights.lead_top + late, 0.0)
    plain = plain + jnp.where((number == 1) & has_trump & ~top, weights.lead_single, 0.0)
    plain = plain + weights.lead_partner_void * by_class(partner_ruffs, look.suit)
    plain = plain + jnp.where((look.above[0] & held) != 0, weights.lead_under, 0.0)
    return jnp.where(look.suit == look.trump, trump, plain)


def choose_card(rules: EuchreRules, weights: Weights, seen: Observation, view: View) -> jax.Array:
    """Return the legal card of the greatest worth: int32, with renamed suits."""
    return best_of(card_scores(rules, weights, seen, view), view.outlook.legal)


class Keep(NamedTuple):
    """The worth of cards when some are discarded before the play; only the order matters.

    Attributes:
      ranks: plain cards from the nine to the ace.
      single: bonus for a plain card, other than an ace, that is alone in its suit.
      guarded: bonus for a king beside other cards of its suit.
    """

    ranks: Any
    single: Any
    guarded: Any


KEEP = Keep(ranks=(0.0, 0.1, 0.2, 0.4, 1.0, 3.0), single=-1.3, guarded=0.3)


def discard_scores(keep: Keep, hand: CardSet) -> jax.Array:
    """Return the score of discarding each card: float32[num_cards]. Clubs are trumps."""
    keep, (word,) = float32(keep), hand.words
    number = hand.deck.num_cards
    counts = [jax.lax.population_count(word & suit).astype(jnp.float32) for suit in SUIT_WORDS]
    single = by_class(counts, jnp.asarray(SUIT[:number])) == 1
    plain = select(keep.ranks, jnp.asarray(_RANK[:number]))
    plain = plain + jnp.where(single & (_RANK[:number] != _ACE), keep.single, 0.0)
    plain = plain + jnp.where(~single & (_RANK[:number] == _ACE - 1), keep.guarded, 0.0)
    # Trumps are discarded last, the weakest first.
    return -jnp.where(_TRUMP_ORDER[:number] > 0, 10.0 + _TRUMP_ORDER[:number], plain)


_ACE = LANE - 1
_RANK = np.arange(JOKER + 1) % LANE
_TRUMP_ORDER = np.where(SUIT == 0, _PLACE + 1, 0)


def choose_discard(keep: Keep, hand: CardSet, legal: CardSet) -> jax.Array:
    """Return the legal card that is worth least: int32, with renamed suits."""
    # Larger numbers, because `best_of` compares steps of 1/64.
    return best_of(64 * discard_scores(keep, hand), legal)
