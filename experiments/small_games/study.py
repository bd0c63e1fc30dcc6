"""Compare the exploitability of learners in two small games, at equal numbers of decisions.

    python -m experiments.small_games.study

It writes `result.json` and `curve.png`. If it is interrupted, the same command continues it.
"""

import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from experiments.runs import read_json, write_json
from experiments.small_games import learners
from jaxcards import xla
from jaxcards.evaluation.best_response import exploitability, gains, uniform
from jaxcards.evaluation.histories import GameTree, game_tree
from jaxcards.evaluation.intervals import student_quantile
from jaxcards.evaluation.picture import picture
from jaxcards.evaluation.small_games import every_deal
from jaxcards.games.rikiki.small import SmallRikiki, small_rikiki

HERE = Path(__file__).parent
GAMES: dict[str, SmallRikiki] = {
    "two players": small_rikiki(players=2, suits=2, ranks=4, tricks=2),
    "three players": small_rikiki(players=3, suits=1, ranks=7, tricks=2),
}
STOPS = tuple(learners.DEALS << power for power in (2, 4, 6, 8, 9))  # deals: 1,024 to 131,072
SEEDS, TABLES = 16, 128
SHORT, MANY = STOPS[2:3], 256  # short runs of many seeds: 16,384 deals
PPO = {
    "PPO, entropy 0": learners.ppo(0.0),
    "PPO, entropy 0.03": learners.ppo(0.03),
    "PPO, entropy 0.1": learners.ppo(0.1),
    "PPO, magnet 0.1": learners.ppo(0.1, magnet=0.1),
}
ITERATIONS = (1, 4, 16, 64, 256)
SEVERAL = (*PPO, "DQN", "Q-table")  # learners with seeds


def curve_of(name: str, tree: GameTree, seeds: int, stops: tuple[int, ...]) -> learners.Curve:
    """Return the curve of a learner; CFR has one seed and stops of its own."""
    if name == "Q-table":
        most = int(np.bincount(tree.situation).max())
        return learners.q_tables(tree, max(seeds, TABLES), stops, most)
    if name == "CFR":
        return learners.cfr(tree, ITERATIONS)
    return learners.networks(tree, PPO.get(name) or learners.dqn(), seeds, stops)


def measured(
    name: str, tree: GameTree, seeds: int = SEEDS, stops: tuple[int, ...] = STOPS
) -> dict[str, Any]:
    """Return decisions, and the mean gain of best responses of each seed at each stop."""

    def mean(depths: Any, chance: jax.Array) -> jax.Array:
        value, best = gains(depths, tree.num_deals, chance)
        return (best - value).mean()

    # In turn: the histories of one policy fill the cache.
    of_all = xla.jit(lambda depths, chances: jax.lax.map(lambda one: mean(depths, one), chances))
    found: dict[str, Any] = {"decisions": [], "gain": []}
    begun = time.perf_counter()
    for decisions, chances in curve_of(name, tree, seeds, stops):
        with jax.enable_x64(True):
            gain = np.asarray(of_all(tree.depths, jnp.asarray(chances, jnp.float64)))
        found["decisions"].append(round(decisions))
        found["gain"].append([round(one, 4) for one in gain.tolist()])
        print(f"{name}: {decisions:.3g} decisions, gain {gain.mean():.3f}", flush=True)
    return found | {"seconds": round(time.perf_counter() - begun)}


def interval(gain: list[float]) -> tuple[float, float]:
    """Return the mean over seeds and the half width of its 95 % interval; 0 with one seed."""
    if len(gain) == 1:
        return gain[0], 0.0
    half = student_quantile(len(gain) - 1) * np.std(gain, ddof=1) / len(gain) ** 0.5
    return float(np.mean(gain)), float(half)


def draw(results: dict[str, Any]) -> None:
    """Draw the mean gain over decisions: a panel for each game, a line for each learner."""
    title = "Exploitability: points per deal that best responses gain"
    with picture(HERE / "curve.png", (10, 4), title, columns=2) as (_, panels):
        for axes, (name, found) in zip(panels, results.items(), strict=True):
            axes.axhline(found["random"], color="0.4", linestyle="--", label="random play")
            for learner, curve in found["learners"].items():
                mean, half = np.array([interval(gain) for gain in curve["gain"]]).T
                (line,) = axes.plot(curve["decisions"], mean, marker=".", label=learner)
                low = np.maximum(mean - half, 1e-3)
                shade = {"color": line.get_color(), "alpha": 0.25}
                axes.fill_between(curve["decisions"], low, mean + half, **shade)
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("decisions")
            axes.set_title(f"{name}, {found['histories']:,} histories", fontsize="medium")
            axes.grid(alpha=0.3)
        panels[0].set_ylabel("points")
        panels[1].legend(fontsize="small")


def main() -> None:
    path = HERE / "result.json"
    results = read_json(path)
    for name, game in GAMES.items():
        tree = game_tree(game, every_deal(game))
        facts = {"histories": tree.num_nodes, "information_sets": tree.num_information_sets}
        random = round(exploitability(game, uniform, (), tree).mean, 4)
        found = results.setdefault(name, {**facts, "random": random, "learners": {}, "many seeds": {}})
        for learner in (*SEVERAL, "CFR"):
            if learner not in found["learners"]:
                found["learners"][learner] = measured(learner, tree)
                write_json(path, results)
        for learner in SEVERAL:
            if learner not in found["many seeds"]:
                found["many seeds"][learner] = measured(learner, tree, MANY, SHORT)
                write_json(path, results)
    draw(results)
    for name, found in results.items():
        for runs in ("learners", "many seeds"):
            for learner, curve in found[runs].items():
                mean, half = interval(curve["gain"][-1])
                number, seconds = len(curve["gain"][-1]), curve["seconds"]
                print(f"{name}, {learner}: {mean:.3f} ±{half:.3f}, {number} seeds, {seconds} s")


if __name__ == "__main__":
    main()
