"""The number of worlds for a time limit in milliseconds, measured on this machine."""

import dataclasses
import statistics
import time
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import xla
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.errors import UserError
from jaxcards.game import Game

_TRIED = 32  # worlds in the timed searches
_DECISIONS = 8  # number of timed decisions
_MOST = 10_000


def within(agent: SearchAgent, params: Any, milliseconds: float) -> SearchAgent:
    """Return a search with the largest number of worlds that fits the time limit.

    The function compiles the search with 32 worlds. It takes the median time of decisions from the
    middle of a random deal, one table at a time. Decisions earlier in a deal take longer than the
    limit, later ones less. The number varies between machines, and with their load. To make a search
    repeatable, set `worlds` explicitly.

    Args:
      agent: the search; its number of worlds is ignored.
      params: of its base policy.
      milliseconds: for a decision.

    Raises:
      UserError: if the time is too short for two worlds.
    """
    if not 0 < milliseconds <= 3_600_000:
        raise UserError(
            f"a budget must be above 0 milliseconds and at most an hour, not {milliseconds:g}"
        )
    tried = dataclasses.replace(agent, worlds=_TRIED)
    # The median ignores a decision that another program has slowed down.
    taken = statistics.median(_seconds(tried, params))
    # Assume that the time is proportional to the number of worlds.
    worlds = int(_TRIED * milliseconds / 1000 / taken)
    if worlds < 2:
        least = 1000 * taken * 2 / _TRIED
        raise UserError(
            f"{milliseconds:g} ms are too short for a search: two worlds take {least:.1f} ms here"
        )
    if worlds >= _TRIED:
        worlds -= worlds % 4  # a multiple of 4 allows races; see `SearchAgent.racing`
    return dataclasses.replace(agent, worlds=min(worlds, _MOST))


def _seconds(agent: SearchAgent, params: Any) -> list[float]:
    """Return the seconds that decisions take, compiled, one at a time."""
    game = agent.game
    states = _moments(game)
    act = xla.jit(agent.act)
    found = []
    # Number -1 repeats the first moment, to compile.
    for number in range(-1, _DECISIONS):
        state = jax.tree.map(lambda leaf, number=number: leaf[max(number, 0)], states)
        player = state.current_player
        given = (
            params,
            game.observe(state, player),
            game.legal_actions(state),
            jax.random.key(number + 1),
        )
        # JAX computes asynchronously: wait for the arguments before the clock starts.
        jax.block_until_ready(given)
        begun = time.perf_counter()
        jax.block_until_ready(act(*given))
        found.append(time.perf_counter() - begun)
    return found[1:]  # without the first, which includes compilation


def _moments(game: Game) -> Any:
    """Return states from the middle of random deals, with a choice between several cards."""

    def middle(key: jax.Array) -> tuple[Any, jax.Array]:
        def once(state: Any, step: jax.Array) -> tuple[Any, Any]:
            # Play at random, and note before each action whether it is a choice of a card.
            legal = game.legal_actions(state)
            action = legal.sample(jax.random.fold_in(key, step))
            mask = legal.mask()
            # A choice between at least two cards, with the calls over.
            choice = ~mask[game.deck.num_cards :].any() & (mask.sum() > 1) & ~state.terminated
            return game.step(state, action), (state, choice)

        steps = jnp.arange(game.max_steps, dtype=jnp.int32)
        _, (states, choices) = jax.lax.scan(once, game.init(key), steps)
        # The middle one of the decisions about cards.
        number = jnp.cumsum(choices)
        place = jnp.argmax(choices & (2 * number >= number[-1]))
        return jax.tree.map(lambda leaf: leaf[place], states), choices.any()

    # Four times the deals needed, because some have no such choice.
    keys = jax.random.split(jax.random.key(0), 4 * _DECISIONS)
    states, some = xla.jit(jax.vmap(middle))(keys)
    order = jnp.argsort(~some, stable=True)[:_DECISIONS]
    return jax.tree.map(lambda leaf: leaf[order], states)
