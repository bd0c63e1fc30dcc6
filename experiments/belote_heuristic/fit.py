"""Fits the weights of the Belote heuristic in self-play.

    python experiments/belote_heuristic/fit.py hands bela 12  worth of the parts of a hand
    python experiments/belote_heuristic/fit.py hands belote_501 12
    python experiments/belote_heuristic/fit.py hands coinche_nt_at 24
    python experiments/belote_heuristic/fit.py play bela 120  weights of card play, for 120 seconds
    python experiments/belote_heuristic/fit.py play coinche_nt_at 120
    python experiments/belote_heuristic/fit.py calls coinche 90  when something is called

`hands` prints columns of `bidding_tables.py` from a number of batches of 16,384 deals, by linear
regression; `play` and `calls` print what to write into `playing.py` and `bidding.py`, found
by an evolution strategy on duplicate deals. Other presets and rule sets may be given, such as
"bela,all_pass=void". README.md says what each step brought.
"""

import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.heuristics.belote import bidding, hands
from jaxcards.agents.heuristics.belote import bidding_tables as tables
from jaxcards.agents.heuristics.belote import player as belote_rules
from jaxcards.agents.heuristics.belote.bidding_tables import Column
from jaxcards.agents.heuristics.belote.player import WEIGHTS, BeloteHeuristicAgent
from jaxcards.cards.seats import by_seat
from jaxcards.games.belote import calls as auction
from jaxcards.games.belote import declarations
from jaxcards.games.belote.declarations import declared_points
from jaxcards.games.belote.play import NO_TRUMP
from jaxcards.rollouts import rollout
from jaxcards.xla import jit

sys.path.append(str(Path(__file__).parents[1]))

from common.fitting import climb, flat, gradient_of, ridge

MOST_CALLS = 16  # of the auctions that are fitted on; longer ones are rare


def make(name: str) -> Any:
    preset, *changes = name.split(",")
    return jaxcards.make(f"belote/{preset}", **dict(change.split("=") for change in changes))


def play_out(game: Any, part: str, sides: jax.Array, state: Any, seats: jax.Array) -> Any:
    """Returns the end of a deal between players with their own weights: float32[2, n] by side."""
    played_at_once = part == "every mode"
    steps = 32 if played_at_once else min(game.max_steps, 32 + MOST_CALLS)

    def step(state: Any, _: None) -> tuple[Any, None]:
        player = state.current_player
        values = jnp.where(by_seat(list(seats), player) == 1, sides[1], sides[0])
        weights = unflat(part, [values[i] for i in range(values.shape[0])])
        seen = game.observe(state, player)
        action = belote_rules.choose(game.rules, weights, seen, game.legal_actions(state))
        return game.step(state, action), None

    return jax.lax.scan(step, state, None, length=steps)[0]


def unflat(part: str, values: list[Any]) -> Any:
    """Returns the weights with these values in the parts that are fitted."""
    if part == "calls":
        return WEIGHTS._replace(calls=jax.tree.unflatten(jax.tree.structure(WEIGHTS.calls), values))
    cards = (WEIGHTS.trumps, WEIGHTS.no_trump, WEIGHTS.all_trump)
    if part == "trumps":
        return WEIGHTS._replace(trumps=jax.tree.unflatten(jax.tree.structure(cards[0]), values))
    return belote_rules.Weights(WEIGHTS.calls, *jax.tree.unflatten(jax.tree.structure(cards), values))


def chosen(part: str) -> Any:
    """Returns the weights that are fitted."""
    return {"calls": WEIGHTS.calls, "trumps": WEIGHTS.trumps}.get(part, WEIGHTS[1:])


# ---- Card play and calls ------------------------------------------------------------------------


def any_mode(game: Any, key: jax.Array) -> Any:
    """A deal of a game of contracts that is played at once in a random mode."""
    state = game.init(key)
    mode = jax.random.randint(jax.random.fold_in(key, 3), (), 0, 6)
    for action in (auction.BID + mode, auction.PASS, auction.PASS, auction.PASS):
        state = game.step(state, jnp.int32(action))
    return state


