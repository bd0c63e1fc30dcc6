"""Ship the player of a run: write its network and its card into the package.

    python -m experiments.champions.ship runs/jass_mixture jass --symmetric --commit b2199f9
    python -m experiments.champions.ship shipped jass --symmetric

The network meets the heuristic on duplicate deals of every preset that it plays. On the first preset
all players of `--against` meet each other. The results go to the card, and with
`python benchmarks/readme.py` to the documentation.

A player of matches plays whole matches, also against the player of single deals (`deals` in its card).
Ask for more of them, such as `--deals 30000`, because a match is worth 1 or -1.

`--symmetric`: the player answers by the mean under all names of the suits. `shipped` instead of a run:
the network stays as it is and is evaluated again. `--raise pick=10`: 10 is added to the logit of this
action, and the card says so.

If a run began with a shipped player or with another run, the card names the player and adds up the
earlier learning. Ship such a run before another one replaces the player that it began with. The
settings of earlier runs of a player are kept as `run_1`, `run_2`, …; those of runs under another name
are in the folder of that player.
"""

import argparse
import dataclasses
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np

import jaxcards
from jaxcards import settings
from jaxcards.agents.learners.mixture import Mixture
from jaxcards.agents.networks import saved
from jaxcards.bench import machine
from jaxcards.champions.catalogue import FOLDER, cards, files, load_agent, player_of
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.files import write_text
from jaxcards.match import deal_of
from jaxcards.players import CHAMPION
from jaxcards.players.loading import load_player
from jaxcards.training import checkpoints
from jaxcards.training.config import load_config
from jaxcards.training.folder import RunFolder
from jaxcards.training.player import load_network
from jaxcards.xla import cache

HERE = Path(__file__).parent
EXTRA = HERE.parents[1] / "players" / "jaxcards_players"
CONFIG = "config.toml"  # of the run folder
COUNTED = ("updates", "deals", "decisions", "minutes")
SHIPPED = "shipped"  # instead of a run
OF_DEALS = "deals"  # the shipped player of single deals, among those of matches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="run folder, or shipped for the player as it is")
    parser.add_argument("name", help="of the player")
    parser.add_argument("--commit", help="that it was trained on (default: the newest)")
    parser.add_argument("--symmetric", action="store_true", help="by the mean over names of suits")
    parser.add_argument("--raise", dest="raised", nargs="*", default=[], metavar="ACTION=NATS")
    parser.add_argument("--deals", type=int, default=2000, help="or matches, of a pair")
    parser.add_argument("--against", nargs="*", default=["heuristic", "random"], help="first preset")
    parser.add_argument("--extra", action="store_true", help="a new player goes to jaxcards-players")
    options = parser.parse_args()
    cache.enable()

    new = (EXTRA if options.extra else FOLDER) / f"{options.name}.msgpack"
    path = files().get(options.name, new).with_suffix(".json")
    again = options.run == Path(SHIPPED)
    if again:
        description, params = saved.read_network(path.with_suffix(".msgpack"))
        info, card = saved.PlayerInfo.from_json(description), json.loads(path.read_text("utf-8"))
    else:
        description, params = load_network(options.run)
        # It may have learned in another precision; with this one it plays alike on every machine.
        info = dataclasses.replace(saved.PlayerInfo.from_json(description), precision="float32")
        card = how_it_was_trained(options.run, options.name, info, options.commit)
        start, past = origin(options.run), before(options.run)
        card |= {"began_with": start, "before": past}
    if options.raised:
        card["raised"] = {name: float(nats) for name, nats in (x.split("=") for x in options.raised)}
        params = raised(info, params, card["raised"])
    info = dataclasses.replace(info, symmetric=options.symmetric)
    card |= {"symmetric": options.symmetric, "evaluations": []}
    saved.write_network(path.with_suffix(".msgpack"), info, params)
    if not again:
        keep(options.run, HERE / options.name, goes_on=start == options.name)
    write_card(path, card)  # now it can be loaded
    drop_replaced()
    ids = [id for id in jaxcards.games() if id.startswith(f"{info.game.partition('/')[0]}/")]
    ids = [*card["presets"], *(id for id in ids if id not in card["presets"])]
    own = [id for id in ids if plays(id, info.matches, options.name)]
    for place, preset in enumerate(own):
        others = options.against if place == 0 else ["heuristic"]
        if info.matches:
            others = [OF_DEALS, *others]
        result = evaluation(table(preset, info.matches), ["champion", *others], options.deals)
        print(result.to_text(), flush=True)
        card["evaluations"].append(json.loads(result.to_json()))
        write_card(path, card)


def raised(info: saved.PlayerInfo, params, logits: dict[str, float]):
    """Return parameters whose network adds to the logits of some actions."""
    if info.vocabulary is not None:
        raise SystemExit("--raise is for networks of one preset")
    game = jaxcards.make(info.game)
    last = f"Dense_{len(info.hidden)}"
    bias = np.array(params["params"][last]["bias"])
    for name, nats in logits.items():
        bias[game.string_to_action(name)] += nats
    layers = params["params"] | {last: params["params"][last] | {"bias": bias}}
    return params | {"params": layers}


