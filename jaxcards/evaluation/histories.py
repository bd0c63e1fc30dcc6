"""Every history of a small game, as arrays: the histories, the information sets, and their actions.

The deals are played in chunks, depth by depth, and each chunk's states are dropped once its histories
are counted. A history keeps its parent, its action, and the returns of a finished deal: about 20 bytes.
Histories that look the same to the player to act are one information set. A 128-bit hash of the
player's observation, and of its own past choices, tells the sets apart.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import check_game
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.arguments import describe
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.xla import prng

Policy = Callable[[Any, Any, ActionSet], jax.Array]
"""(parameters, observation, legal actions) -> float[num_actions], the weights of the actions.

A pure function of one decision, and hashable. Only legal actions count, and their weights need not add
up to 1.
"""

_STATES = 1 << 19  # histories of one depth of a chunk, at about 300 bytes each
_ROWS = 1 << 17  # information sets for which a policy is asked before its answers are gathered
_LANES = np.array([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], np.uint32)  # digits of pi


class Depth(NamedTuple):
    """The histories after the same number of actions, and the actions that lead on.

    Edge number e leads to history number e of the next depth. The cells are the pairs of an information
    set and a legal action, set by set.

    Attributes:
      ends: int32[ended], the histories at whose end the deal is over.
      returns: float32[ended, num_players], their returns.
      parent: int32[edges], the history from which an edge leads, in ascending order; None if every
        history has one action.
      cell: int32[edges], the cell of an edge; the number of cells where the action is forced. None
        without a choice.
      situation: int32[cells], the information set of a cell.
      player: int8[information sets], the player to act.
    """

    ends: np.ndarray
    returns: np.ndarray
    parent: np.ndarray | None
    cell: np.ndarray | None
    situation: np.ndarray
    player: np.ndarray


@dataclasses.dataclass(frozen=True, eq=False)
class GameTree:
    """Every history of a list of deals, and every information set with a choice.

    Attributes:
      game: the game.
      num_deals: number of deals, all equally likely.
      num_nodes: number of histories.
      depths: the histories, from the deals on.
      observations: of the players, at each information set; leaves [information sets, ...].
      legal: uint32[information sets, words], the legal actions.
      situation: int32[cells], the information set of each cell.
      action: int32[cells], the action of each cell.
    """

    game: Game
    num_deals: int
    num_nodes: int
    depths: tuple[Depth, ...]
    observations: Any
    legal: np.ndarray
    situation: np.ndarray
    action: np.ndarray

    @property
    def num_information_sets(self) -> int:
        """The number of situations in which a player has a choice."""
        return len(self.legal)

    def chances(self, policy: Policy, params: Any, batch: int = 4096) -> np.ndarray:
        """Return the probabilities of a policy: float64[cells].

        Raises:
          UserError: if the policy gives all legal actions of a decision zero weight, a negative weight,
            or too few weights.
        """
        ask = functools.partial(_asking(self.game, policy), params)
        weight = np.zeros(len(self.action))
        # ends: the first cell of each information set, because cells are stored set by set.
        ends = np.searchsorted(self.situation, np.arange(self.num_information_sets + 1))
        for first in range(0, self.num_information_sets, _ROWS):
            rows = slice(first, min(first + _ROWS, self.num_information_sets))
            asked = jax.tree.map(lambda leaf, rows=rows: leaf[rows], (self.observations, self.legal))
            found = in_batches(ask, asked, batch)
            cells = slice(ends[rows.start], ends[rows.stop])
            weight[cells] = found[self.situation[cells] - first, self.action[cells]]
        total = np.bincount(self.situation, weight, minlength=self.num_information_sets)
        if not ((weight >= 0).all() and (total > 0).all() and np.isfinite(total).all()):
            raise UserError(
                "a policy must give legal actions weights from 0 on, and at least one above 0"
            )
        chance: np.ndarray = weight / total[self.situation]
        return chance


def game_tree(game: Game, deals: Any, batch: int = 4096) -> GameTree:
    """Return every history of some deals.

    A player remembers its observations and actions, whether or not an observation contains them.

    Args:
      game: the game.
      deals: states at the beginning, all equally likely; leaves have a leading axis.
      batch: states that are computed at once.

    Raises:
      UserError: if `deals` is not a batch of states of the game.
    """
    if not np.ndim(getattr(deals, "terminated", 0)):
        raise UserError("deals must be a batch of states, such as jax.vmap(game.init)(keys)")
    states = jax.tree.map(np.asarray, jax.device_get(deals))
    number = len(jax.tree.leaves(states)[0])
    growing: list[_Growing] = []
    first, size = 0, 1
    while first < number:
        chunk = jax.tree.map(lambda leaf, first=first, size=size: leaf[first : first + size], states)
        widest = _walk(check_game(game), chunk, growing, batch)
        first += size
        # Deals differ in size: grow slowly towards the wanted number of histories.
        size = max(1, min(4 * size, _STATES * size // widest))
    return _finished(game, number, growing)


# ---- The walk, from the deals to the ends -----------------------------------------------------------


class _Seen(NamedTuple):
    """The facts about a history: arrays of NumPy with a leading axis.

    Attributes:
      player: int32, to act.
      over: bool, whether the deal is over.
      returns: float32[num_players].
      legal: bool[num_actions].
      key: uint32[4], the hash of the information set.
    """

    player: np.ndarray
    over: np.ndarray
    returns: np.ndarray
    legal: np.ndarray
    key: np.ndarray


class _Growing:
    """A depth to which every chunk adds its histories."""

    def __init__(self) -> None:
        self.num_nodes = 0
        self.numbers = _Numbers()
        self.offset = np.zeros(1, np.int32)  # the first cell of each information set
        # Of each chunk: ends, returns, parent, cell.
        self.parts: list[tuple[np.ndarray, ...]] = []
        self.situations: list[tuple[Any, ...]] = []  # player, actions, observations, legal words

    def finished(self) -> Depth:
        """Return the arrays, and forget them here."""
        ends, returns, parent, cell = map(np.concatenate, zip(*self.parts, strict=True))
        self.parts.clear()
        num_cells, sizes = self.offset[-1], np.diff(self.offset)
        # With one action in every history, edge e leads from history e.
        one_each = len(parent) == self.num_nodes and not len(ends)
        return Depth(
            ends=ends,
            returns=returns,
            parent=None if one_each else parent,
            # Cells were not all known when a chunk wrote -1 for forced actions.
            cell=np.where(cell < 0, num_cells, cell).astype(np.int32) if num_cells else None,
            situation=np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
            player=np.concatenate([np.zeros(0, np.int8), *(part[0] for part in self.situations)]),
        )


class _Numbers:
    """Numbers of 128-bit keys, in the order in which they first come."""

    def __init__(self) -> None:
        # Sorted first halves with their numbers; second halves by number.
        self.halves, self.number = np.zeros(0, np.uint64), np.zeros(0, np.int32)
        self.others = np.zeros(0, np.uint64)

    def of(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of keys uint32[rows, 4], and the first rows of the keys that are new."""
        # The four words of a key as two halves of 64 bits.
        half, other = np.ascontiguousarray(keys).view(np.uint64).T
        # Look up each half once; `back` leads from the rows to the different halves.
        halves, rows, back = np.unique(half, return_index=True, return_inverse=True)
        place = np.searchsorted(self.halves, halves)
        known = np.isin(halves, self.halves[place[place < len(self.halves)]], assume_unique=True)
        number = np.empty(len(halves), np.int32)
        number[known] = self.number[place[known]]
        new = rows[~known]
        number[~known] = len(self.others) + np.arange(len(new))
        # Insert new halves at their places, so that the list stays sorted.
        self.halves = np.insert(self.halves, place[~known], halves[~known])
        self.number = np.insert(self.number, place[~known], number[~known])
        self.others = np.concatenate([self.others, other[new]])
        # With n keys the chance is n**2 / 2**65.
        if (self.others[number[back]] != other).any():
            raise RuntimeError("two information sets have the same 64 bits: change `_LANES`")
        return number[back], new


