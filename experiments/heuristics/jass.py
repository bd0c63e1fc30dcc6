"""Fit the numbers of the Jass heuristic.

    python -m experiments.heuristics.jass play tournament 150    card play, for 150 seconds
    python -m experiments.heuristics.jass play differenzler 90
    python -m experiments.heuristics.jass bids 24    worth of the parts of a hand, 24 batches
    python -m experiments.heuristics.jass push 6     when to push, 6 batches
    python -m experiments.heuristics.jass predict 4  predictions of Differenzler, 4 batches

A batch has 16,384 deals. The shipped numbers come from guesses by `play`, `bids`, `push` and `play`.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.heuristics import fitting
from jaxcards.agents.heuristics.jass import bidding, bidding_tables
from jaxcards.agents.heuristics.jass.player import WEIGHTS, JassHeuristicAgent, choose
from jaxcards.agents.heuristics.worth import Weights as CardWeights
from jaxcards.games.jass import calls
from jaxcards.games.jass.play import NO_TRUMP
from jaxcards.rollouts import rollout

# Weights that count only with trumps are equal in both modes, and are fitted once.
WITH_TRUMPS = (
    "unforced", "keep_trump", "keep_trump_against", "keep_last_trump", "lead_top_trump",
    "lead_trump", "lead_trump_points", "lead_trump_for_partner", "lead_spent_trump",
    "lead_trump_against", "lead_single", "lead_partner_void",
)  # fmt: skip
# A player without a partner does not use leads, the tricks of a side, and the partner.
NOT_ALONE = (
    *(name for name in CardWeights._fields if name.startswith("lead_")),
    "sweep", "cash", "rescue", "keep_trump_against",
)  # fmt: skip

SPECS = {
    "schieber": (WEIGHTS.trumps, WEIGHTS.no_trumps._replace(**dict.fromkeys(WITH_TRUMPS))),
    "differenzler": (WEIGHTS.alone._replace(**dict.fromkeys(NOT_ALONE)),),
}
"""The weights that are fitted; the others are None."""


def with_fixed(rules: Any, found: Any) -> Any:
    """Return all weights of the player, with these values for those of `SPECS`."""
    if rules.game == "differenzler":
        fixed = {name: getattr(WEIGHTS.alone, name) for name in NOT_ALONE}
        return WEIGHTS._replace(alone=found[0]._replace(**fixed))
    trumps, no_trumps = found
    shared = {name: getattr(trumps, name) for name in WITH_TRUMPS}
    return WEIGHTS._replace(trumps=trumps, no_trumps=no_trumps._replace(**shared))


def call_of(mode: jax.Array) -> jax.Array:
    """Return the action that chooses a mode, by its place among the estimates."""
    return jnp.where(mode < 6, calls.CHOOSE + mode, calls.CHOOSE_SLALOM + mode - 6)


def varied_start(game: Any, key: jax.Array) -> Any:
    """Return a deal after the call. Modes that are somewhat worse are also chosen."""
    state = game.init(key)
    if game.rules.game == "differenzler":
        return state
    push = jax.random.bernoulli(jax.random.fold_in(key, 1), 0.4)
    state = fitting.where(push, game.step(state, jnp.int32(calls.PUSH)), state)
    seen = game.observe(state, state.current_player)
    values = jnp.stack(bidding.estimates(game.rules, seen.hand, push)).astype(jnp.float32)
    # If modes without trumps count threefold, they are chosen even with hands that do not suit them.
    bonus = jax.random.uniform(jax.random.fold_in(key, 3), maxval=600)
    values = values.at[NO_TRUMP:6].add(bonus)
    values = values + 300 * jax.random.gumbel(jax.random.fold_in(key, 2), values.shape)
    return game.step(state, call_of(jnp.argmax(values)))


def fit_play(preset: str, seconds: float) -> None:
    """Fit card play."""
    game = jaxcards.make(f"jass/{preset}")
    rules, spec = game.rules, SPECS[game.rules.game]

    def deal(key: jax.Array, weights_of: Any) -> jax.Array:
        agent = fitting.Chooser(
            lambda seen, legal: choose(rules, with_fixed(rules, weights_of(seen)), seen, legal)
        )
        return rollout(game, agent, (), key, state=varied_start(game, key)).returns

    for weights in fitting.evolve([(game, deal)], spec, fitting.flat(scales(spec)), seconds, rate=0.3):
        fitting.show("Weights", weights)


def scales(spec: Any) -> Any:
    """Return the step of each weight: an eighth of it, for points at least 0.4."""

    def of(path: Any, weight: float) -> float:
        least = 0.08 if path[1].name in ("ruffs", "rescue", "unforced", "keep_points") else 0.4
        return max(least, 0.12 * abs(weight))

    return jax.tree_util.tree_map_with_path(of, spec)


def fit_bids(batches: int) -> None:
    """Fit the worth of hands: linear regression of the score difference on the chooser's hand."""
    for slalom in (False, True):
        _fit_bids(jaxcards.make("jass", slalom=slalom), batches)


