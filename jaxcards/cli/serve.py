"""`jaxcards serve`: tables in the browser."""

import argparse
import dataclasses
import functools
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxcards import players, settings
from jaxcards.cli.options import add_no_cache, add_value
from jaxcards.serve.settings import ServeSettings, check_data

if TYPE_CHECKING:
    from jaxcards.game import Game

HELP = "serve tables for play in the browser"

NEEDS = ("web", ("fastapi", "uvicorn"))
"""The extra of the command; see `cli.play`."""

_OPTIONS = [field for field in dataclasses.fields(ServeSettings) if field.init]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command: a file, and one for each setting."""
    parser.add_argument("--config", metavar="FILE", help="TOML file with settings; options override it")
    hints = settings.annotations(ServeSettings)
    for field in _OPTIONS:
        help, default = field.metadata["help"], settings.to_text(field.default) or "none"
        if field.name == "data":
            help, default = "file of the tables", "tables.sqlite in the user's data folder"
        limits = {name: field.metadata[name] for name in ("minimum", "above", "maximum")}
        add_value(parser, field.name, hints[field.name], help, default, **limits)
    add_no_cache(parser)


def check(args: argparse.Namespace) -> None:
    """Set settings: ServeSettings; typed: the players that the command line names."""
    given = {field.name: getattr(args, field.name) for field in _OPTIONS}
    # Options that are not given leave the values of the file.
    given = {name: value for name, value in given.items() if value is not None}
    args.settings = settings.load(ServeSettings, args.config, given)
    args.typed = given.get("players", ())
    for name in args.settings.players:
        players.compiled_player(name, name in args.typed)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    from jaxcards.serve.run import serve
    from jaxcards.xla import cache

    cache.enable(args.cache)
    check_data(Path(args.settings.file))
    allowed = functools.partial(load, typed=args.typed)
    serve(args.settings, allowed, lambda line: print(line, file=sys.stdout, flush=True))
    return 0


def load(name: str, game: "Game", typed: Collection[str] = ()) -> tuple[Any, Any]:
    """Return the agent of a player's name, and its parameters.

    Args:
      name: from the command line, a request, or the file of tables.
      game: the game, or a match of it.
      typed: names from the command line. Only these may run code from a file.

    Raises:
      UserError: see `players.compiled_player` and `loading.load`.
    """
    from jaxcards.players import loading

    return loading.load(players.compiled_player(name, name in typed), game)
