"""What a search gains by its number of worlds: duplicate deals against the network that it stands on.

python experiments/search/curves.py play jass --worlds 2 8 32 128 --deals 200
python experiments/search/curves.py draw

`play` writes `curve_GAME.json`, budget by budget, and goes on behind those that are there; of a budget
that was interrupted `build/curves` has the first deals. The search is that of `search`: it has a
belief, and a rollout policy that is shipped plays its worlds on. With `--uniform` all worlds are
equally likely, and the file is `uniform_curve_GAME.json`. `draw` puts all these files into
`curves.png`.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import jaxcards
from jaxcards.champions.catalogue import search_by, with_rollout_policy
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.files import write_text
from jaxcards.xla import cache

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "curves"
COLUMNS = 3  # of pictures
UNIFORM = "uniform_"


def play(id: str, budgets: list[int], deals: int, seed: int, uniform: bool) -> None:
    """Plays every budget that is not in the file yet."""
    game, settings = jaxcards.make(id), {"belief": None} if uniform else {}
    file = HERE / f"{UNIFORM * uniform}curve_{game.id.replace('/', '_')}.json"
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    policy, params = jaxcards.load_agent(game)
    base, both = with_rollout_policy(policy, params)
    for worlds in budgets:
        if str(worlds) in found:
            continue
        search = search_by(game, base, worlds=worlds, **settings)
        names = [f"search:{worlds}", "champion"]
        BUILD.mkdir(parents=True, exist_ok=True)
        keep = BUILD / f"{file.stem}_{worlds}.npz"
        result = evaluate(game, [search, policy], [both, params], names, deals, seed, keep=keep)
        print(result.to_text(), flush=True)
        found[str(worlds)] = json.loads(result.to_json())
        write_text(file, json.dumps(found, indent=1) + "\n")


def curve(axes: Any, file: Path, label: str, fmt: str) -> dict[str, Any]:
    """Draws the gains of a file, and returns the first of its results."""
    results = sorted(json.loads(file.read_text(encoding="utf-8")).items(), key=lambda x: int(x[0]))
    worlds = [int(budget) for budget, _ in results]
    gains = [result["pairs"][0]["difference"] for _, result in results]
    means = [gain["mean"] for gain in gains]
    below = [gain["mean"] - gain["low"] for gain in gains]
    above = [gain["high"] - gain["mean"] for gain in gains]
    axes.errorbar(worlds, means, [below, above], fmt=fmt, capsize=3, label=label)
    axes.set_xscale("log", base=2)
    axes.set_xticks(worlds, [str(number) for number in worlds], fontsize=7)
    return results[0][1]


def draw() -> None:
    """Draws the gain over the number of worlds, a picture for each game."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    files = sorted(HERE.glob("curve_*.json"))
    rows = -(-len(files) // COLUMNS)
    figure, grid = plt.subplots(rows, COLUMNS, figsize=(4 * COLUMNS, 3.1 * rows), squeeze=False)
    for axes in grid.flat[len(files) :]:
        axes.set_visible(False)
    for axes, file in zip(grid.flat, files, strict=False):
        first = curve(axes, file, "by belief", fmt="o-")
        uniform = HERE / f"{UNIFORM}{file.name}"
        if uniform.exists():
            curve(axes, uniform, "equally likely", fmt="s--")
            axes.legend(title="worlds", fontsize=8, title_fontsize=8)
        axes.axhline(0, color="grey", linewidth=0.8)
        axes.set_title(f"{first['game']}, {first['num_deals']} deals", fontsize=10)
        axes.set_xlabel("worlds of a decision")
    for axes in grid[:, 0]:
        axes.set_ylabel("points a deal ahead of the network")
    figure.tight_layout()
    figure.savefig(HERE / "curves.png", dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    options = commands.add_parser("play", help="play budgets")
    options.add_argument("game")
    options.add_argument("--worlds", type=int, nargs="+", default=[2, 8, 32, 128, 512])
    options.add_argument("--deals", type=int, default=200, help="duplicate deals of each budget")
    options.add_argument("--seed", type=int, default=13)
    options.add_argument("--uniform", action="store_true", help="all worlds equally likely")
    commands.add_parser("draw", help="draw what was played")
    chosen = parser.parse_args()
    cache.enable()
    if chosen.command == "draw":
        draw()
    else:
        play(chosen.game, chosen.worlds, chosen.deals, chosen.seed, chosen.uniform)


if __name__ == "__main__":
    main()
