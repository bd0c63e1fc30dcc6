"""Measure what OpenSpiel's search gains by knowing which cards are not dealt.

    python -m experiments.openspiel_worlds.study --deals 400

`resample_from_infostate` of OpenSpiel's Oh Hell and Euchre exchanges the cards of the other players,
and leaves cards that were not dealt where they are. The study counts the worlds in which the hands have
exactly the cards that were dealt. Then OpenSpiel's search plays rounds of five cards of
`rikiki/open_spiel` in one seat among three random players: once in its own worlds, once in those of
`game.sample_state`, in which a hand may hold any unseen card. The deals are the same, and so is the
bot: the one in Python, because the one in C++ takes no worlds from outside. The shares of bids that
were made go to result.json.
"""

import argparse
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import jaxcards
from experiments.runs import write_json
from jaxcards.cards.sets import CardSet
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.opponents.openspiel import OhHellDeal
from jaxcards.rollouts import deal_keys
from jaxcards.xla import cache, jit

FOUND = Path(__file__).parent / "result.json"
PRESET, CARDS, PLAYERS = "rikiki/open_spiel", 5, 4
EXACT = 10  # the points of an exact bid, without those of its tricks
GAMES: dict[str, dict[str, int]] = {
    "oh_hell": {"players": PLAYERS, "num_tricks_fixed": CARDS},
    "euchre": {},
}


def of_dealt_cards(name: str, deals: int = 200, worlds: int = 20) -> float:
    """Return the share of OpenSpiel's worlds of fresh deals that deal exactly the cards dealt."""
    rng, game = np.random.RandomState(0), pyspiel.load_game(name, GAMES[name])
    same = 0
    for _ in range(deals):
        state = game.new_initial_state()
        while state.is_chance_node():
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(actions, p=probabilities)))
        for _ in range(worlds):
            sampler = pyspiel.UniformProbabilitySampler(int(rng.randint(1 << 30)), 0.0, 1.0)
            world = state.resample_from_infostate(state.current_player(), sampler)
            same += set(world.history()) == set(state.history())
    return same / (deals * worlds)


class Rounds:
    """Rounds of five cards, with OpenSpiel's search in one seat and random players in the others.

    Args:
      simulations: of the search, for each decision.
      fair: whether all unseen cards may be in the hands of its worlds.
    """

    def __init__(self, simulations: int, fair: bool) -> None:
        game = jaxcards.make(PRESET, schedule=(CARDS,))
        self._theirs = pyspiel.load_game("oh_hell", GAMES["oh_hell"])
        self._simulations, self._fair = simulations, fair
        self._init, self._step = jit(game.init), jit(game.step)

        def worlds(key: jax.Array, state: Any) -> list[jax.Array]:
            seen = game.observe(state, state.current_player)
            keys = jax.random.split(key, simulations)
            drawn = jax.vmap(game.sample_state, in_axes=(0, None))(keys, seen)
            return [jax.vmap(CardSet.mask)(hand) for hand in drawn.hands]

        self._worlds = jit(worlds)

    def made(self, number: int) -> bool:
        """Play a round and return whether the search made its bid; it has seat `number % 4`."""
        rng, me = np.random.RandomState(number), number % PLAYERS
        state = self._init(deal_keys(np.uint32(0), np.array([number], np.uint32))[0])
        public = jax.device_get(state.public)
        taken: list[int] = []
        waiting: list[Any] = []  # worlds for the simulations to come

        def deal(hands: list[list[int]], bots: dict[int, Any]) -> OhHellDeal:
            return OhHellDeal(self._theirs, hands, int(public.turnup), int(public.dealer), bots)

        def world(*_: Any) -> Any:
            if not waiting:
                key = jax.random.fold_in(jax.random.key(number), len(taken))
                waiting.extend(zip(*map(np.asarray, self._worlds(key, state)), strict=True))
            fair = deal([np.flatnonzero(hand).tolist() for hand in waiting.pop()], {})
            for action in taken:
                fair.step(action)
            return fair.state

        width = self._theirs.max_utility() - self._theirs.min_utility()
        evaluator = RandomRolloutEvaluator(1, rng)
        bot = ismcts.ISMCTSBot(
            self._theirs,
            evaluator,
            width,
            self._simulations,
            random_state=rng,
            allow_inconsistent_action_sets=True,
        )
        if self._fair:
            bot.set_resampler(world)
        else:
            bot.set_resampler(lambda now, player: now.resample_from_infostate(player, rng.uniform))
        real = deal([hand.to_list() for hand in jax.device_get(state.hands)], {me: bot})
        while not real.terminated:
            mine = real.current_player == me
            action = real.choose() if mine else int(rng.choice(real.legal()))
            real.step(action)
            taken.append(action)
            state = self._step(state, action)
        return real.counted()[me] >= EXACT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, nargs="+", default=[200])
    parser.add_argument("--deals", type=int, default=400, help="rounds, for each way")
    options = parser.parse_args()
    cache.enable()
    found: dict[str, Any] = {
        "worlds of the cards dealt": {name: of_dealt_cards(name) for name in GAMES},
        "deals": options.deals,
        "bids made": {},
    }
    for name, share_of in found["worlds of the cards dealt"].items():
        print(f"{name}: {100 * share_of:.1f} % of OpenSpiel's worlds deal the cards in play")
    for simulations in options.simulations:
        for name, fair in {"its worlds": False, "all unseen cards": True}.items():
            rounds = Rounds(simulations, fair)
            made = np.array([rounds.made(number) for number in range(options.deals)], np.float64)
            interval = mean_interval(made)
            share = [round(x, 3) for x in (interval.mean, interval.low, interval.high)]
            found["bids made"][f"{simulations} simulations, {name}"] = share
            print(f"{simulations} simulations, {name}: {100 * interval.mean:.1f} % {share}", flush=True)
            write_json(FOUND, found)


if __name__ == "__main__":
    main()
