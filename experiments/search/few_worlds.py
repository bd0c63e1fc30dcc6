"""How much evidence a search needs to leave the policy, by its number of worlds.

    python experiments/search/few_worlds.py gather euchre --deals 256
    python experiments/search/few_worlds.py judge

`gather` lets the shipped network play deals. At every card that is no forced one it searches several
times, each time with other worlds and another number of them, and then once more with many worlds that
none of the searches has seen: what a candidate gains there is what leaving the policy for it is worth,
but for what the worlds themselves get wrong (evidence.py asks the true deal, which in Jass takes ten
times as many deals to show as much). It writes `build/few_worlds/GAME.npz`. `judge` prints and writes
what each threshold brings at each number of worlds, in points a deal and seat.
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
from evidence import brought, by_deal
from tables import TABLES, decisions

import jaxcards
from jaxcards.agents.search import analysis
from jaxcards.champions.catalogue import search_by, with_rollout_policy
from jaxcards.evaluation import intervals
from jaxcards.files import write_text
from jaxcards.xla import cache, prng

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "build" / "few_worlds"
WORLDS = (2, 8, 32, 128)
HELD_OUT = 256
THRESHOLDS = (0.0, 0.5, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


def looking(game, policy, belief, candidates):
    """Returns the function that looks at a decision and plays on; see `decisions`."""

    def look(params, state, key):
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        searched = ~state.terminated & (legal.count() > 1) & state.playing

        def search(number, worlds):
            own = prng.wrap(prng.fold(prng.key_words(key), number))
            return analysis.analyse(
                game, policy, params, seen, legal, own,
                worlds=worlds, candidates=candidates, belief=belief, played_out=searched,
            )  # fmt: skip

        found = [search(number, worlds) for number, worlds in enumerate((*WORLDS, HELD_OUT))]
        return game.step(state, found[0].action[0]), (searched, found)

    return look


def gather(id, options):
    """Writes what was found in a game: `legal` and `policy`, and of each search gains and errors."""
    game = jaxcards.make(id)
    policy, params = with_rollout_policy(*jaxcards.load_agent(game))
    belief = None if options.uniform else search_by(game, policy).belief
    look, rows = looking(game, policy, belief, options.candidates), []
    for deals, (searched, found) in decisions(game, look, params, options.deals, options.seed):
        row = {"deal": deals, "legal": found[0].legal, "policy": found[0].policy}
        for worlds, one in zip((*WORLDS, "held_out"), found, strict=True):
            row |= {f"gain_{worlds}": one.gain, f"error_{worlds}": one.gain_error}
        rows.append({name: value[searched] for name, value in row.items()})
    columns = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    FOLDER.mkdir(parents=True, exist_ok=True)
    settings = {"seats": game.num_players, "deals": options.deals}
    np.savez(FOLDER / f"{game.id.replace('/', '_')}.npz", **columns, **settings)


def of(rows, worlds):
    """Returns what `brought` looks at, of the searches with so many worlds."""
    found = {"gain": rows[f"gain_{worlds}"], "gain_error": rows[f"error_{worlds}"]}
    return found | {"legal": rows["legal"], "policy": rows["policy"], "real": rows["gain_held_out"]}


def judge():
    """Prints and writes what each threshold brings."""
    written = {}
    for file in sorted(FOLDER.glob("*.npz")):
        rows = dict(np.load(file))
        print(f"{file.stem}: {len(rows['deal'])} cards of {rows['deals']} deals")
        written[file.stem] = {"cards": len(rows["deal"]), "deals": int(rows["deals"]), "rules": []}
        for worlds in WORLDS:
            for threshold in THRESHOLDS:
                values, left = brought(of(rows, worlds), threshold, doubt=0.0)
                sums = np.concatenate([by_deal(rows, values, part) for part in (0, 1)])
                gain = intervals.mean_interval(sums)
                print(
                    f"  {worlds:4} worlds, threshold {threshold:4}: leaves {left:5.1%}, "
                    f"{gain.mean:+.4f} ({gain.low:+.4f} to {gain.high:+.4f})"
                )
                rule = {
                    "worlds": worlds,
                    "threshold": threshold,
                    "left": float(left),
                    "gain": asdict(gain),
                }
                written[file.stem]["rules"].append(rule)
    # A line for each rule.
    games = []
    for name, found in written.items():
        rules = ",\n   ".join(map(json.dumps, found.pop("rules")))
        games.append(f' "{name}": {json.dumps(found)[:-1]}, "rules": [\n   {rules}\n ]}}')
    write_text(HERE / "few_worlds.json", "{\n" + ",\n".join(games) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    options = commands.add_parser("gather", help="play and search")
    options.add_argument("game")
    options.add_argument("--deals", type=int, default=96, help=f"a multiple of {TABLES}")
    options.add_argument("--candidates", type=int, default=6)
    options.add_argument("--seed", type=int, default=41)
    options.add_argument("--uniform", action="store_true", help="all worlds equally likely")
    commands.add_parser("judge", help="compare thresholds")
    given = parser.parse_args()
    cache.enable()
    if given.command == "judge":
        judge()
    else:
        gather(given.game, given)


if __name__ == "__main__":
    main()
