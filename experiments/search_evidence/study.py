"""Measure what the findings of a search are worth in the true deal.

    python experiments/search_evidence/study.py gather euchre --deals 2048
    python experiments/search_evidence/study.py judge

`gather` lets the shipped network play deals. At each card (or each call) with a choice it searches, and
plays each candidate in the true deal, with the network in all seats from there on. It writes
`build/evidence/GAME_WORLDS.npz`. `judge` writes `result.json`: for each threshold, the points a deal
and seat, beside what the search expects.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from tables import TABLES, decisions

import jaxcards
from jaxcards.agents.search import analysis, playing
from jaxcards.agents.search.belief import Belief
from jaxcards.champions.catalogue import with_rollout_policy
from jaxcards.evaluation import intervals
from jaxcards.xla import cache

sys.path.append(str(Path(__file__).parents[1]))

from common.runs import write_json

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "build" / "evidence"
THRESHOLDS = (0.5, 1.0, 1.5, 2.0, 3.0)


def looking(game, policy, worlds, candidates, belief, facts, calls=False):
    """Returns the function that looks at a decision and plays on; see `decisions`.

    Args:
      calls: whether calls are searched, and all else before the first card, in place of cards.
      facts: from a state to what else is to be known of a decision, by name.
    """

    def look(params, state, key):
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        searched = ~state.terminated & (legal.count() > 1) & (state.playing ^ calls)
        found = analysis.analyse(
            game, policy, params, seen, legal, key,
            worlds=worlds, candidates=candidates, belief=belief, played_out=searched,
        )  # fmt: skip
        alone = jax.tree.map(lambda leaf: leaf[None], state)
        real = playing.play_on(
            game, policy, params, alone, found.action, key, played_out=found.legal & searched
        )
        own = jnp.take(real[0], state.current_player, axis=-1)
        return game.step(state, found.action[0]), (searched, found, own - own[0], facts(state))

    return look


def setting(text):
    """Returns the name of a setting and its number: "calls=0.5"."""
    name, _, number = text.partition("=")
    return name, int(number) if name == "draws" else float(number)


def findings(game, options, belief, facts=lambda state: {}, calls=False):
    """Plays deals, and returns what was found at their cards, columns by name; see `looking`."""
    policy, params = with_rollout_policy(*jaxcards.load_agent(game))
    look = looking(game, policy, options.worlds, options.candidates, belief, facts, calls)
    names, rows = ("legal", "policy", "gain", "gain_error"), []
    played = decisions(game, look, params, options.deals, options.seed)
    for deals, (searched, found, real, more) in played:
        values = {"deal": deals} | {name: getattr(found, name) for name in names}
        values |= {"real": real} | more
        rows.append({name: value[searched] for name, value in values.items()})
    columns = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    return columns | {"worlds": options.worlds, "seats": game.num_players, "deals": options.deals}


def gather(id, options):
    """Writes what was found in a game."""
    game = jaxcards.make(id)
    settings = None if options.belief is None else dict(map(setting, options.belief))
    belief = None if settings is None else Belief(**settings)
    FOLDER.mkdir(parents=True, exist_ok=True)
    name = f"{game.id.replace('/', '_')}_{options.worlds}"
    if settings is not None:
        name = "_".join([name, "belief", *(f"{key}={value:g}" for key, value in settings.items())])
    name += f"_calls_{options.seed}" if options.calls else ""
    np.savez(FOLDER / f"{name}.npz", **findings(game, options, belief, calls=options.calls))


def brought(rows, threshold):
    """Return the gain of a rule at each card, and how often it leaves the policy."""
    evidence = np.where(rows["legal"], rows["gain"] - threshold * rows["gain_error"], -np.inf)
    evidence[:, 0] = 0
    best = evidence.argmax(1)
    return rows["real"][np.arange(len(best)), best], (best > 0).mean()


def by_deal(rows, values):
    """Return the sum of each deal, for one seat."""
    sums = np.bincount(rows["deal"], weights=values, minlength=int(rows["deals"]))
    return sums / int(rows["seats"])


def judge():
    """Print and write what each threshold brings."""
    written = HERE / "result.json"
    found = json.loads(written.read_text("utf-8")) if written.exists() else {}
    for file in sorted(FOLDER.glob("*.npz")):
        rows = dict(np.load(file))
        number, deals, worlds = len(rows["deal"]), rows["deals"], rows["worlds"]
        print(f"{file.stem}: {number} decisions of {deals} deals, {worlds} worlds")
        results = []
        for threshold in THRESHOLDS:
            values, left = brought(rows, threshold)
            gain = intervals.mean_interval(by_deal(rows, values))
            seen, _ = brought(rows | {"real": rows["gain"]}, threshold)
            seen = seen.sum() / rows["deals"] / rows["seats"]
            text = f"{gain.mean:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
            print(f"  threshold {threshold}: leaves {left:.1%}, sees {seen:+.3f}, {text}")
            row = {"threshold": threshold, "left": float(left), "seen": float(seen)}
            results.append(row | {"all": asdict(gain)})
        found[file.stem] = results
    write_json(written, found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    options = commands.add_parser("gather", help="play and search")
    options.add_argument("game")
    options.add_argument("--deals", type=int, default=2048, help=f"a multiple of {TABLES}")
    options.add_argument("--worlds", type=int, default=32)
    options.add_argument("--candidates", type=int, default=6)
    options.add_argument("--seed", type=int, default=31)
    options.add_argument(
        "--belief", nargs="*", metavar="NAME=NUMBER",
        help="weigh the worlds by belief, with other settings than its own: --belief calls=1 draws=8",
    )  # fmt: skip
    options.add_argument("--calls", action="store_true", help="search calls in place of cards")
    commands.add_parser("judge", help="compare rules")
    chosen = parser.parse_args()
    cache.enable()
    if chosen.command == "judge":
        judge()
    else:
        gather(chosen.game, chosen)


if __name__ == "__main__":
    main()
