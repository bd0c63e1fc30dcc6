"""What a search gains, and how long it takes, where a smaller copy of the champion plays its worlds on.

    jaxcards train belote --learner distillation --minutes 22 --out runs/copy
    python experiments/search/rollout_policy.py runs/copy --deals 200

On duplicate deals the copy meets the champion, as it is and with one answer; then the champion, the
search of it and that search with the copy in its worlds meet each other. Then how long a decision takes
either search, in the middle of a deal, in turns. Results go to rollout_policy.json beside this script.

    python experiments/search/rollout_policy.py runs/copy --ship

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
sys.path.append(str(HERE.parents[1] / "benchmarks"))

from search import TABLES, middles, programs, turns  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards.agents import saved  # noqa: E402
from jaxcards.agents.search import Policies, WithRolloutPolicy  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.champions.catalogue import FOLDER, player_of, search_by  # noqa: E402
from jaxcards.evaluation.duplicate import evaluate  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.training.folder import RunFolder  # noqa: E402
from jaxcards.training.metrics import read_metrics  # noqa: E402
from jaxcards.training.player import load_network, load_player  # noqa: E402
from jaxcards.xla import cache  # noqa: E402

FOUND = HERE / "rollout_policy.json"
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
        found["evaluations"] = meet(game, players, options)
    found |= {"milliseconds": times(game, players, options.seed), "machine": machine.describe()}
    # Only now: other runs may have written meanwhile.
    results = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
    results[name] = found
    write_text(FOUND, json.dumps(dict(sorted(results.items())), indent=1) + "\n")


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
    copy, copied = load_player(options.run, game)
    champion, params = jaxcards.load_agent(game)
    both = WithRolloutPolicy.around(champion, copy)
    search, quick = (search_by(game, agent, worlds=options.worlds) for agent in (champion, both))
    return {
        "copy": (copy, copied),
        "champion": (champion, params),
        "champion, one answer": (champion.in_bulk, params),
        "search": (search, params),
        "search with the copy": (quick, Policies(params, copied)),
    }


def meet(game: jaxcards.Game, players: dict, options: argparse.Namespace) -> list:
    """Returns the cross tables of networks and of searches: values of JSON."""
    networks, searches = ("copy", "champion", "champion, one answer"), ("champion", *SEARCHES)
    found = []
    for names, deals in ((networks, options.alone), (searches, options.deals)):
        if not deals:
            continue
        agents, params = zip(*(players[name] for name in names), strict=True)
        result = evaluate(game, list(agents), list(params), list(names), deals, options.seed)
        print(result.to_text(), flush=True)
        found.append(json.loads(result.to_json()))
    return found


def times(game: jaxcards.Game, players: dict, seed: int) -> dict:
    """Returns how long a decision takes each search, as `turns` has it."""
    seen, keys = middles(game, seed), jax.random.split(jax.random.key(seed), TABLES)
    found = turns({name: programs(*players[name], seen, keys) for name in SEARCHES}, seen, keys, 5)
    print({name: {how: own["median"] for how, own in both.items()} for name, both in found.items()})
    return found


def ship(game: jaxcards.Game, folder: Path, facts: dict, found: dict) -> None:
    """Writes the copy beside the champion, and its facts into the champion's card."""
    description, params = load_network(folder)
    info = dataclasses.replace(saved.PlayerInfo.from_json(description), precision="float32")
    name = player_of(game)
    if saved.read_network(FOLDER / f"{name}.msgpack")[0].get("vocabulary"):
        raise SystemExit(f"{name} plays other rules, too, which a copy of {game.id} has not learned")
    saved.write_network(FOLDER / f"{name}_rollout.msgpack", info, params)
    path = FOLDER / f"{name}.json"
    newest = ["git", "rev-parse", "--short", "HEAD"]
    facts |= {"commit": subprocess.check_output(newest, text=True, cwd=HERE).strip()}
    pairs = [pair for one in found["evaluations"] for pair in one["pairs"]]
    ahead = {f"{pair['a']} - {pair['b']}": pair["difference"] for pair in pairs}
    told = ("copy - champion", "search - search with the copy")
    facts |= {"ahead": {name: ahead[name] for name in told if name in ahead}}
    card = json.loads(path.read_text("utf-8")) | {"rollout": facts}
    write_text(path, json.dumps(card, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
