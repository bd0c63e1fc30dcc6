"""How a trick will probably end, as one player sees it: what heuristic players of every game ask.

A game tells what it knows of the trick: the class of every card (its suit, or trumps, as the rules of
following see it), which cards beat it, which unseen cards each other seat may hold and how many it
has, and how likely each seat is on the own side (0 or 1 where sides are known, in between where a
partner is secret). From that follow chances: that a seat can beat a card, that it is out of a class,
that the own side wins the trick with a given card.

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

from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.xla.fence import fence

PerCard = tuple[jax.Array, ...]
"""A set of cards for every card: uint32[num_cards] for each word."""


@dataclasses.dataclass(frozen=True)
class Seat:
    """What is known of another player.

    Attributes:
      possible: unseen cards that the player may hold.
      share: for each class, float32, the chance that an unseen card of it that the player may hold is
        in this hand.
      void: for each class, float32, the chance that the player has no card of it.
      plays: bool, the player is still to play in this trick.
      ally: float32, the chance that the player is on the own side.
      sure: cards that the player is known to hold, besides those of `possible`; None if there never
        are any. See `showing`.
    """

    possible: CardSet
    share: tuple[jax.Array, ...]
    void: tuple[jax.Array, ...]
    plays: jax.Array
    ally: jax.Array
    sure: CardSet | None = None


@dataclasses.dataclass(frozen=True)
class Outlook:
    """A trick as the player to act sees it.

    Attributes:
      hand, legal, unseen: cards held, cards that may be played, cards that might be in other hands.
      suit: uint32[num_cards], the class of each card: its suit, or the class of trumps.
      above: for each card, the cards of its own class that beat it.
      trump: uint32, the class of trumps; `NO_SUIT` without any.
      led: uint32, the class that was led; `NO_SUIT` for the leader.
      best: uint32, the card that wins so far; meaningless for the leader.
      winner_ally: float32, the chance that who played it is on the own side.
      seats: the other players in the order in which they play.
    """

    hand: CardSet
    legal: CardSet
    unseen: CardSet
    suit: jax.Array
    above: PerCard
    trump: jax.Array
    led: jax.Array
    best: jax.Array
    winner_ally: jax.Array
    seats: tuple[Seat, ...]

    @property
    def leading(self) -> jax.Array:
        """bool: the table is empty."""
        return self.led == NO_SUIT

    @functools.cached_property
    def best_suit(self) -> jax.Array:
        """uint32: the class of the winning card."""
        return _at(self.suit, self.best)

    @functools.cached_property
    def wins(self) -> jax.Array:
        """bool[num_cards]: the card would be the winning one."""
        best = CardSet(self.hand.deck, [_at(word, self.best) for word in self.above])
        ruffs = (self.suit == self.trump) & (self.best_suit != self.trump)
        return self.leading | best.mask() | ruffs

    @functools.cached_property
    def rivals(self) -> jax.Array:
        """int32[num_cards]: the number of unseen cards of its class that beat the card."""
        return count_in(self.above, self.unseen)

    @functools.cached_property
    def tops(self) -> jax.Array:
        """bool[num_cards]: own cards that no unseen card of their class beats."""
        return self.hand.mask() & (self.rivals == 0)

    def beaten_by(self, seat: Seat, card: jax.Array | None = None) -> jax.Array:
        """Returns the chance that a seat can beat a card that wins so far: float32[num_cards].

        Args:
          seat: who is asked, still to play in this trick.
          card: uint32, the card that wins so far; None asks for every card, played by this player.
        """
        suit, above = self.suit, self.above
        if card is not None:
            suit = jnp.full_like(suit, _at(suit, card))
            above = tuple(jnp.full_like(word, _at(word, card)) for word in above)
        led = jnp.where(self.leading, suit, self.led)
        higher = 1 - none_of(count_in(above, seat.possible), by_class(seat.share, suit))
        if seat.sure is not None:
            higher = jnp.where(count_in(above, seat.sure) > 0, 1.0, higher)
        void = by_class(seat.void, led)
        has_trump = 1 - by_class(seat.void, self.trump)
        ruffed = jnp.where(suit == self.trump, 0, void * has_trump)
        return jnp.where(suit == led, higher + (1 - higher) * ruffed, 0) + jnp.where(
            suit == led, 0, jnp.where(suit == self.trump, void * higher, ruffed)
        )

    def chance(self, *, ruffs: float = 1.0, rescue: float = 1.0) -> jax.Array:
        """Returns the chance that the own side wins the trick with a card: float32[num_cards].

        Args:
          ruffs: how likely an opponent who can beat the card does so; above 1 it makes up for cards
            that are not independent.
          rescue: how likely an ally who can beat an opponent's winning card does so; the same.
        """
        own = self._side_keeps(None, ruffs, rescue)
        table = self._side_keeps(self.best, ruffs, rescue)
        theirs = self._side_gets(rescue)
        other = self.winner_ally * table + (1 - self.winner_ally) * theirs
        return jnp.where(self.wins, own, other)

    def _side_keeps(self, card: jax.Array | None, ruffs: float, rescue: float) -> jax.Array:
        """Chance that a side whose card wins so far has the trick in the end."""
        keeps: jax.Array = jnp.ones(self.suit.shape, jnp.float32)
        for seat in self.seats:
            beats = jnp.where(seat.plays, self.beaten_by(seat, card), 0)
            lost = jnp.minimum(beats * ruffs, 1) * (1 - seat.ally)
            # An ally who plays later takes back what an opponent took, if it can.
            back = jnp.minimum(beats * rescue, 1) * seat.ally
            keeps = keeps * (1 - lost) + (1 - keeps) * back
        return keeps

    def _side_gets(self, rescue: float) -> jax.Array:
        """Chance that the own side wins a trick in which an opponent's card wins so far."""
        gets: jax.Array = jnp.zeros(self.suit.shape, jnp.float32)
        for seat in self.seats:
            beats = jnp.where(seat.plays, self.beaten_by(seat, self.best), 0)
            back = jnp.minimum(beats * rescue, 1) * seat.ally
            gets = gets * (1 - beats * (1 - seat.ally)) + (1 - gets) * back
        return gets


