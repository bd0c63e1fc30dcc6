"""Compare the bidding of Bridge players with double-dummy par, and with each other.

    python -m experiments.bridge_par.study --boards 1000

On each board one player bids in all seats, then the other one, then each bids for one side, both ways
round. Contracts score the tricks that DDS finds for their declarer. Writes `result.json`.
"""

import argparse
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.runs import write_json
from jaxcards import xla
from jaxcards.evaluation.intervals import mean_interval, share_interval
from jaxcards.games.bridge.imps import imps
from jaxcards.games.bridge.play import WON_BITS
from jaxcards.interop import bridge
from jaxcards.players.loading import load_player
from jaxcards.rollouts import deal_keys, rollout
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "result.json"
PLAYERS = ("champion", "heuristic")
SEATS = {
    "champion": (0, 0, 0, 0),
    "heuristic": (1, 1, 1, 1),
    "champion, heuristic": (0, 1, 0, 1),
    "heuristic, champion": (1, 0, 1, 0),
}
"""The player of each seat, by table."""
GAME_LEVELS = (5, 5, 4, 4, 3)  # by strain
CONTRACT = re.compile(r"(\d)(♣|♦|♥|♠|NT)([NESW])(x?)")
BATCH = 250


def auctions(game: Any, boards: int, seed: int) -> dict[str, Any]:
    """Return the final states of all boards at each table, with arrays of NumPy."""
    agents, params = zip(*(load_player(name, game) for name in PLAYERS), strict=True)

    @xla.jit
    def play(params: Any, keys: jax.Array, seats: jax.Array) -> Any:
        def board(key: jax.Array) -> Any:
            return rollout(game, agents, params, key, seats=seats).state

        return jax.vmap(board)(keys)

    numbers = np.arange(boards, dtype=np.uint32)
    found = {}
    for table, seats in SEATS.items():
        parts = []
        for first in range(0, boards, BATCH):
            keys = deal_keys(jnp.uint32(seed), jnp.asarray(numbers[first : first + BATCH]))
            parts.append(play(params, keys, jnp.array(seats)))
        found[table] = jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)
    return found


def scores(game: Any, states: Any, tricks: np.ndarray) -> np.ndarray:
    """Return the score of North and South, less that of East and West, with double-dummy play.

    Args:
      game: Bridge.
      states: final states.
      tricks: int[boards, seats, strains], of each declarer in each strain.
    """

    @jax.vmap
    def score(state: Any, tricks: jax.Array) -> jax.Array:
        public = state.public
        made = tricks[public.declarer, public.strain].astype(jnp.uint32)
        side = public.declarer & 1
        won = made << (WON_BITS * side) | (13 - made) << (WON_BITS * (1 - side))
        return game.returns(state.with_public(won=won))[0]

    return np.asarray(xla.jit(score)(states, tricks)).astype(int)


def kind(level: int, strain: int) -> int:
    """Return 2 for a slam, 1 for a game, and 0 for another contract."""
    return (level >= GAME_LEVELS[strain]) + (level >= 6)


def kind_of_par(par: bridge.Par) -> int:
    """Return the `kind` of the par contract; 0 for a sacrifice or a board without a contract."""
    found = CONTRACT.match(par.contracts[0]) if par.contracts else None
    if found is None or found[4]:
        return 0
    return kind(int(found[1]), ("♣", "♦", "♥", "♠", "NT").index(found[2]))


def against_par(states: Any, own: np.ndarray, pars: list[bridge.Par]) -> dict[str, Any]:
    """Return the distances of the contracts of a table from par.

    Args:
      states: final states.
      own: int[boards], from `scores`.
      pars: of each board.
    """
    best, kinds = np.array([par.score for par in pars]), np.array(list(map(kind_of_par, pars)))
    side = np.sign(best)  # the side that par favours: 1 North and South, -1 East and West
    points = np.array([imps(int(gap)) for gap in own - best])
    public = states.public
    bid = np.asarray(public.num_bids > 0)
    contracts = zip(np.asarray(public.level), np.asarray(public.strain), strict=True)
    reached = np.array([kind(int(level), int(strain)) for level, strain in contracts])
    theirs = np.where(np.asarray(public.declarer) & 1 == 0, 1, -1) == side
    low = side * own < side * best

    def share(true: np.ndarray, among: np.ndarray) -> dict[str, float]:
        number = int(among.sum())
        return {"boards": number, **asdict(share_interval(float(true[among].mean()), number))}

    def missed(least: int) -> dict[str, float]:
        # A sacrifice of the opponents that costs them par is not a miss.
        return share(low & ~(bid & theirs & (reached >= least)), kinds == least)

    everywhere = np.ones(len(own), bool)
    made = np.where(np.asarray(public.declarer) & 1 == 0, own, -own) > 0
    return {
        "distance": asdict(mean_interval(abs(points))),
        "favoured side": asdict(mean_interval((side * points)[side != 0])),
        "at par": share(own == best, everywhere),
        "passed out": share(~bid, everywhere),
        "contracts made": share(made, bid),
        "games missed": missed(1),
        "slams missed": missed(2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=58)
    options = parser.parse_args()
    cache.enable()
    game = jaxcards.make("bridge")
    tables = auctions(game, options.boards, options.seed)
    solved = []
    for number in range(options.boards):
        board = jax.tree.map(lambda leaf, number=number: leaf[number], tables["champion"])
        solved.append(bridge.solve(board))
        if number % 100 == 99:
            print(f"{number + 1} of {options.boards} boards", flush=True)
    tricks, pars = np.stack([one for one, _ in solved]), [par for _, par in solved]
    own = {table: scores(game, states, tricks) for table, states in tables.items()}
    first, second = own["champion, heuristic"], own["heuristic, champion"]
    teams = np.array([imps(int(gap)) for gap in first - second])
    found = {
        "boards": options.boards,
        "seed": options.seed,
        "par": {player: against_par(tables[player], own[player], pars) for player in PLAYERS},
        "champion - heuristic, IMPs": asdict(mean_interval(teams)),
    }
    write_json(FOUND, found)
    print(FOUND.read_text("utf-8"))


if __name__ == "__main__":
    main()
