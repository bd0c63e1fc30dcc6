"""Kinds of work that play whole deals or matches, by `rollout` in one compiled loop."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import compile, throughput
from jaxcards.agents.agent import Agent
from jaxcards.agents.network import NetworkAgent
from jaxcards.agents.random import RandomAgent
from jaxcards.bench import reference
from jaxcards.bench.subject import Done, Program, Subject
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.rollout import rollout
from jaxcards.throughput import Play, Tallied, tally_of
from jaxcards.training.config import TrainingConfig

# Deals side by side whose observations, or layers of a network, stay in the cache of a core.
_WITH_OBSERVATIONS = 1024
_WITH_NETWORK = 512


def random_play(game: Game, batch: int, devices: int) -> Subject:
    """Whole deals of random play; nothing is kept but the score."""
    return _subject(game, RandomAgent(), throughput.random_deal(game), batch, devices)


def observations(game: Game, batch: int, devices: int) -> Subject:
    """Random play that keeps every decision: observation, legal actions, action, who acts.

    They are written to memory, as a learner would have them, and read once.
    """

    def play(operand: Any, key: jax.Array) -> Tallied:
        del operand
        done = rollout(game, RandomAgent(), (), key, trajectory=True)
        return tally_of(game, done, digest(done.trajectory))

    return _subject(game, RandomAgent(), play, batch, devices, in_cache=_WITH_OBSERVATIONS)


def network(game: Game, batch: int, devices: int) -> Subject:
    """Whole deals in which a network that has learned nothing chooses every action."""
    agent = NetworkAgent(game, TrainingConfig().hidden)

    def play(params: Any, key: jax.Array) -> Tallied:
        return tally_of(game, rollout(game, agent, params, key))

    return _subject(game, agent, play, batch, devices, in_cache=_WITH_NETWORK)


def matches(game: Game, batch: int, devices: int) -> Subject:
    """Whole matches of random play."""
    match = Match(game)

    def play(operand: Any, key: jax.Array) -> Tallied:
        del operand
        done = rollout(match, RandomAgent(), (), key)
        return tally_of(match, done, done.state.num_deals.astype(jnp.uint32))

    return _subject(match, RandomAgent(), play, batch, devices, unit="matches")


def digest(trajectory: Any) -> jax.Array:
    """Adds up every word of the decisions of a deal: uint32, modulo 2**32."""
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
    *,
    unit: str = "deals",
    in_cache: int = throughput.IN_CACHE,
) -> Subject:
    params = reference.first_params(game, agent)
    function = compile.jit(throughput.tallied(play, batch, devices, in_cache))
    program = Program.of(function, params, jnp.uint32(0), jnp.int32(1))

    def run(seed: int, rounds: int) -> Any:
        return program(params, jnp.uint32(seed), jnp.int32(rounds))

    def judge(result: Any, rounds: int) -> Done:
        return _judge(game, agent, unit, jax.device_get(result), batch * rounds)

    return Subject(run, judge, program, most_rounds=(2**32 - 1) // batch)


def _judge(game: Game, agent: Agent, unit: str, result: Tallied, episodes: int) -> Done:
    tally, used_by_place = result
    expected = reference.sample(game, agent)
    points = np.asarray(tally.points, np.int64).sum(axis=0)
    lowest, highest = int(tally.lowest), int(tally.highest)
    wrong = expected.difference(points, episodes, lowest, highest)
    amounts = {unit: float(episodes), **expected.amounts(episodes)}
    facts: dict[str, Any] = {
        "points": (points / episodes).tolist(),
        "total": [lowest, highest],
    }
    if used_by_place is not None:
        used = int(np.asarray(used_by_place, np.uint64).sum())
        if unit == "matches":
            amounts["deals"] = float(used)
        facts["used"] = used
        wrong = wrong or ("" if used else "nothing of what was to be kept was kept")
    if int(tally.unfinished):
        wrong = f"{int(tally.unfinished)} {unit} were not finished"
    return Done(amounts, facts, wrong)
