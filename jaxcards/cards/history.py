"""The cards or calls of a deal in their order.

Games keep them packed into words: cards take six bits, five a word. `History` is the same as arrays.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.xla.pytrees import pytree

CARD_BITS = 6

UNKNOWN = -1  # an action that is hidden from the observer

Packed = tuple[jax.Array, ...]


def empty(num_entries: int, *, bits: int = CARD_BITS) -> Packed:
    """Return empty uint32 words with room for `num_entries` cards or calls.

    Args:
      num_entries: the largest number of entries.
      bits: size of an entry; a word holds 32 // bits of them. Pass the same value to the functions
        below.
    """
    # ceil(num_entries / entries per word) words.
    return (jnp.uint32(0),) * -(-num_entries // (32 // bits))


def append(
    history: Packed, index: jax.Array, card: jax.Array, plays: jax.Array, *, bits: int = CARD_BITS
) -> Packed:
    """Return the history with one more card.

    Args:
      history: the words so far.
      index: uint32, the number of cards played before.
      card: uint32, below 2**bits.
      plays: bool, whether the card is played; if False, the history stays unchanged.
      bits: size of an entry.
    """
    # An entry never crosses a word boundary: 6-bit cards fill 30 of 32 bits.
    per_word = 32 // bits
    word = index // per_word
    placed = card << ((index % per_word) * bits)
    # The place was 0 before, so an "or" writes it.
    return tuple(old | jnp.where(plays & (word == w), placed, 0) for w, old in enumerate(history))


def card_at(history: Packed, index: int | jax.Array, *, bits: int = CARD_BITS) -> jax.Array:
    """Return the card number `index` of those played: uint32."""
    per_word = 32 // bits
    # A known index selects its word while tracing; a traced index costs selections.
    if isinstance(index, int):
        return field(history[index // per_word], index % per_word, bits)
    return field(by_seat(history, index // per_word), index % per_word, bits)


def last_cards(
    history: Packed, deck: Deck, num_played: jax.Array, number: jax.Array, most: int
) -> CardSet:
    """Return the last cards played, such as those on the table, as a set.

    Args:
      history: the words.
      deck: the pack; numbers that are not cards, such as that of a card face down, are left out.
      num_played: uint32, cards played so far.
      number: uint32, how many of them to return.
      most: static, the largest value of `number`.
    """
    found = CardSet.empty(deck)
    for back in range(1, most + 1):
        # If fewer cards are played, the index wraps around, and `where` drops the card.
        # Card numbers beyond the deck give the empty set.
        card = CardSet.single(deck, card_at(history, num_played - back))
        found = found | card.where(number >= back)
    return found


def cards(history: Packed, num_cards: int, *, bits: int = CARD_BITS) -> jax.Array:
    """Return uint32[num_cards], the cards in the order of play; 0 for cards not yet played."""
    per_word = 32 // bits
    index = jnp.arange(num_cards, dtype=jnp.int32)
    # words: uint32[num_cards], for each play the word that holds it.
    words = jnp.stack(history)[index // per_word]
    shift = ((index % per_word) * bits).astype(jnp.uint32)
    return (words >> shift) & ((1 << bits) - 1)


def to_list(history: Packed, num_played: int | jax.Array, *, bits: int = CARD_BITS) -> list[int]:
    """Return the cards of an untraced history in the order of play."""
    packed, per_word = [int(word) for word in history], 32 // bits
    return [
        packed[i // per_word] >> (bits * (i % per_word)) & ((1 << bits) - 1)
        for i in range(int(num_played))
    ]


@pytree
class History(NamedTuple):
    """The actions of a deal so far, or a part of them, in their order. n is `game.max_steps` of a deal.

    Attributes:
      actions: int32[n], the actions; -1 after the last one and for actions hidden from the player.
      players: int32[n], who took each action; -1 after the last one.
      length: int32, the number of actions.
    """

    actions: jax.Array
    players: jax.Array
    length: jax.Array


def part(actions: Any, players: Any, length: Any) -> History:
    """Return actions as a part of a history.

    Args:
      actions: [n] integers, as an array or as a list of scalars.
      players: the same, or the player of all of them.
      length: int scalar, how many of the actions were taken.
    """
    found = jnp.asarray(actions).astype(jnp.int32)
    takers = jnp.broadcast_to(jnp.asarray(players).astype(jnp.int32), found.shape)
    return History(found, takers, jnp.asarray(length).astype(jnp.int32))


def plays(history: Packed, num_cards: int, num_played: Any, played_by: Sequence[CardSet]) -> History:
    """Return the cards played as a part of a history.

    Args:
      history: the words.
      num_cards: static, the largest number of cards played.
      num_played: int scalar, cards played so far.
      played_by: for each seat, the cards that it has played.
    """
    order = cards(history, num_cards)
    # owner: int[num_cards], the seat that has played each card.
    owner = jnp.stack([played.mask() for played in played_by]).argmax(0)
    # The entries behind `num_played` are arbitrary; `joined` ignores them.
    return part(order, owner[order], num_played)


def joined(max_steps: int, parts: Sequence[History]) -> History:
    """Return the history of a deal from its consecutive parts.

    Args:
      max_steps: static, see `Game.max_steps`.
      parts: each with room for one action or more.
    """
    place, start = jnp.arange(max_steps), jnp.int32(0)
    actions = players = jnp.full(max_steps, -1, jnp.int32)
    for own in parts:
        # The place in this part of each entry of the whole history; valid from 0 to length - 1.
        index = place - start
        here = (index >= 0) & (index < own.length)
        # Places outside this part read some entry of it, which `here` discards.
        index = jnp.clip(index, 0, own.actions.shape[0] - 1)
        actions = jnp.where(here, own.actions[index], actions)
        players = jnp.where(here, own.players[index], players)
        start = start + own.length
    return History(actions, players, start)


def ascending(chosen: CardSet, number: int) -> jax.Array:
    """Return the lowest cards of a set in ascending order: int32[number]; -1 behind the last one."""
    # A known size keeps the shape static; the places that are left over get `UNKNOWN`.
    places = chosen.mask().nonzero(size=number, fill_value=UNKNOWN)[0]
    return places.astype(jnp.int32)
