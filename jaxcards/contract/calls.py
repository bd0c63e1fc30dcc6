"""Checks of calls to a game's methods: each misuse raises a one-line `UserError`.

The checks read structures, shapes, dtypes, and values that are known while a program is traced. They
add no operation to a compiled program.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

import jax

from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.arguments import check_integer, check_range, describe, is_integer, known
from jaxcards.contract.forms import forms_of
from jaxcards.errors import UserError, quote
from jaxcards.stages import Stage

Check = Callable[[Any, str, Any], None]
"""(game, name of the method, argument) -> None, or `UserError`."""


def state(game: Any, method: str, value: Any) -> None:
    """Require the state of one deal of the game."""
    forms = forms_of(game)
    if forms:
        forms.state.check(value, _where(game, method), "state", f"use jax.vmap(game.{method})")


def observation(game: Any, method: str, value: Any) -> None:
    """Require what a player of the game has observed in one deal."""
    forms = forms_of(game)
    if forms:
        remedy = f"use jax.vmap(game.{method})"
        forms.observation.check(value, _where(game, method), "observation", remedy)


def on_host(game: Any, method: str, value: Any) -> None:
    """Require an untraced state of one deal, for a method that reads its values."""
    forms = forms_of(game)
    if not forms:
        return
    where, remedy = _where(game, method), "take one, as jax.tree.map(lambda leaf: leaf[0], state) does"
    # A traced state has the right form, but no values to read.
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value)):
        raise UserError(f"{where} reads the values of a state: call it outside of jax.jit and jax.vmap")
    forms.state.check(value, where, "state", remedy)


def seat(game: Any, method: str, value: Any) -> None:
    """Require the number of a player."""
    check_range(f"{_where(game, method)}: the player", value, game.num_players)


def looker(game: Any, method: str, value: Any) -> None:
    """Require the number of a player, or None."""
    if value is not None:
        seat(game, method, value)


def action(game: Any, method: str, value: Any) -> None:
    """Require the number of an action, or `IDLE`, which changes nothing."""
    if is_integer(value):  # the common case, kept short for loops on the host
        number = known(value)
        if number is None or 0 <= number < game.num_actions or number == IDLE:
            return
    check_range(f"{_where(game, method)}: the action", value, game.num_actions)


def action_or_name(game: Any, method: str, value: Any) -> None:
    """Require a name or an integer; the method itself reports numbers out of range."""
    if not isinstance(value, str):
        check_integer(f"{_where(game, method)}: the action", value, "an int or a name")


def name(game: Any, method: str, value: Any) -> None:
    """Require a text."""
    if not isinstance(value, str):
        raise UserError(f"{_where(game, method)}: the name must be a text, not {describe(value)}")


def round_(game: Any, method: str, value: Any) -> None:
    """Require the number of a round, or None."""
    if value is not None:
        check_range(f"{_where(game, method)}: the round", value, game.num_rounds)


def stage(game: Any, method: str, value: Any) -> None:
    """Require a stage."""
    if not isinstance(value, Stage):
        raise UserError(
            f"{_where(game, method)}: the stage must be one of jaxcards.stages, not {quote(value)}"
        )


def legal(game: Any, method: str, value: Any) -> None:
    """Require a set of actions of the game."""
    if not isinstance(value, ActionSet) or value.layout != game.action_layout:
        raise UserError(
            f"{_where(game, method)}: the legal actions must be an ActionSet of this game, "
            f"not {describe(value)}"
        )


def totals(game: Any, method: str, value: Any) -> None:
    """Require a number for each player."""
    shape = getattr(value, "shape", (game.num_players,))
    if shape != (game.num_players,):
        raise UserError(
            f"{_where(game, method)}: the totals must be {game.num_players} numbers, one for each "
            f"player, not {describe(value)}"
        )


def number(game: Any, method: str, value: Any) -> None:
    """Require a single integer."""
    check_integer(f"{_where(game, method)}: the number of deals", value)


CHECKS: dict[str, dict[int, Check]] = {
    "init": {1: round_},
    "step": {0: state, 1: action, 2: stage},
    "checked_step": {0: on_host, 1: action_or_name},
    "legal_actions": {0: state, 1: stage},
    "legal_action_mask": {0: state},
    "points": {0: state},
    "returns": {0: state},
    "progress": {0: state},
    "sides_of": {0: state},
    "cards_to_play": {0: state},
    "distinct_cards": {0: state},
    "card_places": {0: state},
    "schedule": {0: round_},
    "next_deal": {1: state, 2: totals},
    "match_over": {0: state, 1: totals, 2: number},
    "opening": {0: state},
    "observe": {0: state, 1: seat},
    "sample_state": {1: observation},
    "determinize": {1: state, 2: seat},
    "write_features": {0: observation},
    "write_standing": {1: observation},
    "write_full_state": {0: state},
    "feature_words": {0: observation},
    "features": {0: observation},
    "history": {0: observation},
    "full_state_words": {0: state},
    "full_state_features": {0: state},
    "is_call": {0: observation, 1: legal},
    "relabel_legal": {0: observation, 1: legal},
    "relabel_action": {0: observation, 1: action},
    "action_to_string": {0: action},
    "string_to_action": {0: name},
    "to_string": {0: on_host},
    "view": {0: on_host, 1: looker},
    "to_svg": {0: on_host, 1: looker},
    "view_of": {0: observation},
    "close": {0: state},
    "ended_at_bound": {0: state},
}
"""Checks of the arguments by position, for each method of `Game` and `Match`."""


def checked(function: Callable[..., Any], method: str) -> Callable[..., Any]:
    """Return a function that checks its arguments first. Methods without checks stay as they are.

    Args:
      function: takes a game as its first argument.
      method: the name of the method that it becomes.
    """
    checks = CHECKS.get(method, {})
    # A method that is taken over from another class may be wrapped already.
    if not checks or hasattr(function, "__wrapped__"):
        return function
    # Places count from the argument after `self`; a check for a missing argument is left out.
    names = list(inspect.signature(function).parameters)[1:]
    found = [(place, names[place], check) for place, check in checks.items() if place < len(names)]

    @functools.wraps(function)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        for place, argument, check in found:
            if place < len(args):
                check(self, method, args[place])
            elif argument in kwargs:
                check(self, method, kwargs[argument])
        return function(self, *args, **kwargs)

    return call


def _where(game: Any, method: str) -> str:
    return f"{game.id or game.name}: {method}"
