"""The exact exploitability of a policy: best responses in games that are small enough to enumerate.

The best response of a seat gains most there while all other seats play the policy. It knows the policy
and the deals, but sees only the observations of a player. So it must choose the same action in all
histories that look the same to it (its information set). Let q(h) be the chance that the deal and the
others lead to a history h (its counterfactual reach). The value of an action is the sum over the
information set of q(h) times the value after it, from the last decisions to the first (Johanson et al.
2011, "Accelerating best response calculation in large extensive games", section 3). The numbers are
those of OpenSpiel's `best_response` and `nash_conv`.

A pack of cards is too large for that. The chance is therefore a list of deals, all equally likely, such
as every way to deal a few cards: `short_decks`.
"""

import dataclasses
import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent, act, check_game
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.arguments import describe
from jaxcards.errors import UserError
from jaxcards.game import Game

Policy = Callable[[Any, Any, ActionSet], jax.Array]
"""(parameters, observation, legal actions) -> float[num_actions], the weights of the actions.

A pure function of one decision, and hashable. Only legal actions count, and their weights need not add
up to 1.
"""


@dataclasses.dataclass(frozen=True)
class Exploitability:
    """The gain of best responses against a policy.

    Attributes:
      values: the mean return of each seat while all seats play the policy.
      best: the mean return of its best response while the others play the policy.
      num_nodes: number of visited histories, over all deals.
      num_information_sets: number of situations in which a player has a choice.
    """

    values: tuple[float, ...]
    best: tuple[float, ...]
    num_nodes: int
    num_information_sets: int

    @property
    def gains(self) -> tuple[float, ...]:
        """The gain of each seat's best response over the policy; never below 0."""
        return tuple(best - value for best, value in zip(self.best, self.values, strict=True))

    @property
    def nash_conv(self) -> float:
        """The sum of the gains; 0 in a Nash equilibrium (Lanctot et al. 2017)."""
        return sum(self.gains)

    @property
    def mean(self) -> float:
        """The mean of the gains. `jaxcards exploit` bounds it from below if everybody plays alone."""
        return self.nash_conv / len(self.gains)


def exploitability(
    game: Game, policy: Policy, params: Any, deals: Any, batch: int = 4096
) -> Exploitability:
    """Return the exploitability of a policy.

    Every history of every deal is visited once; memory must hold all states of one depth. A seat
    responds alone: its partner plays the policy, too. A player remembers its observations and actions,
    whether or not an observation contains them (perfect recall).

    Args:
      game: the game.
      policy: the policy to exploit; `uniform`, `Pure`, or the probabilities of a network.
      params: its parameters.
      deals: states at the beginning, all equally likely; leaves have a leading axis.
      batch: states that are computed at once. Affects speed, memory, and the rounding of a network.

    Raises:
      UserError: if the policy gives all legal actions of a decision zero weight, a negative weight, or
        too few weights; or if `deals` is not a batch of states of the game.
    """
    if not np.ndim(getattr(deals, "terminated", 0)):
        raise UserError("deals must be a batch of states, such as jax.vmap(game.init)(keys)")
    levels = _walk(check_game(game), policy, params, deals, batch)
    values = _value(levels, None)
    best = [_value(levels, seat)[seat] for seat in range(game.num_players)]
    return Exploitability(
        values=tuple(values.tolist()),
        best=tuple(float(value) for value in best),
        num_nodes=sum(len(level.player) for level in levels),
        num_information_sets=sum(level.num_situations for level in levels),
    )


# ---- Policies and deals -----------------------------------------------------------------------------


def uniform(params: Any, observation: Any, legal: ActionSet) -> jax.Array:
    """Return the policy of random play."""
    return legal.mask().astype(jnp.float32)


