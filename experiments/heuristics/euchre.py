"""Fit the numbers of the Euchre heuristic.

    python -m experiments.heuristics.euchre bids partners 6     worth of the parts of a hand, 6 batches
    python -m experiments.heuristics.euchre passing partners 3  thresholds of naming, 3 rounds
    python -m experiments.heuristics.euchre defence 3           defending alone, 3 batches
    python -m experiments.heuristics.euchre play 120            card play, for 120 seconds

`PRESET` names the kinds of seats, such as `partners`. A batch has 16,384 deals.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.heuristics import fitting
from jaxcards.agents.heuristics.euchre import bidding, hands, playing
from jaxcards.agents.heuristics.euchre.player import (
    EuchreHeuristicAgent,
    choose,
    seat_bids,
    weights_of,
)
from jaxcards.agents.heuristics.weights import float32
from jaxcards.cards.seats import places_after
from jaxcards.games.euchre import calls
from jaxcards.games.euchre.play import BID2, DEFEND, DISCARD, PLAY
from jaxcards.rollouts import rollout

NAMES = (*bidding.PLACE_PARTS, *hands.HAND_PARTS)
PRESET = {
    "partners": "standard", "partners_stick": "stick_the_dealer",
    "taker": "three_handed", "pair": "three_handed",
    "cutthroat": "three_handed_code", "open": "dummy_partner", "against_open": "dummy_partner",
}  # fmt: skip
ONLY_SEAT_0 = {"taker": True, "open": True, "pair": False, "against_open": False}


def bidding_until(game: Any, agent: Any, key: jax.Array) -> tuple[Any, jax.Array]:
    """Return a deal up to a random decision of the bidding, and whether all passed before it."""
    bidders = len(game.hints.dealers)
    length = jax.random.randint(jax.random.fold_in(key, 1), (), 0, 2 * bidders)

    def step(carry: Any, number: jax.Array) -> Any:
        state, passed = carry
        before = number < length
        passed = passed & (~before | (fitting.action_of(game, agent, state) == calls.PASS))
        return (fitting.where(before, game.step(state, jnp.int32(calls.PASS)), state), passed), None

    start = game.init(key), jnp.bool_(True)
    (state, passed), _ = jax.lax.scan(step, start, jnp.arange(2 * bidders))
    return state, passed & ~state.terminated & (state.calls.phase <= BID2)


def best_call(game: Any, weights: Any, state: Any, noise: Any = 0.0) -> tuple[jax.Array, jax.Array]:
    """Return the call of the suit that looks best, with some noise, and its value."""
    seen = game.observe(state, state.current_player)
    scores, _ = bidding.call_scores(game.rules, seat_bids(weights, seen), seen)
    first = bidding.first_suit(seen)
    (word,) = game.legal_actions(state).words
    legal = [(word >> (calls.CALL + (first ^ c))) & 1 == 1 for c in range(4)]
    values = jnp.stack([jnp.where(ok, s, -1e9) for ok, s in zip(legal, scores, strict=True)])
    colour = jnp.argmax(values + noise).astype(jnp.uint32)
    return (calls.CALL + (first ^ colour)).astype(jnp.int32), values.max()


def settled(game: Any, agent: Any, state: Any, call: jax.Array) -> Any:
    """Return the state after a call in which the maker is asked whether to play alone."""
    return fitting.advance(game, agent, game.step(state, call), 1, lambda s: s.calls.phase == DISCARD)


def relevant(kind: str, state: Any) -> jax.Array:
    """Return whether the player to act has a seat of this kind."""
    wanted = ONLY_SEAT_0.get(kind)
    return jnp.bool_(True) if wanted is None else (state.calls.seat == 0) == wanted


# ---- Hands --------------------------------------------------------------------------------------


def fit_bids(kind: str, batches: int) -> None:
    """Fit the makers' tricks by the parts of the hand, and success by the tricks expected."""
    game = jaxcards.make(f"euchre/{PRESET[kind]}")
    agent, weights = EuchreHeuristicAgent(game.rules), float32(weights_of(game.rules))

    def deal(key: jax.Array) -> Any:
        state, valid = bidding_until(game, agent, key)
        valid = valid & relevant(kind, state)
        noise = 0.4 * jax.random.gumbel(jax.random.fold_in(key, 2), (4,))
        call, _ = best_call(game, weights, state, noise)
        asked = settled(game, agent, state, call)
        seen = game.observe(asked, asked.current_player)
        own = bidding.offer(game.rules, seat_bids(weights, seen), seen, 0)
        # Of a taker the hand after the exchange counts, whichever cards it was to name the suit with.
        found = bidding.parts(game.rules, seen, 0)
        counted = [jnp.stack(part) if part else jnp.zeros(0) for part in found]
        answers = [game.step(asked, jnp.int32(said)) for said in (calls.SAY_TEAM, calls.SAY_ALONE)]
        final = fitting.ends(game, agent, key, answers).state
        won = jax.vmap(game.progress)(final)[:, asked.current_player]
        return valid, own.points, own.points_alone, *counted, *won

    valid, *found = fitting.sampler(deal)(range(1000, 1000 + batches))
    points, points_alone, together, lone, opened, team, alone = (rows[valid] for rows in found)
    fair = points >= np.quantile(points, 0.35)
    # Both choose: what a partner or a dummy makes strong is not what the player holds for strong alone.
    good = (points >= np.quantile(points, 0.7)) | (points_alone >= np.quantile(points_alone, 0.7))
    worths, chances = [], []
    counted = np.column_stack([together, opened])
    for x, won in ((counted[fair], team[fair]), (lone[good], alone[good])):
        worth, around = tricks(x, won)
        worths.append(worth)
        ones = np.ones(len(x))
        chances.append([
            fitting.logistic(np.column_stack([ones, x @ worth]), success, 1e-3)
            for success in (won >= 3, won == 5)
        ])  # fmt: skip
        print(f"{kind}: {len(won)} deals, mean {won.mean():.2f}, {around:.2f} around")
    # The dummy's open hand has a third column.
    more = dict(zip(hands.HAND_PARTS, worths[0][len(NAMES) :, None], strict=False))
    rows = zip(NAMES, *worths, strict=False)
    fitting.show_rows(kind.upper(), NAMES, [(*pair, *more.get(name, ())) for name, *pair in rows], 2)
    print(f"{kind.upper()}_CHANCES =", np.round(chances, 2).tolist(), flush=True)


