"""Fit the numbers of the Belote heuristic.

    python -m experiments.heuristics.belote hands bela 3    worth of the parts of a hand, 3 batches
    python -m experiments.heuristics.belote hands belote_501 3
    python -m experiments.heuristics.belote hands coinche_nt_at 5
    python -m experiments.heuristics.belote play bela 35      card play with trumps, for 35 seconds
    python -m experiments.heuristics.belote calls coinche 20  thresholds of calls, for 20 seconds

A batch has 16,384 deals. Presets take changes, such as "bela,all_pass=void".
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.heuristics import fitting
from jaxcards.agents.heuristics.belote import bidding, hands
from jaxcards.agents.heuristics.belote import bidding_tables as tables
from jaxcards.agents.heuristics.belote.bidding_tables import Column
from jaxcards.agents.heuristics.belote.player import WEIGHTS, BeloteHeuristicAgent, choose
from jaxcards.games.belote import calls as auction
from jaxcards.games.belote import declarations
from jaxcards.games.belote.declarations import declared_points
from jaxcards.games.belote.play import NO_TRUMP
from jaxcards.rollouts import rollout


def make(name: str) -> Any:
    preset, *changes = name.split(",")
    return jaxcards.make(f"belote/{preset}", **dict(change.split("=") for change in changes))


# ---- Card play and calls ------------------------------------------------------------------------


def fit_play(name: str, seconds: float) -> None:
    """Fit card play with trumps."""
    fit_weights("trumps", name, seconds, least=0.4)


def fit_calls(name: str, seconds: float) -> None:
    """Fit the thresholds of calls."""
    fit_weights("calls", name, seconds, least=3.0)


def fit_weights(part: str, name: str, seconds: float, least: float) -> None:
    """Fit one part of the weights; each is changed by an eighth of it, at least by `least`."""
    game, start = make(name), getattr(WEIGHTS, part)

    def deal(key: jax.Array, weights_of: Any) -> jax.Array:
        def act(seen: Any, legal: Any) -> jax.Array:
            return choose(game.rules, WEIGHTS._replace(**{part: weights_of(seen)}), seen, legal)

        return rollout(game, fitting.Chooser(act), (), key).returns

    scale = np.maximum(least, 0.12 * np.abs(fitting.flat(start)))
    fitting.show(part, fitting.evolve([(game, deal)], start, scale, seconds, batch=2048, rate=0.3), 1)


# ---- The parts of a hand ------------------------------------------------------------------------


def side_points(game: Any, state: Any) -> jax.Array:
    """Return the points of each seat's side: cards, declarations, belote, all tricks; int32[4]."""
    declared = declared_points(game.rules, state)
    pairs = declarations.belote_points(game.rules, state.hands, state.public.mode)
    extra = jnp.stack([10 * declared[0] + pairs[0], 10 * declared[1] + pairs[1]]).astype(jnp.int32)
    cards = game.progress(state)
    return cards + extra[jnp.arange(4) % 2] + jnp.where(cards == 162, game.rules.capot_bonus, 0)


def described(game: Any, state: Any, seat: jax.Array, mode: jax.Array, level: jax.Array) -> Any:
    """Return the rows of the tables for a hand: of the suit named, of no trump, of all trump."""
    seen = game.observe(state, seat)
    hand = seen.hand
    if seen.turn_up is not None:
        hand = hand | type(hand).single(hand.deck, seen.turn_up.astype(jnp.uint32))
    parts = hands.describe(game.rules, hand, bidding._is_forehand(seen), level)
    trump = jnp.stack(parts.trump)[:, jnp.minimum(mode, NO_TRUMP - 1)]
    empty = jnp.zeros(0)
    others = (jnp.stack(x) if x else empty for x in (parts.no_trump, parts.all_trump))
    return trump, *others


def passed(game: Any, key: jax.Array, most: int) -> Any:
    """Return a deal after a random number of passes."""
    state, number = game.init(key), jax.random.randint(jax.random.fold_in(key, 5), (), 0, most)
    for calls in range(most - 1):
        state = fitting.where(calls < number, game.step(state, jnp.int32(auction.PASS)), state)
    return state


def named(game: Any, agent: Any, key: jax.Array) -> Any:
    """Name the suit that looks best with some noise; rows of (column, described, result)."""
    state = passed(game, key, auction.longest(game.rules))
    seat = state.current_player
    values = jnp.stack(bidding.suit_estimates(game.rules, game.observe(state, seat)))
    legal = game.legal_actions(state).mask()[auction.NAME : auction.NAME + 4]
    noise = 15 * jax.random.normal(jax.random.fold_in(key, 9), (4,))
    mode = jnp.argmax(jnp.where(legal, values + noise, -1000))
    column = Column.TURNUP if game.rules.auction == "turnup" else Column.BELA
    x = described(game, state, seat, mode, jnp.uint32(0))
    final = rollout(game, agent, (), key, state=game.step(state, auction.NAME + mode))
    return mode, {column: [(x, final.returns[seat])]}


def bid(game: Any, agent: Any, key: jax.Array) -> Any:
    """Bid the mode that looks best with some noise, and let all pass; result as of `named`."""
    state = passed(game, key, 4)
    seat = state.current_player
    none = bidding.Bid(jnp.bool_(False), jnp.uint32(0), jnp.uint32(0))
    values = jnp.stack(bidding.outcomes(game.rules, game.observe(state, seat), none).opened)
    mode = jnp.argmax(values + 15 * jax.random.normal(jax.random.fold_in(key, 9), values.shape))
    level = jnp.clip((values[mode] - WEIGHTS.calls.open) // 10 - 8, 0, 8).astype(jnp.int32)
    start = game.step(state, auction.BID + 6 * level + mode.astype(jnp.int32))
    for _ in range(3):
        start = game.step(start, jnp.int32(auction.PASS))
    made = side_points(game, rollout(game, agent, (), key, state=start).state)[seat]

    def of(places: int, level: jax.Array) -> Any:
        return described(game, state, (seat + places) & 3, mode, level.astype(jnp.uint32)), made

    return mode, {
        Column.OPEN: [of(0, jnp.int32(0))],
        Column.RAISE: [of(2, level)],
        Column.DEFEND: [of(1, level), of(3, level)],
    }


def fit_hands(name: str, batches: int) -> None:
    """Fit the worth of hands: linear regression of the result of a call on the hand."""
    game = make(name)
    agent = BeloteHeuristicAgent(game.rules)
    call = bid if game.rules.auction == "contract" else named
    mode, found = fitting.sampler(lambda key: call(game, agent, key))(range(batches))
    kinds = [("TRUMP", tables.TRUMP, mode < NO_TRUMP)]
    if game.rules.modes_nt_at:
        kinds += [("NO_TRUMP", tables.NO_TRUMP, mode == 4), ("ALL_TRUMP", tables.ALL_TRUMP, mode == 5)]
    for place, (title, table, use) in enumerate(kinds):
        for column, samples in found.items():
            x = np.concatenate([x[place][use] for x, _ in samples])
            y = np.concatenate([y[use] for _, y in samples])
            fitted, around = fitting.ridge(x, y)
            about = f"{title} {column.name}: {len(y)} hands, {around:.1f} around"
            fitting.show_rows(about, table, fitted[:, None], 1)


if __name__ == "__main__":
    fitting.run(hands=fit_hands, play=fit_play, calls=fit_calls)
