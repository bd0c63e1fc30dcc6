"""The worth of cards in games of two sides for card points, with or without trumps: Belote, Jass.

The worth of a card has three terms. The first is the value of the trick with the card: its points times
the chance to win them less the chance to lose them. These points are those on the table, those of the
card, and an estimate of those to come. The second term is subtracted: the value of the card in later
tricks. The third is an adjustment of leads by a few points, from experience.

So a ten goes into the partner's trick rather than the opponents', and the last player takes as cheaply
as possible. An ace is cashed before it is ruffed, and the declarer draws trumps with the jack.

A game describes a deal as a `View`, and has its own `Weights`.
"""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.outlook import (
    Outlook,
    PerCard,
    Seat,
    by_class,
    masks_of,
    over_cards,
    seats,
    showing,
)
from jaxcards.agents.heuristics.weights import select
from jaxcards.cards import sets
from jaxcards.cards.history import Packed, card_at
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.cards.tricks import TRUMP, RankOrder, Trick
from jaxcards.xla.fence import fence


@dataclasses.dataclass(frozen=True)
class View:
    """A deal as the player to act sees it.

    Attributes:
      outlook: the trick; the other seats are the next player, the partner and the previous player.
      strength: uint32[num_cards], the place of each card among trumps, 0 for the weakest; constant.
      value: float32[num_cards], points of each card.
      number: float32[num_cards], own cards in the suit of each card.
      trumps: float32, own trumps.
      position: uint32, cards on the table.
      on_table: float32, points of the trick so far; those for the last trick are among them.
      swept: float32, tricks so far if one side has won them all, else 0.
      from_declarer: uint32, places from the declarer to this player: 2 is the partner.
      led: uint32 each, the suits that the partner, and that an opponent, has led: bit s for suit s.
    """

    outlook: Outlook
    strength: np.ndarray
    value: jax.Array
    number: jax.Array
    trumps: jax.Array
    position: jax.Array
    on_table: jax.Array
    swept: jax.Array
    from_declarer: jax.Array
    led: tuple[jax.Array, jax.Array]

    @functools.cached_property
    def spent(self) -> jax.Array:
        """bool[num_cards]: all other hands are void in the suit of the card."""
        look, empty = self.outlook, jnp.uint32(0)
        # Set a bit for each suit without unseen cards, then read the bit of each card's suit.
        for suit in range(len(look.hand.deck.suits)):
            empty = empty | (look.unseen.suit(suit) == 0).astype(jnp.uint32) << suit
        return (fence(empty) >> look.suit) & 1 == 1

    @functools.cached_property
    def guards(self) -> jax.Array:
        """bool[num_cards]: an own card of its suit is beaten by a single unseen card."""
        # `_own` counts these cards in four bits for each suit.
        return (self._own >> (self.outlook.suit * 4)) & 15 != 0

    @functools.cached_property
    def tops(self) -> jax.Array:
        """Return the number of own cards that win in their suit: float32."""
        # Above these counts lies that of the cards without a rival.
        return (self._own >> 16).astype(jnp.float32)

    @functools.cached_property
    def _own(self) -> jax.Array:
        """Own cards with one rival, four bits a suit, and those without: one sum for both."""
        look = self.outlook
        each = jnp.where(look.rivals == 1, jnp.uint32(1) << (look.suit * 4), 0)
        each = jnp.where(look.rivals == 0, jnp.uint32(1 << 16), each)
        return over_cards(jnp.add, jnp.where(look.hand.mask(), each, 0))


class Weights(NamedTuple):
    """Weights of the rules of thumb, in points unless said otherwise.

    Attributes:
      trick: extra value of winning a trick as leader, second, third, last: cards to come, the lead.
      sweep: value of a trick, times the number of tricks so far, while one side has won them all.
      cash: value of being on lead, for each own card that is the highest left of its suit.
      ruffs: chance that an opponent who can beat a card does so.
      rescue: chance that the partner who can beat an opponent's card does so.
      unforced: chance that a player who could follow suit ruffs; None if the rules forbid it.
      keep: value of a plain card in later tricks, by the number of unseen cards above it: 0, 1, 2,
        more.
      keep_points: the same for each of its points.
      keep_guard: a low card beside an own card that a single unseen card beats.
      keep_length: times the number of own cards in the suit.
      keep_trump: a trump, by its place among trumps, from the weakest to the jack.
      keep_trump_against: times its points, as a defender.
      keep_last_trump: a trump while all other hands are out of trumps.
      lead_top_trump, lead_trump: leading trumps while opponents may have some, as the declarer's side:
        with the highest trump left, or with another.
      lead_trump_points: the same for each of its points, if another card can beat it.
      lead_trump_for_partner: the same if the partner is the declarer.
      lead_spent_trump: leading trumps when the opponents are out of trumps.
      lead_trump_against: leading trumps as the other side.
      lead_top: the highest card left of a plain suit.
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
    unforced: Any
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


# ---- The worth of a card ------------------------------------------------------------------------


def card_scores(weights: Weights, view: View) -> jax.Array:
    """Return the worth of playing each card: float32[num_cards], in points."""
    look = view.outlook
    gain = gained(weights, view) + weights.sweep * view.swept
    # The winner is on lead next, and can cash its highest cards.
    gain = gain + jnp.where(look.wins, weights.cash * view.tops, 0.0)
    # The points go to the player's side or to the other one: weigh them by the difference of chances.
    worth = gain * (2 * chance(weights, view) - 1) - kept(weights, view)
    return worth + jnp.where(view.position == 0, _leads(weights, view), 0.0)


def gained(weights: Weights, view: View) -> jax.Array:
    """Return the value of the trick to the side that wins it, by card played: float32[num_cards]."""
    return view.on_table + view.value + select(weights.trick, view.position)


def chance(weights: Weights, view: View) -> jax.Array:
    """Return the chance that the player's side wins the trick with each card: float32[num_cards]."""
    return view.outlook.chance(ruffs=weights.ruffs, rescue=weights.rescue, unforced=weights.unforced)


