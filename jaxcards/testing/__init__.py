"""Checks that a game behaves as `jaxcards.Game` specifies; run them on your own game.

    from jaxcards.testing import check_game

    check_game(MyGame(rules))

Each check is a separate function and raises an AssertionError that begins with its name. The checks
need only jax and numpy.
"""

from jaxcards.testing.dealing import check_deals_are_uniform
from jaxcards.testing.deals import Deals, play_deals
from jaxcards.testing.information import (
    check_determinize,
    check_features,
    check_history,
    check_observations_hide,
    check_play_hides,
    check_relabelling,
)
from jaxcards.testing.play import (
    check_cards_are_kept,
    check_end,
    check_legal_actions,
    check_length,
    check_schedule,
    check_scores,
)
from jaxcards.testing.sampling import check_past_is_legal, check_samples_are_uniform
from jaxcards.testing.suite import check_game
from jaxcards.testing.symmetry import check_suit_symmetry
from jaxcards.testing.text import check_action_names, check_checked_step
from jaxcards.testing.tracing import (
    check_compiles_once,
    check_hashable,
    check_init_from_deck,
    check_jaxpr_budget,
    check_same_in_batches,
    check_state_leaves,
)

__all__ = [
    "Deals",
    "check_action_names",
    "check_cards_are_kept",
    "check_checked_step",
    "check_compiles_once",
    "check_deals_are_uniform",
    "check_determinize",
    "check_end",
    "check_features",
    "check_game",
    "check_hashable",
    "check_history",
    "check_init_from_deck",
    "check_jaxpr_budget",
    "check_legal_actions",
    "check_length",
    "check_observations_hide",
    "check_past_is_legal",
    "check_play_hides",
    "check_relabelling",
    "check_same_in_batches",
    "check_samples_are_uniform",
    "check_schedule",
    "check_scores",
    "check_state_leaves",
    "check_suit_symmetry",
    "play_deals",
]
