"""Where a shipped player is ahead of the heuristic: in its calls, or in its cards.

    python experiments/champions/parts.py jass/schieber_1000 belote/bela

Against the heuristic on duplicate deals: the player, its calls with the heuristic's cards, and the
heuristic's calls with its cards. Results go to parts.json beside this script.
"""

import argparse
import dataclasses
import json
from pathlib import Path

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.evaluation.calls import Parts
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.files import write_text

FOUND = Path(__file__).parent / "parts.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", help="ids of presets")
    parser.add_argument("--deals", type=int, default=1000, help="duplicate deals of a pair")
    parser.add_argument("--seed", type=int, default=5, help="of the deals")
    options = parser.parse_args()
    found = json.loads(FOUND.read_text()) if FOUND.exists() else {}
    for id in options.games:
        game = jaxcards.make(id)
        (network, params), rules = jaxcards.load_agent(game), make_player("heuristic", game)
        number = game.deck.num_cards
        players = {
            "calls and cards": (network, params),
            "calls": (Parts(network, rules, number), (params, ())),
            "cards": (Parts(rules, network, number), ((), params)),
        }
        found[id] = {"deals": options.deals, "seed": options.seed}
        for name, (agent, own) in players.items():
            agents = [agent, rules]
            names = [name, "heuristic"]
            result = evaluate(game, agents, [own, ()], names, options.deals, options.seed)
            interval = result.pairs[0].difference
            print(f"{id} {name}: {interval.mean:+.2f} ({interval.low:+.2f} to {interval.high:+.2f})")
            found[id][name] = dataclasses.asdict(interval)
    write_text(FOUND, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
