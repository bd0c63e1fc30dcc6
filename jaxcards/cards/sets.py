"""Decks, the names of cards, and sets of cards as machine words.

A card is an int, `ranks_per_suit * suit + rank`. A set of cards is one or two uint32 words with whole
suits side by side. Suit and rank are a shift and a mask, without a look-up of card numbers. A set of
Jass cards, for example, is two words of 18 bits: diamonds and clubs, hearts and spades.
"""

import dataclasses
import functools
from collections.abc import Iterable, Mapping, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.errors import UserError, unknown
from jaxcards.xla.fence import fence
from jaxcards.xla.pytrees import register

NO_SUIT = 7  # a suit number outside every deck: its set of cards is empty


@dataclasses.dataclass(frozen=True)
class Deck:
    """A pack of cards: four suits of equal length and, perhaps, further cards such as a joker.

    Attributes:
      suits: a letter for each suit, in index order, such as "dchs".
      ranks: a letter for each rank, lowest index first, such as "6789TJQKA".
      symbols: a symbol for each suit, such as "♦♣♥♠".
      suit_words: other names of suits, for input: word -> suit letter.
      rank_words: other names of ranks, for input: word -> rank letter.
      extra: names of cards beyond the suits, numbered behind them; only in packs of up to 32 cards.
    """

    suits: str
    ranks: str
    symbols: str
    suit_words: tuple[tuple[str, str], ...] = ()
    rank_words: tuple[tuple[str, str], ...] = (("10", "T"),)
    extra: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.suits) != 4 or len(self.ranks) > 16:
            raise ValueError("a deck has four suits, of at most 16 ranks")
        # Further cards take the bits behind the four suits of a single word.
        if self.extra and (self.num_cards > 32 or self.suits_per_word != 4):
            raise ValueError("cards beyond the suits need a pack of up to 32 cards")

    @property
    def ranks_per_suit(self) -> int:
        return len(self.ranks)

    @property
    def num_cards(self) -> int:
        return self.num_suit_cards + len(self.extra)

    @property
    def num_suit_cards(self) -> int:
        """Number of cards that belong to a suit; the cards of `extra` follow them."""
        return len(self.suits) * len(self.ranks)

    @property
    def suits_per_word(self) -> int:
        """Suits in a word: four if they fit into its 32 bits, else two."""
        return 4 if 4 * len(self.ranks) <= 32 else 2

    @property
    def word_bits(self) -> int:
        """Bits used in each word of a `CardSet`: card = word_bits * word + bit."""
        return self.suits_per_word * len(self.ranks) + len(self.extra)

    @property
    def num_words(self) -> int:
        return len(self.suits) // self.suits_per_word

    @functools.cached_property
    def suits_by_text(self) -> Mapping[str, str]:
        """Suit letters by every name of a suit: letter, symbol, words."""
        symbols = dict(zip(self.symbols, self.suits, strict=True))
        return {letter: letter for letter in self.suits} | symbols | dict(self.suit_words)

    @functools.cached_property
    def _cards_by_text(self) -> Mapping[str, int]:
        ranks = {letter.lower(): letter for letter in self.ranks} | {
            word.lower(): letter for word, letter in self.rank_words if letter in self.ranks
        }
        texts = {}
        for suit_text, suit in self.suits_by_text.items():
            # Both orders are accepted: "Th" and "hT".
            for rank_text, rank in ranks.items():
                card = self.ranks_per_suit * self.suits.index(suit) + self.ranks.index(rank)
                texts[f"{rank_text}{suit_text}".lower()] = card
                texts[f"{suit_text}{rank_text}".lower()] = card
        texts |= {name.lower(): self.num_suit_cards + i for i, name in enumerate(self.extra)}
        return texts

    def card(self, text: str) -> int:
        """Return the card named by rank and suit in either order, such as "Th", "H10" or "♠A"."""
        found = self._cards_by_text.get(text.strip().lower().replace(" ", ""))
        if found is None:
            raise unknown("card", text, [self.name(card) for card in range(self.num_cards)])
        return found

    def cards(self, text: str) -> list[int]:
        """Return the cards of a text of names separated by blanks or commas."""
        return [self.card(name) for name in text.replace(",", " ").split()]

    def name(self, card: int) -> str:
        """Return the short name of a card, such as "Th"."""
        if card >= self.num_suit_cards:
            return self.extra[card - self.num_suit_cards]
        return self.ranks[card % self.ranks_per_suit] + self.suits[card // self.ranks_per_suit]

    def pretty(self, card: int) -> str:
        """Return the name of a card for people, such as "♥10"."""
        if card >= self.num_suit_cards:
            return self.extra[card - self.num_suit_cards]
        rank = self.ranks[card % self.ranks_per_suit]
        return self.symbols[card // self.ranks_per_suit] + {"T": "10"}.get(rank, rank)

    def names(self, cards: Iterable[int]) -> str:
        """Return the short names of cards, separated by blanks."""
        return " ".join(self.name(int(card)) for card in cards)

    def pretty_names(self, cards: Iterable[int]) -> str:
        """Return cards for people, sorted by suit and rank, separated by blanks."""
        return " ".join(self.pretty(card) for card in sorted(int(card) for card in cards))

    def by_rank(self, numbers: Mapping[str, int]) -> tuple[int, ...]:
        """Return a number for each rank, by its letter: 0 for ranks without a number."""
        return tuple(numbers.get(rank, 0) for rank in self.ranks)

    def suit_and_rank(self, card: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Return suit and rank of a card: uint32 each.

        Comparisons are cheaper than a division. A card of `extra` counts as a card of the last suit,
        above its ranks.
        """
        suit = jnp.uint32(0)
        # Each suit after the first adds 1 if its lowest card is not above this card.
        for first in range(self.ranks_per_suit, self.num_suit_cards, self.ranks_per_suit):
            suit = suit + (card >= first).astype(jnp.uint32)
        return suit, card - suit * self.ranks_per_suit

    def check_permutation(self, cards: Sequence[int] | np.ndarray | jax.Array) -> None:
        """Raise `UserError` unless `cards` holds every card once. Values of tracers are not checked."""
        # A traced deck has a shape, but no values to check.
        if isinstance(cards, jax.core.Tracer):
            if cards.shape != (self.num_cards,):
                raise UserError(
                    f"a deck must be an array of {self.num_cards} cards, not "
                    f"{cards.dtype}{list(cards.shape)}; use jax.vmap for a batch"
                )
            return
        found = np.asarray(cards).tolist()
        if np.ndim(found) != 1:
            raise UserError(
                f"a deck must be an array of {self.num_cards} cards, not an array of shape "
                f"{list(np.shape(found))}; use jax.vmap for a batch"
            )
        if sorted(found) != list(range(self.num_cards)):
            missing = sorted(set(range(self.num_cards)) - set(found))
            detail = f"missing {self.names(missing[:5])}" if missing else "some appear twice"
            raise UserError(
                f"a deck holds each of the cards 0 to {self.num_cards - 1} once; "
                f"this one has {len(found)} cards, {detail}"
            )


class CardSet:
    """A set of cards: uint32 words, each with whole suits side by side.

    `words[w]` has bit b set if card `deck.word_bits * w + b` is in the set. Operations follow Python's
    sets: `|`, `&`, `-`.
    """

    __slots__ = ("deck", "words")

    def __init__(self, deck: Deck, words: Sequence[jax.Array]):
        self.deck = deck
        self.words = tuple(words)

    @classmethod
    def empty(cls, deck: Deck) -> "CardSet":
        return cls(deck, [jnp.uint32(0)] * deck.num_words)

    @classmethod
    def full(cls, deck: Deck) -> "CardSet":
        return cls(deck, [jnp.uint32((1 << deck.word_bits) - 1)] * deck.num_words)

    @classmethod
    def of(cls, deck: Deck, cards: Iterable[int]) -> "CardSet":
        """Return the set of known (untraced) cards."""
        words = [0] * deck.num_words
        for card in cards:
            words[card // deck.word_bits] |= 1 << (card % deck.word_bits)
        return cls(deck, [jnp.uint32(word) for word in words])

    @classmethod
    def single(cls, deck: Deck, card: jax.Array) -> "CardSet":
        """Return the set of one card; empty if the number is not a card of the deck."""
        words = []
        for w in range(deck.num_words):
            # A card below this word wraps to a huge number and gives the empty word.
            bit = card.astype(jnp.uint32) - jnp.uint32(w * deck.word_bits)
            words.append(jnp.where(bit < deck.word_bits, jnp.uint32(1) << (bit & 31), jnp.uint32(0)))
        return cls(deck, words)

    @classmethod
    def in_suit(cls, deck: Deck, suit: jax.Array, ranks: jax.Array) -> "CardSet":
        """Return the cards of one suit whose ranks are set in `ranks`; empty for `NO_SUIT`.

        Args:
          suit: uint32 scalar.
          ranks: uint32 scalar, bit r for rank r.
        """
        # A word has two or four suits, so a mask and a shift replace the division by their number.
        # lane: the suit's position within its word; which: the word.
        lane = suit & (deck.suits_per_word - 1)
        placed = ranks << (lane * deck.ranks_per_suit)
        which = suit >> (deck.suits_per_word.bit_length() - 1)
        # `NO_SUIT` selects a word beyond the last, so every word is 0.
        return cls(deck, [jnp.where(which == w, placed, jnp.uint32(0)) for w in range(deck.num_words)])

    @classmethod
    def suit_of(cls, deck: Deck, suit: jax.Array) -> "CardSet":
        """Return all cards of a suit; empty for `NO_SUIT`."""
        return cls.in_suit(deck, suit, jnp.uint32((1 << deck.ranks_per_suit) - 1))

    def __or__(self, other: "CardSet") -> "CardSet":
        return CardSet(self.deck, [a | b for a, b in zip(self.words, other.words, strict=True)])

    def __and__(self, other: "CardSet") -> "CardSet":
        return CardSet(self.deck, [a & b for a, b in zip(self.words, other.words, strict=True)])

    def __sub__(self, other: "CardSet") -> "CardSet":
        return CardSet(self.deck, [a & ~b for a, b in zip(self.words, other.words, strict=True)])

    def any(self) -> jax.Array:
        """Return whether the set has a card: bool scalar."""
        return functools.reduce(jnp.bitwise_or, self.words) != 0

    def equals(self, other: "CardSet") -> jax.Array:
        """Return whether both sets have the same cards: bool scalar."""
        differs = [a ^ b for a, b in zip(self.words, other.words, strict=True)]
        return functools.reduce(jnp.bitwise_or, differs) == 0

    def count(self) -> jax.Array:
        """Return the number of cards: int32 scalar."""
        total = jax.lax.population_count(self.words[0])
        for word in self.words[1:]:
            total = total + jax.lax.population_count(word)
        return total.astype(jnp.int32)

    def points(self, by_rank: Sequence[int]) -> jax.Array:
        """Return the points of all cards together, from those of each rank: uint32 scalar."""
        deck, total = self.deck, jnp.uint32(0)
        for rank, points in enumerate(by_rank):
            if points:
                # The cards of a rank are a constant mask: a rank costs one count of bits for each word.
                of_rank = CardSet.of(deck, range(rank, deck.num_suit_cards, deck.ranks_per_suit))
                for word in (self & of_rank).words:
                    total = total + points * jax.lax.population_count(word)
        return total

    def where(self, condition: jax.Array) -> "CardSet":
        """Return the set where the condition holds, else the empty set."""
        return CardSet(self.deck, [jnp.where(condition, word, jnp.uint32(0)) for word in self.words])

    def contains(self, card: jax.Array) -> jax.Array:
        return (self & CardSet.single(self.deck, card)).any()

    def suit(self, suit: int) -> jax.Array:
        """Return the ranks held in a known suit: uint32, bit r for rank r."""
        deck = self.deck
        word = self.words[suit // deck.suits_per_word]
        shift = (suit % deck.suits_per_word) * deck.ranks_per_suit
        return (word >> shift) & jnp.uint32((1 << deck.ranks_per_suit) - 1)

    def mask(self) -> jax.Array:
        """Return bool[num_cards].

        Use selections, because XLA:CPU computes values that are fused into a concatenation without
        vectors.
        """
        card = jnp.arange(self.deck.num_cards, dtype=jnp.uint32)
        # For each card: the word that holds it, and the number of the word's first card.
        word, first = self.words[0], jnp.uint32(0)
        for number, later in enumerate(self.words[1:], start=1):
            behind = card >= number * self.deck.word_bits
            word = jnp.where(behind, later, word)
            first = jnp.where(behind, jnp.uint32(number * self.deck.word_bits), first)
        return (word >> (card - first)) & 1 == 1

    def to_list(self) -> list[int]:
        """Return the cards of an untraced set in ascending order."""
        return [
            w * self.deck.word_bits + b
            for w, word in enumerate(self.words)
            for b in range(self.deck.word_bits)
            if int(word) >> b & 1
        ]

    def __repr__(self) -> str:
        try:
            return f"CardSet({self.deck.names(self.to_list())})"
        except (TypeError, jax.errors.ConcretizationTypeError):
            # The cards of a traced set or of a batch cannot be listed.
            return f"CardSet(words={self.words})"


# A deck is stored as the tuple of its fields and made again from it.
register(CardSet, ["words"], ["deck"], lambda static: (Deck(*static[0]),))


def select(condition: jax.Array, yes: CardSet, no: CardSet) -> CardSet:
    """Return `yes` where the condition holds, else `no`."""
    words = [jnp.where(condition, a, b) for a, b in zip(yes.words, no.words, strict=True)]
    return CardSet(yes.deck, words)


def fence_set(cards: CardSet) -> CardSet:
    """Return a set whose words are computed once, even with many uses; see `fence`."""
    return CardSet(cards.deck, [fence(word) for word in cards.words])
