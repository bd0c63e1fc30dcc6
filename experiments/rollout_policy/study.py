"""Measure a search whose worlds a smaller copy of the champion plays on: its gain and its time.

    jaxcards train belote --learner distillation --minutes 22 --out runs/copy
    python -m experiments.rollout_policy.study runs/copy --deals 200

The copy meets the champion on duplicate deals in every preset that the copy has learned; also the
champion with one answer, if it answers by the mean. In the first preset the champion, its search, and
this search with the copy meet each other. Then both searches take turns at decisions in the middle of a
deal, and their times are measured. Results go to result.json.

    python -m experiments.rollout_policy.study runs/copy --ship

puts the copy into the package as the rollout policy of the champion, and the results into its card.
`--times` measures only the times again.
"""

import argparse
import dataclasses
import json
import subprocess
import tomllib
from pathlib import Path

import jax

import jaxcards
from benchmarks.search import TABLES, middles, programs, turns
from experiments.runs import read_json, write_json
from jaxcards.agents.learners.mixture import Mixture
from jaxcards.agents.networks import saved
from jaxcards.agents.search import Policies, WithRolloutPolicy
from jaxcards.bench import machine
from jaxcards.champions.catalogue import files, network_of, player_of, search_by
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.files import write_text
from jaxcards.training.folder import RunFolder
from jaxcards.training.metrics import read_metrics
from jaxcards.training.player import load_network, load_trained_player
from jaxcards.xla import cache

HERE = Path(__file__).parent
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
    found = read_json(FOUND).get(name, {}) if options.times or options.ship else {"copy": facts}
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
    """Add results to the file, which other runs may have changed."""
    write_json(FOUND, dict(sorted((read_json(FOUND) | {name: found}).items())))


def facts_of(folder: Path) -> dict:
    """Return the training of a copy: values of JSON."""
    run = RunFolder(folder)
    config, last = tomllib.loads(run.config.read_text("utf-8")), read_metrics(run.metrics)[-1]
    learned = ("deals", "divergence", "agreement", "cross_entropy", "accuracy")
    facts = {"hidden": config["hidden"], "updates": last["update"], "seed": config["seed"]}
    facts |= {name: last[name] for name in learned if name in last}
    return facts | {"minutes": round(last["seconds"] / 60, 1), "config": config}


def players_of(game: jaxcards.Game, options: argparse.Namespace) -> dict:
    """Return agents and their parameters by name."""
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
    """Return the cross table of networks in each preset of the copy: values of JSON."""
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
    """Return the cross table of searches: values of JSON."""
    if not options.deals:
        return []
    return [meet(game, players, ["champion", *SEARCHES], options.deals, options.seed)]


def meet(game: jaxcards.Game, players: dict, names: list[str], deals: int, seed: int) -> dict:
    """Return the cross table of some of the players: values of JSON."""
    agents, params = zip(*(players[name] for name in names), strict=True)
    result = evaluate(game, list(agents), list(params), names, deals, seed)
    print(result.to_text(), flush=True)
    pairs = [
        {"a": pair.a, "b": pair.b, "difference": dataclasses.asdict(pair.difference)}
        for pair in result.pairs
    ]
    return {"game": result.game, "deals": deals, "seed": seed, "pairs": pairs}


def times(game: jaxcards.Game, players: dict, seed: int) -> dict:
    """Return the time of a decision of each search; see `turns`."""
    seen, keys = middles(game, seed), jax.random.split(jax.random.key(seed), TABLES)
    compiled = {name: programs(*players[name], seen, keys)[0] for name in SEARCHES}
    found = turns(compiled, seen, keys, 5)
    print({name: {how: own["median"] for how, own in both.items()} for name, both in found.items()})
    return found


def learned(game: jaxcards.Game, facts: dict) -> list[str]:
    """Return the ids of the presets that a copy has learned, that of `game` first."""
    presets, seed = facts["config"].get("presets", []), facts["seed"]
    return [one.id for one in Mixture.of(game, presets, 0, seed).games]


def ship(game: jaxcards.Game, folder: Path, facts: dict, found: dict) -> None:
    """Write the copy beside the champion, and its facts into the champion's card."""
    description, params = load_network(folder)
    info = dataclasses.replace(saved.PlayerInfo.from_json(description), precision="float32")
    name = player_of(game)
    path = files()[name].with_suffix(".json")
    card = read_json(path)
    missing = set(card["presets"]) - set(learned(game, facts))
    if missing:
        raise SystemExit(
            f"{name} plays {', '.join(sorted(missing))}, too: teach the copy these presets"
        )
    # The copy must also know all features and actions of rules of a user's own.
    known = saved.PlayerInfo.from_json(network_of(game)[0]).vocabulary
    if known and not (
        info.vocabulary
        and set(known.inputs) <= set(info.vocabulary.inputs)
        and set(known.outputs) <= set(info.vocabulary.outputs)
    ):
        raise SystemExit(f"{name} knows features or actions that the copy has not learned")
    saved.write_network(path.with_name(f"{name}_rollout.msgpack"), info, params)
    newest = ["git", "rev-parse", "--short", "HEAD"]
    facts |= {"commit": subprocess.check_output(newest, text=True, cwd=HERE).strip()}
    first = [one for one in found["evaluations"] if one["game"] == game.id]
    pairs = [pair for one in first for pair in one["pairs"]]
    ahead = {f"{pair['a']} - {pair['b']}": pair["difference"] for pair in pairs}
    pairs_of_card = ("copy - champion", "search - search with the copy")
    facts |= {"ahead": {name: ahead[name] for name in pairs_of_card if name in ahead}}
    write_text(path, json.dumps(card | {"rollout": facts}, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
