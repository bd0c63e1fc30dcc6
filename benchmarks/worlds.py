"""Frequency with which a sampled world contradicts its player's observation, in heuristic play.

    python benchmarks/worlds.py

At every decision of every deal, a world is drawn for the player to act, and one for another player. If
the number of draws is bounded (`jaxcards/determinize/fitting.py`), the sampler may give up; the player
then has another observation in the world than at the table. The script counts these worlds, and writes
`results/worlds.json`, game by game. The figures depend only on the seed, not on a clock. Games already
in the file with the same number of deals and the same seed are left unchanged, so that a stopped run
continues.
"""

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards import registry, xla  # noqa: E402
from jaxcards.agents.players import make_player  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.rollouts import chooser, deal_keys  # noqa: E402
from jaxcards.stages import ANY  # noqa: E402
from jaxcards.xla import prng  # noqa: E402

BATCH = 256


def counter(game):
    """Return a compiled function from numbers of deals to counts of worlds and of contradictions."""
    agent = make_player("heuristic", game)

    def unlike(state, player, key):
        seen = game.observe(state, player)
        again = game.observe(game.sample_state(key, seen), player)
        pairs = zip(jax.tree.leaves(seen), jax.tree.leaves(again), strict=True)
        return jnp.stack([(a != b).any() for a, b in pairs]).any()

    def deal(key):
        choose = chooser(game, agent, agent.init(game, key), key, None)

        def once(carry, number):
            state, place = carry
            action, _ = choose(game, carry, ANY)
            me = state.current_player
            other = (me + 1 + number % (game.num_players - 1)) % game.num_players
            own = prng.fold(prng.fold(prng.key_words(key), jnp.uint32(0x776F726C)), number)
            keys = jnp.stack([jnp.stack(prng.fold(own, jnp.uint32(k))) for k in (0, 1)])
            found = jax.vmap(unlike, (None, 0, 0))(state, jnp.stack([me, other]), keys)
            counts = jnp.stack([jnp.int32(2), found.astype(jnp.int32).sum()])
            counts = jnp.where(state.terminated, 0, counts)
            return (game.step(state, action), place + jnp.uint32(prng.PLACE_STEP)), counts

        start = game.init(key), prng.place(prng.key_words(key), 0)
        _, counts = jax.lax.scan(once, start, jnp.arange(game.max_steps))
        return counts.sum(axis=0)

    return xla.jit(lambda seed, numbers: jax.vmap(deal)(deal_keys(seed, numbers)).sum(axis=0))


def measure(id, num_deals, seed):
    """Return the number of worlds drawn, and the number of contradictions."""
    count, total = counter(jaxcards.make(id)), np.zeros(2, int)
    for first in range(0, num_deals, BATCH):
        numbers = jnp.arange(first, first + BATCH, dtype=jnp.uint32)
        total += np.asarray(count(jnp.uint32(seed), numbers))
    return {"worlds": int(total[0]), "unlike": int(total[1])}


def known(path, of):
    """Return the finished counts by game, if the file has the same number of deals and seed."""
    found = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found["games"] if of.items() <= found.items() else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    every = [id for id in registry.games() if "/" in id]
    parser.add_argument("--games", nargs="+", default=every, metavar="ID")
    parser.add_argument("--deals", type=int, default=2048, help=f"of each, a multiple of {BATCH}")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    options = parser.parse_args()
    if options.deals < BATCH or options.deals % BATCH:
        parser.error(f"--deals must be a multiple of {BATCH}")
    path, of = options.results / "worlds.json", {"deals": options.deals, "seed": options.seed}
    try:
        for id in options.games:
            found = known(path, of).get(id) or measure(id, options.deals, options.seed)
            games = dict(sorted((known(path, of) | {id: found}).items()))
            write_text(path, json.dumps({**of, "games": games}, indent=2) + "\n")
            print(f"{id}: {found['unlike']} of {found['worlds']:,} worlds", flush=True)
    except jaxcards.UserError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
