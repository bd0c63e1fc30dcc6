"""The building blocks of card games: decks and sets of cards, tricks, dealing, melds, seats, history.

The package is independent of games, agents and networks. The names below are public; the modules behind
them may move.
"""

from jaxcards.cards.actions import ActionLayout, ActionSet
from jaxcards.cards.packs import FRENCH
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck, select

__all__ = ["FRENCH", "NO_SUIT", "ActionLayout", "ActionSet", "CardSet", "Deck", "select"]