@dataclasses.dataclass(frozen=True)
class Pure:
    """The policy of an agent that ignores its keys.

    Attributes:
      agent: the agent.
    """

    agent: Agent

    def __call__(self, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
        # Any key will do.
        args = params, None, observation, legal, jax.random.key(0)
        action = act(self.agent, *args, lambda: jnp.ones((), bool))
        return jax.nn.one_hot(action, legal.layout.num_actions, dtype=jnp.float32)


def short_decks(cards: Sequence[int], sizes: Sequence[int], num_cards: int) -> np.ndarray:
    """Return every way to deal a few cards of a pack, each once.

    Args:
      cards: the cards to deal.
      sizes: of the packets they are dealt into, in the order in which `Game.init_from_deck` takes them;
        remaining cards stay hidden.
      num_cards: of the whole pack.

    Returns:
      int32[deals, num_cards]: the packets one after the other, then the remaining cards, then the
      others.
    """
    others = [card for card in range(num_cards) if card not in cards]

    def packets(left: frozenset[int], sizes: Sequence[int]) -> list[tuple[int, ...]]:
        if not sizes:
            return [tuple(sorted(left))]
        return [
            (*packet, *rest)
            for packet in itertools.combinations(sorted(left), sizes[0])
            for rest in packets(left - set(packet), sizes[1:])
        ]

    return np.array([[*deal, *others] for deal in packets(frozenset(cards), sizes)], np.int32)


# ---- The walk, from the deals to the ends -----------------------------------------------------------


class _Level(NamedTuple):
    """The histories of one depth, and the actions that lead from them to the next.

    Attributes:
      returns: float64[nodes, num_players], of histories at whose end the deal is over; else 0.
      player: int[nodes], the player to act.
      situation: int[nodes], the number of the information set within the level; -1 without a choice.
      num_situations: their number.
      parent: int[edges], the node from which an action leads to node number `edge` of the next level.
      action: int[edges], the action.
      chance: float64[edges], of the policy.
    """

    returns: np.ndarray
    player: np.ndarray
    situation: np.ndarray
    num_situations: int
    parent: np.ndarray
    action: np.ndarray
    chance: np.ndarray


class _Seen(NamedTuple):
    """The results for a node: the leaves that `_functions` documents."""

    player: np.ndarray
    over: np.ndarray
    returns: np.ndarray
    mask: np.ndarray
    weights: np.ndarray
    words: np.ndarray


def _walk(game: Game, policy: Policy, params: Any, deals: Any, batch: int) -> list[_Level]:
    """Play every action of every deal, depth by depth, and return the depths in order."""
    look, step = _functions(game, policy)
    states = jax.tree.map(np.asarray, jax.device_get(deals))
    # The last action of each player and its situation. The numbers are unique within the walk.
    memory = np.zeros((len(jax.tree.leaves(states)[0]), game.num_players), np.int64)
    levels: list[_Level] = []
    named = 1
    while True:
        seen = _Seen(*_in_batches(functools.partial(look, params), (states,), batch))
        mask = seen.mask & ~seen.over[:, None]
        nodes = np.arange(len(memory))
        # Only a node with several legal actions needs a decision.
        choice = mask.sum(1) > 1
        own_memory = memory[nodes, seen.player]
        situation, number = _situations(choice, seen.player, own_memory, seen.words)
        parent, action = np.nonzero(mask)
        chance = _chances(seen.weights, mask)[parent, action]
        returns = np.where(seen.over[:, None], seen.returns, 0).astype(np.float64)
        levels.append(_Level(returns, seen.player, situation, number, parent, action, chance))
        if not len(parent):
            return levels
        states = jax.tree.map(lambda leaf, parent=parent: leaf[parent], states)
        states = _in_batches(step, (states, action.astype(np.int32)), batch)
        memory = memory[parent]
        # A player remembers its last choice; forced actions add nothing.
        chose = np.flatnonzero(choice[parent])
        # done: the number of situation and action; with `named` added, unique in the whole walk.
        done = situation[parent] * game.num_actions + action
        memory[chose, seen.player[parent][chose]] = named + done[chose]
        named += number * game.num_actions


def _chances(weights: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return weights of legal actions as probabilities: float64[nodes, num_actions]."""
    weights = np.where(mask, weights, 0).astype(np.float64)
    total = weights.sum(axis=1, keepdims=True)
    if not ((weights >= 0).all() and (total[mask.any(axis=1)] > 0).all() and np.isfinite(total).all()):
        raise UserError("a policy must give legal actions weights from 0 on, and at least one above 0")
    # Finished deals have weights of 0: divide them by 1.
    return weights / np.where(total > 0, total, 1)


@functools.lru_cache(maxsize=8)
def _functions(game: Game, policy: Policy) -> tuple[Any, Any]:
    """Compile the functions that a walk needs.

    Returns:
      (params, states) -> for each state: int32 player, bool over, float32[num_players] returns,
      bool[num_actions] legal, float[num_actions] weights of the policy, uint32[words] the observation;
      and (states, actions) -> states.
    """

    def look(params: Any, state: Any) -> tuple[jax.Array, ...]:
        player = jnp.asarray(state.current_player, jnp.int32)
        observation, legal = game.observe(state, player), game.legal_actions(state)
        words = [_as_words(leaf) for leaf in jax.tree.leaves(observation)]
        weights = policy(params, observation, legal)
        if np.shape(weights) != (game.num_actions,):
            raise UserError(f"a policy gives {game.num_actions} weights, not {describe(weights)}")
        over = jnp.asarray(state.terminated)
        return player, over, game.returns(state), legal.mask(), weights, jnp.concatenate(words)

    looking = xla.jit(jax.vmap(look, in_axes=(None, 0)), split=True)
    return looking, xla.jit(jax.vmap(game.step), split=True)


def _as_words(leaf: jax.Array) -> jax.Array:
    """Return the values of an array, each in a separate word: uint32[size]."""
    flat = jnp.ravel(leaf)
    if jnp.issubdtype(flat.dtype, jnp.floating):
        return jax.lax.bitcast_convert_type(flat.astype(jnp.float32), jnp.uint32)
    return flat.astype(jnp.uint32)


def _in_batches(function: Any, args: tuple[Any, ...], batch: int) -> Any:
    """Return a function of many nodes, computed in batches of one size; arrays of NumPy."""
    number = len(jax.tree.leaves(args)[0])
    parts = []
    for first in range(0, number, batch):
        # The last batch is filled up with copies of the last node.
        index = np.minimum(np.arange(first, first + batch), number - 1)
        part = jax.tree.map(lambda leaf, index=index: leaf[index], args)
        parts.append(jax.device_get(function(*part)))
    return jax.tree.map(lambda *leaves: np.concatenate(leaves)[:number], *parts)


def _situations(
    choice: np.ndarray, player: np.ndarray, memory: np.ndarray, words: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return the information set of each node: int[nodes], -1 without a choice; and how many."""
    situation = np.full(len(choice), -1)
    numbers: dict[tuple[int, int, bytes], int] = {}
    for node in np.flatnonzero(choice).tolist():
        # The facts that the player can tell apart: its own past and its observation.
        key = int(player[node]), int(memory[node]), words[node].tobytes()
        situation[node] = numbers.setdefault(key, len(numbers))
    return situation, len(numbers)


# ---- The values, from the ends to the deals ---------------------------------------------------------


def _value(levels: list[_Level], seat: int | None) -> np.ndarray:
    """Return the mean returns of the seats: float64[num_players].

    Args:
      levels: from `_walk`.
      seat: the seat of the best response; None if everybody plays the policy.
    """
    num_deals, num_players = levels[0].returns.shape
    # reaches: for each level float64[nodes], from the deals on.
    reaches = [np.full(num_deals, 1 / num_deals)]
    for level in levels[:-1]:
        # The counterfactual reach leaves out the choices of the seat itself.
        own = level.player[level.parent] == seat
        reaches.append(reaches[-1][level.parent] * np.where(own, 1, level.chance))
    value = np.zeros((0, num_players))
    for level, reach in zip(reversed(levels), reversed(reaches), strict=True):
        chance = level.chance
        if seat is not None and level.num_situations:
            chance = _best_actions(level, reach, value[:, seat], seat)
        number = len(level.player)
        # The value of a node: the sum over its actions of chance times value after it.
        after = [
            np.bincount(level.parent, chance * value[:, player], minlength=number)
            for player in range(num_players)
        ]
        value = level.returns + np.stack(after, axis=1)
    return value.mean(axis=0)


def _best_actions(level: _Level, reach: np.ndarray, value: np.ndarray, seat: int) -> np.ndarray:
    """Return the chances of the actions when a seat plays its best response: float64[edges].

    Args:
      level: the nodes and actions.
      reach: float64[nodes], the counterfactual reach for the seat.
      value: float64[edges], the return of the seat after each action.
      seat: the responding seat.
    """
    situation = level.situation[level.parent]
    (own,) = np.nonzero((level.player[level.parent] == seat) & (situation >= 0))
    num_actions = int(level.action.max()) + 1
    shape = (level.num_situations, num_actions)
    # cell: the number of situation and action; all histories of a situation add up.
    cell = situation[own] * num_actions + level.action[own]
    size = shape[0] * shape[1]
    total = np.bincount(cell, reach[level.parent[own]] * value[own], minlength=size)
    legal = np.bincount(cell, minlength=size) > 0
    best = np.where(legal, total, -np.inf).reshape(shape).argmax(axis=1)
    chance = level.chance.copy()
    # The best action gets chance 1 in every history of its situation.
    chance[own] = level.action[own] == best[situation[own]]
    return chance
