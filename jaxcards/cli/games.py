"""`jaxcards games`: every id of a game with its description."""

import argparse

from jaxcards import registry

HELP = "list every game and preset"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command: none."""


def check(args: argparse.Namespace) -> None:
    """Leaves nothing."""


def run(args: argparse.Namespace) -> int:
    """Prints a line for each id. Needs no JAX."""
    lines = registry.games()
    width = max(map(len, lines))
    for id, description in lines.items():
        print(f"{id:<{width}}  {description}")
    return 0