def seats(
    unseen: Sequence[CardSet],
    possible: Sequence[CardSet],
    sizes: Sequence[jax.Array],
    plays: Sequence[jax.Array],
    ally: Sequence[jax.Array | float],
    aside: jax.Array | int = 0,
    lean: Sequence[Sequence[jax.Array | float]] | None = None,
) -> tuple[Seat, ...]:
    """Returns the seats of an `Outlook`.

    Args:
      unseen: for each class, its unseen cards.
      possible: for each other seat, the unseen cards that it may hold.
      sizes: int32 for each seat, how many cards it has.
      plays: bool for each seat, whether it is still to play in this trick.
      ally: chance for each seat that it is on the own side.
      aside: number of unseen cards that are in no hand (talon, rest of the pack); any may be there.
      lean: how many times likelier than elsewhere a card is there, for each seat and class, and last
        for the cards aside and each class; everywhere the same if None.
    """
    counts = [
        [(cards & may).count().astype(jnp.float32) for cards in unseen] for may in possible
    ]  # [seat][class]
    weights = [size.astype(jnp.float32) for size in sizes]
    rest = jnp.asarray(aside).astype(jnp.float32)
    classes = range(len(unseen))
    leans = lean or [[1.0] * len(unseen)] * (len(weights) + 1)
    places = [[w * k for k in by] for w, by in zip([*weights, rest], leans, strict=True)]
    totals = []
    for number in classes:
        holding = [w[number] * (c[number] > 0) for w, c in zip(places, counts, strict=False)]
        totals.append(jnp.maximum(sum(holding, places[-1][number]), 1e-6))
    found = []
    for may, weight, count, turn, side in zip(possible, places, counts, plays, ally, strict=False):
        share = tuple(jnp.minimum(w / total, 1.0) for w, total in zip(weight, totals, strict=True))
        void = tuple(none_of(n, p) for n, p in zip(count, share, strict=True))
        found.append(Seat(may, share, void, jnp.asarray(turn), jnp.asarray(side, jnp.float32)))
    return tuple(found)