def tricks(x: np.ndarray, won: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the tricks of each part of a hand, and the spread around them; all hands have part 0."""
    worth, around = fitting.ridge(x[:, 1:], won, penalty=15)
    return np.round(worth, 3), around


# ---- Thresholds ---------------------------------------------------------------------------------


def fit_passing(kind: str, rounds: int) -> None:
    """Fit for each place and round the value from which on to name a suit."""
    game = jaxcards.make(f"euchre/{PRESET[kind]}")

    def deal(key: jax.Array, weights: Any) -> Any:
        agent = fitting.Chooser(lambda seen, legal: choose(game.rules, weights, seen, legal))
        state, valid = bidding_until(game, agent, key)
        (word,) = game.legal_actions(state).words
        valid = valid & relevant(kind, state) & ((word >> calls.PASS) & 1 == 1)
        call, value = best_call(game, weights, state)
        me, number = state.current_player, len(game.init(key).hands)
        place = places_after(state.public.dealer, state.calls.seat, number)
        answers = [game.step(state, action) for action in (call, jnp.int32(calls.PASS))]
        results = fitting.ends(game, agent, key, answers).returns
        # Where everyone plays alone, the gains of the others are losses.
        own = [r[me] - (r.sum() - r[me]) / 2 * (game.teams is None) for r in results]
        return valid, value, place, state.calls.phase == BID2, *own

    draw = fitting.sampler(deal)
    weights = float32(weights_of(game.rules))
    name = "own" if ONLY_SEAT_0.get(kind) else "bids"
    found = np.array(getattr(weights, name).passing)
    for number in range(rounds):
        bids = getattr(weights, name)._replace(passing=float32(tuple(map(tuple, found))))
        rows = draw([number + 2000], weights._replace(**{name: bids}))
        # The result of passing depends on the thresholds of the others.
        found = found + (0.7 if number < 2 else 0.4) * (best_thresholds(found, *rows) - found)
        print(f"{kind.upper()}_PASSING =", np.round(found, 2).tolist(), flush=True)


def best_thresholds(
    now: np.ndarray, valid: Any, value: Any, place: Any, second: Any, called: Any, passed: Any
) -> np.ndarray:
    """Return the values, by round and place, from which on naming a suit brings most."""
    best = now.copy()
    grid = np.arange(-1.6, 1.6, 0.04)
    for late in (0, 1):
        for number in range(4):
            use = valid & (place == number) & (second == bool(late))
            if use.sum() < 40:
                continue
            gains = [np.where(value[use] >= t, (called - passed)[use], 0).mean() for t in grid]
            near = np.convolve(np.pad(gains, 4, mode="edge"), np.ones(9) / 9, mode="valid")
            # Doubtful hands pass.
            doubt = 0.15 * (called - passed)[use].std() / np.sqrt(use.sum())
            best[late][number] = grid[np.flatnonzero(near >= near.max() - doubt)[-1]]
    return best


def fit_defence(batches: int) -> None:
    """Fit a lone defender's tricks, and the number from which on to defend alone."""
    game = jaxcards.make("euchre/open_spiel_no_stick_lone_defender")
    agent, weights = EuchreHeuristicAgent(game.rules), float32(weights_of(game.rules))

    def deal(key: jax.Array) -> Any:
        state, _ = bidding_until(game, agent, key)
        call, value = best_call(game, weights, state)
        asked = settled(game, agent, state, call)
        lone = jax.random.bernoulli(jax.random.fold_in(key, 3), 0.5)
        state = game.step(asked, jnp.where(lone, calls.SAY_ALONE, calls.SAY_TEAM))
        late = jax.random.bernoulli(jax.random.fold_in(key, 4), 0.5)
        state = fitting.where(late, game.step(state, jnp.int32(calls.SAY_TEAM)), state)
        strong = jnp.where(lone, fitting.action_of(game, agent, asked) == calls.SAY_ALONE, value > 0)
        valid = (state.calls.phase == DEFEND) & strong
        me = state.current_player
        seen = game.observe(state, me)
        hand = bidding._renamed(bidding.first_suit(seen), seen.hand)
        counted = jnp.stack([jnp.float32(1), *hands.hand_parts(hand)])
        answers = [game.step(state, jnp.int32(said)) for said in (calls.SAY_ALONE, calls.SAY_TEAM)]
        done = fitting.ends(game, agent, key, answers)
        won = jax.vmap(game.progress)(done.state)[0, me]
        return valid, lone, counted, won, *done.returns[:, me]

    valid, lone, counted, won, alone, team = fitting.sampler(deal)(range(1000, 1000 + batches))
    worths = []
    for case in (True, False):
        use = valid & (lone == case)
        x = counted[use]
        strong = x @ np.array([1, 1, 1, 0.7, 0.6, 0.5, 0.4] + [0] * 5 + [0.6] + [0] * 8) > 2
        worth, _ = tricks(x[strong], won[use][strong])
        estimate = x @ worth
        grid = np.arange(1.0, 4.5, 0.05)
        gain = [np.where(estimate >= t, (alone - team)[use], 0).mean() for t in grid]
        best = float(grid[int(np.argmax(gain))]) if max(gain) > 0 else 9.0
        worths.append(worth)
        print(f"lone maker {case}: {use.sum()} deals, from {best:.2f} on, gain {max(gain):.4f}, "
              f"{(estimate >= best).mean():.4f} of hands")  # fmt: skip
    fitting.show_rows("DEFENCE_ROWS", ("any hand", *hands.HAND_PARTS), zip(*worths, strict=True), 2)


# ---- Card play ----------------------------------------------------------------------------------


def fit_play(seconds: float) -> None:
    """Fit card play; both tables have the same bids and discards."""
    game = jaxcards.make("euchre/stick_the_dealer")
    heuristic, base = EuchreHeuristicAgent(game.rules), weights_of(game.rules)

    def deal(key: jax.Array, card_weights_of: Any) -> jax.Array:
        def act(seen: Any, legal: Any) -> jax.Array:
            return choose(game.rules, base._replace(play=card_weights_of(seen)), seen, legal)

        start = fitting.advance(game, heuristic, game.init(key), 10, lambda s: s.calls.phase < PLAY)
        return rollout(game, fitting.Chooser(act), (), key, state=start).returns

    scale = np.maximum(0.05, 0.15 * np.abs(fitting.flat(playing.WEIGHTS)))
    found = fitting.evolve([(game, deal)], playing.WEIGHTS, scale, seconds)
    chances = {name: min(getattr(found, name), 1.0) for name in ("ruffs", "rescue")}
    fitting.show("WEIGHTS", found._replace(**chances), 3)


if __name__ == "__main__":
    fitting.run(bids=fit_bids, passing=fit_passing, defence=fit_defence, play=fit_play)
