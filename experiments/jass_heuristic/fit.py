"""Fits the weights of the Jass heuristic in self-play.

    python experiments/jass_heuristic/fit.py play tournament 150  weights of card play, for 150 seconds
    python experiments/jass_heuristic/fit.py play differenzler 90
    python experiments/jass_heuristic/fit.py bids 24  worth of the parts of a hand
    python experiments/jass_heuristic/fit.py push 6  when to push
    python experiments/jass_heuristic/fit.py predict 4  predictions of Differenzler

Each prints what to write into `playing.py` or `bidding_tables.py`; the last number of the other
three is a number of batches of 16,384 deals. `play`, `bids`, `push`, `play` once more, beginning with
guesses, led to the numbers that are there; README.md says what each step brought.
"""

import dataclasses
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.heuristics.jass import bidding, bidding_tables
from jaxcards.agents.heuristics.jass.player import WEIGHTS, JassHeuristicAgent, choose
from jaxcards.agents.heuristics.worth import Weights as CardWeights
from jaxcards.games.jass import calls
from jaxcards.games.jass.play import NO_TRUMP
from jaxcards.rollouts import rollout
from jaxcards.xla import jit

sys.path.append(str(Path(__file__).parents[1]))

from common.fitting import climb, flat, gradient_of, ridge

# What only counts with trumps is the same without them, and is not fitted twice.
WITH_TRUMPS = (
    "unforced", "keep_trump", "keep_trump_against", "keep_last_trump", "lead_top_trump",
    "lead_trump", "lead_trump_points", "lead_trump_for_partner", "lead_spent_trump",
    "lead_trump_against", "lead_single", "lead_partner_void",
)  # fmt: skip
# What playing alone has no use for: leads, the tricks of a side, the partner.
NOT_ALONE = (
    *(name for name in CardWeights._fields if name.startswith("lead_")),
    "sweep", "cash", "rescue", "keep_trump_against",
)  # fmt: skip

SPECS = {
    "schieber": (WEIGHTS.trumps, WEIGHTS.no_trumps._replace(**dict.fromkeys(WITH_TRUMPS))),
    "differenzler": (WEIGHTS.alone._replace(**dict.fromkeys(NOT_ALONE)),),
}
"""The weights that are fitted; None for those that are not."""


def with_fixed(rules: Any, found: Any) -> Any:
    """Returns all weights of the player, with what was found for those of `SPECS`."""
    if rules.game == "differenzler":
        fixed = {name: getattr(WEIGHTS.alone, name) for name in NOT_ALONE}
        return WEIGHTS._replace(alone=found[0]._replace(**fixed))
    trumps, no_trumps = found
    shared = {name: getattr(trumps, name) for name in WITH_TRUMPS}
    return WEIGHTS._replace(trumps=trumps, no_trumps=no_trumps._replace(**shared))


