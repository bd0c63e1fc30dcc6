"""Leaves of a state to store in order to return to it while cards are played.

A search that goes back to earlier states stores them. Most of a state never changes while cards are
played: the hands as dealt, the contract. Some leaves that change (the history) do not affect the legal
actions or the value of the deal. The remaining leaves are a handful of words. They are derived from the
program of the step itself, which makes the result correct for any game.
"""

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.game import Game


@functools.lru_cache(maxsize=64)
def structure(game: Game) -> Any:
    """Return the tree of a state of a game, as `jax.tree.unflatten` takes it."""
    return jax.tree.structure(jax.eval_shape(game.init, jax.random.key(0)))


@functools.lru_cache(maxsize=64)
def varying(game: Game) -> tuple[bool, ...]:
    """Return for each leaf of a state whether playing a card changes it and it has an effect.

    A leaf has an effect if one of these depends on it, now or later: the legal actions, the player to
    act, the end of the deal, the returns.

    Args:
      game: the game of single deals.
    """
    state = jax.eval_shape(game.init, jax.random.key(0))
    leaves, tree = jax.tree.flatten(state)

    def look(leaves: Sequence[Any], action: jax.Array) -> tuple[list[Any], list[Any]]:
        state = jax.tree.unflatten(tree, leaves)
        legal = game.legal_actions(state, stages.PLAYS).words
        seen = legal, state.current_player, state.terminated, game.returns(state)
        return jax.tree.leaves(game.step(state, action, stages.PLAYS)), jax.tree.leaves(seen)

    # The step as a program (jaxpr), without running it.
    program = jax.make_jaxpr(look)(leaves, jax.ShapeDtypeStruct((), jnp.int32)).jaxpr
    # The first inputs and outputs of the program are the leaves before and after the step.
    before, after = program.invars[: len(leaves)], program.outvars[: len(leaves)]
    # A leaf that a play leaves unchanged is the same variable on both sides.
    changes = [one is not other for one, other in zip(before, after, strict=True)]
    wanted = list(program.outvars[len(leaves) :])
    found = [False] * len(leaves)
    # Fixed point: a leaf matters if the results read it, or the next value of a leaf that matters.
    while True:
        used = _used(program, wanted)
        now = [change and leaf in used for change, leaf in zip(changes, before, strict=True)]
        if now == found:
            return tuple(found)
        found = now
        wanted += [leaf for leaf, keeps in zip(after, found, strict=True) if keeps]


def _used(program: Any, results: Iterable[Any]) -> set[Any]:
    """Return the variables of a jaxpr from which some of its results are computed."""
    used = set(_variables(results))
    # From the results back to the inputs.
    for equation in reversed(program.eqns):
        if not used.isdisjoint(equation.outvars):
            used.update(_variables(equation.invars))
    return used


def _variables(atoms: Iterable[Any]) -> list[Any]:
    """Return the atoms of a jaxpr that are variables, without the literals."""
    return [atom for atom in atoms if not hasattr(atom, "val")]
