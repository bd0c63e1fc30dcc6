"""What beliefs gain a search and what they cost: duplicate deals against the same search, and times.

python experiments/search/belief.py duel belote/bela --deals 100 --out FILE.json
python experiments/search/belief.py duel belote/bela --against heuristic --out FILE.json
python experiments/search/belief.py time belote/bela --out FILE.json
"""

import argparse
import dataclasses
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import jax

import jaxcards
from jaxcards import xla
from jaxcards.agents.players import make_player
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.analysis import draw_worlds
from jaxcards.agents.search.belief import Belief, effective_size, log_weights, tempered
from jaxcards.champions.catalogue import with_rollout_policy
from jaxcards.evaluation.duplicate import evaluate

_WORLDS, _REPEATS = 128, 15


def duel(
    id: str, deals: int, worlds: int, candidates: int, seed: int, against: str | None = None
) -> str:
    """Plays a search with beliefs against the same search without them; returns the evaluation.

    With `against`, both play against that player as well, whom the beliefs take for the network.
    """
    game = jaxcards.make(id)
    policy, params = with_rollout_policy(*jaxcards.load_agent(game))
    plain = SearchAgent(game, policy, worlds=worlds, candidates=candidates)
    believing = SearchAgent(game, policy, worlds=worlds, candidates=candidates, belief=Belief())
    names = [f"search:{worlds} with beliefs", f"search:{worlds}"]
    agents, all_params = [believing, plain], [params, params]
    if against is not None:
        names, agents = [*names, against], [*agents, make_player(against, game)]
        all_params = [*all_params, agents[-1].init(jax.random.key(0), game)]
    return evaluate(game, agents, all_params, names, deals, seed).to_json()


def times(id: str) -> str:
    """Times the worlds of one decision in the middle of a deal, with beliefs and without, in turns.

    The network says how likely worlds are, or the copy that is shipped with it, where there is one; and
    the network in both precisions of worlds that were drawn already. Time is that of the processor, on
    one core.
    """
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    game = jaxcards.make(id)
    policy, params = jaxcards.load_agent(game)
    copy = with_rollout_policy(policy, params)
    state = _middle(game, policy, params)
    seen = xla.jit(game.observe)(state, state.current_player)

    def program(base: Any, params: Any, belief: Belief | None) -> Any:
        def draw(params: Any, seen: Any, key: jax.Array) -> Any:
            return draw_worlds(game, base, params, seen, key, worlds=_WORLDS, belief=belief)

        compiled = xla.jit(draw)
        return lambda _, seen, key: compiled(params, seen, key)

    uniform_worlds = program(policy, params, None)

    def weighing(precision: str) -> Any:
        player = dataclasses.replace(policy, precision=precision)

        def weigh(params: Any, worlds: Any, seen: Any) -> Any:
            return log_weights(game, player, params, worlds, seen.player, Belief())

        compiled = xla.jit(weigh)
        return lambda params, seen, key: compiled(params, uniform_worlds(params, seen, key), seen)

    def seconds(draw: Any, key: jax.Array) -> float:
        start = time.process_time()
        jax.block_until_ready(draw(params, seen, key))
        return time.process_time() - start

    keys = jax.random.split(jax.random.key(0), _REPEATS + 1)
    believing = [program(*own, Belief()) for own in (copy, (policy, params))]
    programs = [uniform_worlds, *believing, *map(weighing, ("float32", "bfloat16"))]
    taken = [[seconds(draw, key) for draw in programs] for key in keys][1:]
    uniform, by_copy, weighted, whole, half = map(list, zip(*taken, strict=True))
    worlds = draw_worlds(game, policy, params, seen, keys[0], worlds=4 * _WORLDS)
    weight = log_weights(game, policy, params, worlds, seen.player, Belief())
    raw = jax.nn.softmax(weight)
    return json.dumps(
        {
            "game": id,
            "worlds": _WORLDS,
            "milliseconds": {
                "uniform": 1000 * statistics.median(uniform),
                "weighted by the copy": 1000 * statistics.median(by_copy),
                "weighted": 1000 * statistics.median(weighted),
                "drawn and weighed, float32": 1000 * statistics.median(whole),
                "drawn and weighed, bfloat16": 1000 * statistics.median(half),
            },
            "effective_size_of_512": {
                "raw": float(effective_size(raw)),
                "tempered": float(effective_size(tempered(weight, Belief().effective))),
            },
        },
        indent=1,
    )


def _middle(game: Any, policy: Any, params: Any) -> Any:
    """Returns a deal half of which the policy has played."""

    @xla.jit
    def once(state: Any, key: jax.Array) -> Any:
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        return game.step(state, policy.act(params, seen, legal, key))

    state, key = game.init(jax.random.key(1)), jax.random.key(2)
    while not state.playing or int(game.cards_to_play(state).max()) > 5:
        key, own = jax.random.split(key)
        state = once(state, own)
    return once(once(state, key), key)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["duel", "time"])
    parser.add_argument("game")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--candidates", type=int, default=4)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--against", metavar="PLAYER", help="such as heuristic")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.what == "time":
        text = times(given.game)
    else:
        text = duel(given.game, given.deals, given.worlds, given.candidates, given.seed, given.against)
    given.out.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
