"""Measure a search whose worlds a smaller copy of the champion plays on: its gain and its time.

    jaxcards train belote --learner distillation --minutes 22 --out runs/copy
    python experiments/rollout_policy/study.py runs/copy --deals 200

On duplicate deals the copy meets the champion, as it is and, if it answers by the mean of several, with
one answer, in every preset that the copy has learned; then, in the first of them, the champion, the
search of it and that search with the copy in its worlds meet each other. Then how long a decision takes
either search, in the middle of a deal, in turns. Results go to result.json beside this script.

    python experiments/rollout_policy/study.py runs/copy --ship

puts the copy into the package as the rollout policy of the champion, and what was found into its card.
`--times` measures the times again, and nothing else.
"""

import argparse
import dataclasses
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import jax

HERE = Path(__file__).parent
sys.path += [str(HERE.parent), str(HERE.parents[1] / "benchmarks")]

from common.runs import write_json  # noqa: E402
from search import TABLES, middles, programs, turns  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards.agents.learners.mixture import Mixture  # noqa: E402
from jaxcards.agents.networks import saved  # noqa: E402
from jaxcards.agents.search import Policies, WithRolloutPolicy  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.champions.catalogue import FOLDER, network_of, player_of, search_by  # noqa: E402
from jaxcards.evaluation.duplicate import evaluate  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.training.folder import RunFolder  # noqa: E402
from jaxcards.training.metrics import read_metrics  # noqa: E402
from jaxcards.training.player import load_network, load_trained_player  # noqa: E402
from jaxcards.xla import cache  # noqa: E402

