"""The cards or calls of a deal in their order, packed into words: cards take six bits, five a word."""

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import CardSet, Deck, select

CARD_BITS = 6

History = tuple[jax.Array, ...]


def empty(num_entries: int, *, bits: int = CARD_BITS) -> History:
    """Returns uint32 words with room for `num_entries` cards (or calls), none of them filled yet.

    Args:
      num_entries: the largest number of entries.
      bits: size of an entry; as many as fit share a word. The functions below must be given the same.
    """
    return (jnp.uint32(0),) * -(-num_entries // (32 // bits))


def append(
    history: History, index: jax.Array, card: jax.Array, plays: jax.Array, *, bits: int = CARD_BITS
) -> History:
    """Returns the history with a card behind those played before.

    Args:
      history: the words so far.
      index: uint32, the number of cards played before.
      card: uint32, below 2**bits.
      plays: bool, whether the card is played at all; else nothing changes.
      bits: size of an entry.
    """
    per_word = 32 // bits
    word = index // per_word
    placed = card << ((index % per_word) * bits)
    return tuple(old | jnp.where(plays & (word == w), placed, 0) for w, old in enumerate(history))


def card_at(history: History, index: int | jax.Array, *, bits: int = CARD_BITS) -> jax.Array:
    """Returns the card number `index` of those played: uint32."""
    per_word = 32 // bits
    if isinstance(index, int):
        return field(history[index // per_word], index % per_word, bits)
    return field(by_seat(history, index // per_word), index % per_word, bits)


def last_cards(
    history: History, deck: Deck, num_played: jax.Array, number: jax.Array, most: int
) -> CardSet:
    """Returns the last cards played, such as those on the table, as a set.

    Args:
      history: the words.
      deck: the pack; a number of none of its cards, as of one that lies face down, is left out.
      num_played: uint32, cards played so far.
      number: uint32, how many of them.
      most: static, the largest value of `number`.
    """
    found = CardSet.empty(deck)
    for back in range(1, most + 1):
        card = CardSet.single(deck, card_at(history, num_played - back))
        found = found | select(number >= back, card, CardSet.empty(deck))
    return found


def cards(history: History, num_cards: int, *, bits: int = CARD_BITS) -> jax.Array:
    """Returns uint32[num_cards], the cards in the order of play; 0 for those not yet played."""
    per_word = 32 // bits
    index = jnp.arange(num_cards, dtype=jnp.int32)
    words = jnp.stack(history)[index // per_word]
    shift = ((index % per_word) * bits).astype(jnp.uint32)
    return (words >> shift) & ((1 << bits) - 1)


def to_list(history: History, num_played: int | jax.Array, *, bits: int = CARD_BITS) -> list[int]:
    """Returns the cards of an untraced history in the order of play."""
    packed, per_word = [int(word) for word in history], 32 // bits
    return [
        packed[i // per_word] >> (bits * (i % per_word)) & ((1 << bits) - 1)
        for i in range(int(num_played))
    ]