def drop_replaced() -> None:
    """Remove from all cards the evaluations on presets that another player plays by now."""
    for name, card in cards().items():
        kept = [
            result
            for result in card["evaluations"]
            if plays(result["game"].removesuffix(" match"), card["matches"], name)
        ]
        if len(kept) < len(card["evaluations"]):
            write_card(files()[name].with_suffix(".json"), card | {"evaluations": kept})


def how_it_was_trained(folder: Path, name: str, info: saved.PlayerInfo, commit: str | None) -> dict:
    """Return a card without evaluations: values of JSON."""
    config = load_config("ppo", RunFolder(folder).config)
    game = jaxcards.make(info.game)
    games = Mixture.of(game, config.presets, config.variants, config.seed).games
    here = machine.describe()
    newest = ["git", "rev-parse", "--short", "HEAD"]
    return {
        "presets": [one.id for one in games[: 1 + len(config.presets)]],
        "matches": config.matches,
        "variants": [one.id for one in games[1 + len(config.presets) :]],
        "command": f"jaxcards train --config experiments/champions/{name}/config.toml",
        "commit": commit or subprocess.check_output(newest, text=True, cwd=HERE).strip(),
        "seed": config.seed,
        **counted(folder),
        "machine": {key: here[key] for key in ("processor", "cores_usable", "device", "python", "jax")},
    }


def origin(folder: Path) -> str | None:
    """Return the name of the shipped player that a run continues, or None."""
    values = settings.read_toml(RunFolder(folder).config)
    start = values.get("start", "")
    if start in ("", CHAMPION):
        return player_of(table(values["game"], values.get("matches", False))) if start else None
    return shipped_as(Path(start)) or origin(Path(start))


def before(folder: Path) -> dict | None:
    """Return the amount learned in all runs that a run continues; None if it began fresh."""
    start = settings.read_toml(RunFolder(folder).config).get("start", "")
    if not start:
        return None
    if start != CHAMPION:
        return total(counted(Path(start)), before(Path(start)))
    name = origin(folder)
    card = cards()[name]
    if name == shipped_as(folder):  # it has taken the place of the player that it began with
        return card["before"]
    return total(card, card.get("before"))


def total(last: dict, earlier: dict | None) -> dict:
    """Return the sum of two amounts learned, rounded as in cards."""
    return {name: round(last[name] + (earlier or {}).get(name, 0), 1) for name in COUNTED}


def counted(folder: Path) -> dict:
    """Return the amount learned in one run."""
    run = RunFolder(folder)
    _, counters, _ = checkpoints.read(run.checkpoints, checkpoints.latest(run.checkpoints))
    minutes = round(counters.seconds / 60, 1)
    return {
        "updates": counters.update,
        "deals": counters.deals,
        "decisions": counters.decisions,
        "minutes": minutes,
    }


def shipped_as(folder: Path) -> str | None:
    """Return the name of the player that a run is shipped as, or None."""
    learned = counted(folder)
    found = (name for name, card in cards().items() if {key: card[key] for key in COUNTED} == learned)
    return next(found, None)


def keep(folder: Path, study: Path, goes_on: bool) -> None:
    """Copy the settings of a run, and of runs before it that no study has.

    Args:
      folder: of the run.
      study: the folder that they go to.
      goes_on: whether the run continues the player of the study. If not, the runs of that player are
        deleted.
    """
    config = study / CONFIG
    if shipped_as(folder) == study.name and config.exists():
        return
    if not goes_on and config.exists():
        shutil.rmtree(study)
    study.mkdir(exist_ok=True)
    start = settings.read_toml(RunFolder(folder).config).get("start", "")
    if start and start != CHAMPION and not shipped_as(Path(start)):
        keep(Path(start), study, goes_on=True)
    if config.exists():
        earlier = study / f"run_{1 + len(list(study.glob('run_*')))}"
        earlier.mkdir()
        shutil.move(config, earlier / CONFIG)
    shutil.copy(folder / CONFIG, config)


def plays(preset: str, matches: bool, name: str) -> bool:
    """Return whether this player is shipped for a preset, or for its matches."""
    try:
        return player_of(table(preset, matches)) == name
    except jaxcards.UserError:  # without a player, or without matches
        return False


def table(preset: str, matches: bool) -> jaxcards.Game:
    """Return the game of a preset, or its matches."""
    game = jaxcards.make(preset)
    return jaxcards.Match(game) if matches else game


def evaluation(game: jaxcards.Game, names: list[str], deals: int):
    """Return the cross table of players."""

    def load(name: str):
        if name == OF_DEALS:
            return load_agent(deal_of(game))
        return load_player(name, game)

    agents, params = zip(*map(load, names), strict=True)
    return evaluate(game, agents, params, names, deals, seed=0)


def write_card(path: Path, card: dict) -> None:
    write_text(path, json.dumps(card, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
