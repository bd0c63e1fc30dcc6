"""What it is worth in Jass to know, when trumps are chosen, how the match stands.

    python experiments/champions/score_at_calls.py

Forehand has every choice tried in the same worlds, drawn uniformly, and the shipped player of deals
plays them on from all seats. Half of the worlds say which choice is best at a standing of the match:
the one with the best mean of points, or with the best chance to win the match after the deal. The other
half says what that chance is, for both, and for what the player of deals chooses. Standings are those
of matches drawn from these deals. Results go to score_at_calls.json beside this script.
"""

import argparse
import dataclasses
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.learners.match_deals import look_up, win_chances
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.files import write_text
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "score_at_calls.json"
GAME = jaxcards.make("jass/schieber_2500")
BATCH = 16
MATCHES = 4000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=512)
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--standings", type=int, default=100, help="that each deal is judged at")
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    cache.enable()
    points, chosen = played(options.deals, options.worlds, options.seed)
    rng = np.random.default_rng(options.seed)
    standings, num_deals = drawn_standings(points[np.arange(options.deals), 0, chosen], rng)
    gains = []  # of each deal
    for of_deal, choice in zip(points, chosen, strict=True):
        drawn = standings[rng.integers(len(standings), size=options.standings)]
        gains.append(gains_at(drawn, of_deal, choice).mean(0))
    of_match = 100 * np.array(gains).T * num_deals / 2  # half of the calls are those of one side
    found = {
        "deals_per_match": num_deals,
        "percent_of_matches_over_best_points": dataclasses.asdict(mean_interval(of_match[0])),
        "percent_of_matches_over_the_player": dataclasses.asdict(mean_interval(of_match[1])),
    }
    write_text(FOUND, json.dumps({**vars(options), **found}, indent=1) + "\n")
    print(json.dumps(found, indent=1))


def played(num_deals: int, worlds: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns points of both sides by deal, world and choice, and which choice the player makes.

    int32[num_deals, worlds, choices, 2], forehand's side first, and int64[num_deals].
    """
    agent, params = jaxcards.load_agent(GAME)
    agent = agent.fast_policy
    choices = np.flatnonzero(GAME.legal_action_mask(GAME.init(jax.random.key(0))))

    def deal(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        state = GAME.init(key)
        player = state.current_player
        seen, legal = GAME.observe(state, player), GAME.legal_actions(state)

        def world(key: jax.Array) -> jax.Array:
            start = GAME.determinize(key, state, player)

            def choice(action: jax.Array) -> jax.Array:
                begun = GAME.step(start, action)
                points = jaxcards.rollout(GAME, agent, params, key, state=begun).points
                return jnp.stack([points[player], points[(player + 1) % 4]])

            return jax.vmap(choice)(jnp.asarray(choices))

        points = jax.vmap(world)(jax.random.split(key, worlds))
        return points, agent.act(params, seen, legal, key)

    play = jax.jit(jax.vmap(deal))
    keys = jax.random.split(jax.random.key(seed), num_deals)
    parts = [jax.device_get(play(keys[i : i + BATCH])) for i in range(0, num_deals, BATCH)]
    points, actions = (np.concatenate(column) for column in zip(*parts, strict=True))
    return points, np.searchsorted(choices, actions)


def drawn_standings(points: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """Returns totals before each deal of drawn matches, forehand's side first, and deals a match."""
    target, standings = GAME.rules.target, []
    for _ in range(MATCHES):
        totals = np.zeros(2, int)
        while max(totals) < target:
            if rng.random() < 0.5:  # forehand is of the other side now
                totals = totals[::-1]
            standings.append(totals)
            totals = totals + points[rng.integers(len(points))]
    return np.array(standings), len(standings) / MATCHES


def gains_at(standings: np.ndarray, points: np.ndarray, chosen: int) -> np.ndarray:
    """Returns by standing how far the best choice for the chance is ahead in it: float[standings, 2].

    First of the best choice for points, then of `chosen`.
    """
    half = len(points) // 2
    chances = chance_after(standings[:, None, None], points)
    by_chance = chances[:, :half].mean(1).argmax(1)
    by_points = (points[:half, :, 0] - points[:half, :, 1]).mean(0).argmax()
    judged = chances[:, half:].mean(1)
    best = judged[np.arange(len(standings)), by_chance]
    return np.stack([best - judged[:, by_points], best - judged[:, chosen]], 1)


def chance_after(standing: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Returns the chance of the first side to win the match after deals that brought these points.

    Where both have reached the target, the side wins that needed the smaller share of its points.
    """
    target, totals = GAME.rules.target, standing + points
    needed = np.where(totals >= target, (target - standing) / np.maximum(points, 1), np.inf)
    over = np.isfinite(needed).any(-1)
    going_on = look_up(jnp.asarray(win_chances(GAME).chances), target, totals[..., 0], totals[..., 1])
    return np.where(over, needed[..., 0] < needed[..., 1], np.asarray(going_on, float))


if __name__ == "__main__":
    main()
