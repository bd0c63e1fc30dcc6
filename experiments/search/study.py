"""Measure what a search gains by its number of worlds, against its own network.

    python -m experiments.search.study play jass --worlds 2 8 32 128 --deals 200
    python -m experiments.search.study draw

`play` adds one row for each number of worlds to `result.json` and skips rows that are there. If it is
interrupted, it continues from the deals in `build/curves`. The search is that of the command line, with
its belief and its shipped rollout policy. With `--uniform` all worlds are equally likely. `draw` makes
`curve.png`.
"""

import argparse
import dataclasses
from pathlib import Path
from typing import Any

import jaxcards
from experiments.runs import read_json, write_json
from jaxcards.champions.catalogue import search_by, with_rollout_policy
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.picture import picture
from jaxcards.xla import cache

HERE = Path(__file__).parent
FOUND = HERE / "result.json"
BUILD = Path("build/curves")
COLUMNS = 3  # of pictures
KINDS = {"belief": ("by belief", "o-"), "uniform": ("equally likely", "s--")}


def play(id: str, budgets: list[int], deals: int, seed: int, uniform: bool) -> None:
    """Play every number of worlds that the result lacks."""
    game, settings = jaxcards.make(id), {"belief": None} if uniform else {}
    kind = "uniform" if uniform else "belief"
    found = read_json(FOUND)
    rows = found.setdefault(kind, {}).setdefault(game.id, {})
    policy, params = jaxcards.load_agent(game)
    base, both = with_rollout_policy(policy, params)
    for worlds in budgets:
        if str(worlds) in rows:
            continue
        search = search_by(game, base, worlds=worlds, **settings)
        names = [f"search:{worlds}", "champion"]
        BUILD.mkdir(parents=True, exist_ok=True)
        keep = BUILD / f"{kind}_{game.id.replace('/', '_')}_{worlds}.npz"
        result = evaluate(game, [search, policy], [both, params], names, deals, seed, keep=keep)
        print(result.to_text(), flush=True)
        gain = dataclasses.asdict(result.pairs[0].difference)
        rows[str(worlds)] = {"deals": deals, "seed": seed, **gain}
        write_json(FOUND, found)


def curve(axes: Any, rows: dict[str, Any], label: str, fmt: str) -> None:
    """Draw the gain over the number of worlds."""
    worlds = sorted(map(int, rows))
    gains = [rows[str(number)] for number in worlds]
    means = [gain["mean"] for gain in gains]
    below = [gain["mean"] - gain["low"] for gain in gains]
    above = [gain["high"] - gain["mean"] for gain in gains]
    axes.errorbar(worlds, means, [below, above], fmt=fmt, capsize=3, label=label)
    axes.set_xscale("log", base=2)
    axes.set_xticks(worlds, [str(number) for number in worlds], fontsize=7)


def draw() -> None:
    """Draw a panel for each game."""
    found = read_json(FOUND)
    games = sorted(found["belief"])
    rows = -(-len(games) // COLUMNS)
    title, size = "Points a deal ahead of the network, by worlds of a decision", (12, 3.1 * rows)
    with picture(HERE / "curve.png", size, title, rows=rows, columns=COLUMNS) as (_, panels):
        for axes, game in zip(panels, games, strict=False):
            for kind, (label, fmt) in KINDS.items():
                if game in found[kind]:
                    curve(axes, found[kind][game], label, fmt)
            axes.legend(title="worlds", fontsize=8, title_fontsize=8)
            axes.axhline(0, color="grey", linewidth=0.8)
            axes.set_title(game, fontsize=10)
        for axes in panels[len(games) :]:
            axes.set_visible(False)


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