def _fit_bids(game: Any, batches: int) -> None:
    agent = JassHeuristicAgent(game.rules)

    def deal(key: jax.Array) -> Any:
        start = varied_start(game, key)
        first = ((start.public.dealer + 1) & 3).astype(jnp.int32)
        pushed = start.public.num_calls == 2
        chooser = jnp.where(pushed, (first + 2) & 3, first)
        features = bidding.hand_features(game.rules, game.observe(start, chooser).hand)
        mode = jnp.minimum(start.public.mode, 7).astype(jnp.int32)
        trump = jnp.stack([jnp.stack(f) for f in features[:4]])[jnp.minimum(mode, 3)]
        others = [jnp.stack(f) for f in features[4:]]
        # Players push hands that are weak in every mode.
        forehand = game.observe(start, first).hand
        best = jnp.stack(bidding.estimates(game.rules, forehand, jnp.bool_(False))).max()
        likely = ~pushed | (best < bidding.push_value(game.rules))
        result = rollout(game, agent, (), key, state=start).returns[first]
        return mode, pushed, likely, result, trump, others

    mode, pushed, likely, result, trump, others = fitting.sampler(deal)(range(batches))
    names = [
        ("TRUMP", [0, 1, 2, 3], trump), ("BOTTOM", [4], others[0]), ("TOP", [5], others[1]),
        ("SLALOM_TOP", [6], others[2]), ("SLALOM_BOTTOM", [7], others[3]),
    ]  # fmt: skip
    for name, modes, x in names[3:] if game.rules.slalom else names[:3]:
        columns, notes = [], []
        for after_push in (False, True):
            use = np.isin(mode, modes) & (pushed == after_push) & likely
            fitted, around = fitting.ridge(x[use], result[use])
            columns.append(16 * fitted)
            notes.append(f"{use.sum()} deals, {around:.1f} around")
        parts = [row[0] for row in bidding.table_of(modes[0])]
        fitting.show_rows(f"{name}: {'; '.join(notes)}", parts, zip(*columns, strict=True), 0)


def fit_push(batches: int) -> None:
    """Find the estimate below which pushing the same deal brings more, for several factors."""
    for preset in ("tournament", "schieber_1000", "swisslos", "slalom"):
        game = jaxcards.make(f"jass/{preset}", finish="deal_end")

        def deal(key: jax.Array, game: Any = game) -> Any:
            state = game.init(key)
            first = state.current_player
            hand = game.observe(state, first).hand
            values = jnp.stack(bidding.estimates(game.rules, hand, jnp.bool_(False)))
            actions = call_of(jnp.argmax(values)), jnp.int32(calls.PUSH)
            starts = [game.step(state, action) for action in actions]
            results = fitting.ends(game, JassHeuristicAgent(game.rules), key, starts).returns[:, first]
            return values.max(), *results

        value, chosen, pushed = fitting.sampler(deal)(range(batches))
        grid = np.arange(-400, 2400, 20)
        mean = [np.where(value < t, pushed, chosen).mean() for t in grid]
        best = int(np.argmax(mean))
        print(
            f"{preset}: push below {grid[best]}: {mean[best]:.2f} points for forehand's side, pushes "
            f"{(value < grid[best]).mean():.2f}; always choosing {chosen.mean():.2f}, always pushing "
            f"{pushed.mean():.2f}; now {bidding.push_value(game.rules)}",
            flush=True,
        )


def fit_predictions(batches: int) -> None:
    """Fit the predictions of Differenzler: linear regression of the points on the hand."""
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

    x, leads, points = fitting.sampler(deal)(range(batches))
    x = np.column_stack([x.reshape(-1, x.shape[-1]), leads.reshape(-1)])
    fitted, around = fitting.ridge(x, points.reshape(-1), penalty=0)
    parts = [part for part, _ in bidding_tables.PREDICTION]
    fitting.show_rows(f"PREDICTION: {around:.2f} around", parts, 16 * fitted[:, None], 0)


if __name__ == "__main__":
    fitting.run(play=fit_play, bids=fit_bids, push=fit_push, predict=fit_predictions)
