"""Checks of a game's texts: names of actions, and errors for wrong ones."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.testing.deals import (
    Deals,
    check,
    play_deals,
    quick_jit,
    require,
    require_equal,
    take,
    to_numpy,
)


@check
def check_action_names(game: Game) -> None:
    """Check that every action has a unique name that leads back to it, and other names raise
    `UserError`.
    """
    names = [game.action_to_string(action) for action in range(game.num_actions)]
    require(len(set(names)) == len(names), "two actions have the same name")
    for action, name in enumerate(names):
        require(name == name.strip() != "", f"action {action} has the name {name!r}")
        back = game.string_to_action(name)
        require(back == action, f"the name {name!r} of action {action} is read as {back}")
        loud = game.string_to_action(f" {name.upper()} ")
        require(loud == action, f"the name {name.upper()!r} of action {action} is read as {loud}")
    for wrong in ("", "no such action"):
        try:
            game.string_to_action(wrong)
        except UserError:
            continue
        raise AssertionError(f"the name {wrong!r} of no action is taken")


@check
def check_checked_step(game: Game, deals: Deals | None = None) -> None:
    """Check that `checked_step` plays legal actions like `step`, and explains the error of others."""
    deals = deals or play_deals(game)
    one = jax.tree.map(jnp.asarray, take(deals.some(1, seed=7, over=False), 0))
    over = jax.tree.map(jnp.asarray, take(deals.some(1, seed=7, over=True), 0))
    mask = np.asarray(quick_jit(game.legal_action_mask)(one))
    legal, illegal = np.flatnonzero(mask), np.flatnonzero(~mask)
    action = int(legal[-1])
    stepped = to_numpy(quick_jit(game.step)(one, jnp.int32(action)))
    require_equal(to_numpy(game.checked_step(one, action)), stepped, "checked_step and step differ")
    by_name = to_numpy(game.checked_step(one, game.action_to_string(action)))
    require_equal(by_name, stepped, "checked_step by number and by name differ")
    player = f"player {int(one.current_player)}"
    allowed = [game.action_to_string(int(action)) for action in legal]
    if len(illegal):
        wrong = int(illegal[0])
        named = game.action_to_string(wrong)
        _refuses(game, one, wrong, [player, str(wrong), named, *allowed])
    _refuses(game, one, game.num_actions, [player, str(game.num_actions), *allowed])
    _refuses(game, over, 0, ["over"])
    for state in (over, one):
        require(game.to_string(state).strip(), "to_string says nothing")


def _refuses(game: Game, state: object, action: int, words: list[str]) -> None:
    try:
        game.checked_step(state, action)
    except UserError as error:
        text = str(error)
        for word in words:
            require(word in text, f"the error for action {action} does not say {word!r}: {text}")
        return
    raise AssertionError(f"checked_step takes action {action}")
