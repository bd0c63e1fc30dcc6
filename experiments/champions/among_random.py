"""How often a player of Rikiki can make its bid among random players, if it learns nothing else.

    python experiments/champions/among_random.py --minutes 20

One seat of four learns against three random players: rounds of five cards, the rules of
`rikiki/standard`, and 10 points for a bid that is made, whatever it was. Then a search around what it
has learned plays the seat, bids and cards, in worlds in which the others play at random, as they do.
That is a yardstick for players that know other opponents, and no player for a table. The shares go to
among_random.json beside this script.
"""

import argparse
import dataclasses
import json
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from bids import SEAT, share

import jaxcards
from jaxcards.agent import Agent, RandomAgent
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.learner import PPO
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.cards.actions import ActionSet
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.files import write_text
from jaxcards.training.host_learner import CompiledLearner
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "among_random.json"
RULES = {"schedule": (5,), "made_linear": 0, "made_zero_base": 10}
CONFIG = PPOConfig(
    against="random",
    deals_per_update=2048,
    minibatches=16,
    learning_rate=2e-3,
    gae_lambda=0.85,
    entropy=0.03,
    final_entropy=0.002,
    card_entropy=0.02,
    final_card_entropy=0.001,
    average=0.999,
    hidden=(512, 256),
    critic_hidden=(256, 128),
    precision="float32",
    decision_share=0.25,
)
PER_CALL = 8  # updates
SEATS = [0, 1, 1, 1]


@dataclasses.dataclass(frozen=True)
class AmongRandom:
    """Plays as a policy does in its seat, and at random in all others."""

    policy: Agent

    def init(self, key: jax.Array, game: jaxcards.Game) -> Any:
        return self.policy.init(key, game)

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        at_random = RandomAgent().act((), observation, legal, key)
        mine = self.policy.act(params, observation, legal, key)
        return jnp.where(observation.player == SEAT, mine, at_random)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20, help="of learning")
    parser.add_argument("--deals", type=int, default=20_000, help="that the share is measured on")
    parser.add_argument("--worlds", type=int, default=128, help="of the search, for each decision")
    parser.add_argument("--searched", type=int, default=1000, help="deals of the search")
    options = parser.parse_args()
    cache.enable()
    game = jaxcards.make("rikiki/standard", **RULES)
    learner = PPO(game, CONFIG, num_devices=1, adversary=FixedPlayer(RandomAgent(), ()))
    host = CompiledLearner(learner)
    state = host.init()
    step = host.compile(state, PER_CALL)
    begun, done, updates = time.monotonic(), 0, PER_CALL * 1e6
    while done < updates:
        state, metrics = step(state, updates)
        done += PER_CALL
        if done == 4 * PER_CALL:  # from the speed so far: how many updates fit
            per_update = (time.monotonic() - begun) / done
            updates = done + PER_CALL * round(options.minutes * 60 / per_update / PER_CALL)
            print(f"{updates} updates", flush=True)
    params = [host.parameters(state), ()]

    def measured(agent: Any, deals: int, batch: int) -> list[float]:
        interval = mean_interval(share(game, [agent, RandomAgent()], params, SEATS, deals, batch))
        return [round(x, 4) for x in (interval.mean, interval.low, interval.high)]

    found = {
        "rules": RULES,
        "deals_learned": done * CONFIG.deals_per_update,
        "deals": options.deals,
        "share": measured(learner.player, options.deals, options.deals),
    }
    print(f"{100 * found['share'][0]:.1f} % of bids made", flush=True)
    search = SearchAgent(game, AmongRandom(learner.player), worlds=options.worlds, calls=True)
    found |= {"worlds": options.worlds, "searched": options.searched}
    found["share_of_search"] = measured(search, options.searched, search.largest_batch)
    print(f"{100 * found['share_of_search'][0]:.1f} % by search")
    write_text(FOUND, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
