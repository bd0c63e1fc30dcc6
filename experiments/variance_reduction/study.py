"""Measure how many deals variance reduction saves, and how many it could save.

    python -m experiments.variance_reduction.study
    python -m experiments.variance_reduction.study euchre --deals 500

Results go to result.json. Rows that are in there with the same number of deals are skipped.
"""

import argparse
import dataclasses
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.runs import read_json, write_json
from jaxcards import xla
from jaxcards.agents.networks.network import fast_policy_of
from jaxcards.evaluation import evaluate
from jaxcards.evaluation.batches import batches, numbers
from jaxcards.evaluation.seatings import advantage, seatings
from jaxcards.players.loading import load_player
from jaxcards.rollouts import deal_keys, rollout
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "result.json"
GAMES = ("euchre", "jass", "rikiki", "spades")
PAIRS = (("sampled", "champion"), ("heuristic", "random"), ("search:16", "heuristic"))
SEED, REPLAYS, BATCH = 17, 8, 100


def loaded(name: str, game: jaxcards.Game) -> tuple[Any, Any]:
    """Return a player; "sampled" is the champion that draws from its policy."""
    agent, params = load_player("champion" if name == "sampled" else name, game)
    agent = fast_policy_of(agent)
    return (dataclasses.replace(agent, greedy=False) if name == "sampled" else agent), params


def share_of_actions(game: jaxcards.Game, agents: Any, params: Any, num_deals: int) -> float:
    """Return the share of the variance that is left between replays of the same deal."""

    def play(deal: jax.Array, choices: jax.Array, seats: jax.Array) -> jax.Array:
        start = game.init(deal)
        return rollout(game, agents, params, choices, state=start, seats=seats, check=False).returns

    both = jax.vmap(jax.vmap(play, (None, None, 0)), (0, 0, None))
    play_batch = xla.jit(lambda *keys: both(*keys, jnp.asarray(seatings(game))), split=True)
    replays = []
    for replay in range(REPLAYS):
        leads = []
        for first, count in batches(num_deals, BATCH):
            deals = [deal_keys(seed, numbers(first, BATCH)) for seed in (SEED, 1000 + replay)]
            leads.append(advantage(game, np.asarray(play_batch(*deals)))[:count])
        replays.append(np.concatenate(leads))
    values = np.stack(replays)
    return float(values.var(axis=0, ddof=1).mean() / values.var(axis=1, ddof=1).mean())


def row_of(id: str, names: tuple[str, str], num_deals: int) -> dict[str, Any]:
    """Return the result of two players in a game."""
    game, begun = jaxcards.make(id), time.monotonic()
    agents, params = zip(*(loaded(name, game) for name in names), strict=True)
    result = evaluate(game, agents, params, names, num_deals, SEED, variance_reduction=True)
    pair, seconds = result.pairs[0], time.monotonic() - begun
    row = {"deals": num_deals, "seed": SEED, "seconds": round(seconds), "deals_saved": pair.deals_saved}
    for kind, interval in (("plain", pair.difference), ("reduced", pair.reduced)):
        assert interval is not None
        row[kind] = dataclasses.asdict(interval)
    if not names[0].startswith("search"):
        share = share_of_actions(game, agents, params, num_deals)
        row |= {"share_of_actions": share, "most_deals_saved": 1 / (1 - share)}
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--pair", type=int, help="number of the pair, from 0 (default: all)")
    options = parser.parse_args()
    cache.enable()
    for names in PAIRS if options.pair is None else PAIRS[options.pair :][:1]:
        for id in options.games:
            key, found = f"{id}: {names[0]} - {names[1]}", read_json(FOUND)
            if found.get(key, {}).get("deals") == options.deals:
                continue
            row = row_of(id, names, options.deals)
            print(key, row, flush=True)
            write_json(FOUND, dict(sorted((read_json(FOUND) | {key: row}).items())))


if __name__ == "__main__":
    main()
