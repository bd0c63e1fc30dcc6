"""All checks of a game, one after the other."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.testing.dealing import check_deals_are_uniform
from jaxcards.testing.deals import play_deals
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
from jaxcards.testing.sampling import (
    check_past_is_legal,
    check_samples_are_uniform,
    past_is_missing,
)
from jaxcards.testing.symmetry import check_suit_symmetry
from jaxcards.testing.text import check_action_names, check_checked_step
from jaxcards.testing.tracing import (
    More,
    check_compiles_once,
    check_hashable,
    check_init_from_deck,
    check_jaxpr_budget,
    check_same_in_batches,
    check_state_leaves,
)


def check_game(
    game: Game,
    *,
    num_deals: int = 200,
    seed: int = 0,
    state_bytes: int = 192,
    jaxpr_budget: Mapping[str, int] | None = None,
    more: More | None = None,
    first: Sequence[int] = (),
    longest: Callable[[Game], Any] | None = None,
) -> tuple[str, ...]:
    """Check that a game behaves as `jaxcards.Game` specifies.

    A `Match` gets the checks that apply to it: its state has array leaves, its `max_steps` is a bound
    that is seldom reached, and its deals are checked with the game of one deal.

    Args:
      game: the game.
      num_deals: number of random deals (or matches) to play and check.
      seed: of all random choices.
      state_bytes: largest allowed size of a state.
      jaxpr_budget: largest number of jaxpr equations of methods; see `tracing.JAXPR_BUDGET`.
      more: function of a NumPy generator that returns the keyword arguments that `init_from_deck` needs
        besides the deck.
      first: actions with which some deals begin, if they are legal; see `deals.play_deals`.
      longest: plays a deal of `max_steps` decisions; see `check_length`.

    Returns:
      A line for each omitted check, with the feature that the game lacks for it.

    Raises:
      AssertionError: at the first check that fails; its text begins with the name of the check.
    """
    is_match = isinstance(game, Match)
    check_hashable(game)
    check_action_names(game)
    check_compiles_once(game, more=more)
    deals = play_deals(game, num_deals, seed=seed, first=first)
    check_state_leaves(game, deals, state_bytes=state_bytes, scalars=not is_match)
    check_legal_actions(game, deals)
    check_cards_are_kept(game, deals)
    check_end(game, deals)
    check_scores(game, deals)
    check_checked_step(game, deals)
    check_schedule(game, deals)
    if not is_match:
        check_jaxpr_budget(game, jaxpr_budget)
        check_length(game, deals, longest=longest)
        check_init_from_deck(game, more=more, seed=seed)
        check_deals_are_uniform(game, seed=seed, more=more)
        check_same_in_batches(game, deals)
        check_features(game, deals)
        check_history(game, deals)
        check_relabelling(game, deals)
        check_suit_symmetry(game, seed=seed, more=more)
        check_play_hides(game, seed=seed, more=more)
    check_determinize(game, deals)
    check_observations_hide(game, deals)
    if is_match:
        return ()
    check_samples_are_uniform(game, deals)
    if missing := past_is_missing(game):
        return (f"check_past_is_legal was left out: {missing}",)
    check_past_is_legal(game, deals)
    return ()
