"""The kit of trick-taking games: the parts of a deal and the base class of such games.

A game defines its deck, its calls, the strength and value of its cards, its score and its exceptions.
`TrickGame` turns them into a `jaxcards.Game`. docs/adding_a_game.md works through an example.
"""

from jaxcards.kit.game import TrickGame
from jaxcards.kit.hidden import dealt_hands, possible_cards
from jaxcards.kit.play import (
    distinct_by_rank,
    follow_suit,
    lead_other,
    play_by_rank,
    play_card,
    shown_void,
)
from jaxcards.kit.state import TrickObservation, TrickPublic, TrickState, first_public

__all__ = [
    "TrickGame",
    "TrickObservation",
    "TrickPublic",
    "TrickState",
    "dealt_hands",
    "distinct_by_rank",
    "first_public",
    "follow_suit",
    "lead_other",
    "play_by_rank",
    "play_card",
    "possible_cards",
    "shown_void",
]
