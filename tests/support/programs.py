"""The functions of a game and the updates of the learners, as programs that can be traced."""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxprs_in_params

import jaxcards
from jaxcards import records
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.imitation.examples import Deals
from jaxcards.agents.learners.registry import make_learner, settings_of
from jaxcards.agents.networks.encoding import OTHER_INPUTS, Encoding
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.players import make_player
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.records.arrays import to_arrays

Program = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function and the shapes of its arguments."""

SMALL = jaxcards.make("rikiki", num_players=3, schedule=(2,))
"""Bids and tricks, and traced in little time."""

SCHEDULE = jnp.float32(40)

_WIDE = {np.dtype("float64"), np.dtype("uint64")}


def of_game(game: Game) -> dict[str, Program]:
    """Every function of a game that is traced, and its heuristic, by name."""
    key, seat = jax.random.key(0), jax.ShapeDtypeStruct((), jnp.int32)
    state = jax.eval_shape(game.init, key)
    seen = jax.eval_shape(game.observe, state, seat)
    totals = jax.ShapeDtypeStruct((game.num_players,), jnp.int32)
    logits = jax.ShapeDtypeStruct((game.num_actions,), jnp.float32)
    player = make_player("heuristic", game)
    found: dict[str, Program] = {
        name: (getattr(game, name), arguments)
        for name, arguments in {
            "init": (key,),
            "next_deal": (key, state, totals),
            "legal_action_mask": (state,),
            "step": (state, seat),
            "points": (state,),
            "returns": (state,),
            "progress": (state,),
            "match_over": (state, totals, seat),
            "sides_of": (state,),
            "cards_to_play": (state,),
            "opening": (state,),
            "observe": (state, seat),
            "features": (seen,),
            "full_state_features": (state,),
            "relabel_action": (seen, seat),
            "determinize": (key, state, seat),
        }.items()
    }
    legal = jax.eval_shape(game.legal_actions, state)
    found["relabel_legal"] = (game.relabel_legal, (seen, legal))
    found["sample"] = (lambda legal, key: legal.sample(key, 3), (legal, key))
    found["sample_logits"] = (lambda legal, *args: legal.sample_logits(*args), (legal, key, logits))
    for name, kind in OTHER_INPUTS:
        if name == game.name:
            found[kind] = (Encoding(game, kind).encode, (seen,))
    found["heuristic"] = (player.act, ((), seen, legal, key))
    return found


def traced(program: Program) -> Any:
    """Return the jaxpr of a program, traced anew: JAX remembers traces without regard to most modes."""
    function, arguments = program
    return jax.make_jaxpr(lambda *given: function(*given))(*arguments)


def traceable(programs: dict[str, Program]) -> dict[str, Program]:
    """Those programs that a game has: a few games refuse some of them."""
    found = {}
    for name, (function, arguments) in programs.items():
        try:
            jax.eval_shape(function, *arguments)
        except UserError:
            continue
        found[name] = (function, arguments)
    return found


def equations(jaxpr: Any) -> Iterator[Any]:
    """Every equation, those of loops and calls as well."""
    for equation in jaxpr.eqns:
        yield equation
        for inner in jaxprs_in_params(equation.params):
            yield from equations(inner)


def too_wide(closed: Any) -> list[str]:
    """Return 64-bit values that may change a result: floats, words that wrap, and results."""
    inside = [
        str(equation)[:160]
        for equation in equations(closed.jaxpr)
        if any(getattr(out.aval, "dtype", None) in _WIDE for out in equation.outvars)
    ]
    returned = [str(aval) for aval in closed.out_avals if aval.dtype.itemsize == 8]
    return inside + returned


# ---- Learners -----------------------------------------------------------------------------------

_SETTINGS: dict[str, dict[str, Any]] = {
    "ppo": {"minibatches": 2, "hidden": (8,), "critic_hidden": (8,)},
    "reinforce": {"hidden": (8,), "random_deals": 6},
    "dqn": {
        "replay": 64, "batch": 8, "gradient_steps": 2, "hidden": (8,), "turns": 2, "priority": 0.5,
    },
    "distillation": {"hidden": (8,)},
    "imitation": {"hidden": (8,)},
    "q-table": {"trick_reward": 0.1},
}  # fmt: skip


def learner_of(name: str, game: Game = SMALL) -> Any:
    """Return a small learner."""
    config = settings_of(name)(seed=3, deals_per_update=8, **_SETTINGS[name])
    if name != "distillation":
        return make_learner(name, game, config)
    teacher = NetworkAgent(game, (8,), greedy=True)
    params = jax.eval_shape(lambda: teacher.init(jax.random.key(0), game))
    zeros = jax.tree.map(lambda leaf: np.zeros(leaf.shape, leaf.dtype), params)
    return make_learner(name, game, config, teachers=(FixedPlayer(teacher, zeros),))


def update_of(name: str, game: Game = SMALL) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """Functions that make the first state of a learner, and that learn from it once."""
    learner = learner_of(name, game)
    if name == "imitation":
        deals = _deals(game)
        return learner.fresh, lambda state: learner.train(state, deals, SCHEDULE)
    return learner.fresh, lambda state: learner.train(state, 1, SCHEDULE)


@functools.cache
def _deals(game: Game) -> Deals:
    played = [records.play_deal(game, RandomAgent(), (), jax.random.key(n)) for n in range(8)]
    known = np.ones(8, bool)
    return Deals(to_arrays(game, played), known, np.zeros((8, game.deck.num_cards), bool), known)
