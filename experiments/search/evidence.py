"""When search is to leave the policy: what its findings are worth in the deal that is on the table.

    python experiments/search/evidence.py gather euchre --deals 2048
    python experiments/search/evidence.py judge

`gather` lets the shipped network play deals. At every card that is no forced one, or at every call, it
searches, and plays each candidate in the true deal as well, with the network in all seats from there
on: so it is known what leaving the policy once would have brought. A rollout policy that is shipped
with the network plays in its place in both. It writes `build/evidence/GAME_WORLDS.npz`. `judge`
prints the mean of that for each game and rule, in points a deal and seat, in the one half of the deals,
in the other and in all, beside what the search sees. Nothing that a rule looks at knows the true deal.
"""

import argparse
import itertools
import json
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
from jaxcards.files import write_text
from jaxcards.xla import cache

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "build" / "evidence"
THRESHOLDS = (0.5, 1.0, 1.5, 2.0, 3.0)
DOUBTS = (0.0, 0.25, 0.5, 1.0)  # weights of how much likelier the policy's choice was


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


def brought(rows, threshold, doubt):
    """Returns what a rule brings at each card, and how often it leaves the policy."""
    unlikely = np.log(rows["policy"][:, :1]) - np.log(np.maximum(rows["policy"], 1e-9))
    wanted = threshold + doubt * np.maximum(unlikely, 0)
    evidence = np.where(rows["legal"], rows["gain"] - wanted * rows["gain_error"], -np.inf)
    evidence[:, 0] = 0
    best = evidence.argmax(1)
    return rows["real"][np.arange(len(best)), best], (best > 0).mean()


def by_deal(rows, values, part):
    """Returns the sums of the deals of a half, for one seat."""
    deals = np.arange(part, int(rows["deals"]), 2)
    sums = np.bincount(rows["deal"], weights=values, minlength=int(rows["deals"]))
    return sums[deals] / int(rows["seats"])


def judge():
    """Prints and writes what each rule brings, beside what is written already."""
    written = HERE / "evidence.json"
    found = json.loads(written.read_text("utf-8")) if written.exists() else {}
    for file in sorted(FOLDER.glob("*.npz")):
        rows = dict(np.load(file))
        number, deals, worlds = len(rows["deal"]), rows["deals"], rows["worlds"]
        print(f"{file.stem}: {number} decisions of {deals} deals, {worlds} worlds")
        results = []
        for threshold, doubt in itertools.product(THRESHOLDS, DOUBTS):
            values, left = brought(rows, threshold, doubt)
            halves = [by_deal(rows, values, part) for part in (0, 1)]
            found_in = [intervals.mean_interval(x) for x in (*halves, np.concatenate(halves))]
            seen, _ = brought(rows | {"real": rows["gain"]}, threshold, doubt)
            seen = seen.sum() / rows["deals"] / rows["seats"]
            results.append((threshold, doubt, left, *found_in, seen))
            text = ", ".join(f"{x.mean:+.3f} ({x.low:+.3f} to {x.high:+.3f})" for x in found_in)
            print(f"  threshold {threshold}, doubt {doubt}: leaves {left:.1%}, sees {seen:+.3f},")
            print(f"    {text}")
        best = max(results, key=lambda result: result[3].mean)
        print(f"  best in the one half: {best[0]}, {best[1]}; in the other {best[4].mean:+.3f}")
        found[file.stem] = [
            {"threshold": t, "doubt": d, "left": float(left), "seen": float(seen)}
            | {"halves": [asdict(even), asdict(odd)], "all": asdict(both)}
            for t, d, left, even, odd, both, seen in results
        ]
    # A line for each rule.
    parts = {name: ",\n  ".join(map(json.dumps, rules)) for name, rules in found.items()}
    text = ",\n".join(f" {json.dumps(name)}: [\n  {rules}\n ]" for name, rules in parts.items())
    write_text(written, f"{{\n{text}\n}}\n")


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
