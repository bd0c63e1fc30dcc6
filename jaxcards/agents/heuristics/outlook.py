"""The probable end of a trick, as one player sees it: the basis of the heuristics of all games.

A game gives the class of every card (its suit, or trumps, as the rules of following see it), and the
cards that beat it. It gives the unseen cards that each other seat may hold, and their number. It also
gives the chance that each seat is an ally of the player: 0 or 1 if sides are known, in between if a
partner is secret. From this, `Outlook` computes chances: that a seat can beat a card, that it is void
in a class, that the player's side wins the trick with a given card.

Chances are those of independent cards: a card that three hands of equal size may hold is in each of
them with chance 1/3, whatever the other cards do. Arrays have an entry for every card of the deck, in
the order of card numbers.
"""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.xla.fence import fence
from jaxcards.xla.rounding import rounded

PerCard = tuple[Any, ...]
"""A set of cards for every card: uint32[num_cards] for each word."""


@dataclasses.dataclass(frozen=True)
class Seat:
    """The facts about another player.

    Attributes:
      possible: unseen cards that the player may hold.
      share: for each class, float32, the chance that an unseen card of it that the player may hold is
        in this hand.
      void: for each class, float32, the chance that the player has no card of it.
      plays: bool, the player is still to play in this trick.
      ally: float32, the chance that it is on the side of the player to act; 0.0 or 1.0 if known.
      sure: cards that the player is known to hold, besides those of `possible`; None in games where
        this never happens. See `showing`.
    """

    possible: CardSet
    share: tuple[jax.Array, ...]
    void: tuple[jax.Array, ...]
    plays: jax.Array
    ally: jax.Array | float
    sure: CardSet | None = None


