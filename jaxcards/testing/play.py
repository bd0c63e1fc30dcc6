"""Checks of the play: legal actions, places of the cards, the end of a deal, its score."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import stages
from jaxcards.agent import RandomAgent
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.stages import Repeat
from jaxcards.testing.deals import (
    Deals,
    check,
    play_deals,
    quick_jit,
    require,
    require_all,
    require_equal,
    to_numpy,
)
from jaxcards.throughput import staged_rollout

_SAMPLES = 8


@check
def check_legal_actions(game: Game, deals: Deals | None = None) -> None:
    """Check that legal sets are valid and never empty, and that all ways to read them agree.

    The mask, `count`, `contains`, `nth` and `sample` must agree, random actions must be legal, and
    after the end the mask must be all True.
    """
    deals = deals or play_deals(game)
    layout = game.action_layout
    # Every action, and three numbers that stand for no action.
    tried = jnp.asarray([*range(game.num_actions), game.num_actions, 255, -1], jnp.int32)

    def look(state: Any, key: jax.Array) -> dict[str, Any]:
        legal = game.legal_actions(state)
        return {
            "words": legal.words,
            "mask": game.legal_action_mask(state),
            "count": legal.count(),
            "contains": jax.vmap(legal.contains)(tried),
            "nth": jax.vmap(legal.nth)(jnp.arange(layout.most, dtype=jnp.uint32)),
            "sample": jax.vmap(legal.sample, (None, 0))(key, jnp.arange(_SAMPLES, dtype=jnp.int32)),
        }

    flat, over = deals.flat(), deals.over.reshape(-1)
    keys = jax.random.split(jax.random.key(1), len(over))
    seen = to_numpy(quick_jit(jax.vmap(look))(flat, keys))
    mask, playing = seen["mask"], ~over
    require(mask.dtype == bool, f"the mask is {mask.dtype}, not bool")
    require(
        mask.shape[1:] == (game.num_actions,),
        f"the mask has shape {list(mask.shape[1:])}, not [{game.num_actions}]",
    )
    require_all(mask.any(axis=1) | over, "the legal set is empty before the end")
    require_all(mask.all(axis=1) | playing, "the mask is not all True after the end")
    _check_words(game, seen["words"], mask)
    require_all(seen["count"] == mask.sum(axis=1), "count() is not the number of True in the mask")
    require_all(seen["contains"][:, : game.num_actions] == mask, "contains() differs from the mask")
    require_all(~seen["contains"][:, game.num_actions :], "contains() knows numbers of no action")
    count = mask.sum(axis=1)
    require_all((count <= layout.most) | over, f"more actions are legal than layout.most {layout.most}")
    # Column i of the sorted legal actions is nth(i).
    listed = np.argsort(~mask, axis=1, kind="stable")[:, : layout.most]
    inside = (np.arange(layout.most) < count[:, None])[:, : listed.shape[1]] & playing[:, None]
    nth = seen["nth"][:, : listed.shape[1]]
    require_all((nth == listed) | ~inside, "nth() does not follow the order of the mask")
    rows = np.arange(len(mask))[:, None]
    sampled = seen["sample"]
    require_all((sampled >= 0) & (sampled < game.num_actions), "sample() gives a number of no action")
    require_all(mask[rows, sampled], "sample() gives an illegal action")
    # chosen: bool[step, deal, action], the legal actions before each action of the random play.
    chosen = mask.reshape(*deals.over.shape, -1)[:-1]
    steps, columns = np.indices(deals.actions.shape)
    require_all(chosen[steps, columns, deals.actions], "an action of the random play was illegal")


def _check_words(game: Game, words: tuple[np.ndarray, ...], mask: np.ndarray) -> None:
    layout = game.action_layout
    require(len(words) == len(layout.offsets), "the legal set and its layout differ in words")
    for w, (word, offset, width) in enumerate(zip(words, layout.offsets, layout.widths, strict=True)):
        require(word.dtype == np.uint32, f"word {w} of the legal set is {word.dtype}, not uint32")
        bits = (word[:, None] >> np.arange(32, dtype=np.uint32)) & 1 == 1
        require_all(~bits[:, width:], f"word {w} of the legal set has bits of no action")
        inside = mask[:, offset : offset + width]
        require_all(bits[:, :width] == inside, f"word {w} of the legal set differs from the mask")


@check
def check_cards_are_kept(game: Game, deals: Deals | None = None) -> None:
    """Check that every card is in one place at every step, and that a played card leaves the hand.

    The check reads `Game.card_places`. Before the end of a deal, an action below `deck.num_cards` takes
    the card of that number from the hand of the player to act. The exception is an action that only
    names a card (`Hints.names_cards`). Played cards stay played.
    """
    deals = deals or play_deals(game)

    def look(state: Any) -> tuple[Any, Any, Any, Any]:
        places = game.card_places(state)
        hands = jnp.stack([hand.mask() for hand in places.hands])
        played = jnp.stack([cards.mask() for cards in places.played])
        return hands, played, places.aside.mask(), game.hints.names_cards(state)

    shape = deals.over.shape
    hands, played, aside, names = (
        np.asarray(x).reshape(*shape, *x.shape[1:]) for x in quick_jit(jax.vmap(look))(deals.flat())
    )
    times = hands.sum(axis=2) + played.sum(axis=2) + aside
    require_all(times == 1, "a card is in no place, or in two")
    new_deal = _new_deals(game, deals)
    kept = played[1:] >= played[:-1]
    require_all(kept.all(axis=(2, 3)) | new_deal, "a played card is no longer played")
    # The card of an action, if the action is a card and the deal goes on.
    steps, columns = np.indices(deals.actions.shape)
    card = np.minimum(deals.actions, game.deck.num_cards - 1)
    acts = (deals.actions < game.deck.num_cards) & ~deals.over[:-1] & ~names[:-1]
    player = np.asarray(deals.states.current_player)[:-1]
    held = hands[:-1][steps, columns, player, card]
    require_all(held | ~acts, "a card was played that its player did not hold")
    still = hands[1:][steps, columns, player, card]
    require_all(~still | ~acts | new_deal, "a card that was played is still in the hand")


def _new_deals(game: Game, deals: Deals) -> np.ndarray:
    """Return bool[max_steps, num_deals]: whether a step of a match began a deal; else all False."""
    if not isinstance(game, Match):
        return np.zeros(deals.actions.shape, bool)
    number = np.asarray(deals.states.num_deals)
    return number[1:] != number[:-1]


@check
def check_end(game: Game, deals: Deals | None = None) -> None:
    """Check that after the end `step` returns the state bit for bit, whatever the action."""
    deals = deals or play_deals(game)
    over = deals.over
    require_all(over[1:] | ~over[:-1], "a finished deal goes on")
    require(over[-1].all(), f"a deal is not over after max_steps {game.max_steps} decisions")
    final = jax.tree.map(lambda leaf: leaf[-1][:16], deals.states)
    number = min(16, deals.num_deals)

    def after(state: Any) -> Any:
        actions = jnp.arange(game.num_actions, dtype=jnp.int32)
        return jax.vmap(lambda action: game.step(state, action))(actions)

    stepped = to_numpy(quick_jit(jax.vmap(after))(final))
    repeated = jax.tree.map(
        lambda leaf: np.broadcast_to(leaf[:, None], (number, game.num_actions, *leaf.shape[1:])), final
    )
    require_equal(stepped, repeated, "step changes a finished deal")
    outcome = quick_jit(jax.vmap(lambda s: (game.points(s), game.returns(s))))
    last = take_last_step(deals)
    require_equal(
        to_numpy(outcome(last)),
        to_numpy(outcome(jax.tree.map(lambda leaf: leaf[-1], deals.states))),
        "points or returns change after the end",
    )


def take_last_step(deals: Deals) -> Any:
    """Return for each deal its first finished state."""
    first = deals.over.argmax(axis=0)
    columns = np.arange(deals.num_deals)
    return jax.tree.map(lambda leaf: leaf[first, columns], deals.states)


@check
def check_length(
    game: Game,
    deals: Deals | None = None,
    *,
    more_deals: int = 1 << 17,
    longest: Callable[[Game], Any] | None = None,
) -> None:
    """Check that deals have at most `max_steps` decisions, and that some deal reaches this number.

    Args:
      game: the game.
      deals: played deals of the game.
      more_deals: number of further random deals to try if none of `deals` is long enough. A deal in
        which players pass often and one of them plays in the end may be rare.
      longest: plays such a deal, if random deals are not enough: a function from the game to the states
        of a deal, from the first to the last.
    """
    deals = deals or play_deals(game)
    require(deals.over[-1].all(), f"a deal takes more than max_steps {game.max_steps} decisions")
    require(not deals.over[0].any(), "a deal is over before it began")
    most = int((~deals.over).sum(axis=0).max())
    what = f"the longest of {deals.num_deals} deals"
    if longest is not None:
        most, what = sum(not bool(state.terminated) for state in longest(game)), "the given deal"
    elif most < game.max_steps:
        most = max(most, _longest(game, more_deals))
        what = f"the longest of {more_deals} deals"
    require(most == game.max_steps, f"max_steps is {game.max_steps}, but {what} took {most}")


def _longest(game: Game, num_deals: int) -> int:
    """Return the largest number of decisions among random deals."""

    def length(key: jax.Array) -> jax.Array:
        def step(carry: Any, time: jax.Array) -> tuple[Any, None]:
            state, number = carry
            action = game.legal_actions(state).sample(key, time)
            return (game.step(state, action), number + ~state.terminated), None

        times = jnp.arange(game.max_steps, dtype=jnp.uint32)
        return jax.lax.scan(step, (game.init(key), jnp.int32(0)), times)[0][1]

    keys = jax.random.bits(jax.random.key(2), (num_deals, 2), jnp.uint32)
    # For a large batch, the time to optimise the program is well spent.
    return int(jax.jit(jax.vmap(length))(keys).max())


@check
def check_scores(game: Game, deals: Deals | None = None) -> None:
    """Check that points, returns and progress have their shapes and dtypes, and that sides agree.

    If `game.teams` names two sides, players of a side must have the same points, returns and progress.
    The returns of the two sides must add up to 0 and, except in matches, be the differences of points.
    Progress must never decrease within a deal.
    """
    deals = deals or play_deals(game)
    look = quick_jit(jax.vmap(lambda s: (game.points(s), game.returns(s), game.progress(s))))
    values = [np.asarray(x) for x in look(deals.flat())]
    kinds = (("points", np.int32), ("returns", np.float32), ("progress", np.int32))
    for (name, kind), value in zip(kinds, values, strict=True):
        require(value.dtype == kind, f"{name} are {value.dtype}, not {np.dtype(kind)}")
        require(
            value.shape[1:] == (game.num_players,),
            f"{name} have shape {list(value.shape[1:])}, not [{game.num_players}]",
        )
    points, returns, progress = (x.reshape(*deals.over.shape, -1) for x in values)
    require_all(np.isfinite(returns[-1]), "returns are not finite")
    falls = (progress[1:] < progress[:-1]).any(axis=2) & ~_new_deals(game, deals)
    require_all(~falls, "progress goes down")
    require(
        len(np.unique(points[-1], axis=0)) > 1 or deals.num_deals < 8,
        "every deal brings the same points",
    )
    if game.teams is not None:
        _check_sides(game, points[-1], returns[-1], progress)


def _check_sides(game: Game, points: np.ndarray, returns: np.ndarray, progress: np.ndarray) -> None:
    teams = np.asarray(game.teams)
    require(
        teams.shape == (game.num_players,) and set(teams.tolist()) == {0, 1},
        f"teams {game.teams} do not name the side, 0 or 1, of {game.num_players} players",
    )
    # speaker: the first player of each side.
    speaker = np.array([int(np.argmax(teams == team)) for team in (0, 1)])
    for name, value in (("points", points), ("returns", returns), ("progress", progress)):
        require_all(value == value[..., speaker[teams]], f"{name} differ within a side")
    first, second = speaker
    require_all(returns[:, first] + returns[:, second] == 0, "the sides' returns do not add up to 0")
    if not isinstance(game, Match):
        difference = points - points[:, speaker[1 - teams]]
        require_all(returns == difference, "returns are not the own points less the other side's")


@check
def check_schedule(game: Game, deals: Deals | None = None) -> None:
    """Check that deals played by the stages of the schedule end in the same state as by stepping.

    A match is then played deal by deal, and must end after the same deals in the same state.
    """
    schedule = game.schedule()
    if not isinstance(game, Match):
        if schedule == (Repeat(game.max_steps, (stages.ANY,)),):
            return
        room = stages.num_decisions(schedule)
        require(
            room >= game.max_steps, f"the schedule has {room} decisions, max_steps is {game.max_steps}"
        )
    deals = deals or play_deals(game)

    def play(key: jax.Array) -> Any:
        return staged_rollout(game, RandomAgent(), (), key).state

    by_chance = np.flatnonzero(~deals.scripted)
    staged = quick_jit(jax.vmap(play))(deals.keys[by_chance])
    stepped = jax.tree.map(lambda leaf: leaf[-1][by_chance], deals.states)
    require_equal(to_numpy(staged), stepped, "the stages change the state at the end of deals")
