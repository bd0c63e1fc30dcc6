"""`jaxcards leaderboard`: shows the leaderboard of games, and enters a player."""

import argparse
from pathlib import Path

from jaxcards import players, registry
from jaxcards.cli.options import add_no_cache, add_outputs, check_outputs
from jaxcards.errors import UserError

HELP = "show the leaderboard of a game, or enter a player"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("game", nargs="?", help="id of the game (default: all)")
    parser.add_argument("player", nargs="?", help="player to enter; see evaluate")
    parser.add_argument("--by", metavar="TEXT", help="who made the player")
    add_outputs(parser, plot=False)
    add_no_cache(parser)


def check(args: argparse.Namespace) -> None:
    """Set games: list[str]; player: str | None; by: str; json: Path | None."""
    from jaxcards.players import leaderboard

    args.games = [registry.canonical_id(args.game)] if args.game else leaderboard.games()
    if args.player is None:
        if args.by or args.json:
            raise UserError("--by and --json belong to an entry: name a player after the game")
    else:
        if " " in args.games[0]:
            raise UserError("the leaderboard has presets: leave out changed rules")
        if not args.by:
            raise UserError("an entry names its maker: add --by 'Ada Lovelace'")
        players.game_of(args.games[0], [players.honest_player(args.player, typed=True)])
    check_outputs(args)


def run(args: argparse.Namespace) -> int:
    """Print the tables; with a player, play its deals first, and write the entry to `args.json`."""
    from jaxcards.bench import machine
    from jaxcards.files import write_text
    from jaxcards.players import leaderboard
    from jaxcards.xla import cache

    cache.enable(args.cache)
    new = []
    if args.player is not None:
        processor = machine.describe()["processor"]
        new = [leaderboard.enter(args.games[0], args.player, args.by, processor)]
        if args.json:
            write_text(Path(args.json), new[0].to_json())
    for place, game in enumerate(args.games):
        # A new entry replaces that of the same player.
        known = [entry for entry in leaderboard.entries(game) if entry.player != args.player]
        print("\n" * bool(place) + leaderboard.to_text(game, [*known, *new]))
    return 0