@dataclasses.dataclass(frozen=True)
class Outlook:
    """A trick as the player to act sees it.

    Attributes:
      hand, legal, unseen: cards held, cards that may be played, cards that might be in other hands.
      suit: uint32[num_cards], the class of each card: its suit, or the class of trumps.
      above: for each card, the cards of its own class that beat it.
      trump: uint32, the class of trumps; `NO_SUIT` without trumps.
      led: uint32, the class that was led; `NO_SUIT` for the leader.
      best_suit: uint32, the class of the card that wins so far; undefined for the leader.
      best_above: the cards of its class that beat it; undefined for the leader.
      winner_ally: float32, the chance that an ally played that card; 0.0 without partners.
      seats: the other players in the order in which they play.
    """

    hand: CardSet
    legal: CardSet
    unseen: CardSet
    suit: jax.Array
    above: PerCard
    trump: jax.Array
    led: jax.Array
    best_suit: jax.Array
    best_above: CardSet
    winner_ally: jax.Array | float
    seats: tuple[Seat, ...]

    @property
    def leading(self) -> jax.Array:
        """bool: the table is empty."""
        return self.led == NO_SUIT

    @functools.cached_property
    def wins(self) -> jax.Array:
        """bool[num_cards]: the card would be the winning one."""
        # A trump wins over the suit led, unless a trump wins already.
        ruffs = (self.suit == self.trump) & (self.best_suit != self.trump)
        return self.leading | self.best_above.mask() | ruffs

    @property
    def alone(self) -> bool:
        """True if every player plays alone, and this is known while tracing."""
        allies = (self.winner_ally, *(seat.ally for seat in self.seats))
        return all(isinstance(ally, float) and ally == 0 for ally in allies)

    @functools.cached_property
    def to_beat(self) -> tuple[jax.Array, PerCard]:
        """Return the class of the winner after each card, and the cards of this class that beat it.

        If every player plays `alone`, return these of the card itself: who beats another player's card
        does not matter.
        """
        if self.alone:
            return self.suit, self.above
        words = zip(self.above, self.best_above.words, strict=True)
        above = tuple(jnp.where(self.wins, own, best) for own, best in words)
        return jnp.where(self.wins, self.suit, self.best_suit), above

    @functools.cached_property
    def rivals(self) -> jax.Array:
        """int32[num_cards]: the number of unseen cards of its class that beat the card."""
        return count_in(self.above, self.unseen)

    def beaten_by(self, seat: Seat, unforced: Any = None) -> jax.Array:
        """Return the chance that a seat can beat the winner after each card: float32[num_cards].

        If every player plays `alone`, the chance is unspecified for cards that do not win.

        Args:
          seat: a seat that is still to play in this trick.
          unforced: chance that a player who could follow suit ruffs; None if the rules forbid it.
        """
        suit, above = self.to_beat
        # lower: the chance that the seat holds no card that beats the winner.
        lower = none_of(count_in(above, seat.possible), by_class(seat.share, suit))
        if seat.sure is not None:
            lower = jnp.where(_overlap(above, seat.sure) != 0, 0.0, lower)
        trumping = by_class(self._trumping(seat, unforced), suit)
        # A trump falls to a higher trump that may be played. Any other card stands if it is the highest
        # of its class and is not ruffed.
        return jnp.where(suit == self.trump, trumping * (1 - lower), 1 - lower * trumping)

    def _trumping(self, seat: Seat, unforced: Any) -> list[jax.Array]:
        """Return the effect of trumps on whether a seat beats a card, for each class: float32.

        For the class of trumps, it is the chance that the seat may play a trump; for other classes, the
        chance that it does not ruff. The card is of the class led, or a trump on a plain lead. One
        chance for each class costs less than one for each card, and one array less than two.

        Args:
          seat, unforced: as for `beaten_by`.
        """
        void, has_trump = fence(by_class(seat.void, self.led)), self.has_trump(seat)
        chances = []
        for number, own in enumerate(seat.void):
            # On a lead it is the card's own class that is led, else the class of the lead.
            out = jnp.where(self.leading, own, void)
            if unforced is not None:
                out = out + (1 - out) * unforced
            may = jnp.where(self.leading | (self.led == number), 1.0, out)
            chances.append(fence(jnp.where(self.trump == number, may, 1 - out * has_trump)))
        return chances

    def has_trump(self, seat: Seat) -> jax.Array:
        """Return the chance that a seat has a trump: float32; 0 without trumps."""
        return fence(jnp.where(self.trump == NO_SUIT, 0.0, 1 - by_class(seat.void, self.trump)))

    def chance(self, *, ruffs: Any = 1.0, rescue: Any = 1.0, unforced: Any = None) -> jax.Array:
        """Return the chance that the player's side wins the trick with each card: float32[num_cards].

        Args:
          ruffs: chance that an opponent who can beat the card does so; a value above 1 corrects for
            cards that are not independent.
          rescue: the same for an ally who can beat an opponent's winning card.
          unforced: chance that a player who could follow suit ruffs; None if the rules forbid it.
        """
        keeps: Any = 1.0  # the chance if the player's side wins so far
        gets: Any = 0.0  # the chance if an opponent does
        for seat in self.seats:
            beats = jnp.where(seat.plays, self.beaten_by(seat, unforced), 0)
            lost = _times(1 - seat.ally, _weighed(beats, ruffs))
            # An ally who plays later takes back what an opponent took, if it can.
            back = _times(seat.ally, _weighed(beats, rescue))
            keeps = _times(keeps, 1 - lost) + _times(1 - keeps, back)
            # After an opponent's card, the side gets the trick only by an ally's card that stands.
            gets = _times(gets, 1 - _times(1 - seat.ally, beats)) + _times(1 - gets, back)
        other = _times(self.winner_ally, keeps) + _times(1 - self.winner_ally, gets)
        return jnp.where(self.wins, keeps, other)


