"""Dealing a deck: at random, without sorting, or in a given order."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.arguments import check_range as check_range
from jaxcards.cards.sets import CardSet, Deck, fence_set, select
from jaxcards.xla import prng
from jaxcards.xla.fence import fence
from jaxcards.xla.lowest import lowest_bit
from jaxcards.xla.tracing import traced_once


def deal(key: prng.KeyWords, deck: Deck, hand_sizes: Sequence[int | jax.Array]) -> tuple[CardSet, ...]:
    """Deal the whole deck uniformly at random, without sorting.

    Each card goes to a hand with a probability proportional to the free places of the hand, so that all
    deals are equally likely. To choose the hand, draw a random number below the number of all free
    places. Compare it with the free places of the first hand, of the first two hands together, and so
    on.

    Args:
      key: the two words of a key; counters 0 to num_cards - 1 are used.
      hand_sizes: cards of each hand (or talon, or rest of the pack), adding up to the deck; Python
        ints or uint32 scalars.

    Returns:
      One `CardSet` for each entry of `hand_sizes`.
    """
    # None marks a traced size. The tuple is hashable, so it can be a static argument of `_deal`.
    known = tuple(int(n) if isinstance(n, (int, np.integer)) else None for n in hand_sizes)
    given = [size for size in known if size is not None]
    if len(given) == len(known) and sum(given) != deck.num_cards:
        raise ValueError(f"hand sizes {tuple(hand_sizes)} do not fit a deck of {deck.num_cards}")
    # The sizes known to Python stay constants of the program; only the others are traced.
    others = [jnp.uint32(size) for size, n in zip(hand_sizes, known, strict=True) if n is None]
    return _deal(key, others, deck, known)


@traced_once(static_argnums=(2, 3))
def _deal(
    key: prng.KeyWords, others: list[jax.Array], deck: Deck, known: tuple[int | None, ...]
) -> tuple[CardSet, ...]:
    """Deal as `deal` does; `known` has the sizes, or None for those that are in `others`."""
    rest = iter(others)
    hand_sizes = [next(rest) if size is None else size for size in known]
    # Each card uses both words of the key: compute them once. The last hand needs no lane: it gets the
    # rest of the deck.
    key = fence(key[0]), fence(key[1])
    lanes = _lanes(deck, len(hand_sizes) - 1)
    # A lane of `free` has the free places of the first 1, 2, … hands together.
    free = _free_places(hand_sizes, lanes)
    # firsts[i]: the words of the cards of the first i + 1 hands.
    firsts = [[jnp.uint32(0)] * deck.num_words for _ in hand_sizes[:-1]]
    # Deal cards in groups that fill the lanes. Then split each lane into places and cards.
    for start in range(0, deck.num_cards, lanes.cards):
        cards = range(start, min(start + lanes.cards, deck.num_cards))
        dealt = _deal_some(key, deck, cards, lanes, free)
        # The low bits: free places, for the next group.
        free = [
            word & (ones * jnp.uint32((1 << lanes.top) - 1))
            for word, ones in zip(dealt, lanes.ones, strict=True)
        ]
        for number, words in enumerate(firsts):
            # The bits above: which cards of the group went to the first i + 1 hands.
            word, lane = divmod(number, lanes.per_word)
            got = dealt[word] >> (lanes.width * lane + lanes.top) & jnp.uint32((1 << len(cards)) - 1)
            _put(deck, words, start, len(cards), got)
    # Subtract neighbouring sums: the first i + 1 hands without the first i are hand i.
    hands, before = [], CardSet.empty(deck)
    for words in firsts:
        until = fence_set(CardSet(deck, words))
        hands.append(until - before)
        before = until
    return (*hands, CardSet.full(deck) - before)


class _Lanes(NamedTuple):
    """Layout of lanes in uint32 words. Lane i is about the first i + 1 hands together.

    The low bits of a lane count its free places. The bits above say, for each card just dealt, whether
    one of these hands got it.

    Attributes:
      width: bits of a lane.
      per_word: lanes of a word.
      ones: for each word, bit 0 of all its lanes.
      top: bits of the number of free places; a subtraction borrows from the bit above them.
    """

    width: int
    per_word: int
    ones: tuple[int, ...]
    top: int

    @property
    def cards(self) -> int:
        """Number of cards dealt between two fences: a lane has one bit per card above its places."""
        return self.width - self.top


def _lanes(deck: Deck, number: int) -> _Lanes:
    """Return the layout of `number` lanes in the fewest words, with bits for at least two cards."""
    top = deck.num_cards.bit_length()
    # A lane needs its count and two bits for cards; take the fewest words that allow this.
    words = max(-(-number // (32 // (top + 2))), 1)
    # Spread the lanes evenly: wider lanes have room for more cards between two fences.
    per_word = max(-(-number // words), 1)
    width = 32 // per_word
    used = [min(per_word, number - per_word * word) for word in range(words)]
    ones = tuple(sum(1 << width * lane for lane in range(lanes)) for lanes in used)
    return _Lanes(width, per_word, ones, top)


def _free_places(hand_sizes: Sequence[int | jax.Array], lanes: _Lanes) -> list[jax.Array]:
    """Return the lanes: free places of the first hand, of the first two, … of all except the last."""
    words = [jnp.uint32(0)] * len(lanes.ones)
    total = jnp.uint32(0)
    for number, size in enumerate(hand_sizes[:-1]):
        word, lane = divmod(number, lanes.per_word)
        total = total + jnp.uint32(size)
        words[word] = words[word] | total << (lanes.width * lane)
    return words


def _deal_some(
    key: prng.KeyWords, deck: Deck, cards: range, lanes: _Lanes, free: list[jax.Array]
) -> list[jax.Array]:
    """Deal up to `lanes.cards` cards.

    Returns:
      The lanes: the free places left and, above them, bit i for card i. Places and cards share a word
      so that one fence holds both: XLA would copy the chain of choices into every hand.
    """
    free = list(free)
    found = [jnp.uint32(0)] * len(free)
    for i, card in enumerate(cards):
        # Each earlier card has taken one place: one is left for this card and for each later one.
        places = deck.num_cards - card
        # One number below all free places decides the card for every lane at once.
        drawn = prng.below(prng.random_word(key, card), jnp.uint32(places), deck.num_cards)
        for word, ones in enumerate(lanes.ones):
            # The product copies the number into every lane. The bit above the count takes the borrow.
            # Draw and compare: a lane keeps its top bit if the number is not below its free places.
            difference = (drawn * ones | jnp.uint32(ones << lanes.top)) - free[word]
            inside = (~difference >> lanes.top) & jnp.uint32(ones)
            # The first i + 1 hands got the card: one place less, and the card's bit above the count.
            free[word] = free[word] - inside
            found[word] = found[word] | inside << lanes.top + i
    return [fence(here | left) for here, left in zip(found, free, strict=True)]


def _put(deck: Deck, words: list[jax.Array], start: int, number: int, cards: jax.Array) -> None:
    """Add cards to the words of a set: bit i of `cards`, i < `number`, is card `start + i`."""
    word, bit = divmod(start, deck.word_bits)
    if bit + number > deck.word_bits:
        # The cards cross a word boundary: the high part goes to the start of the next word.
        words[word + 1] = words[word + 1] | cards >> (deck.word_bits - bit)
        cards = cards & jnp.uint32((1 << (deck.word_bits - bit)) - 1)
    words[word] = words[word] | cards << bit


def draw(
    key: prng.KeyWords, first_counter: int, cards: CardSet, number: int, *, most: int | None = None
) -> list[CardSet]:
    """Draw single cards from a set, one after the other, every order equally likely.

    Args:
      key: the two words of a key; counters `first_counter` to `first_counter + number - 1` are used.
      first_counter: larger than all counters already used with the key.
      cards: a set of at least `number` cards.
      number: how many to draw.
      most: static, the largest size of the set; by default that of the deck.
    """
    # Each draw takes the card at a random index among the remaining cards.
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


def leave_out(blocks: Sequence[CardSet], cards: Sequence[int]) -> tuple[CardSet, ...]:
    """Return blocks in which the last one has given cards, for hands of a shorter pack.

    Each of the cards that was dealt changes places with another card of the last block.

    Args:
      blocks: the hands, then a block with one place for each of `cards`.
      cards: static, the cards that the shorter pack lacks.
    """
    deck = blocks[0].deck
    wanted = CardSet.of(deck, cards)
    for _ in range(min(len(cards), deck.num_cards - len(cards))):
        *hands, rest = blocks
        # The lowest cards out of place: one in a hand and one in the last block, or none at all.
        missing, other = _lowest(wanted - rest), _lowest(rest - wanted)
        hands = [select((hand & missing).any(), (hand - missing) | other, hand) for hand in hands]
        blocks = (*hands, (rest - other) | missing)
    return tuple(blocks)


def _lowest(cards: CardSet) -> CardSet:
    """Return the lowest card of a set, or the empty set if it is empty."""
    found, above = [], jnp.ones((), bool)
    for word in cards.words:
        found.append(jnp.where(above, lowest_bit(word), 0))
        above = above & (word == 0)
    return CardSet(cards.deck, found)


def from_deck(deck: Deck, order: Any, sizes: Sequence[int | jax.Array]) -> tuple[CardSet, ...]:
    """Return consecutive blocks of a given deck as sets.

    Args:
      deck: the pack.
      order: int[num_cards], a permutation of the cards.
      sizes: cards of each block, from the front of `order`; Python ints or uint32 scalars. Cards
        behind the last block stay undealt.
    """
    order = jnp.asarray(order, jnp.uint32)
    singles = [CardSet.single(deck, order[i]) for i in range(deck.num_cards)]
    blocks = []
    start: int | jax.Array = 0
    for size in sizes:
        end = start + size
        block = CardSet.empty(deck)
        for i, single in enumerate(singles):
            # With a static size this is decided while tracing, and no selection is compiled.
            inside = (start <= i) & (i < end) if not isinstance(end, int) else start <= i < end
            if inside is True:
                block = block | single
            elif inside is not False:
                block = block | CardSet(deck, [jnp.where(inside, word, 0) for word in single.words])
        # Without the fence, XLA would copy this chain into every use of the block.
        blocks.append(fence_set(block))
        start = end
    return tuple(blocks)
