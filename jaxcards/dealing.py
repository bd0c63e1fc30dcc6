"""Dealing: at random without sorting, and from a given deck."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import prng
from jaxcards.actions import ActionLayout, ActionSet
from jaxcards.cards import CardSet, Deck, fence, fence_word
from jaxcards.errors import UserError


def deal(
    key: prng.KeyWords,
    deck: Deck,
    hand_sizes: Sequence[int | jax.Array],
    *,
    largest: Sequence[int] | None = None,
) -> tuple[CardSet, ...]:
    """Deals the whole deck uniformly at random, without sorting.

    Card after card goes to a seat with probability proportional to its free places, which makes
    every deal equally likely.

    Args:
      key: the two words of a key; counters 0 to num_cards - 1 are used.
      hand_sizes: cards of each hand (or talon, or rest of the pack), adding up to the deck. The sizes
        may be traced uint32 scalars if `largest` is given.
      largest: static, the most that each size can be.

    Returns:
      One `CardSet` for each entry of `hand_sizes`.
    """
    seats = len(hand_sizes)
    if largest is None:
        largest = [int(size) for size in hand_sizes]
        if sum(largest) != deck.num_cards:
            raise ValueError(f"hand sizes {tuple(hand_sizes)} do not fit a deck of {deck.num_cards}")
    # The free places of the hands, side by side. Unequal ones leave out the last, which gets what the
    # others leave.
    widths = [most.bit_length() for most in largest]
    equal = len(set(widths)) == 1 and sum(widths) <= 32
    counted = seats if equal else seats - 1
    starts = [sum(widths[:seat]) for seat in range(seats)]
    if sum(widths[:counted]) > 32:
        raise ValueError(f"hands of up to {tuple(largest)} cards are too many for one word of counters")
    free = jnp.uint32(0)
    for size, start in zip(hand_sizes[:counted], starts, strict=False):
        free = free | jnp.uint32(size) << start
    owner_bits = max((seats - 1).bit_length(), 1)
    words = [[jnp.uint32(0)] * deck.num_words for _ in hand_sizes]
    # A fence after every dozen cards: without one the chain of owners is copied into every hand.
    group = 30 // owner_bits if owner_bits > 2 else 12
    for start in range(0, deck.num_cards, group):
        cards = range(start, min(start + group, deck.num_cards))
        owners = jnp.uint32(0)
        for card in cards:
            places = deck.num_cards - card
            drawn = prng.below(prng.random_word(key, card), jnp.uint32(places), deck.num_cards)
            owner, passed, place = jnp.uint32(0), jnp.uint32(0), jnp.uint32(1)
            for seat in range(seats - 1):
                passed = passed + ((free >> starts[seat]) & ((1 << widths[seat]) - 1))
                beyond = drawn >= passed
                owner = owner + beyond.astype(jnp.uint32)
                if not equal:
                    following = 1 << starts[seat + 1] if seat + 1 < counted else 0
                    place = jnp.where(beyond, jnp.uint32(following), place)
            free = free - (jnp.uint32(1) << (owner * widths[0]) if equal else place)
            owners = owners | (owner << (owner_bits * (card - start)))
        owners = fence(owners)
        if sum(widths[:counted]) <= 30:
            free = fence(free)
        for card in cards:
            owner = (owners >> (owner_bits * (card - start))) & ((1 << owner_bits) - 1)
            bit = jnp.uint32(1 << (card % deck.word_bits))
            for seat in range(seats):
                word = words[seat][card // deck.word_bits]
                words[seat][card // deck.word_bits] = word | jnp.where(owner == seat, bit, 0)
    guard = fence if deck.word_bits <= 30 else fence_word
    words = [[guard(word) for word in hand] for hand in words]
    return tuple(CardSet(deck, hand) for hand in words)


def draw(
    key: prng.KeyWords, first_counter: int, cards: CardSet, number: int, *, most: int | None = None
) -> list[CardSet]:
    """Draws single cards from a set, one after the other, every order equally likely.

    Args:
      key: the two words of a key; counters `first_counter` to `first_counter + number - 1` are used.
      first_counter: beyond those that the key has been used with.
      cards: a set of at least `number` cards.
      number: how many to draw.
      most: static, the largest size of the set; by default that of the deck.
    """
    most = cards.deck.num_cards if most is None else most
    layout = ActionLayout.after_cards(cards.deck, cards.deck.num_cards, most)
    drawn = []
    for i in range(number):
        left = ActionSet.of_cards(layout, cards)
        word = prng.random_word(key, first_counter + i)
        card = left.nth(prng.below(word, left.count().astype(jnp.uint32), most))
        drawn.append(CardSet.single(cards.deck, card.astype(jnp.uint32)))
        cards = cards - drawn[-1]
    return drawn


def from_deck(deck: Deck, order: Any, sizes: Sequence[int | jax.Array]) -> tuple[CardSet, ...]:
    """Returns consecutive blocks of a given deck as sets.

    Args:
      deck: the pack.
      order: int[num_cards], a permutation of the cards.
      sizes: cards of each block, from the front of `order`; Python ints or uint32 scalars. They need
        not use up the deck.
    """
    order = jnp.asarray(order, jnp.uint32)
    singles = [CardSet.single(deck, order[i]) for i in range(deck.num_cards)]
    blocks = []
    start: int | jax.Array = 0
    for size in sizes:
        end = start + size
        block = CardSet.empty(deck)
        for i, single in enumerate(singles):
            inside = (start <= i) & (i < end) if not isinstance(end, int) else start <= i < end
            if inside is True:
                block = block | single
            elif inside is not False:
                block = block | CardSet(deck, [jnp.where(inside, word, 0) for word in single.words])
        blocks.append(block)
        start = end
    return tuple(blocks)


def check_range(name: str, value: Any, limit: int, *, lowest: int = 0) -> None:
    """Raises UserError unless an argument is an int from `lowest` to `limit - 1`; tracers pass."""
    if isinstance(value, jax.core.Tracer):
        return
    if not (np.ndim(value) == 0 and lowest <= int(value) < limit and int(value) == value):
        raise UserError(f"{name} must be an int from {lowest} to {limit - 1}, not {value!r}")
