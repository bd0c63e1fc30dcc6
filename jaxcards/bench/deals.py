"""The workloads that play whole deals or matches, by `rollout` in one compiled loop."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import throughput, xla
from jaxcards.agent import Agent, RandomAgent
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.bench import reference
from jaxcards.bench.program import MOST_ROUNDS, Done, Program, Subject, num_batches, seeds
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.rollouts import recorded_rollout, rollout
from jaxcards.throughput import Play, Tallied, tally_of

# Deals side by side whose observations, or layers of a network, stay in the cache of a core.
_WITH_OBSERVATIONS = 1024
_WITH_NETWORK = 512
# Deals, or matches, of a program that is started once or more for each repeat. With this number, the
# costs of starting it and of waiting for the slower of two devices are small.
_DEALS = 1 << 20
_DEALS_WITH_OBSERVATIONS = 1 << 15
_DEALS_WITH_NETWORK = 1 << 11
_MATCHES = 64


def random_play(game: Game, batch: int, devices: int) -> Subject:
    """Whole deals of random play; only the score is kept."""
    return _subject(game, RandomAgent(), throughput.random_deal(game), batch, devices)


def observations(game: Game, batch: int, devices: int) -> Subject:
    """Random play that records every decision: observation, legal actions, action, player.

    The decisions are written to memory, as a learner would have them, and read once.
    """

    def play(operand: Any, key: jax.Array, number: jax.Array) -> Tallied:
        del operand, number
        done, steps = recorded_rollout(game, RandomAgent(), (), key)
        return tally_of(game, done, digest(steps))

    deals = _DEALS_WITH_OBSERVATIONS
    return _subject(game, RandomAgent(), play, batch, devices, _WITH_OBSERVATIONS, deals)


def network(game: Game, batch: int, devices: int) -> Subject:
    """Whole deals in which an untrained network chooses every action."""
    agent = NetworkAgent(game, PPOConfig().hidden)

    def play(params: Any, key: jax.Array, number: jax.Array) -> Tallied:
        del number
        return tally_of(game, rollout(game, agent, params, key))

    return _subject(game, agent, play, batch, devices, _WITH_NETWORK, _DEALS_WITH_NETWORK)


def matches(game: Game, batch: int, devices: int) -> Subject:
    """Whole matches of random play."""
    match = Match(game)

    def play(operand: Any, key: jax.Array, number: jax.Array) -> Tallied:
        del operand, number
        done = rollout(match, RandomAgent(), (), key)
        return tally_of(match, done, done.state.num_deals.astype(jnp.uint32))

    return _subject(match, RandomAgent(), play, batch, devices, deals=_MATCHES, unit="matches")


def digest(trajectory: Any) -> jax.Array:
    """Add up every word of the decisions of a deal: uint32, modulo 2**32."""
    total = jnp.uint32(0)
    for leaf in jax.tree.leaves(trajectory):
        total += leaf.astype(jnp.uint32).sum(dtype=jnp.uint32)
    return total


def _subject(
    game: Game,
    agent: Agent,
    play: Play,
    batch: int,
    devices: int,
    in_cache: int = throughput.IN_CACHE,
    deals: int = _DEALS,
    unit: str = "deals",
) -> Subject:
    number = _num_batches(game, batch, deals)
    play_batches = throughput.tallied(play, batch, devices, in_cache)
    return _subject_of(
        game, agent, lambda params, seed: play_batches(params, seed, number), batch, number, unit
    )


def _num_batches(game: Game, batch: int, deals: int) -> int:
    number = num_batches(batch, deals)
    return number + -number % game.num_rounds  # the same number of batches for every round


def _subject_of(
    game: Game,
    agent: Agent,
    play_batches: Callable[[Any, jax.Array], Tallied],
    batch: int,
    number: int,
    unit: str = "deals",
) -> Subject:
    """Return the subject of a function of (parameters, seed) that plays `number` batches."""
    params = reference.first_params(game, agent)
    program = Program.of(xla.jit(play_batches), params, jnp.uint32(0))

    def run(seed: int, rounds: int) -> Any:
        return [program(params, jnp.uint32(word)) for word in seeds(seed, rounds)]

    def judge(result: Any, rounds: int) -> Done:
        return judged(game, agent, unit, jax.device_get(result), batch * number * rounds)

    return Subject(run, judge, program, MOST_ROUNDS)


def judged(game: Game, agent: Agent, unit: str, results: list[Tallied], episodes: int) -> Done:
    """Return the work of a number of deals or matches (`unit`), compared with `reference.sample`."""
    tallies = [tally for tally, _ in results]
    used_by_place = [used for _, used in results if used is not None]
    expected = reference.sample(game, agent)
    # The sums of many deals need more than 32 bits.
    points = sum(np.asarray(tally.points, np.int64).sum(axis=0) for tally in tallies)
    lowest = min(int(tally.lowest) for tally in tallies)
    highest = max(int(tally.highest) for tally in tallies)
    unfinished = sum(int(tally.unfinished) for tally in tallies)
    wrong = expected.difference(np.asarray(points), episodes, lowest, highest)
    amounts = {unit: float(episodes), **expected.amounts(episodes)}
    facts: dict[str, Any] = {
        "points": (points / episodes).tolist(),
        "total": [lowest, highest],
    }
    if used_by_place:
        used = sum(int(np.asarray(words, np.uint64).sum()) for words in used_by_place)
        # The checksum of a match is the number of its deals.
        if unit == "matches":
            amounts["deals"] = float(used)
        facts["used"] = used
        # A checksum of 0 shows that XLA has removed the work.
        wrong = wrong or ("" if used else "the recorded decisions are missing")
    if unfinished:
        wrong = f"{unfinished} {unit} were not finished"
    return Done(amounts, facts, wrong)