FOUND = HERE / "result.json"
SEARCHES = ("search", "search with the copy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="run folder of the copy")
    parser.add_argument("--worlds", type=int, default=128, help="of a decision")
    parser.add_argument("--deals", type=int, default=400, help="of the searches; 0 = they do not meet")
    parser.add_argument("--alone", type=int, default=10_000, help="deals of the copy alone")
    parser.add_argument("--seed", type=int, default=7, help="of the deals")
    parser.add_argument("--times", action="store_true", help="only measure the times again")
    parser.add_argument("--ship", action="store_true", help="only put the copy into the package")
    options = parser.parse_args()
    cache.enable()
    facts = facts_of(options.run)
    game = jaxcards.make(facts["config"]["game"])
    hidden = ",".join(map(str, facts["hidden"]))
    name = f"{game.id}, {facts['config']['learner']}, {hidden}, {options.worlds} worlds"
    results = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
    found = results.get(name, {}) if options.times or options.ship else {"copy": facts}
    if found.get("copy") != facts:
        raise SystemExit(f"{FOUND.name} has nothing about this copy: first measure it")
    if options.ship:
        ship(game, options.run, facts, found)
        return
    players = players_of(game, options)
    if not options.times:
        found["evaluations"] = networks(facts, options) + searches(game, players, options)
        keep(name, found)
    found |= {"milliseconds": times(game, players, options.seed), "machine": machine.describe()}
    keep(name, found)


def keep(name: str, found: dict) -> None:
    """Writes what was found beside what other runs may have written meanwhile."""
    results = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
    results[name] = found
    write_json(FOUND, dict(sorted(results.items())))


def facts_of(folder: Path) -> dict:
    """Returns how a copy was made: values of JSON."""
    run = RunFolder(folder)
    config, last = tomllib.loads(run.config.read_text("utf-8")), read_metrics(run.metrics)[-1]
    learned = ("deals", "divergence", "agreement", "cross_entropy", "accuracy")
    facts = {"hidden": config["hidden"], "updates": last["update"], "seed": config["seed"]}
    facts |= {name: last[name] for name in learned if name in last}
    return facts | {"minutes": round(last["seconds"] / 60, 1), "config": config}


def players_of(game: jaxcards.Game, options: argparse.Namespace) -> dict:
    """Returns agents and their parameters by name."""
    copy, copied = load_trained_player(options.run, game)
    champion, params = jaxcards.load_agent(game)
    both = WithRolloutPolicy.around(champion, copy)
    search, quick = (search_by(game, agent, worlds=options.worlds) for agent in (champion, both))
    return {
        "copy": (copy, copied),
        "champion": (champion, params),
        "champion, one answer": (champion.fast_policy, params),
        "search": (search, params),
        "search with the copy": (quick, Policies(params, copied)),
    }


def networks(facts: dict, options: argparse.Namespace) -> list:
    """Returns the cross table of networks in each preset of the copy: values of JSON."""
    if not options.alone:
        return []
    found = []
    for id in learned(jaxcards.make(facts["config"]["game"]), facts):
        game = jaxcards.make(id)
        players = players_of(game, options)
        names = ["copy", "champion"]
        if players["champion"][0].symmetric:
            names.append("champion, one answer")
        found.append(meet(game, players, names, options.alone, options.seed))
    return found


def searches(game: jaxcards.Game, players: dict, options: argparse.Namespace) -> list:
    """Returns the cross table of searches: values of JSON."""
    if not options.deals:
        return []
    return [meet(game, players, ["champion", *SEARCHES], options.deals, options.seed)]


def meet(game: jaxcards.Game, players: dict, names: list[str], deals: int, seed: int) -> dict:
    """Returns the cross table of some of the players: values of JSON."""
    agents, params = zip(*(players[name] for name in names), strict=True)
    result = evaluate(game, list(agents), list(params), names, deals, seed)
    print(result.to_text(), flush=True)
    pairs = [
        {"a": pair.a, "b": pair.b, "difference": dataclasses.asdict(pair.difference)}
        for pair in result.pairs
    ]
    return {"game": result.game, "deals": deals, "seed": seed, "pairs": pairs}


def times(game: jaxcards.Game, players: dict, seed: int) -> dict:
    """Returns how long a decision takes each search, as `turns` has it."""
    seen, keys = middles(game, seed), jax.random.split(jax.random.key(seed), TABLES)
    compiled = {name: programs(*players[name], seen, keys)[0] for name in SEARCHES}
    found = turns(compiled, seen, keys, 5)
    print({name: {how: own["median"] for how, own in both.items()} for name, both in found.items()})
    return found


def learned(game: jaxcards.Game, facts: dict) -> list[str]:
    """Returns the ids of the presets that a copy has learned, that of `game` first."""
    presets, seed = facts["config"].get("presets", []), facts["seed"]
    return [one.id for one in Mixture.of(game, presets, 0, seed).games]


def ship(game: jaxcards.Game, folder: Path, facts: dict, found: dict) -> None:
    """Writes the copy beside the champion, and its facts into the champion's card."""
    description, params = load_network(folder)
    info = dataclasses.replace(saved.PlayerInfo.from_json(description), precision="float32")
    name = player_of(game)
    path = FOLDER / f"{name}.json"
    card = json.loads(path.read_text("utf-8"))
    missing = set(card["presets"]) - set(learned(game, facts))
    if missing:
        raise SystemExit(
            f"{name} plays {', '.join(sorted(missing))}, too: teach the copy these presets"
        )
    # Rules of somebody's own, too: what the champion can play, the copy must be able to play on.
    known = saved.PlayerInfo.from_json(network_of(game)[0]).vocabulary
    if known and not (
        info.vocabulary
        and set(known.inputs) <= set(info.vocabulary.inputs)
        and set(known.outputs) <= set(info.vocabulary.outputs)
    ):
        raise SystemExit(f"{name} knows features or actions that the copy has not learned")
    saved.write_network(FOLDER / f"{name}_rollout.msgpack", info, params)
    newest = ["git", "rev-parse", "--short", "HEAD"]
    facts |= {"commit": subprocess.check_output(newest, text=True, cwd=HERE).strip()}
    first = [one for one in found["evaluations"] if one["game"] == game.id]
    pairs = [pair for one in first for pair in one["pairs"]]
    ahead = {f"{pair['a']} - {pair['b']}": pair["difference"] for pair in pairs}
    told = ("copy - champion", "search - search with the copy")
    facts |= {"ahead": {name: ahead[name] for name in told if name in ahead}}
    write_text(path, json.dumps(card | {"rollout": facts}, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