def laid_open(
    seat: Seat, held: CardSet, suits: Sequence[int], is_open: jax.Array | bool = True
) -> Seat:
    """Returns what is known of a seat whose cards lie open, or the seat as it is if they do not.

    Args:
      seat: what is known of it otherwise; whether it plays and whose side it is on stays.
      held: its cards.
      suits: for each class, its cards, as a word of a deck of one word.
      is_open: bool, the cards lie open.
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
    """Returns a seat that has shown some of its cards: `possible` and `share` are of the others.

    Args:
      seat: what is known of its other cards.
      sure: the cards that it is known to hold.
      classes: all cards of each class.
    """
    void = tuple(
        jnp.where((sure & cards).any(), 0.0, chance)
        for cards, chance in zip(classes, seat.void, strict=True)
    )
    return dataclasses.replace(seat, void=void, sure=sure)


def steady(value: jax.Array) -> jax.Array:
    """Rounds a float32 scalar to 1/4096ths and fences it: what every card asks for is computed once."""
    parts = jnp.round(value * 4096).astype(jnp.int32)
    return fence(parts).astype(jnp.float32) * (1 / 4096)


def none_of(number: jax.Array, share: jax.Array) -> jax.Array:
    """Returns the chance that a hand has none of some cards: (1 - share) ** number, float32."""
    number = jnp.asarray(number).astype(jnp.float32)
    log = jnp.log2(jnp.maximum(1 - share, 1e-9))
    return jnp.where(number == 0, 1.0, jnp.exp2(number * log))


def by_class(values: Sequence[jax.Array], suit: jax.Array) -> jax.Array:
    """Returns the value of each entry's class; 1, which is "has none", for `NO_SUIT`.

    Args:
      values: float32 for each class.
      suit: uint32[...], classes.
    """
    chosen = jnp.ones(suit.shape, jnp.float32)
    for number, value in enumerate(values):
        chosen = jnp.where(suit == number, value, chosen)
    return chosen


def best_of(scores: jax.Array, legal: CardSet) -> jax.Array:
    """Returns the legal card of the highest score: int32; of equal ones the lowest number.

    Scores are compared in steps of 1/64, so that they do not depend on the last bit of a float. Score
    and card are one integer, because XLA's CPU backend takes 800 ns for an argmax.

    Args:
      scores: float32[num_cards], between -16,000 and 16,000.
      legal: the cards to choose from; not empty.
    """
    number = scores.shape[0]
    index = jnp.arange(number - 1, -1, -1, dtype=jnp.int32)
    steps = jnp.round(jnp.clip(scores, -16_000, 16_000) * 64).astype(jnp.int32)
    ranked = jnp.where(legal.mask(), steps * 64 + index, jnp.iinfo(jnp.int32).min)
    return number - 1 - (jnp.max(ranked) & 63)


def masks_of(deck: Deck, chosen: np.ndarray) -> tuple[np.ndarray, ...]:
    """Packs bool[num_cards, num_cards], a set of cards for each card, into `PerCard`."""
    bits = np.uint64(1) << (np.arange(deck.num_cards, dtype=np.uint64) % deck.word_bits)
    words = np.where(chosen, bits, 0).reshape(deck.num_cards, deck.num_words, deck.word_bits)
    return tuple(words.sum(axis=2).astype(np.uint32).T)


def count_in(masks: Sequence[Any], cards: CardSet) -> jax.Array:
    """Returns for each card how many cards of its mask are in a set: int32[num_cards]."""
    found = [
        jax.lax.population_count(mask & word) for mask, word in zip(masks, cards.words, strict=True)
    ]
    return sum(found[1:], found[0]).astype(jnp.int32)


def _at(values: jax.Array, card: jax.Array) -> jax.Array:
    """Returns the entry of a card, without a gather; 0 for a number that is no card."""
    chosen = jnp.arange(values.shape[0], dtype=jnp.uint32) == jnp.asarray(card).astype(jnp.uint32)
    return jnp.where(chosen, values, 0).sum(dtype=values.dtype)
