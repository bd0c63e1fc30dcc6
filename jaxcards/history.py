"""The cards of a deal in the order of play, packed into words: six bits a card, five a word."""

import jax
import jax.numpy as jnp

from jaxcards.seats import by_seat, field

CARD_BITS = 6
CARDS_PER_WORD = 5

History = tuple[jax.Array, ...]


def empty(num_cards: int) -> History:
    """Returns uint32 words with room for `num_cards` cards, none played yet."""
    return (jnp.uint32(0),) * -(-num_cards // CARDS_PER_WORD)


def append(history: History, index: jax.Array, card: jax.Array, plays: jax.Array) -> History:
    """Returns the history with a card behind those played before.

    Args:
      history: the words so far.
      index: uint32, the number of cards played before.
      card: uint32, below 64.
      plays: bool, whether the card is played at all; else nothing changes.
    """
    word = index // CARDS_PER_WORD
    placed = card << ((index % CARDS_PER_WORD) * CARD_BITS)
    return tuple(old | jnp.where(plays & (word == w), placed, 0) for w, old in enumerate(history))


def card_at(history: History, index: int | jax.Array) -> jax.Array:
    """Returns the card number `index` of those played: uint32."""
    if isinstance(index, int):
        return field(history[index // CARDS_PER_WORD], index % CARDS_PER_WORD, CARD_BITS)
    return field(by_seat(history, index // CARDS_PER_WORD), index % CARDS_PER_WORD, CARD_BITS)


def cards(history: History, num_cards: int) -> jax.Array:
    """Returns uint32[num_cards], the cards in the order of play; what is not yet played reads 0."""
    index = jnp.arange(num_cards)
    words = jnp.stack(history)[index // CARDS_PER_WORD]
    shift = ((index % CARDS_PER_WORD) * CARD_BITS).astype(jnp.uint32)
    return (words >> shift) & ((1 << CARD_BITS) - 1)


def to_list(history: History, num_played: int | jax.Array) -> list[int]:
    """Returns the cards of an untraced history in the order of play."""
    packed = [int(word) for word in history]
    return [
        packed[i // CARDS_PER_WORD] >> (CARD_BITS * (i % CARDS_PER_WORD)) & ((1 << CARD_BITS) - 1)
        for i in range(int(num_played))
    ]
