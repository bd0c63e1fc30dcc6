"""One deal in text, or statistics of many deals that apply to any game."""

import dataclasses
import time
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.evaluation.batches import batches, check, numbers
from jaxcards.game import Game
from jaxcards.loops import Illegal, Trajectory
from jaxcards.rollouts import Rollout, deal_keys, recorded_rollout, require_legal
from jaxcards.tables import align

DEFAULT_BATCH = 2048
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_CALLS_SHOWN = 16  # in the text; some games have hundreds of bids


@dataclasses.dataclass(frozen=True)
class Simulation:
    """Statistics of many deals.

    Attributes:
      num_deals: deals played.
      points: number[num_deals, num_players], `Game.points` of each deal.
      won: float[num_players], share of deals that a seat's side won, that is, with the largest returns.
        Sides with equal returns share the deal.
      decisions: mean number of decisions of a deal.
      legal: mean number of legal actions at a decision.
      calls: name of every action that plays no card -> its mean frequency in a deal.
      deals_per_second: without compiling.
      compile_seconds: compiling, first batch included.
    """

    num_deals: int
    points: np.ndarray
    won: np.ndarray
    decisions: float
    legal: float
    calls: dict[str, float]
    deals_per_second: float
    compile_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics as JSON values."""
        return {
            "deals": self.num_deals,
            "seats": [
                {
                    "points_mean": float(points.mean()),
                    "points_sd": float(points.std()),
                    "points_quantiles": dict(
                        zip(map(str, QUANTILES), np.quantile(points, QUANTILES).tolist(), strict=True)
                    ),
                    "won": float(won),
                }
                for points, won in zip(self.points.T, self.won, strict=True)
            ],
            "decisions_per_deal": self.decisions,
            "legal_actions_per_decision": self.legal,
            "calls_per_deal": self.calls,
            "deals_per_second": self.deals_per_second,
            "compile_seconds": self.compile_seconds,
        }

    def to_text(self) -> str:
        """Return the statistics as a table for people."""
        head = ["seat", "deals won", "points", "sd", *(f"{100 * q:.0f} %" for q in QUANTILES)]
        rows = [head]
        for seat, (points, won) in enumerate(zip(self.points.T, self.won, strict=True)):
            quantiles = [f"{value:.0f}" for value in np.quantile(points, QUANTILES)]
            mean, sd = f"{points.mean():.2f}", f"{points.std():.2f}"
            rows.append([str(seat), f"{100 * won:.1f} %", mean, sd, *quantiles])
        lines = [
            *align(rows),
            "",
            f"{self.decisions:.2f} decisions a deal, {self.legal:.2f} legal actions a decision",
        ]
        if self.calls:
            lines += ["", "calls (actions that play no card), times per deal:", *self._call_lines()]
        rate = f"{self.deals_per_second:,.0f} deals/s"
        lines += ["", f"{self.num_deals} deals, {rate}; {self.compile_seconds:.1f} s to compile"]
        return "\n".join(lines)

    def _call_lines(self) -> list[str]:
        ranked = sorted(self.calls.items(), key=lambda call: -call[1])
        rows = [[f"  {name}", f"{times:.4f}"] for name, times in ranked[:_CALLS_SHOWN]]
        if len(ranked) > _CALLS_SHOWN:
            rest = sum(times for _, times in ranked[_CALLS_SHOWN:])
            rows.append([f"  {len(ranked) - _CALLS_SHOWN} others", f"{rest:.4f}"])
        return align(rows)


def simulate(
    game: Game,
    agents: Sequence[Agent],
    params: Sequence[Any],
    num_deals: int,
    seed: int = 0,
    batch: int = DEFAULT_BATCH,
) -> Simulation:
    """Play many deals and return their statistics.

    Args:
      game: the game to play.
      agents: one for all seats, or one for each.
      params: of each agent.
      num_deals: at least 1.
      seed: 0 to 2**32 - 1.
      batch: deals side by side; affects only speed and memory.

    Raises:
      UserError: numbers out of range, agents that do not match the seats, or an illegal action.
    """
    check(num_deals, seed, batch)
    batch = min(batch, num_deals)
    play = xla.jit(_batch_of(game, agents, batch), split=True)
    number = jnp.uint32(seed)
    start = time.perf_counter()
    # The first batch compiles; it is played again below.
    jax.block_until_ready(play(params, number, jnp.uint32(0)))
    compiled = time.perf_counter()
    points, won = [], np.zeros(game.num_players)
    actions = np.zeros(game.num_actions, np.int64)
    num_legal = 0
    for first, count in batches(num_deals, batch, "simulate"):
        found = play(params, number, jnp.uint32(first))
        done, illegal = jax.tree.map(lambda leaf, count=count: np.asarray(leaf)[:count], found)
        require_legal(game, illegal, first)
        deal_points, returns, action, legal, valid = done
        points.append(deal_points)
        won += shares_won(game, returns).sum(axis=0)
        actions += np.bincount(action[valid], minlength=game.num_actions)
        num_legal += int(legal[valid].sum())
    seconds = time.perf_counter() - compiled
    num_decisions = int(actions.sum())
    # Actions behind the cards are calls.
    calls = range(game.deck.num_cards, game.num_actions)
    return Simulation(
        num_deals=num_deals,
        points=np.concatenate(points),
        won=won / num_deals,
        decisions=num_decisions / num_deals,
        legal=num_legal / num_decisions,
        calls={game.action_to_string(a): float(actions[a]) / num_deals for a in calls},
        deals_per_second=num_deals / seconds,
        compile_seconds=compiled - start,
    )


def play_one(
    game: Game, agents: Sequence[Agent], params: Sequence[Any], seed: int
) -> tuple[dict[str, Any], str]:
    """Play deal 0 of a seed, the first of those that all commands play.

    Args:
      game, agents, params, seed: see `simulate`.

    Returns:
      The deal as JSON values, and as a text for people.
    """

    def play(params: Any, seed: jax.Array) -> tuple[Rollout, Trajectory]:
        key = deal_keys(seed, jnp.arange(1, dtype=jnp.uint32))[0]
        done, steps = recorded_rollout(game, agents, params, key, check=True)
        # Without observations, XLA need not compute them.
        return done, steps._replace(observation=None)

    (state, points, returns, illegal), steps = xla.jit(play)(params, jnp.uint32(seed))
    require_legal(game, illegal)
    steps = jax.device_get(steps)
    decisions = [
        {"player": int(player), "action": int(action), "name": game.action_to_string(int(action))}
        for player, action, valid in zip(steps.player, steps.action, steps.valid, strict=True)
        if valid
    ]
    lines = [game.to_string(state), "", "decisions:"]
    for number, decision in enumerate(decisions, start=1):
        lines.append(f"{number:4}  seat {decision['player']}  {decision['name']}")
    points, returns = points.tolist(), returns.tolist()
    lines += ["", f"points by seat: {', '.join(map(str, points))}"]
    deal = {"deals": 1, "decisions": decisions, "points": points, "returns": returns}
    return deal, "\n".join(lines)


def states_of(game: Game, seed: int, actions: Sequence[int]) -> Iterator[Any]:
    """Yield the states of deal 0 of a seed: before the first of some actions, and after each."""
    step = jax.jit(game.step)
    state = game.init(deal_keys(jnp.uint32(seed), jnp.arange(1, dtype=jnp.uint32))[0])
    yield state
    for action in actions:
        state = step(state, jnp.int32(action))
        yield state


def shares_won(game: Game, returns: np.ndarray) -> np.ndarray:
    """Return float64[n, num_players]: each seat's side's share of each deal (returns[n, players])."""
    sides = np.array(game.teams or range(game.num_players))
    best = returns == returns.max(axis=1, keepdims=True)
    # winners: the number of sides that share the best returns.
    winners = sum(best[:, sides == side].any(axis=1).astype(int) for side in np.unique(sides))
    return best / np.asarray(winners)[:, None]


def _batch_of(game: Game, agents: Sequence[Agent], batch: int) -> Any:
    def play_deal(params: Any, key: jax.Array) -> tuple[tuple[jax.Array, ...], Illegal | None]:
        done, steps = recorded_rollout(game, agents, params, key, check=True)
        # Numbers are enough: the sets themselves need not reach the host.
        legal = jax.vmap(lambda actions: actions.count())(steps.legal)
        return (done.points, done.returns, steps.action, legal, steps.valid), done.illegal

    def play_batch(
        params: Any, seed: jax.Array, first: jax.Array
    ) -> tuple[tuple[jax.Array, ...], Illegal | None]:
        keys = deal_keys(seed, numbers(first, batch))
        return jax.vmap(play_deal, in_axes=(None, 0))(params, keys)

    return play_batch
