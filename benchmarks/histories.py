"""Time and memory of exact best responses in a game of 10^8 histories.

    python benchmarks/histories.py          # 5 GB of memory
    python benchmarks/histories.py --ranks 3

The game is `small_rikiki` with three players, two suits and two tricks. Its tree is made once; best
responses follow for random play, the heuristic and an untrained network. The result is written to
`results/histories.json`.
"""

import argparse
import json
import resource
import shlex
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

import jax  # noqa: E402

from jaxcards.agents.networks.network import NetworkAgent  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.evaluation.best_response import Pure, exploitability, uniform  # noqa: E402
from jaxcards.evaluation.histories import game_tree  # noqa: E402
from jaxcards.evaluation.small_games import every_deal  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.games.rikiki.small import small_rikiki  # noqa: E402
from jaxcards.players.loading import load_player  # noqa: E402


def policies(game):
    """Return name -> policy and parameters."""
    heuristic, params = load_player("heuristic", game)
    network = NetworkAgent(game, hidden=(64,))
    return {
        "random": (uniform, ()),
        "heuristic": (Pure(heuristic), params),
        "network": (network.probabilities, network.init(jax.random.key(0), game)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ranks", type=int, default=5, help="cards of each suit (default: 5)")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    options = parser.parse_args()
    game = small_rikiki(players=3, suits=2, ranks=options.ranks, tricks=2)
    begun = time.perf_counter()
    tree = game_tree(game, every_deal(game))
    result = {
        "command": shlex.join(["python", "benchmarks/histories.py", *sys.argv[1:]]),
        "machine": machine.describe(),
        "histories": tree.num_nodes,
        "information_sets": tree.num_information_sets,
        "tree_seconds": round(time.perf_counter() - begun, 1),
        "policies": {},
    }
    print(f"{tree.num_nodes:,} histories in {result['tree_seconds']} s", flush=True)
    for name, (policy, params) in policies(game).items():
        begun = time.perf_counter()
        gain = exploitability(game, policy, params, tree).mean
        seconds = round(time.perf_counter() - begun, 1)
        result["policies"][name] = {"gain": round(gain, 6), "seconds": seconds}
        print(f"{name}: best responses gain {gain:.4f} points, {seconds} s", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in KiB on Linux
    result["peak_gigabytes"] = round(peak * 1024 / 1e9, 2)
    write_text(options.results / "histories.json", json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