def seats(
    unseen: Sequence[CardSet],
    possible: Sequence[CardSet],
    sizes: Sequence[jax.Array],
    plays: Sequence[jax.Array],
    ally: Sequence[jax.Array | float],
    aside: jax.Array | int = 0,
    lean: Sequence[Sequence[jax.Array | float]] | None = None,
) -> tuple[Seat, ...]:
    """Return the seats of an `Outlook`.

    Args:
      unseen: for each class, its unseen cards.
      possible: for each other seat, the unseen cards that it may hold.
      sizes: int32 for each seat, how many cards it has.
      plays: bool for each seat, whether it is still to play in this trick.
      ally: for each seat, the chance that it is on the player's side.
      aside: number of unseen cards outside the hands (talon, rest of the pack); they may be any cards.
      lean: relative likelihood that a card is there, for each seat and class, and last for the cards
        aside and each class; uniform if None.
    """
    counts = [[(cards & may).count() for cards in unseen] for may in possible]  # [seat][class]
    weights = [size.astype(jnp.float32) for size in sizes]
    rest = jnp.asarray(aside).astype(jnp.float32)
    classes = range(len(unseen))
    leans = lean or [[1.0] * len(unseen)] * (len(weights) + 1)
    # places: [seat or aside][class], the places for a card of the class, weighted by `lean`.
    places = [[w * k for k in by] for w, by in zip([*weights, rest], leans, strict=True)]
    # An unseen card is in one of the hands that may hold its class, or aside, in proportion to places.
    totals = []
    for number in classes:
        # A seat that may not hold the class takes no part of it.
        some = [(c[number] > 0).astype(jnp.float32) for c in counts]
        holding = [w[number] * has for w, has in zip(places, some, strict=False)]
        # Where no place may hold the class, avoid a division by 0.
        totals.append(jnp.maximum(sum(holding, places[-1][number]), 1e-6))
    found = []
    for may, weight, count, turn, side in zip(possible, places, counts, plays, ally, strict=False):
        parts = [w / total for w, total in zip(weight, totals, strict=True)]
        # A hand that cannot hold the class is not in its total: limit the share.
        share = tuple(fence(jnp.minimum(part, 1.0)) for part in parts)
        void = tuple(fence(none_of(n, p)) for n, p in zip(count, share, strict=True))
        found.append(Seat(may, share, void, jnp.asarray(turn), side))
    return tuple(found)


def laid_open(
    seat: Seat, held: CardSet, suits: Sequence[int], is_open: jax.Array | bool = True
) -> Seat:
    """Return the facts of a seat, exact if its cards lie open and unchanged if not.

    Args:
      seat: the facts without the open cards; `plays` and `ally` stay.
      held: its cards.
      suits: for each class, its cards, as a word of a deck of one word.
      is_open: bool, whether the cards lie open.
    """
    words = [jnp.where(is_open, a, b) for a, b in zip(held.words, seat.possible.words, strict=True)]
    share, void = [], []
    for suit, chance, lacks in zip(suits, seat.share, seat.void, strict=True):
        none = (held.words[0] & jnp.uint32(suit)) == 0
        share.append(jnp.where(is_open, 1.0, chance))
        void.append(jnp.where(is_open, none.astype(jnp.float32), lacks))
    possible = CardSet(held.deck, words)
    return dataclasses.replace(seat, possible=possible, share=tuple(share), void=tuple(void))


def showing(seat: Seat, sure: CardSet, classes: Sequence[CardSet]) -> Seat:
    """Return a seat that has shown some of its cards: `possible` and `share` are of the others.

    Args:
      seat: the facts about its other cards.
      sure: the cards that it is known to hold.
      classes: all cards of each class.
    """
    void = tuple(
        jnp.where((sure & cards).any(), 0.0, chance)
        for cards, chance in zip(classes, seat.void, strict=True)
    )
    return dataclasses.replace(seat, void=void, sure=sure)


def steady(value: jax.Array) -> jax.Array:
    """Round a float32 scalar to 1/4096ths and fence it: all cards use it, and it is computed once."""
    parts = jnp.round(value * 4096).astype(jnp.int32)
    return fence(parts).astype(jnp.float32) * (1 / 4096)


def _times(chance: Any, value: Any) -> Any:
    """Return chance times value; factors known to be 0 or 1 while tracing cost nothing."""
    for one, other in ((chance, value), (value, chance)):
        if isinstance(one, float) and one in (0, 1):
            return other if one else 0.0
    return chance * value


def _weighed(chance: Any, weight: Any) -> Any:
    """Return chance times weight, at most 1; a weight known to be at most 1 needs no limit."""
    product = _times(weight, chance)
    return product if isinstance(weight, float) and weight <= 1 else jnp.minimum(product, 1)


def none_of(number: jax.Array, share: jax.Array) -> jax.Array:
    """Return the chance that a hand has none of some cards: (1 - share) ** number, float32.

    The function multiplies squares, which is cheaper on XLA's CPU backend than an exponential.

    Args:
      number: int32, 0 to 15.
      share: float32, the chance that one of the cards is in this hand.
    """
    power = 1 - share
    chance = jnp.where(number & 1 != 0, power, 1.0)
    # Multiply the powers 1, 2, 4, 8 of the chance that are bits of the number.
    for bit in (2, 4, 8):
        power = power * power
        chance = jnp.where(number & bit != 0, chance * power, chance)
    return chance


