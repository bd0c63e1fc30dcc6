"""Checks of `sample_state`: the sampled deals are possible, and all are equally likely."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import loops
from jaxcards.cards.actions import IDLE
from jaxcards.game import Game
from jaxcards.past import beginning, past_actions
from jaxcards.testing.deals import Deals, check, leaves, play_deals, quick_jit, require, require_all
from jaxcards.testing.information import pairs_of

_LIMIT = 6.0  # standard deviations: exceeded by chance once in 10**9
_LEAST = 64  # deals in which a card must have moved before its mean is close to normal
_MOMENTS = 16  # numbers of decisions after which a deal is observed
_PAIRS = 512  # deals to sample at once, as in `check_determinize`


def past_is_missing(game: Game) -> str:
    """Return the reason why the past of a deal cannot be replayed, or ""."""
    names = ("opening", "history")
    missing = [f"`{name}`" for name in names if getattr(type(game), name) is getattr(Game, name)]
    if missing:
        return f"{game.id or game.name} has no {' and no '.join(missing)}"
    public = hasattr(jax.eval_shape(game.init, jax.random.key(0)), "public")
    return "" if public else f"the states of {game.id or game.name} have no `public`"


@check
def check_past_is_legal(game: Game, deals: Deals | None = None, *, number: int = _PAIRS) -> None:
    """Check that every past action of a sampled deal was legal in that deal.

    The sampled deal is replayed from its `opening`, by the actions that `jaxcards.past` reads from it,
    and must lead to the sampled state. This shows that `sample_state` uses all information from the
    play: which players are void, could not beat a card, or had to hold one.
    """
    require(not past_is_missing(game), past_is_missing(game))
    worlds = pairs_of(game, deals or play_deals(game), number).others

    def replay(world: Any) -> tuple[Any, Any, jax.Array, jax.Array]:
        actions = past_actions(game, world).action

        def emit(now: Any, action: jax.Array, after: Any) -> jax.Array:
            return game.legal_actions(now).contains(action) | (action == IDLE)

        final, legal = loops.replay(game, beginning(game, world), actions, emit)
        return (final.public, game.card_places(final)), game.card_places(world), legal, actions

    (public, final), places, legal, actions = quick_jit(jax.vmap(replay))(worlds)
    wrong = np.argwhere(~np.asarray(legal))
    if len(wrong):
        row, step = wrong[0]
        action = int(actions[row, step])
        name = f"{action} ({game.action_to_string(action)})" if action < game.num_actions else action
        rows = len(set(wrong[:, 0].tolist()))
        raise AssertionError(
            f"the past of a sampled deal is illegal: action {name} at decision {step} "
            f"({rows} of {number} deals)"
        )
    found, wanted = leaves((public, final)), leaves((worlds.public, places))
    for name, leaf in found.items():
        require_all(leaf == wanted[name], f"the past of a sampled deal leads elsewhere: {name}")


@check
def check_samples_are_uniform(game: Game, deals: Deals | None = None, *, number: int = 4096) -> None:
    """Check that `sample_state` draws every deal that fits an observation with the same probability.

    Random deals are compared with samples from the observation of one of their players. Cards must be
    in each place equally often, by seat and relative to the player, and so must two cards together.

    Random play favours deals in which the other players had few legal actions. The weight of a deal
    corrects for this: the product, over their decisions, of the number of legal actions. Only the first
    decisions of deals are used, while these weights are similar.
    """
    pairs = pairs_of(game, deals or play_deals(game), _PAIRS)
    states, weights, players = _moments(game, number)

    def look(state: Any, player: jax.Array) -> jax.Array:
        places = game.card_places(state)
        aside, hands = places.aside.mask()[None], jnp.stack([hand.mask() for hand in places.hands])
        # bool[places, cards]: the cards aside, the hands by seat, and the hands from the player on.
        return jnp.concatenate([aside, hands, jnp.roll(hands, -player, axis=0)])

    looking = quick_jit(jax.vmap(look))
    keys = jax.random.split(jax.random.key(8), number)
    differences, together = [], []
    for start in range(0, number, _PAIRS):
        part = slice(start, start + _PAIRS)
        some, who = jax.tree.map(lambda leaf, part=part: leaf[part], (states, players))
        before, after = (
            np.asarray(looking(world, who)).astype(np.float32)
            for world in (some, pairs.deal(keys[part], some, who))
        )
        weight = weights[part, None, None]
        differences.append(weight * (after - before))
        by_seat = [cards[:, : 1 + game.num_players] for cards in (before, after)]
        both = [np.einsum("npc,npd->ncd", cards, cards) for cards in by_seat]
        together.append(weight * (both[1] - both[0]))
    _require_no_drift(np.concatenate(differences), "cards are not equally likely in every place")
    _require_no_drift(np.concatenate(together), "two cards come together too often or too seldom")


def _moments(game: Game, number: int) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return states of random deals, one of each, the weight of each, and an observing player."""
    times = min(_MOMENTS, game.max_steps)
    players = np.arange(number, dtype=np.int32) % game.num_players

    def play(key: jax.Array, player: jax.Array) -> tuple[Any, jax.Array]:
        def step(carry: tuple[Any, jax.Array], time: jax.Array) -> tuple[Any, Any]:
            state, weight = carry
            legal = game.legal_actions(state)
            # The player's own options follow from its observation, and do not affect the weight.
            ways = jnp.where(state.current_player == player, 1, legal.count()).astype(jnp.float32)
            after = game.step(state, legal.sample(key, time))
            return (after, weight + jnp.where(state.terminated, 0, jnp.log(ways))), carry

        start = game.init(key), jnp.float32(0)
        return jax.lax.scan(step, start, jnp.arange(times, dtype=jnp.uint32))[1]

    keys = jax.random.split(jax.random.key(7), number)
    states, logarithms = quick_jit(jax.vmap(play))(keys, players)
    weights = np.exp(np.asarray(logarithms, np.float64))
    # The effective number of deals with equal weights, by moment; all moments have the same weight.
    effective = weights.sum(axis=0) ** 2 / (weights**2).sum(axis=0)
    usable = np.flatnonzero(np.minimum.accumulate(effective) > number / 2)
    weights = weights / weights.mean(axis=0)
    # Every player observes the usable moments in turn.
    rows, moment = np.arange(number), usable[np.arange(number) // game.num_players % len(usable)]
    chosen = jax.tree.map(lambda leaf: np.asarray(leaf)[rows, moment], states)
    return chosen, weights[rows, moment].astype(np.float32), players


def _require_no_drift(differences: np.ndarray, message: str) -> None:
    """Require that differences, [deals, ...], have a mean of 0."""
    moved = (differences != 0).sum(axis=0) >= _LEAST
    # Without a drift, a sum of independent terms has this standard deviation.
    spread = np.sqrt((differences**2).sum(axis=0, dtype=np.float64))
    drift = np.abs(differences.sum(axis=0, dtype=np.float64)) / np.where(moved, spread, np.inf)
    worst = float(drift.max())
    require(worst < _LIMIT, f"{message} in sampled deals (off by {worst:.1f} standard deviations)")