def kept(weights: Weights, view: View) -> jax.Array:
    """Return the expected value of each card in later tricks: float32[num_cards]."""
    look = view.outlook
    rivals = look.rivals
    plain = select(weights.keep, rivals) + view.value * select(weights.keep_points, rivals)
    plain = plain + weights.keep_length * view.number
    plain = plain + jnp.where(view.guards & (rivals > 1), weights.keep_guard, 0.0)
    trump = select(weights.keep_trump, view.strength)
    # An odd distance from the declarer means the other side.
    against = view.from_declarer & 1 == 1
    trump = trump + jnp.where(against, weights.keep_trump_against * view.value, 0.0)
    trump = trump + jnp.where(view.spent, weights.keep_last_trump, 0.0)
    return jnp.where(look.suit == look.trump, trump, plain)


def _leads(weights: Weights, view: View) -> jax.Array:
    """Return the weight added to the score of leading each card: float32[num_cards]."""
    look = view.outlook
    following, partner, previous = look.seats
    # Leading trumps draws those of the opponents; without any left it wastes them.
    others = fence(jnp.maximum(look.has_trump(following), look.has_trump(previous)))
    top = look.rivals == 0
    low = weights.lead_trump + weights.lead_trump_points * view.value
    by_us = jnp.where(top, weights.lead_top_trump, low)
    # The declarer's partner sits two places further.
    by_us = by_us + jnp.where(view.from_declarer == 2, weights.lead_trump_for_partner, 0.0)
    trump = jnp.where(view.from_declarer & 1 == 0, by_us, weights.lead_trump_against)
    trump = jnp.where(others < 0.001, weights.lead_spent_trump, trump)

    plain = jnp.where(top, weights.lead_top, weights.lead_length * view.number)
    single = (view.number == 1) & (view.trumps > 0) & ~top
    plain = plain + jnp.where(single, weights.lead_single, 0.0)
    # The partner ruffs if it is void in the suit and has a trump.
    ruffs = by_class(partner.void, look.suit) * look.has_trump(partner)
    plain = plain + weights.lead_partner_void * ruffs
    by_partner, by_opponents = view.led
    plain = plain + jnp.where((by_partner >> look.suit) & 1 == 1, weights.lead_partner_suit, 0.0)
    plain = plain + jnp.where((by_opponents >> look.suit) & 1 == 1, weights.lead_opponent_suit, 0.0)
    return jnp.where(look.suit == look.trump, trump, plain)


# ---- The state of a deal -----------------------------------------------------------------------


def suits_of(deck: Deck) -> np.ndarray:
    """Return the suit of each card: uint32[num_cards]."""
    return np.repeat(np.arange(len(deck.suits), dtype=np.uint32), deck.ranks_per_suit)


def strengths(deck: Deck, order: RankOrder) -> np.ndarray:
    """Return the place of each card in the order of its suit, 0 for the weakest: uint32[num_cards]."""
    of_suit = [order.low_to_high.index(rank) for rank in deck.ranks]
    return np.array(of_suit * len(deck.suits), np.uint32)


def above(deck: Deck, order: RankOrder) -> PerCard:
    """Return the cards of its suit that beat each card: uint32[num_cards] for each word."""
    suit, strength = suits_of(deck), strengths(deck, order)
    return masks_of(deck, (suit[:, None] == suit) & (strength > strength[:, None]))


