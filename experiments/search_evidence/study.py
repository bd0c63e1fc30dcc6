"""Measure what the findings of a search are worth in the true deal.

    python -m experiments.search_evidence.study gather euchre --deals 2048
    python -m experiments.search_evidence.study judge

`gather` lets the shipped network play deals. At each card (or each call) with a choice it searches, and
plays each candidate in the true deal, with the network in all seats from there on. It writes
`build/evidence/GAME_WORLDS.npz`. `judge` writes `result.json`: for each threshold, the points a deal
and seat, beside what the search expects; and at threshold 1 the gain of the belief on the same deals.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.runs import read_json, write_json
from jaxcards import xla
from jaxcards.agents.search import analysis, playing
from jaxcards.agents.search.belief import Belief
from jaxcards.champions.catalogue import with_rollout_policy
from jaxcards.evaluation import intervals
from jaxcards.rollouts import deal_keys
from jaxcards.xla import cache, prng

FOUND = Path(__file__).parent / "result.json"
FOLDER = Path("build/evidence")
THRESHOLDS = (0.5, 1.0, 1.5, 2.0, 3.0)
TABLES = 32  # deals side by side


def decisions(
    game: jaxcards.Game, look: Callable, params: Any, deals: int, seed: int
) -> Iterator[tuple[np.ndarray, Any]]:
    """Play deals, and yield the findings at all tables, step by step.

    Args:
      game: the game of single deals.
      look: from parameters, a state and a key to the next state and the findings, of one table. It is
        called for finished deals, too.
      params: its first argument.
      deals: how many, in groups of `TABLES`.
      seed: of the deals.

    Yields:
      The numbers of the deals, uint32[TABLES], and the findings, as arrays of NumPy.
    """
    step = xla.jit(jax.vmap(look, in_axes=(None, 0, 0)))
    start = xla.jit(jax.vmap(game.init))
    keys = xla.jit(jax.vmap(lambda word: prng.wrap(prng.fold((word, word), 0))))
    for first in range(0, deals, TABLES):
        numbers = first + np.arange(TABLES, dtype=np.uint32)
        states = start(deal_keys(jnp.uint32(seed), jnp.asarray(numbers)))
        for time in range(game.max_steps):
            words = prng.mix(jnp.asarray(numbers * np.uint32(game.max_steps) + np.uint32(time)))
            states, found = step(params, states, keys(words))
            yield numbers, jax.tree.map(np.asarray, found)
            if bool(states.terminated.all()):
                break
        print(f"{first + TABLES} of {deals} deals", flush=True)


def looking(game, policy, worlds, candidates, belief, calls):
    """Return the function that looks at a decision and plays on; see `decisions`.

    Args:
      calls: whether to search the decisions before the first card instead of cards.
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
        return game.step(state, found.action[0]), (searched, found, own - own[0])

    return look


def setting(text):
    """Return the name of a setting and its number: "calls=0.5"."""
    name, _, number = text.partition("=")
    return name, int(number) if name == "draws" else float(number)


def gather(id, options):
    """Play deals of a game, and write the findings: a column each."""
    game = jaxcards.make(id)
    settings = None if options.belief is None else dict(map(setting, options.belief))
    belief = None if settings is None else Belief(**settings)
    policy, params = with_rollout_policy(*jaxcards.load_agent(game))
    look = looking(game, policy, options.worlds, options.candidates, belief, options.calls)
    names, rows = ("legal", "policy", "gain", "gain_error"), []
    for deals, (searched, found, real) in decisions(game, look, params, options.deals, options.seed):
        values = {"deal": deals, "real": real} | {name: getattr(found, name) for name in names}
        rows.append({name: value[searched] for name, value in values.items()})
    columns = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    name = f"{game.id.replace('/', '_')}_{options.worlds}"
    if settings is not None:
        name = "_".join([name, "belief", *(f"{key}={value:g}" for key, value in settings.items())])
    name += f"_calls_{options.seed}" if options.calls else ""
    FOLDER.mkdir(parents=True, exist_ok=True)
    about = {"worlds": options.worlds, "seats": game.num_players, "deals": options.deals}
    np.savez(FOLDER / f"{name}.npz", **columns, **about)


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
    """Print and write the gain of each threshold."""
    found, by_file = read_json(FOUND), {}
    for file in sorted(FOLDER.glob("*.npz")):
        rows = dict(np.load(file))
        number, deals, worlds = len(rows["deal"]), rows["deals"], rows["worlds"]
        print(f"{file.stem}: {number} decisions of {deals} deals, {worlds} worlds")
        results = []
        for threshold in THRESHOLDS:
            values, left = brought(rows, threshold)
            if threshold == 1:
                by_file[file.stem] = by_deal(rows, values)
            gain = intervals.mean_interval(by_deal(rows, values))
            seen, _ = brought(rows | {"real": rows["gain"]}, threshold)
            seen = seen.sum() / rows["deals"] / rows["seats"]
            text = f"{gain.mean:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
            print(f"  threshold {threshold}: leaves {left:.1%}, sees {seen:+.3f}, {text}")
            row = {"threshold": threshold, "left": float(left), "seen": float(seen)}
            results.append(row | {"all": asdict(gain)})
        found[file.stem] = results
    for name, gains in by_file.items():
        believing = by_file.get(f"{name}_belief", ())
        if len(believing) == len(gains):
            gain = intervals.mean_interval(believing - gains)
            print(f"{name}: the belief adds {gain.mean:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})")
            found[f"{name}_belief_adds"] = asdict(gain)
    write_json(FOUND, found)


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
    options.add_argument("--calls", action="store_true", help="search calls instead of cards")
    commands.add_parser("judge", help="compare rules")
    chosen = parser.parse_args()
    cache.enable()
    if chosen.command == "judge":
        judge()
    else:
        gather(chosen.game, chosen)


if __name__ == "__main__":
    main()
