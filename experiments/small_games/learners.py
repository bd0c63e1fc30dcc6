"""Learners of small games, by numbers of decisions: PPO, DQN, Q-tables and CFR.

Each yields (decisions, policies) at some stops: the number of choices so far, and float[seeds, cells],
the probabilities of the policy of each seed in a tree of the game.
"""

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.learners.base import SelfPlayLearner
from jaxcards.agents.learners.dqn.config import DQNConfig
from jaxcards.agents.learners.dqn.learner import DQN
from jaxcards.agents.learners.magnet import Magnet
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.learner import PPO
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.networks.vocabulary import Start, policy_vocabulary
from jaxcards.evaluation.best_response import action_values
from jaxcards.evaluation.histories import GameTree

DEALS = 256  # of an update
UPDATES = 4  # of a call
RENEWED = 32  # updates between two magnets
Curve = Iterator[tuple[float, np.ndarray]]


# ---- Networks ---------------------------------------------------------------------------------------


def ppo(entropy: float, magnet: float = 0.0) -> PPOConfig:
    """Return the settings of PPO with constant entropy bonuses.

    A magnet replaces the bonus of cards. It is the average policy, renewed
    every 32 updates (Perolat et al. 2022).
    """
    cards = 0.0 if magnet else entropy
    return PPOConfig(
        deals_per_update=DEALS, minibatches=4, hidden=(64,), critic_hidden=(64,), entropy=entropy,
        final_entropy=entropy, card_entropy=cards, final_card_entropy=cards, card_magnet=magnet,
        start="fresh" if magnet else "", gae_lambda=0.85, average=0.99, sure_every=1,
        decision_share=0.5,
    )  # fmt: skip


def dqn() -> DQNConfig:
    """Return the settings of deep Q-learning."""
    return DQNConfig(
        deals_per_update=DEALS, hidden=(64,), replay=32768, gradient_steps=8, batch=256, turns=1
    )


