"""The play of a card to a trick: the cards that follow suit, and the effects of a card."""

import dataclasses
from typing import Any, TypeVar

import jax
import jax.numpy as jnp

from jaxcards.cards import history, sets, tricks
from jaxcards.cards.seats import seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.tricks import Trick
from jaxcards.stages import Stage, Staged, known
from jaxcards.xla.fence import fence

StateT = TypeVar("StateT", bound=Staged)


def follow_suit(hand: CardSet, led: jax.Array, otherwise: CardSet | None = None) -> CardSet:
    """Return the cards of the suit that was led or, if the hand is void in it, other cards.

    Args:
      hand: the cards of the player to act.
      led: uint32, the suit that was led; `NO_SUIT` on an empty table.
      otherwise: the cards that may be led or discarded; None for the whole hand.
    """
    follow = hand & CardSet.suit_of(hand.deck, led)
    # On an empty table `led` is `NO_SUIT`, so the set of following cards is empty.
    return sets.select(follow.any(), follow, hand if otherwise is None else otherwise)


def lead_other(hand: CardSet, closed: CardSet) -> CardSet:
    """Return the cards that may be led: those outside `closed` or, if all are closed, the whole hand.

    Args:
      hand: the cards of the player who leads.
      closed: the cards that may not be led; may be empty.
    """
    others = hand - closed
    return sets.select(others.any(), others, hand)


def distinct_by_rank(state: Any, cards: CardSet, trump: int | jax.Array) -> CardSet:
    """Return cards of a hand without those that are worth the same as a higher one.

    For games of `play_by_rank` whose score depends on tricks alone. Two cards of a suit are worth the
    same if every card between them is in the same hand, or has been played. The best card on the table
    still counts.

    Args:
      state: of the deal.
      cards: legal cards; all or none of each suit of the hand.
      trump: see `play_by_rank`.
    """
    deck, trick = cards.deck, state.public.trick
    # The best card on the table: its suit, and its rank as a bit.
    suit = jnp.where(trick.best >= tricks.TRUMP, jnp.asarray(trump).astype(jnp.uint32), trick.led)
    # The strength is 1 more than the rank, and 0 on an empty table.
    rank = (jnp.uint32(1) << (trick.best & (tricks.TRUMP - 1))) >> 1
    # The best card still separates its neighbours: one beats it, the other does not.
    gone = state.played - CardSet.in_suit(deck, suit, rank)
    # Every place except the highest of each suit.
    size = deck.ranks_per_suit
    ranks = (1 << (size - 1)) - 1
    lower = jnp.uint32(sum(ranks << (size * suit) for suit in range(deck.suits_per_word)))
    words = []
    for held, out in zip(cards.words, gone.words, strict=True):
        # Move each card down over the cards that are gone, by 1, 2, 4 and 8 ranks.
        reached, free = held, out & lower
        for step in (1, 2, 4, 8):
            # free: the places at which `step` ranks in a row, counted upwards, are gone.
            reached = reached | (free & (reached >> step))
            free = free & (free >> step)
        # Drop a card if the rank above it is held, or leads over ranks that are gone to a held one.
        words.append(held & ~((reached >> 1) & lower))
    return CardSet(deck, words)


def play_card(
    state: StateT, stage: Stage, before: Trick, card: jax.Array, *, plays: jax.Array,
    suit: jax.Array, strength: jax.Array, points: jax.Array, shown: jax.Array | None = None,
) -> tuple[StateT, Trick, jax.Array]:  # fmt: skip
    """Return the state after a card, its trick, and whether the trick is complete: bool.

    The function updates the history, the table, the cards played and the player to act. The game
    updates the rest.

    Args:
      state: has the fields of `TrickState`; its `public` has the fields of `TrickPublic`.
      stage: the known phase of the decision.
      before: `state.trick(stage)`, the trick without the card.
      card: uint32, read only if `plays`.
      plays: bool, whether a card is played; if False, the state stays as it is.
      suit: uint32, the suit of the card for the purpose of following.
      strength: uint32, comparable among trumps and cards of the led suit; 0 for any other card.
      points: uint32, the points that the card adds to the trick.
      shown: uint32, the entry of the history; `card` if None.
    """
    public: Any = state.public
    hands, played = state.hands, state.played  # type: ignore[attr-defined]
    num_seats, seat = len(hands), public.current_player.astype(jnp.uint32)
    # Computed once: without the fence, XLA would compute the trick again for every leaf.
    with_card = tricks.add_card(before, seat, suit, strength, points)
    table = fence(tricks.pack(with_card))
    trick = tricks.unpack(table)
    complete = plays & known(stage.completes, completes_trick(public.num_played, num_seats))
    # The winner of a complete trick leads the next one; otherwise the turn passes to the left.
    following = jnp.where(complete, trick.winner, seat_after(seat, 1, num_seats)).astype(jnp.int32)
    cleared = jnp.where(complete, jnp.uint32(tricks.EMPTY_TABLE), table)
    # A card that lies face down has another number in the public history.
    entry = card if shown is None else shown
    after = state.with_public(
        history=history.append(public.history, public.num_played, entry, plays),
        current_player=jnp.where(plays, following, public.current_player),
        num_played=public.num_played + plays.astype(jnp.uint32),
        table=jnp.where(plays, cleared, public.table),
    )
    all_played = played | CardSet.single(played.deck, card).where(plays)
    return dataclasses.replace(after, played=all_played), trick, complete  # type: ignore[type-var]


