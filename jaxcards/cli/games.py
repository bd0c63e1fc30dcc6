"""`jaxcards games`: every id of a game with its description."""

import argparse

from jaxcards import registry


def run(args: argparse.Namespace) -> int:
    """Prints a line for each id. Needs no JAX."""
    lines = registry.games()
    width = max(map(len, lines))
    for id, description in lines.items():
        print(f"{id:<{width}}  {description}")
    return 0
