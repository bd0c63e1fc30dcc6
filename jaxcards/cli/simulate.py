"""`jaxcards simulate`: one deal to read, or statistics of many."""

import argparse
import json
from typing import Any

from jaxcards.cli import players
from jaxcards.cli.options import add_outputs, add_seed, add_value, check_outputs
from jaxcards.errors import UserError

HELP = "play one deal to read, or many to count"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    parser.add_argument("game", help="id of the game")
    add_value(parser, "deals", int, "1 = a deal to read, more = statistics", 1, minimum=1)
    parser.add_argument(
        "--players",
        default="random",
        metavar="A,B,...",
        help="one for all seats or one for each seat (default: random)",
    )
    add_seed(parser)
    add_outputs(parser, plot=False)


def check(args: argparse.Namespace) -> None:
    """Leaves game: str; players: list[Player]; deals, seed: int; json: Path | None."""
    args.players = [players.player(text) for text in args.players.split(",")]
    for player in args.players:
        if player.opponent is not None:
            raise UserError(f"simulate plays without other engines: {player.name} is for evaluate")
    args.game = players.game_of(args.game, args.players)
    check_outputs(args)


def run(args: argparse.Namespace) -> int:
    """Prints a deal with its decisions, or statistics of many; writes `args.json` where given."""
    import jaxcards
    from jaxcards.evaluation.simulation import play_one, simulate
    from jaxcards.files import write_text
    from jaxcards.xla import cache

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
        deal, text = play_one(game, agents, params, args.seed)
        result |= deal
    else:
        statistics = simulate(game, agents, params, args.deals, args.seed)
        result |= statistics.to_dict()
        text = statistics.to_text()
    print(f"{game.id}, played by {', '.join(names)}, seed {args.seed}\n\n{text}")
    if args.json:
        write_text(args.json, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    return 0