def _walk(game: Game, states: Any, growing: list[_Growing], batch: int) -> int:
    """Play every action of some deals. Return the largest number of histories of a depth."""
    look, step, observe = _functions(game)
    number = len(jax.tree.leaves(states)[0])
    # The hash of each player's last situation and action.
    memory = np.zeros((number, game.num_players, 4), np.uint32)
    seen = _Seen(*in_batches(look, (states, memory), batch))
    depth, widest = 0, 0
    while True:
        if depth == len(growing):
            growing.append(_Growing())
        here = growing[depth]
        legal = seen.legal & ~seen.over[:, None]
        count = legal.sum(1, dtype=np.int32)
        # An edge for each legal action, in the order of the histories.
        parent, action = np.nonzero(legal)
        # Only a history with several legal actions needs a decision.
        choice = np.flatnonzero(count > 1)
        situation = np.full(len(count), -1, np.int32)
        if len(choice):
            situation[choice], new = here.numbers.of(seen.key[choice])
            _add_situations(here, game, observe, states, seen, legal, choice[new], batch)
            if (count[choice] != np.diff(here.offset)[situation[choice]]).any():
                raise UserError("what a player may do must follow from its observation")
        # slot: the place of the action among the legal ones.
        slot = np.arange(len(parent)) - (np.cumsum(count) - count)[parent]
        cell = np.where(situation[parent] < 0, -1, here.offset[situation[parent]] + slot)
        ends = np.flatnonzero(seen.over)
        # Numbers go on after the histories of earlier chunks.
        part = ends + here.num_nodes, seen.returns[ends], parent + here.num_nodes, cell
        here.parts.append(tuple(x.astype(np.int32) if x.dtype == np.int64 else x for x in part))
        here.num_nodes += len(count)
        widest = max(widest, len(count))
        if not len(parent):
            return widest
        # A copy of the state for each edge; the step then plays the edge's action.
        states, memory = jax.tree.map(lambda leaf, parent=parent: leaf[parent], (states, memory))
        own = seen.player[parent], seen.key[parent], count[parent] > 1, action.astype(np.int32)
        states, memory, after = in_batches(step, (states, memory, *own), batch)
        seen, depth = _Seen(*after), depth + 1