def own_suits(hand: CardSet, trump: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the number of own cards in the suit of each card, and of trumps: float32."""
    deck = hand.deck
    counts = [jax.lax.population_count(hand.suit(suit)) for suit in range(len(deck.suits))]
    # Give each card the count of its suit, by selections.
    number, trumps = jnp.zeros(deck.num_cards, jnp.float32), jnp.uint32(0)
    for suit, count in enumerate(counts):
        number = jnp.where(suits_of(deck) == suit, count.astype(jnp.float32), number)
        trumps = jnp.where(trump == suit, count, trumps)
    return number, fence(trumps).astype(jnp.float32)


def table_round(
    hand: CardSet,
    played_by: Sequence[CardSet],
    num_played: jax.Array,
    lacks: Sequence[CardSet],
    sure: Sequence[CardSet] | None,
    ally: Sequence[float],
) -> tuple[CardSet, tuple[Seat, ...]]:
    """Return the facts about three other players.

    Args:
      hand: own cards.
      played_by: for each seat, the cards that it has played.
      num_played: uint32, cards played so far by all.
      lacks: for each other player, from the next one on, cards that it is known not to hold.
      sure: likewise, cards that it is known to have been dealt; None if that is never known.
      ally: likewise, the chance that it is on the player's side.
    """
    deck = hand.deck
    played = played_by[0] | played_by[1] | played_by[2] | played_by[3]
    unseen = sets.fence_set(CardSet.full(deck) - hand - played)
    # Take cards with a known place out of the unseen ones.
    free, shown = unseen, []
    for cards in sure or ():
        shown.append(sets.fence_set(cards & unseen))
        free = free - shown[-1]
    position, tricks = num_played & 3, (num_played >> 2).astype(jnp.int32)
    # A seat that still plays in this trick holds one card more.
    plays = [places <= 3 - position for places in (1, 2, 3)]
    possible, sizes = [], []
    for number, turn in enumerate(plays):
        possible.append(sets.fence_set(free - lacks[number]))
        size = deck.num_cards // 4 - 1 - tricks + turn.astype(jnp.int32)
        # Shown cards are in the hand, but not among those whose place is open.
        sizes.append(fence(size - shown[number].count() if shown else size))
    classes = [CardSet.suit_of(deck, jnp.uint32(suit)) for suit in range(len(deck.suits))]
    found = seats([free & suit for suit in classes], possible, sizes, plays, ally)
    if shown:
        known = zip(found, shown, strict=True)
        found = tuple(showing(seat, cards, classes) for seat, cards in known)
    return unseen, found


def winning_card(
    deck: Deck, trick: Trick, trump: jax.Array, higher: jax.Array
) -> tuple[jax.Array, CardSet]:
    """Return `Outlook.best_suit` and `Outlook.best_above`.

    Args:
      deck: the pack.
      trick: the cards on the table.
      trump: uint32, the trump suit; ignored without trumps.
      higher: uint32, the ranks that beat the winning card, bit r for rank r.
    """
    # The strength of a winning trump lies above `TRUMP`.
    suit = fence(jnp.where(trick.best > TRUMP, trump, trick.led))
    return suit, sets.fence_set(CardSet.in_suit(deck, suit, higher))


def tricks_swept(winners: jax.Array, num_played: jax.Array) -> jax.Array:
    """Return the number of tricks so far if one of two sides has won them all, else 0: float32.

    Args:
      winners: uint32, two bits a trick: the seat that won it.
      num_played: uint32, cards played so far.
    """
    tricks = num_played >> 2
    # The lower bit of a seat is its side: compare these bits of all complete tricks.
    every = jnp.uint32(0x55555555) & ((jnp.uint32(1) << (2 * tricks)) - 1)
    sides = winners & every
    return jnp.where((sides == 0) | (sides == every), tricks, 0).astype(jnp.float32)


def suits_led(
    deck: Deck,
    history: Packed,
    winners: jax.Array,
    num_played: jax.Array,
    leader: jax.Array,
    me: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Return the suits that the partner, and that an opponent, has led: uint32, bit s for suit s.

    Args:
      deck: the pack.
      history: the cards in the order of play.
      winners: uint32, two bits a trick: the seat that won it.
      num_played: uint32, cards played so far.
      leader: uint32, the seat that led the first trick.
      me: uint32, the player's seat.
    """
    partners, opponents = jnp.uint32(0), jnp.uint32(0)
    for trick in range(deck.num_cards // 4):
        # The winner of a trick leads the next one.
        if trick:
            leader = field(winners, trick - 1, 2)
        suit, _ = deck.suit_and_rank(card_at(history, 4 * trick))
        # A trick without a lead so far adds nothing.
        led = jnp.where(num_played > 4 * trick, jnp.uint32(1) << suit, 0)
        # Opponents differ from the player in the lower bit of their seat.
        partners = partners | jnp.where(leader == ((me + 2) & 3), led, 0)
        opponents = opponents | jnp.where((leader ^ me) & 1 == 1, led, 0)
    return fence(partners), fence(opponents)