def play_by_rank(
    state: StateT, stage: Stage, card: jax.Array, *, points: jax.Array,
    trump: int | jax.Array | None = None, closed: CardSet | None = None,
) -> tuple[StateT, Trick, jax.Array]:  # fmt: skip
    """Play a card of a pack in which higher ranks win, and note the voids that it shows.

    `public.voids` is a word with a bit for each suit of each seat. The result is that of `play_card`.

    Args:
      state, stage, points: see `play_card`.
      card: uint32, a card; any other action changes nothing.
      trump: the suit of trumps, or a number outside the deck; None in games without trumps.
      closed: the cards that may be led only from a hand of such cards; see `lead_other`.
    """
    public, deck = state.public, state.played.deck  # type: ignore[attr-defined]
    plays, before = state.plays(card < deck.num_cards, stage), state.trick(stage)
    suit, rank = deck.suit_and_rank(card)
    # Strengths start at 1. A discard has 0 and never wins.
    strength = jnp.where(suit == tricks.lead_suit(before, suit), rank + 1, 0)
    if trump is not None:
        strength = jnp.where(suit == trump, tricks.TRUMP + rank + 1, strength)
    after, trick, complete = play_card(
        state, stage, before, card, plays=plays, suit=suit, strength=strength, points=points
    )
    shown = shown_void(before.led, suit, alone=None if closed is None else closed.contains(card))
    shown = shown << (len(deck.suits) * public.current_player.astype(jnp.uint32))
    voids = public.voids | jnp.where(plays, shown, 0)
    return after.with_public(voids=voids), trick, complete


def completes_trick(num_played: jax.Array, num_seats: int) -> jax.Array:
    """Return whether the next card completes a trick: bool."""
    return place_in_trick(num_played, num_seats) == num_seats - 1


def place_in_trick(num_played: jax.Array, num_seats: int) -> jax.Array:
    """Return the number of cards on the table: uint32, 0 to num_seats - 1."""
    return jax.lax.rem(num_played, jnp.uint32(num_seats))


def shown_void(
    led: jax.Array, suit: jax.Array, alone: jax.Array | None = None, *, num_suits: int = 4
) -> jax.Array:
    """Return the suits in which a card shows its player to be void: uint32, bit s for suit s.

    A discard shows a void in the suit led.

    Args:
      led: uint32, the suit that was led before the card; `NO_SUIT` on an empty table.
      suit: uint32, the suit of the card.
      alone: bool, whether a lead of the card shows a void in all other suits, because they had to be
        led first. None in games without such a rule.
      num_suits: static, the suits of the deck.
    """
    shown = jnp.where((led != NO_SUIT) & (suit != led), jnp.uint32(1) << led, 0)
    if alone is None:
        return shown
    # All suits of the deck except that of the card.
    others = jnp.uint32((1 << num_suits) - 1) ^ (jnp.uint32(1) << suit)
    return jnp.where(alone & (led == NO_SUIT), others, shown)


# ---- Winners of tricks ---------------------------------------------------------------------------


def add_winner(
    winners: jax.Array, num_tricks: jax.Array, winner: jax.Array, complete: jax.Array, bits: int = 2
) -> jax.Array:
    """Return the word of trick winners with one more trick: uint32.

    Args:
      winners: uint32, `bits` bits a trick: the seat that won it, first trick lowest.
      num_tricks: uint32, complete tricks before this one.
      winner: uint32, the seat that wins this one.
      complete: bool, whether the trick is complete; if False, the word stays as it is.
      bits: static.
    """
    return winners | jnp.where(complete, winner << (num_tricks * bits), 0)


def every_trick(number: int) -> int:
    """Return the lower bit of each of the first `number` tricks in a word of `add_winner`."""
    return sum(1 << (2 * trick) for trick in range(number))


def every_trick_won(winners: jax.Array, over: jax.Array, most: int) -> tuple[jax.Array, jax.Array]:
    """Return for both sides of four seats whether they won all tricks of a deal: bool.

    Args:
      winners: uint32, two bits a trick; see `add_winner`.
      over: bool, whether all cards are played.
      most: static, the tricks of a deal.
    """
    teams = winners & every_trick(most)  # the lower bit of a seat is its team
    # Every bit is 0 if seats 0 and 2 won all tricks, and 1 if seats 1 and 3 did.
    return over & (teams == 0), over & (teams == every_trick(most))
