"""How far players are ahead of those that they replaced, and both of the heuristic.

    python experiments/champions/former.py jass 461b2f6
    python experiments/champions/former.py jass 461b2f6 --game jass/slalom --rule match_bonus=0

The former player is the one of the same name at a commit. All three meet on duplicate deals of every
preset that the player is shipped for, or of the one that `--game` names, with other rules if `--rule`
names any; a player of matches plays whole ones, and `--deals` is the number of these. Results go to
former.json beside this script, and to a table of its README, which `python benchmarks/readme.py` fills.
What is there for the same two players and as many deals stays.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from ship import plays, table

from jaxcards.agents.networks import saved
from jaxcards.agents.players import make_player
from jaxcards.champions.catalogue import FOLDER, cards
from jaxcards.cli.play import rules_of
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.files import write_text
from jaxcards.xla import cache

HERE = Path(__file__).parent
FOUND = HERE / "former.json"
NAMES = ("champion", "former", "heuristic")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=cards(), help="of the player")
    parser.add_argument("commit", help="at which the former player was shipped")
    parser.add_argument("--game", help="preset (default: all that the player is shipped for)")
    parser.add_argument("--rule", dest="rules", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    cache.enable()
    card = cards()[options.name]
    own = [id for id in card["presets"] if plays(id, card["matches"], options.name)]
    former = shipped_at(options.commit, options.name)
    present = saved.read_network(FOLDER / f"{options.name}.msgpack")
    for preset in [options.game] if options.game else own:
        about = {"commit": card["commit"], "former": options.commit}
        about |= {"num_deals": options.deals, "seed": options.seed}
        key = " ".join([options.name, preset, *options.rules])
        if about.items() <= read().get(key, {}).items():
            continue
        game = table(preset, card["matches"], **rules_of(preset, options.rules))
        agents, params = zip(
            *(saved.for_game(HERE, game, *one) for one in (present, former)), strict=True
        )
        agents = (*agents, make_player("heuristic", game))
        result = evaluate(game, agents, (*params, ()), NAMES, options.deals, options.seed)
        print(result.to_text(), flush=True)
        about |= {"player": options.name, "rules": options.rules, "preset": preset}
        about |= {"matches": card["matches"]}
        found = read() | {key: about | {"pairs": json.loads(result.to_json())["pairs"]}}
        write_text(FOUND, json.dumps(dict(sorted(found.items())), indent=1) + "\n")


def shipped_at(commit: str, name: str) -> tuple[dict, dict]:
    """Returns the network of a player as it was at a commit, as `saved.read_network` does."""
    file = (FOLDER / f"{name}.msgpack").resolve().relative_to(HERE.parents[1])
    shown = subprocess.run(
        ["git", "show", f"{commit}:{file.as_posix()}"], check=True, capture_output=True, cwd=HERE
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file.name
        path.write_bytes(shown.stdout)
        return saved.read_network(path)


def read() -> dict:
    return json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}


if __name__ == "__main__":
    main()
