"""What a search is worth whose worlds a smaller network plays on, a copy of the champion.

    jaxcards simulate jass --players champion --deals 60000 --seed 5 --out build/jass.h5
    jaxcards imitate jass build/jass.h5 --hidden 128,64 --epochs 5 --held-out 0.02 --out runs/copy
    python experiments/search/rollout_policy.py jass runs/copy --deals 300

On duplicate deals the copy meets the champion; then the champion, the search of it and that search with
the copy in its worlds meet each other. Then how long a decision takes either search, in the middle of a
deal, at 64 tables and alone, in turns. Results go to rollout_policy.json beside this script.
"""

import argparse
import json
import sys
from pathlib import Path

import jax

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1] / "benchmarks"))

from search import TABLES, middles, programs, turns  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards.agents.search import Policies, WithRolloutPolicy  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.champions.catalogue import search_by  # noqa: E402
from jaxcards.evaluation.duplicate import evaluate  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.training.player import load_player  # noqa: E402
from jaxcards.xla import cache  # noqa: E402

FOUND = HERE / "rollout_policy.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="id of a preset")
    parser.add_argument("run", type=Path, help="run folder of the copy")
    parser.add_argument("--worlds", type=int, default=128, help="of a decision")
    parser.add_argument("--deals", type=int, default=400, help="of the searches")
    parser.add_argument("--alone", type=int, default=4000, help="deals of the copy alone")
    parser.add_argument("--seed", type=int, default=7, help="of the deals")
    options = parser.parse_args()
    cache.enable()
    game = jaxcards.make(options.game)
    copy, copied = load_player(options.run, game)
    champion, params = jaxcards.load_agent(game)
    both = WithRolloutPolicy.around(champion, copy)
    search, quick = (search_by(game, agent, worlds=options.worlds) for agent in (champion, both))
    players = {
        "champion": (champion, params),
        "search": (search, params),
        "search with the copy": (quick, Policies(params, copied)),
    }
    alone = {"copy": (copy, copied), "champion": players["champion"]}
    evaluations = []
    for own, deals in ((alone, options.alone), (players, options.deals)):
        agents, parameters = zip(*own.values(), strict=True)
        result = evaluate(game, list(agents), list(parameters), list(own), deals, options.seed)
        print(result.to_text(), flush=True)
        evaluations.append(json.loads(result.to_json()))
    seen, keys = middles(game, options.seed), jax.random.split(jax.random.key(options.seed), TABLES)
    searches = ("search", "search with the copy")
    times = turns({name: programs(*players[name], seen, keys) for name in searches}, seen, keys, 5)
    print(times)
    name = f"{game.id}, {','.join(map(str, copy.hidden))}, {options.worlds} worlds"
    held = json.loads((options.run / "held_out.json").read_text("utf-8"))
    row = {"held out": held, "evaluations": evaluations, "milliseconds": times}
    # Only now: other runs may have written meanwhile.
    results = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
    results[name] = row | {"machine": machine.describe()}
    write_text(FOUND, json.dumps(dict(sorted(results.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