def _add_situations(
    here: _Growing, game: Game, observe: Any, states: Any, seen: _Seen, legal: np.ndarray,
    rows: np.ndarray, batch: int,
) -> None:  # fmt: skip
    """Add information sets, each met first in one of the histories `rows`."""
    if not len(rows):
        return
    found = jax.tree.map(lambda leaf: leaf[rows], states)
    observations, words = in_batches(observe, (found, seen.player[rows]), batch)
    players = seen.player[rows].astype(np.int8)
    # The legal actions of the sets, one set after the other: the actions of the cells.
    here.situations.append((players, np.nonzero(legal[rows])[1], observations, words))
    sizes = legal[rows].sum(1, dtype=np.int32)
    here.offset = np.concatenate([here.offset, here.offset[-1] + np.cumsum(sizes, dtype=np.int32)])


def _finished(game: Game, num_deals: int, growing: list[_Growing]) -> GameTree:
    parts = [part for depth in growing for part in depth.situations]
    # sizes: the number of cells of each information set, depth by depth.
    sizes = np.concatenate([np.zeros(0, np.int32), *(np.diff(depth.offset) for depth in growing)])
    depths = tuple(depth.finished() for depth in growing)

    def joined(place: int) -> Any:
        if not parts:
            return np.zeros((0,), np.int32)
        return jax.tree.map(lambda *leaves: np.concatenate(leaves), *(part[place] for part in parts))

    situation = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    num_nodes = sum(depth.num_nodes for depth in growing)
    return GameTree(
        game, num_deals, num_nodes, depths, joined(2), joined(3), situation, joined(1).astype(np.int32)
    )


