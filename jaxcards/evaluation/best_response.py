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
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent, act
from jaxcards.cards.actions import ActionSet
from jaxcards.evaluation.histories import Depth, GameTree, Policy, game_tree
from jaxcards.game import Game


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

    A seat responds alone: its partner plays the policy, too. A player remembers its observations and
    actions (perfect recall).

    Args:
      game: the game.
      policy: the policy to exploit; `uniform`, `Pure`, or the probabilities of a network.
      params: its parameters.
      deals: states at the beginning, all equally likely; leaves have a leading axis. For several
        policies, pass their `game_tree`.
      batch: states that are computed at once. Affects speed, memory, and the rounding of a network.

    Raises:
      UserError: if the policy gives all legal actions of a decision zero weight, a negative weight, or
        too few weights; or if `deals` is not a batch of states of the game.
    """
    tree = deals if isinstance(deals, GameTree) else game_tree(game, deals, batch)
    chance = tree.chances(policy, params, batch)
    # Sums over all histories need float64.
    with jax.enable_x64(True):
        values, best = _compiled_gains()(tree.depths, tree.num_deals, chance)
    return Exploitability(
        values=tuple(values.tolist()),
        best=tuple(best.tolist()),
        num_nodes=tree.num_nodes,
        num_information_sets=tree.num_information_sets,
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
        # None for the state, which only players with open hands see.
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
        # A packet, and every way to deal the rest.
        return [
            (*packet, *rest)
            for packet in itertools.combinations(sorted(left), sizes[0])
            for rest in packets(left - set(packet), sizes[1:])
        ]

    return np.array([[*deal, *others] for deal in packets(frozenset(cards), sizes)], np.int32)


# ---- The values, from the ends to the deals ---------------------------------------------------------


def gains(depths: Sequence[Depth], num_deals: int, chance: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the mean returns of a policy, and those of the best response of each seat.

    Compile it under `jax.enable_x64(True)`: otherwise it computes in float32. Map it over policies with
    `jax.lax.map` or `jax.vmap`.

    Args:
      depths: of a `GameTree`.
      num_deals: of the same (static).
      chance: float[cells], the probabilities of the policy.

    Returns:
      Two float[num_players].
    """
    seats = jnp.arange(depths[-1].returns.shape[1])

    def mean(seat: jax.Array, best: bool) -> jax.Array:
        return _back(depths, num_deals, chance, seat, best)[0].mean()

    # In turn: the histories of one seat fill the memory.
    values, best = (jax.lax.map(functools.partial(mean, best=best), seats) for best in (False, True))
    return values, best


def action_values(
    depths: Sequence[Depth], num_deals: int, chance: jax.Array, seat: jax.Array
) -> jax.Array:
    """Return the counterfactual values of the actions of a seat, float[cells]; 0 for those of others.

    They are the mean returns after each action, if the seat itself plays towards it. See `gains`.
    """
    _, values = _back(depths, num_deals, chance, seat, best=False)
    return jnp.concatenate(values)


def _back(
    depths: Sequence[Depth], num_deals: int, chance: jax.Array, seat: jax.Array, best: bool
) -> tuple[jax.Array, list[jax.Array]]:
    """Return the return of a seat in each deal, and for each depth the values of its actions.

    The seat plays the policy, or its best response. A value is the sum over the histories of an
    information set, each times its counterfactual reach.
    """
    # ends: the number of cells up to each depth, at which `chance` is split.
    ends = np.cumsum([len(depth.situation) for depth in depths])
    # chances, own: for each depth float[cells + 1] and bool[cells + 1]; the last cell is forced.
    chances = [jnp.append(part, 1) for part in jnp.split(chance, ends[:-1])]
    own = [jnp.append(depth.player[depth.situation] == seat, False) for depth in depths]
    # reaches: for each depth float[histories], without the choices of the seat itself.
    reaches = [jnp.full(num_deals, 1 / num_deals, chance.dtype)]
    # From the deals on: a history has the reach of its parent, times the chance of the action between.
    for depth, chance_of, mine in zip(depths[:-1], chances, own, strict=False):
        reach = reaches[-1] if depth.parent is None else reaches[-1][depth.parent]
        if depth.cell is not None:
            reach = reach * jnp.where(mine, 1, chance_of)[depth.cell]
        reaches.append(reach)
    # value: float[histories] of the depth behind.
    value, actions = jnp.zeros(0, chance.dtype), []
    for number in reversed(range(len(depths))):
        depth, chance_of, mine = depths[number], chances[number], own[number]
        if depth.cell is not None:
            # total: float[cells], the counterfactual values of the actions; forced ones are left out.
            worth, num_cells = reaches[number + 1] * value, len(depth.situation)
            total = jax.ops.segment_sum(worth, jnp.asarray(depth.cell), num_cells + 1)[:num_cells]
            actions.append(jnp.where(mine[:num_cells], total, 0))
            if best:
                # The best response takes one action of each of its information sets.
                chance_of = jnp.where(mine, jnp.append(_best(depth, total), True), chance_of)
            # Weigh what follows each action by the chance of the action.
            value = chance_of[depth.cell] * value
        if depth.parent is not None:
            num_nodes = len(reaches[number])
            # Add up the actions of each history: float[histories] of this depth.
            value = jax.ops.segment_sum(
                value, jnp.asarray(depth.parent), num_nodes, indices_are_sorted=True
            )
        # Nothing follows a finished deal: its value is the return.
        value = value.at[depth.ends].add(depth.returns[:, seat])
    return value, actions[::-1]


def _best(depth: Depth, total: jax.Array) -> jax.Array:
    """Return a mask of the first best action of each information set: bool[cells].

    Args:
      depth: the histories.
      total: float[cells], the values of the actions.
    """
    num_sets, cells = len(depth.player), jnp.arange(len(total))
    most = jax.ops.segment_max(total, depth.situation, num_sets, indices_are_sorted=True)
    # Of equal values the first cell of the set wins.
    among = jnp.where(total == most[depth.situation], cells, len(total))
    first = jax.ops.segment_min(among, depth.situation, num_sets, indices_are_sorted=True)
    return first[depth.situation] == cells


# Made when first called: `xla.jit` asks JAX for its backend, which an import must not start.
_compiled_gains = functools.lru_cache(lambda: xla.jit(gains, split=True, static_argnums=1))
