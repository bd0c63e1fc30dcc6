"""Measure how many deals of the champion of Euchre an imitating network needs.

    jaxcards simulate euchre --players champion --deals 102000 --seed 5 --out build/champion.h5
    python -m experiments.imitation.study build/champion.h5

It writes `result.json`.
"""

import dataclasses
import json
import sys
import time
from pathlib import Path
from typing import Any

import jax

import jaxcards
from experiments.runs import write_json
from jaxcards.agents.learners.imitation import measures
from jaxcards.agents.learners.imitation.config import ImitationConfig
from jaxcards.agents.learners.imitation.learner import Imitation
from jaxcards.agents.players import make_player
from jaxcards.bench import machine
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.training.deal_feed import DealFeed
from jaxcards.training.feeding import FedLearner
from jaxcards.xla import cache

HERE = Path(__file__).parent
GAME = jaxcards.make("euchre")
EPOCHS = {1_000: 12, 10_000: 8, 100_000: 4}
"""Passes over the data by the number of deals."""
HELD_OUT = 0.02
EVALUATION_DEALS, EVALUATION_SEED = 4_000, 11
CONFIG = ImitationConfig(deals_per_update=64)


def learned(feed: DealFeed, epochs: int) -> tuple[Any, dict[str, Any]]:
    """Return the parameters of a fresh network after some passes, and its accuracy."""
    learner = FedLearner(Imitation(GAME, CONFIG), feed)
    state, updates = learner.init(), epochs * feed.per_epoch
    step, begun = learner.compile(state, updates), time.monotonic()
    state, _ = step(state, float(updates))
    seconds = time.monotonic() - begun
    held = learner.held_out(state)
    kinds = {"calls": held.calls, "cards": held.cards}
    found = {kind: dataclasses.asdict(measures.figures(sums)) for kind, sums in kinds.items()}
    return jax.device_get(learner.parameters(state)), {"seconds": round(seconds)} | found


def main(data: Path) -> None:
    """Learn from each number of deals, and play all players against each other."""
    cache.enable()
    feed = DealFeed(data, GAME, CONFIG.deals_per_update, HELD_OUT, CONFIG.seed)
    print(feed.about, flush=True)
    players, rows = [], []
    for number, epochs in EPOCHS.items():
        params, found = learned(feed.first(number), epochs)
        rows.append({"deals": number, "epochs": epochs} | found)
        players.append((f"{number:,} deals", Imitation(GAME, CONFIG).player, params))
        print(rows[-1], flush=True)
    heuristic = make_player("heuristic", GAME)
    players.append(("heuristic", heuristic, heuristic.init(jax.random.key(0), GAME)))
    players.append(("champion", *jaxcards.load_agent(GAME)))
    names, agents, params = zip(*players, strict=True)
    result = evaluate(GAME, list(agents), list(params), list(names), EVALUATION_DEALS, EVALUATION_SEED)
    print(result.to_text())
    content = {
        "command": " ".join(["python -m experiments.imitation.study", *sys.argv[1:]]),
        "machine": machine.describe(),
        "learned": rows,
        "evaluation": json.loads(result.to_json()),
    }
    write_json(HERE / "result.json", content)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
