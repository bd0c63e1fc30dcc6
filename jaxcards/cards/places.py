"""Where the cards of a deal are: in hands, played, or aside."""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from jaxcards.cards.sets import CardSet
from jaxcards.xla.pytrees import pytree


@pytree
class CardPlaces(NamedTuple):
    """Places of all cards of a deal. Hands, played and aside are disjoint and form the whole deck.

    Attributes:
      hands: for each player, the cards it holds, including any second hand that it plays.
      played: for each player, the cards it has played.
      aside: cards outside the hands that are not played: a talon, discards, undealt cards, a hand
        that its player may not look at yet, and cards played face down, while they lie face down.
      shown: cards that are held but public, such as one turned up or announced, wherever they are now.
        There is one set for each place in which they were.
    """

    hands: tuple[CardSet, ...]
    played: tuple[CardSet, ...]
    aside: CardSet
    shown: tuple[CardSet, ...] = ()

    @classmethod
    def of_dealt(cls, hands: Sequence[CardSet], played: CardSet) -> "CardPlaces":
        """Return the places of cards after the deal; undealt cards are aside.

        Args:
          hands: for each player, the cards dealt to it.
          played: all cards played.
        """
        aside = CardSet.full(played.deck)
        for hand in hands:
            aside = aside - hand
        held, gone = [hand - played for hand in hands], [hand & played for hand in hands]
        return cls(tuple(held), tuple(gone), aside)

    def covered(self, cards: Sequence[CardSet]) -> "CardPlaces":
        """Return the places with some cards aside, because their holders may not look at them.

        Args:
          cards: for each player, cards that it holds.
        """
        hands = zip(self.hands, cards, strict=True)
        aside = reduce(CardSet.__or__, cards, self.aside)
        return self._replace(hands=tuple(hand - own for hand, own in hands), aside=aside)