def by_class(values: Sequence[jax.Array], suit: jax.Array) -> jax.Array:
    """Return the value of each entry's class, an unspecified one for `NO_SUIT`: float32[...].

    Args:
      values: float32 for each class.
      suit: uint32[...], classes.
    """
    chosen: jax.Array = by_seat(tuple(values), suit)
    return chosen


def best_of(scores: jax.Array, legal: CardSet) -> jax.Array:
    """Return the legal card of the highest score, the lowest number if equal: int32.

    Scores are compared in steps of 1/64, so that the choice does not depend on the last bit of a float.
    Score and card are one integer, because an argmax is slow on a CPU (docs/howto.md). Steps are
    fenced, as all that leads to them would otherwise be computed for each part of the maximum.

    Args:
      scores: float32[num_cards], between -65,000 and 65,000.
      legal: the cards to choose from; not empty.
    """
    number = scores.shape[0]
    # Score and card form one integer; of equal scores the lowest card is the largest.
    index = jnp.arange(number - 1, -1, -1, dtype=jnp.int32)
    steps = fence(rounded(scores * 64))
    ranked = jnp.where(legal.mask(), steps * 64 + index, jnp.iinfo(jnp.int32).min)
    # The lowest six bits are the index, also of a negative number.
    return number - 1 - (over_cards(jnp.maximum, ranked) & 63)


def over_cards(combine: Any, values: jax.Array) -> jax.Array:
    """Return the sum or the maximum of an array with an entry for each card, computed once: a scalar.

    XLA's CPU backend fuses a reduction of up to 32 entries. It writes longer arrays to memory and cuts
    them into windows with a check at every entry, which is slower. It reduces a few entries without
    vectors, which is slower than 32 with them; so the last part is as long as the first.

    Args:
      combine: `jnp.add` or `jnp.maximum`.
      values: int32 or uint32, [num_cards].
    """
    number = values.shape[0]
    part = values[:_FUSED]
    first = fence(part.sum(dtype=part.dtype) if combine is jnp.add else part.max())
    if number <= _FUSED:
        return first
    if combine is jnp.add:
        # The last part overlaps the first: a sum must count those entries once.
        values = jnp.where(np.arange(number) < _FUSED, 0, values)
    return combine(first, over_cards(combine, values[min(_FUSED, number - _FUSED) :]))


_FUSED = 32


def masks_of(deck: Deck, chosen: np.ndarray) -> tuple[np.ndarray, ...]:
    """Pack bool[num_cards, num_cards], a set of cards for each card, into `PerCard`."""
    # The place of each card's bit in its word.
    bits = np.uint64(1) << (np.arange(deck.num_cards, dtype=np.uint64) % deck.word_bits)
    words = np.where(chosen, bits, 0).reshape(deck.num_cards, deck.num_words, deck.word_bits)
    return tuple(words.sum(axis=2).astype(np.uint32).T)


def count_in(masks: PerCard, cards: CardSet) -> jax.Array:
    """Return the number of cards of each card's mask that are in a set: int32[num_cards].

    Args:
      masks: for each card some cards of its class, which all lie in one word.
      cards: the set.
    """
    return jax.lax.population_count(_overlap(masks, cards)).astype(jnp.int32)


def _overlap(masks: PerCard, cards: CardSet) -> jax.Array:
    found = [mask & word for mask, word in zip(masks, cards.words, strict=True)]
    return functools.reduce(jnp.bitwise_or, found)


def winning(suit: jax.Array, above: PerCard, deck: Deck, card: jax.Array) -> tuple[jax.Array, CardSet]:
    """Return `Outlook.best_suit` and `Outlook.best_above` of a card.

    Args:
      suit, above: as in `Outlook`.
      deck: the pack.
      card: uint32, the card that wins so far; any other number while the table is empty.
    """
    return _at(suit, card), CardSet(deck, [_at(word, card) for word in above])


def _at(values: jax.Array, card: jax.Array) -> jax.Array:
    """Return the entry of a card, without a gather; 0 for any other number."""
    chosen = jnp.arange(values.shape[0], dtype=jnp.uint32) == jnp.asarray(card).astype(jnp.uint32)
    return jnp.where(chosen, values, 0).sum(dtype=values.dtype)
