"""Where the cards of a deal are: in hands, played, or aside."""

from collections.abc import Sequence
from typing import NamedTuple

from jaxcards.cards.sets import CardSet
from jaxcards.xla.pytrees import pytree


@pytree
class CardPlaces(NamedTuple):
    """Where every card of a deal is; hands, played and aside are disjoint, together the whole deck.

    Attributes:
      hands: for each player, the cards it holds (of a hand that it plays besides its own as well).
      played: for each player, the cards it has played.
      aside: cards in no hand and not played: a talon, discards, cards not dealt, a hand that its
        player may not look at yet; and cards played face down, while they lie face down.
      shown: cards that everybody knows of although they are held, such as one turned up or announced,
        wherever they are now; a set for each place in which they were.
    """

    hands: tuple[CardSet, ...]
    played: tuple[CardSet, ...]
    aside: CardSet
    shown: tuple[CardSet, ...] = ()

    @classmethod
    def of_dealt(cls, hands: Sequence[CardSet], played: CardSet) -> "CardPlaces":
        """Return the places of cards that were dealt to players, and of those not dealt: aside.

        Args:
          hands: for each player, the cards dealt to it.
          played: all cards played.
        """
        aside = CardSet.full(played.deck)
        for hand in hands:
            aside = aside - hand
        held, gone = [hand - played for hand in hands], [hand & played for hand in hands]
        return cls(tuple(held), tuple(gone), aside)