def tune(part: str, name: str, seconds: float, batch: int = 2048) -> None:
    """Evolution strategy: every deal tries its own small change of all weights, at both tables."""
    game = make(name)
    if part == "play":
        part = "every mode" if game.rules.modes_nt_at else "trumps"
    centre = flat(chosen(part))
    scale = np.maximum(3.0 if part == "calls" else 0.4, 0.12 * np.abs(centre)).astype(np.float32)
    seatings = jnp.array([[0, 1, 0, 1], [1, 0, 1, 0]])

    def deal(key: jax.Array, centre: jax.Array) -> tuple[jax.Array, jax.Array]:
        change = jax.random.normal(jax.random.fold_in(key, 7), centre.shape)
        sides = jnp.stack([centre + scale * change, centre - scale * change])
        start = any_mode(game, key) if part == "every mode" else game.init(key)

        def table(seats: jax.Array) -> jax.Array:
            final = play_out(game, part, sides, start, seats)
            # A card point of a contract may be worth much or nothing; all count the same here.
            points = game.progress(final) if part == "every mode" else game.returns(final)
            return (points * (1.0 - 2.0 * seats)).mean()

        return jax.vmap(table)(seatings).mean(), change

    gradient = gradient_of(deal, batch, 150)
    theta = climb(gradient, centre, scale, seconds, rate=0.3, floor=0.1, steady=0.1)
    found = unflat(part, [round(float(value), 1) for value in theta])
    for title, weights in zip(found._fields, found, strict=True):
        print(f"# {title}")
        for field, value in weights._asdict().items():
            print(f"    {field}={value},")
    sys.stdout.flush()


# ---- The parts of a hand ------------------------------------------------------------------------


def side_points(game: Any, state: Any) -> jax.Array:
    """Returns what each seat's side makes: card points, declarations, belote, all tricks; int32[4]."""
    declared = declared_points(game.rules, state)
    pairs = declarations.belote_points(game.rules, state.hands, state.public.mode)
    extra = jnp.stack([10 * declared[0] + pairs[0], 10 * declared[1] + pairs[1]]).astype(jnp.int32)
    cards = game.progress(state)
    return cards + extra[jnp.arange(4) % 2] + jnp.where(cards == 162, game.rules.capot_bonus, 0)


def described(game: Any, state: Any, seat: jax.Array, mode: jax.Array, level: jax.Array) -> Any:
    """Returns the rows of the tables for a hand: those of the suit named, of no trump, of all trump."""
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
    """A deal after a random number of passes."""
    state, number = game.init(key), jax.random.randint(jax.random.fold_in(key, 5), (), 0, most)
    for calls in range(most - 1):
        after = game.step(state, jnp.int32(auction.PASS))
        state = jax.tree.map(lambda a, b, n=calls: jnp.where(n < number, a, b), after, state)
    return state


def named(game: Any, agent: Any, key: jax.Array) -> Any:
    """Somebody names the suit that looks best with some noise; rows of (column, described, result)."""
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
    """Somebody bids the mode that looks best with some noise, and all pass; as `named`."""
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


def tune_hands(name: str, batches: int, batch: int = 16384) -> None:
    """Linear regression of what a call brings on the description of a hand."""
    game = make(name)
    agent = BeloteHeuristicAgent(game.rules)
    deal = bid if game.rules.auction == "contract" else named
    play = jit(lambda key: jax.vmap(lambda k: deal(game, agent, k))(jax.random.split(key, batch)))
    rows = [jax.tree.map(np.asarray, play(jax.random.key(i))) for i in range(batches)]
    mode, found = jax.tree.map(lambda *a: np.concatenate(a), *rows)
    kinds = [("TRUMP", tables.TRUMP, mode < NO_TRUMP)]
    if game.rules.modes_nt_at:
        kinds += [("NO_TRUMP", tables.NO_TRUMP, mode == 4), ("ALL_TRUMP", tables.ALL_TRUMP, mode == 5)]
    for place, (title, table, use) in enumerate(kinds):
        for column, samples in found.items():
            x = np.concatenate([x[place][use] for x, _ in samples]).astype(np.float64)
            y = np.concatenate([y[use] for _, y in samples])
            fitted, around = ridge(x, y)
            print(f"# {title} {column.name}: {len(y)} hands, {around:.1f} around")
            print(dict(zip(table, np.round(fitted, 1).tolist(), strict=True)), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "hands":
        tune_hands(sys.argv[2], int(sys.argv[3]))
    else:
        tune(sys.argv[1], sys.argv[2], float(sys.argv[3]))