def networks(tree: GameTree, config: Any, seeds: int, stops: Sequence[int]) -> Curve:
    """Train the seeds together in one compiled function.

    Args:
      tree: of the game.
      config: from `ppo` or `dqn`.
      seeds: number of seeds.
      stops: numbers of deals.
    """
    learner = DQN(tree.game, config) if isinstance(config, DQNConfig) else PPO(tree.game, config)
    fresh = [jax.device_get(_fresh(learner, seed)) for seed in range(seeds)]
    state = learner.place(jax.tree.map(lambda *leaves: np.stack(leaves), *fresh))
    # The policy of PPO is drawn from; that of DQN takes the best action.
    greedy = isinstance(config, DQNConfig)
    policy = NetworkAgent(tree.game, config.hidden, greedy=greedy).probabilities
    numbers, updates, decisions = jnp.arange(seeds, dtype=jnp.uint32), 0, 0.0
    for stop in stops:
        while updates < stop // DEALS:
            state, metrics = learner.train(
                state, UPDATES, jnp.float32(stops[-1] // DEALS), numbers
            )
            updates += UPDATES
            decisions += UPDATES * float(metrics["choices"].mean())
            if updates % RENEWED == 0:
                new = _with_magnet(state.optimiser, learner.saved(state))
                state = state._replace(optimiser=new)
        players = jax.device_get(learner.saved(state))
        one = [jax.tree.map(lambda leaf, seed=seed: leaf[seed], players) for seed in range(seeds)]
        yield decisions, np.stack([tree.chances(policy, params) for params in one])


def _fresh(learner: SelfPlayLearner, seed: int) -> Any:
    game, config = learner.game, dataclasses.replace(learner.config, seed=seed)
    learner = dataclasses.replace(learner, config=config)
    if getattr(config, "card_magnet", 0):
        # The first magnet is an untrained network, nearly uniform.
        first = NetworkAgent(game, config.hidden).init(jax.random.key(seed), game)
        learner = dataclasses.replace(learner, start=Start(policy_vocabulary([game]), first))
    return learner.fresh()


def _with_magnet(optimiser: Any, policy: Any) -> Any:
    """Return the state of an optimiser whose magnet, if there is one, is a copy of a policy."""
    return jax.tree.map(
        lambda part: Magnet(jax.tree.map(jnp.copy, policy)) if isinstance(part, Magnet) else part,
        optimiser,
        is_leaf=lambda part: isinstance(part, Magnet),
    )


# ---- Tables, in the tree itself ---------------------------------------------------------------------


class Table(NamedTuple):
    """A tree as one table of histories, those of all depths behind each other.

    Attributes:
      next: int32[histories], the history after the first action; the others follow it.
      cell: int32[histories], the cell of the first action; -1 without a choice.
      count: int32[histories], number of actions.
      player: int32[histories], to act.
      returns: float32[histories, num_players], 0 before the end.
    """

    next: np.ndarray
    cell: np.ndarray
    count: np.ndarray
    player: np.ndarray
    returns: np.ndarray


def table_of(tree: GameTree) -> Table:
    """Return a tree as a table."""
    parts, start, first_cell, number = [], 0, 0, tree.num_deals
    for depth in tree.depths:
        parent = np.arange(number) if depth.parent is None else depth.parent
        parent = parent[:0] if len(depth.ends) == number else parent
        count = np.bincount(parent, minlength=number)
        first = np.cumsum(count) - count
        cell, player = np.full(number, -1), np.zeros(number, int)
        if depth.cell is not None:
            own = np.flatnonzero(count > 1)
            cell[own] = depth.cell[first[own]]
            player[own] = depth.player[depth.situation[cell[own]]]
            cell[own] += first_cell
        returns = np.zeros((number, tree.game.num_players), np.float32)
        returns[depth.ends] = depth.returns
        start += number
        parts.append((start + first, cell, count, player, returns))
        first_cell, number = first_cell + len(depth.situation), len(parent)
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Table(*(column.astype(np.int32) for column in columns[:-1]), columns[-1])


def q_tables(tree: GameTree, seeds: int, stops: Sequence[int], most: int) -> Curve:
    """Learn tables of values by one-step Q-learning in self-play, all seeds under one `vmap`.

    A policy takes the best action. The fraction of random actions falls from 0.3 to 0.02, the learning
    rate from 0.5 to 0.05. Each cell learns from the mean of its errors in an update.

    Args:
      tree: of the game.
      seeds: number of seeds.
      stops: numbers of deals.
      most: largest number of actions.
    """
    table, depths = jax.tree.map(jnp.asarray, table_of(tree)), len(tree.depths)
    cells = len(tree.action)

    def choose(values: jax.Array, node: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Return the best slot of each history and its value."""
        slots = jnp.arange(most)
        found = values[table.cell[node][:, None] + slots]
        found = jnp.where(slots < table.count[node][:, None], found, -jnp.inf)
        return found.argmax(1), found.max(1)

    def update(values: jax.Array, time: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array]:
        epsilon, rate = 0.3 - 0.28 * time, 0.5 - 0.45 * time
        deal_key, key = jax.random.split(key)
        node = jax.random.randint(deal_key, (DEALS,), 0, tree.num_deals)

        def play(node: jax.Array, key: jax.Array) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
            explore, which = jax.random.uniform(key, (2, DEALS))
            best, _ = choose(values, node)
            slot = jnp.where(explore < epsilon, (which * table.count[node]).astype(int), best)
            slot = jnp.where(table.cell[node] < 0, 0, slot)
            after = jnp.where(table.count[node] > 0, table.next[node] + slot, node)
            return after, (node, slot)

        last, (nodes, slots) = jax.lax.scan(play, node, jax.random.split(key, depths))
        # goal: what the next decision of each player is worth, from the last to the first.
        goal = table.returns[last]

        def back(goal: jax.Array, step: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, Any]:
            node, slot = step
            chosen = table.cell[node] >= 0
            cell = jnp.where(chosen, table.cell[node] + slot, cells)
            own = jax.nn.one_hot(table.player[node], goal.shape[1], dtype=bool)
            error = jnp.where(own, goal, 0).sum(1) - values[cell]
            worth = choose(values, node)[1]
            return jnp.where(own & chosen[:, None], worth[:, None], goal), (cell, error)

        _, (cell, error) = jax.lax.scan(back, goal, (nodes, slots), reverse=True)
        total = jnp.zeros(cells + 1).at[cell].add(error)
        times = jnp.zeros(cells + 1).at[cell].add(1)
        values = values + rate * total / jnp.maximum(times, 1)
        return values.at[cells].set(0), times[:cells].sum()

    @functools.partial(jax.jit, donate_argnums=0, static_argnums=3)
    def train(values: jax.Array, keys: jax.Array, first: jax.Array, updates: int) -> Any:
        def run(values: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array]:
            def once(values: jax.Array, number: jax.Array) -> tuple[jax.Array, jax.Array]:
                return update(values, number * DEALS / stops[-1], jax.random.fold_in(key, number))

            values, decisions = jax.lax.scan(once, values, first + jnp.arange(updates))
            return values, decisions.sum()

        return jax.vmap(run)(values, keys)

    values, keys = jnp.zeros((seeds, cells + 1)), jax.random.split(jax.random.key(0), seeds)
    done, decisions = 0, 0.0
    for stop in stops:
        if more := stop // DEALS - done:
            values, made = train(values, keys, jnp.int32(done), more)
            done, decisions = done + more, decisions + float(made.mean())
        yield decisions, np.stack([_greedy(tree, own) for own in np.asarray(values)[:, :cells]])


def _greedy(tree: GameTree, values: np.ndarray) -> np.ndarray:
    """Return the policy that takes the first best action, or any action where all are alike."""
    most = np.full(tree.num_information_sets, -np.inf, np.float32)
    np.maximum.at(most, tree.situation, values)
    best = values == most[tree.situation]
    return best / np.bincount(tree.situation, best)[tree.situation]


# ---- Counterfactual regret --------------------------------------------------------------------------


def cfr(tree: GameTree, stops: Sequence[int]) -> Curve:
    """Minimise counterfactual regret over the whole tree (Zinkevich et al. 2007).

    As in OpenSpiel's solver, players learn in turn, and the policy is the average over the iterations.

    Args:
      tree: of the game.
      stops: numbers of iterations. For each player an iteration decides once in every history.
    """
    cells, players = len(tree.action), tree.game.num_players
    sets, owner = tree.num_information_sets, np.concatenate([depth.player for depth in tree.depths])
    previous = _previous_cells(tree)
    size = np.bincount(tree.situation)[tree.situation]
    choices = int((table_of(tree).cell >= 0).sum())

    def normal(weights: jax.Array) -> jax.Array:
        """Return weights of cells as probabilities, uniform where all are 0."""
        total = jax.ops.segment_sum(weights, tree.situation, sets)[tree.situation]
        return jnp.where(total > 0, weights / jnp.where(total > 0, total, 1), 1 / size)

    def learn(carry: Any, seat: jax.Array, depths: Any) -> tuple[Any, None]:
        regret, average = carry
        chance = normal(jnp.maximum(regret, 0))
        own = (owner == seat)[tree.situation]
        value = action_values(depths, tree.num_deals, chance, seat)
        mean = jax.ops.segment_sum(chance * value, tree.situation, sets)
        # reach: float[cells + 1], of the player's own choices before each action and with it.
        reach = jnp.ones(cells + 1)
        for _ in tree.depths:
            reach = reach.at[:cells].set(reach[previous][tree.situation] * chance)
        regret = regret + jnp.where(own, value - mean[tree.situation], 0)
        return (regret, average + jnp.where(own, reach[:cells], 0)), None

    @functools.partial(jax.jit, static_argnums=2)
    def run(carry: Any, depths: Any, iterations: int) -> Any:
        seats = jnp.tile(jnp.arange(players), iterations)
        return jax.lax.scan(functools.partial(learn, depths=depths), carry, seats)[0]

    with jax.enable_x64(True):
        carry, done = (jnp.zeros(cells), jnp.zeros(cells)), 0
        for stop in stops:
            carry, done = run(carry, tree.depths, stop - done), stop
            yield float(done * choices * players), np.asarray(jax.jit(normal)(carry[1]))[None]


def _previous_cells(tree: GameTree) -> np.ndarray:
    """Return the last cell that the player chose before each information set: int[information sets].

    Without a choice before it, the number of cells.
    """
    found, first = [], 0
    last = np.full((tree.num_deals, tree.game.num_players), len(tree.action))
    for depth in tree.depths:
        parent = np.arange(len(last)) if depth.parent is None else depth.parent
        if len(depth.ends) == len(last):
            parent = parent[:0]
        last = last[parent]
        if depth.cell is not None:
            chose = np.flatnonzero(depth.cell < len(depth.situation))
            cell = depth.cell[chose]
            player = depth.player[depth.situation[cell]]
            before = np.zeros(len(depth.player), int)
            before[depth.situation[cell]] = last[chose, player]
            last[chose, player] = first + cell
            found.append(before)
        first += len(depth.situation)
    return np.concatenate(found)
