"""`jaxcards simulate`: one deal to read, or statistics of many."""

import argparse
import json
from typing import Any

import jax
import jax.numpy as jnp

import jaxcards
from jaxcards import xla
from jaxcards.cli import players
from jaxcards.errors import UserError
from jaxcards.evaluation.simulation import simulate
from jaxcards.files import write_text
from jaxcards.game import Game
from jaxcards.rollouts import Trajectory, deal_keys, rollout
from jaxcards.xla import cache


def run(args: argparse.Namespace) -> int:
    """Prints a deal with its decisions, or statistics of many; writes `args.json` where given."""
    cache.enable()
    game = jaxcards.make(args.game)
    if len(args.players) not in (1, game.num_players):
        raise UserError(
            f"--players names one player for all seats or {game.num_players}, one for each seat of "
            f"{game.id}, not {len(args.players)}"
        )
    loaded = [players.load(player, game) for player in args.players]
    agents, params = [agent for agent, _ in loaded], [params for _, params in loaded]
    names = [player.name for player in args.players]
    result: dict[str, Any] = {"game": game.id, "players": names, "seed": args.seed}
    if args.deals == 1:
        deal, text = _one_deal(game, agents, params, args.seed)
        result |= deal
    else:
        statistics = simulate(game, agents, params, args.deals, args.seed)
        result |= statistics.to_dict()
        text = statistics.to_text()
    print(f"{game.id}, played by {', '.join(names)}, seed {args.seed}\n\n{text}")
    if args.json:
        write_text(args.json, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    return 0


def _one_deal(game: Game, agents: Any, params: Any, seed: int) -> tuple[dict[str, Any], str]:
    """Plays deal 0 of a seed, the first of those that all commands play."""

    def play(params: Any, seed: jax.Array) -> tuple[Any, Any, Any, Trajectory | None]:
        key = deal_keys(seed, jnp.arange(1, dtype=jnp.uint32))[0]
        done = rollout(game, agents, params, key, trajectory=True)
        steps = done.trajectory
        assert steps is not None
        return done.state, done.points, done.returns, steps._replace(observation=None)

    state, points, returns, steps = xla.jit(play)(params, jnp.uint32(seed))
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