@functools.lru_cache(maxsize=8)
def _functions(game: Game) -> tuple[Any, Any, Any]:
    """Compile the functions of a walk.

    Returns:
      (states, memory) -> `_Seen`; (states, memory, player, key, choice, action) -> states, memory and
      `_Seen` after the action; (states, player) -> observations, uint32[words] legal actions.
    """

    def look(state: Any, memory: jax.Array) -> tuple[jax.Array, ...]:
        player = jnp.asarray(state.current_player, jnp.int32)
        words = [_as_words(leaf) for leaf in jax.tree.leaves(game.observe(state, player))]
        # The facts that the player can tell apart: its own past and its observation.
        key = _hash([_as_words(player), memory[player], *words])
        over, legal = jnp.asarray(state.terminated), game.legal_actions(state).mask()
        return player, over, game.returns(state), legal, key

    def step(
        state: Any, memory: jax.Array, player: jax.Array, key: jax.Array, choice: jax.Array,
        action: jax.Array,
    ) -> tuple[Any, jax.Array, tuple[jax.Array, ...]]:  # fmt: skip
        # A player remembers its last choice; forced actions add nothing.
        chosen = jnp.where(choice, _remembered(key, action), memory[player])
        memory = memory.at[player].set(chosen)
        state = game.step(state, action)
        return state, memory, look(state, memory)

    def observe(state: Any, player: jax.Array) -> tuple[Any, jax.Array]:
        return game.observe(state, player), jnp.stack(game.legal_actions(state).words)

    return tuple(xla.jit(jax.vmap(function), split=True) for function in (look, step, observe))


@functools.lru_cache(maxsize=8)
def _asking(game: Game, policy: Policy) -> Any:
    """Compile (params, observations, legal words) -> float[rows, num_actions]."""

    def ask(params: Any, observation: Any, words: jax.Array) -> jax.Array:
        weights = policy(params, observation, ActionSet(game.action_layout, [*words]))
        if np.shape(weights) != (game.num_actions,):
            raise UserError(f"a policy gives {game.num_actions} weights, not {describe(weights)}")
        return weights

    return xla.jit(jax.vmap(ask, in_axes=(None, 0, 0)), split=True)


def _remembered(key: jax.Array, action: jax.Array) -> jax.Array:
    """Return the hash of a situation and the action that its player chose: uint32[4]."""
    return _hash([key, _as_words(action)])


def _hash(parts: list[jax.Array]) -> jax.Array:
    """Return a hash of words: uint32[4]."""
    words, lanes = jnp.concatenate(parts), jnp.asarray(_LANES)
    for number in range(words.shape[0]):
        # The step keeps the lanes apart where one of them meets 0.
        lanes = prng.mix((lanes ^ words[number]) + _LANES)
    return lanes


def _as_words(leaf: jax.Array) -> jax.Array:
    """Return the values of an array, each in a separate word: uint32[size]."""
    flat = jnp.ravel(leaf)
    if jnp.issubdtype(flat.dtype, jnp.floating):
        return jax.lax.bitcast_convert_type(flat.astype(jnp.float32), jnp.uint32)
    return flat.astype(jnp.uint32)


def in_batches(function: Any, args: tuple[Any, ...], batch: int) -> Any:
    """Return a function of many rows, computed in batches of one size; arrays of NumPy."""
    number = len(jax.tree.leaves(args)[0])
    parts = []
    for first in range(0, number, batch):
        # The last batch is filled up with copies of the last row.
        index = np.minimum(np.arange(first, first + batch), number - 1)
        part = jax.tree.map(lambda leaf, index=index: leaf[index], args)
        parts.append(jax.device_get(function(*part)))
    return jax.tree.map(lambda *leaves: np.concatenate(leaves)[:number], *parts)