@dataclasses.dataclass(frozen=True)
class Tunable:
    """The heuristic with the weights of its card play as parameters: float32[n]."""

    agent: JassHeuristicAgent

    def init(self, key: jax.Array, game: Any) -> jax.Array:
        return jnp.asarray(flat(SPECS[self.agent.rules.game]))

    def act(self, params: jax.Array, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        rules = self.agent.rules
        treedef = jax.tree.structure(SPECS[rules.game])
        found = jax.tree.unflatten(treedef, [params[i] for i in range(params.shape[0])])
        return choose(rules, with_fixed(rules, found), observation, legal)


def varied_start(game: Any, key: jax.Array) -> Any:
    """A deal after the call, in which modes that are somewhat worse are also chosen."""
    state = game.init(key)
    if game.rules.game == "differenzler":
        return state
    push = jax.random.bernoulli(jax.random.fold_in(key, 1), 0.4)
    pushed = game.step(state, jnp.int32(calls.PUSH))
    state = jax.tree.map(lambda a, b: jnp.where(push, a, b), pushed, state)
    seen = game.observe(state, state.current_player)
    values = jnp.stack(bidding.estimates(game.rules, seen.hand, push)).astype(jnp.float32)
    # Where no trumps count threefold, they are chosen with hands that are not good for them.
    bonus = jax.random.uniform(jax.random.fold_in(key, 3), maxval=600)
    values = values.at[NO_TRUMP:6].add(bonus)
    values = values + 300 * jax.random.gumbel(jax.random.fold_in(key, 2), values.shape)
    best = jnp.argmax(values)
    action = jnp.where(best < 6, calls.CHOOSE + best, calls.CHOOSE_SLALOM + best - 6)
    return game.step(state, action)


def tune_play(preset: str, seconds: float, batch: int = 8192) -> None:
    """Evolution strategy: every deal tries its own small change of all weights, at both tables."""
    game = jaxcards.make(f"jass/{preset}")
    agent = Tunable(JassHeuristicAgent(game.rules))
    spec = SPECS[game.rules.game]
    centre = flat(spec)
    scale = np.array(jax.tree.leaves(scales(spec)), np.float32)
    seatings = jnp.array([[0, 1, 0, 1], [1, 0, 1, 0]])

    def deal(key: jax.Array, centre: jax.Array) -> tuple[jax.Array, jax.Array]:
        change = jax.random.normal(jax.random.fold_in(key, 7), centre.shape)
        sides = [centre + sign * scale * change for sign in (1, -1)]
        start = varied_start(game, key)

        def table(seats: jax.Array) -> jax.Array:
            returns = rollout(game, [agent, agent], sides, key, state=start, seats=seats).returns
            signs = 1 - 2 * seats
            return (returns * signs).mean()

        return jax.vmap(table)(seatings).mean(), change

    gradient = gradient_of(deal, batch, 120)
    report(spec, climb(
        gradient, centre, scale, seconds, rate=0.3, floor=0.15, steady=0.1,
        report=lambda theta: report(spec, theta), every=20,
    ))  # fmt: skip


def scales(spec: Any) -> Any:
    """Returns how far each weight is changed at a time: an eighth of it, points by 0.4 at least."""

    def of(path: Any, weight: float) -> float:
        least = 0.08 if path[1].name in ("ruffs", "rescue", "unforced", "keep_points") else 0.4
        return max(least, 0.12 * abs(weight))

    return jax.tree_util.tree_map_with_path(of, spec)


def report(spec: Any, theta: np.ndarray) -> None:
    values = [round(float(value), 2) for value in theta]
    for weights in jax.tree.unflatten(jax.tree.structure(spec), values):
        print("Weights(")
        for name, value in weights._asdict().items():
            if value is not None:
                print(f"    {name}={value},")
        print(")", flush=True)


def chosen_mode(state: Any) -> jax.Array:
    return jnp.minimum(state.public.mode, 7).astype(jnp.int32)


def tune_bids(batches: int, batch: int = 16384) -> None:
    """Linear regression of the score difference on the description of the chooser's hand."""
    for slalom in (False, True):
        _tune_bids(jaxcards.make("jass", slalom=slalom), batches, batch)


def _tune_bids(game: Any, batches: int, batch: int) -> None:
    agent = JassHeuristicAgent(game.rules)

    def deal(key: jax.Array) -> Any:
        start = varied_start(game, key)
        first = ((start.public.dealer + 1) & 3).astype(jnp.int32)
        pushed = start.public.num_calls == 2
        chooser = jnp.where(pushed, (first + 2) & 3, first)
        features = bidding.hand_features(game.rules, game.observe(start, chooser).hand)
        mode = chosen_mode(start)
        trump = jnp.stack([jnp.stack(f) for f in features[:4]])[jnp.minimum(mode, 3)]
        others = [jnp.stack(f) for f in features[4:]]
        # What is pushed is a hand that is weak in every mode.
        forehand = game.observe(start, first).hand
        best = jnp.stack(bidding.estimates(game.rules, forehand, jnp.bool_(False))).max()
        likely = ~pushed | (best < bidding.push_value(game.rules))
        result = rollout(game, agent, (), key, state=start).returns[first]
        return mode, pushed, likely, result, trump, others

    play_batch = jit(lambda key: jax.vmap(deal)(jax.random.split(key, batch)))
    rows = [jax.tree.map(np.asarray, play_batch(jax.random.key(i))) for i in range(batches)]
    mode, pushed, likely, result, trump, others = jax.tree.map(lambda *a: np.concatenate(a), *rows)
    names = [
        ("TRUMP", [0, 1, 2, 3], trump), ("BOTTOM", [4], others[0]), ("TOP", [5], others[1]),
        ("SLALOM_TOP", [6], others[2]), ("SLALOM_BOTTOM", [7], others[3]),
    ]  # fmt: skip
    for name, modes, x in names[3:] if game.rules.slalom else names[:3]:
        columns, notes = [], []
        for after_push in (False, True):
            use = np.isin(mode, modes) & (pushed == after_push) & likely
            fitted, around = ridge(x[use], result[use])
            columns.append(np.round(16 * fitted).astype(int))
            notes.append(f"{use.sum()} deals, {around:.1f} around")
        print(f"{name}: tuple[Row, ...] = (  # {'; '.join(notes)}")
        rows = bidding.table_of(modes[0])
        for (part, _, _), forehand, partner in zip(rows, *columns, strict=True):
            print(f'    ("{part}", {forehand}, {partner}),')
        print(")", flush=True)


def tune_push(batches: int, batch: int = 16384) -> None:
    """Finds the estimate below which pushing the same deal brings more, for several factors."""
    for preset in ("tournament", "schieber_1000", "swisslos", "slalom"):
        game = jaxcards.make(f"jass/{preset}", finish="deal_end")
        agent = JassHeuristicAgent(game.rules)

        def deal(key: jax.Array, game: Any = game, agent: Any = agent) -> Any:
            state = game.init(key)
            first = state.current_player
            values = jnp.stack(
                bidding.estimates(game.rules, game.observe(state, first).hand, jnp.bool_(False))
            )
            best = jnp.argmax(values)
            action = jnp.where(best < 6, calls.CHOOSE + best, calls.CHOOSE_SLALOM + best - 6)
            results = [
                rollout(game, agent, (), key, state=game.step(state, a)).returns[first]
                for a in (action, jnp.int32(calls.PUSH))
            ]
            return values.max(), *results

        play_batch = jit(lambda key, deal=deal: jax.vmap(deal)(jax.random.split(key, batch)))
        rows = [jax.tree.map(np.asarray, play_batch(jax.random.key(i))) for i in range(batches)]
        value, chosen, pushed = (np.concatenate(column) for column in zip(*rows, strict=True))
        grid = np.arange(-400, 2400, 20)
        mean = [np.where(value < t, pushed, chosen).mean() for t in grid]
        best = int(np.argmax(mean))
        print(
            f"{preset}: push below {grid[best]}: {mean[best]:.2f} points for forehand's side, pushes "
            f"{(value < grid[best]).mean():.2f}; always choosing {chosen.mean():.2f}, always pushing "
            f"{pushed.mean():.2f}; now {bidding.push_value(game.rules)}",
            flush=True,
        )


def tune_prediction(batches: int, batch: int = 16384) -> None:
    """Linear regression of the points made in Differenzler on the description of the hand."""
    game = jaxcards.make("jass/differenzler")
    agent = JassHeuristicAgent(game.rules)

    def deal(key: jax.Array) -> Any:
        state = game.init(key)
        features = []
        for seat in range(4):
            described = bidding.hand_features(game.rules, state.hands[seat])
            features.append(jnp.stack([jnp.stack(f[:24]) for f in described[:4]])[state.public.mode])
        final = rollout(game, agent, (), key, state=state).state
        leads = jnp.arange(4) == (state.public.dealer + 1) % 4
        return jnp.stack(features), leads, game.progress(final)

    play_batch = jit(lambda key: jax.vmap(deal)(jax.random.split(key, batch)))
    rows = [jax.tree.map(np.asarray, play_batch(jax.random.key(i))) for i in range(batches)]
    x, leads, points = (np.concatenate(column) for column in zip(*rows, strict=True))
    x, leads, points = x.reshape(-1, x.shape[-1]), leads.reshape(-1), points.reshape(-1)
    a = np.column_stack([np.ones(len(x)), x, leads]).astype(np.float64)
    fitted = np.linalg.lstsq(a, points, rcond=None)[0]
    for (part, _), worth in zip(bidding_tables.PREDICTION, fitted, strict=True):
        print(f'    ("{part}", {round(16 * worth)}),')
    print("around", (points - a @ fitted).std())


if __name__ == "__main__":
    if sys.argv[1] == "play":
        tune_play(sys.argv[2], float(sys.argv[3]))
    elif sys.argv[1] == "bids":
        tune_bids(int(sys.argv[2]))
    elif sys.argv[1] == "push":
        tune_push(int(sys.argv[2]))
    else:
        tune_prediction(int(sys.argv[2]))
