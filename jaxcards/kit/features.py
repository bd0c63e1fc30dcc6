"""Features that several games write; where trumps change, the trump suit becomes suit 0.

A trump of 4 or more means a deal without a trump suit. Seats are relative to the observing player.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.features import BitWriter
from jaxcards.cards.relabel import swap_suit, swap_trump
from jaxcards.cards.seats import by_seat, field, named_seats, places_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.tricks import TRUMP

OTHERS = (("next", 1), ("partner", 2), ("previous", 3))  # names of seats at a table of four


def write_cards(out: BitWriter, seen: Any, trump: jax.Array) -> None:
    """Write the player's own hand and, at a table of four, the cards played and those on the table."""
    me = seen.player.astype(jnp.uint32)
    out.cards("hand", swap_trump(trump, seen.hand))
    for name, places in (("me", 0), *OTHERS):
        out.cards(f"played by {name}", swap_trump(trump, by_seat(seen.played_by, (me + places) & 3)))
    write_table(out, seen, trump)


def write_table(out: BitWriter, seen: Any, trump: jax.Array) -> None:
    """Write the cards on the table of four."""
    # The features of cards played by each seat already tell who played each card.
    out.cards("on the table", swap_trump(trump, seen.public.table_cards(seen.hand.deck, 4)))


def write_trick(
    out: BitWriter, public: Any, trump: jax.Array, me: jax.Array, num_tricks: int, points: Sequence[int]
) -> None:
    """Write the trick at a table of four; `points` has the levels for its value."""
    trick = public.trick
    # On an empty table both one-hot features stay empty: `NO_SUIT` is outside their range.
    led = jnp.where(trick.led == NO_SUIT, NO_SUIT, swap_suit(trump, trick.led))
    out.one_hot("led suit", led, 4, of="suits")
    winner = jnp.where(trick.best == 0, NO_SUIT, (trick.winner - me) & 3)
    out.one_hot("winner so far", winner, 4)
    out.levels("points on the table", trick.points, points)
    # Four cards make a trick: the two lowest bits count the cards on the table, the others the tricks.
    out.one_hot("trick number", public.num_played >> 2, num_tricks)
    out.one_hot("place in the trick", public.num_played & 3, 4)


def write_strength(
    out: BitWriter, seen: Any, trump: jax.Array, *, unseen: CardSet, beaten: CardSet,
    plain: jax.Array, over: jax.Array, levels: Sequence[int],
) -> None:  # fmt: skip
    """Write facts that follow from the rules of the trick but are slow for a network to learn.

    Args:
      out: the features to write to.
      seen: the observation of a player.
      trump: uint32.
      unseen: the cards that the player does not see, trumps first.
      beaten: the cards that an unseen one of their suit beats, trumps first.
      plain: uint32, bit r if rank r of the suit led beats the best card on the table; else 0.
      over: uint32, the same for trumps.
      levels: thresholds for the number of unseen trumps.
    """
    trick, deck, hand = seen.public.trick, seen.hand.deck, swap_trump(trump, seen.hand)
    out.cards("highest of their suit", hand - beaten)
    # The cards that beat the best card: those of the suit led, and trumps, which are suit 0 here.
    follow = CardSet.in_suit(deck, swap_suit(trump, trick.led), plain)
    trumps = CardSet.in_suit(deck, jnp.uint32(0), over)
    out.cards("taking the trick", hand & (follow | trumps))
    # The best card is a trump if its strength is above `TRUMP`, else a card of the suit led.
    stronger = sets.select(trick.best > TRUMP, trumps, follow)
    out.flag("best card beaten by an unseen one of its suit", (stronger & unseen).any())
    # In a deal without trumps, suit 0 is a plain suit and is not counted.
    number = jnp.where(trump < len(deck.suits), jax.lax.population_count(unseen.suit(0)), 0)
    out.levels("trumps unseen", number, levels)


def write_shown(
    out: BitWriter, seen: Any, trump: jax.Array, name: str, bits: int, not_announced: int
) -> None:
    """Write the melds of others: the cards shown and held, and the points announced, in tens."""
    me = seen.player.astype(jnp.uint32)
    # Shown cards that have been played since are already among the features of played cards.
    held = [a - b for a, b in zip(seen.shown, seen.played_by, strict=True)]
    following, partner, previous = (by_seat(held, (me + places) & 3) for _, places in OTHERS)
    out.cards("shown and held by partner", swap_trump(trump, partner))
    out.cards("shown and held by opponents", swap_trump(trump, following | previous))
    for seat, places in OTHERS:
        points = field(seen.announced, (me + places) & 3, bits)
        public = points != not_announced
        out.flag(f"{name} of {seat} public", public)
        out.levels(f"{name} of {seat}", jnp.where(public, points, 0), (2, 5, 10, 15, 20))


def write_tricks(game: Any, out: BitWriter, observation: Any, strengths: int) -> None:
    """Write the features that all trick games share: the player's hand, all plays, and the trick.

    Seats are relative: "left 1" plays next. `public.voids` is written if it exists.

    Args:
      game: a `TrickGame`.
      out: the features to write to.
      observation: of a player.
      strengths: the largest strength of a card.
    """
    public, num_seats = observation.public, game.num_players
    me, suits = observation.player.astype(jnp.uint32), len(game.deck.suits)
    out.cards("hand", observation.hand)
    for name, seat in named_seats(me, num_seats):
        out.cards(f"played by {name}", by_seat(observation.played_by, seat))
        # The player's own voids follow from its hand.
        if name != "me" and hasattr(public, "voids"):
            out.bits(f"voids of {name}", field(public.voids, seat, suits), suits, of="suits")
    trick = public.trick
    winner = jnp.where(trick.led == NO_SUIT, NO_SUIT, places_after(me, trick.winner, num_seats))
    out.one_hot("led suit", trick.led, suits, of="suits")
    out.one_hot("strength to beat", jnp.subtract(trick.best, 1), strengths)  # none on an empty table
    out.one_hot("winner so far", winner, num_seats)
    out.one_hot("place in the trick", public.num_played % num_seats, num_seats)
