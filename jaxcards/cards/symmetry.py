"""Suits that may be exchanged, and the effect on cards, actions and features.

With hearts as trumps, exchanging clubs and spades in all hands gives an equivalent deal. The names are
those of features, which may put trumps first whatever the trump suit is (`relabel`).
"""

import dataclasses
import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from jaxcards.cards.features import Feature
from jaxcards.cards.sets import Deck

Permutation = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class SuitSymmetry:
    """Ways to rename suits that change nothing: suit s becomes suit `permutation[s]`.

    Attributes:
      permutations: those that hold while cards are played; the first changes nothing.
      of_calls: those that hold for calls as well; None for all.
      fixed: cards that keep their names, such as trumps of all suits, as bits of an integer.
    """

    permutations: tuple[Permutation, ...] = ((0, 1, 2, 3),)
    of_calls: tuple[Permutation, ...] | None = None
    fixed: int = 0

    def holds_for_calls(self, permutation: Permutation) -> bool:
        """Return whether calls are the same after a permutation."""
        return self.of_calls is None or permutation in self.of_calls

    def cards(self, deck: Deck, permutation: Permutation) -> np.ndarray:
        """Return the number of each card after the permutation: int32[num_cards]."""
        moved = np.arange(deck.num_cards, dtype=np.int32)
        for card in range(deck.num_suit_cards):
            suit, rank = divmod(card, deck.ranks_per_suit)
            if not self.fixed >> card & 1:
                moved[card] = permutation[suit] * deck.ranks_per_suit + rank
        return moved

    def actions(self, deck: Deck, names: Sequence[str], permutation: Permutation) -> np.ndarray:
        """Return the number of each action after the permutation: int32[num_actions].

        Args:
          deck: the first actions are the cards of its suits.
          names: of all actions. The last word of a call that is about a suit is the letter of the suit,
            as in "bid 90 h".
          permutation: of the suits.
        """
        moved = np.arange(len(names), dtype=np.int32)
        moved[: deck.num_suit_cards] = self.cards(deck, permutation)[: deck.num_suit_cards]
        # A call such as "bid 90 h" moves to the call of the renamed suit; others stay.
        for action in range(deck.num_suit_cards, len(names)):
            *before, last = names[action].split(" ")
            if before and last in deck.suits:
                suit = deck.suits[permutation[deck.suits.index(last)]]
                moved[action] = names.index(" ".join([*before, suit]))
        return moved

    def features(self, deck: Deck, table: Iterable[Feature], permutation: Permutation) -> np.ndarray:
        """Return the new position of each feature: int32[num_features]."""
        cards, places, first = self.cards(deck, permutation), [np.zeros(0, np.int32)], 0
        for feature in table:
            own = np.arange(feature.size, dtype=np.int32)
            # Bits of cards move with the cards, bits of suits with the suits; all others stay.
            if feature.of == "cards":
                own = cards[: feature.size]
            elif feature.of == "suits":
                own[: len(permutation)] = permutation
            places.append(first + own)
            first += feature.size
        return np.concatenate(places)


def permutations_of_others(suit: int) -> tuple[Permutation, ...]:
    """Return every permutation of four suits that fixes one suit, the identity first."""
    return tuple(order for order in itertools.permutations(range(4)) if order[suit] == suit)
