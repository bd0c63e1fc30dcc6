"""`jaxcards table`: print the table of the learner `q-table`, in words. Does not need JAX."""

import argparse
from pathlib import Path

from jaxcards.agents.learners.qtable import file
from jaxcards.cli.options import add_value

HELP = "print the table of the learner q-table, in words"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("file", help=f"a {file.NAME}, or a run folder with one")
    add_value(parser, "top", int, "states to print, the most visited first", 20, minimum=1)


def check(args: argparse.Namespace) -> None:
    """Set file: Path; top: int."""
    path = Path(args.file)
    args.file = path / file.NAME if path.is_dir() else path


def run(args: argparse.Namespace) -> int:
    """Print the most visited states, and the actions of each with value and visits, best first."""
    with file.reading(args.file) as database:
        summary = file.summary(database)
        states = file.most_visited(database, args.top)
    meta = summary.meta
    print(
        f"{meta.game} after {meta.update:,} updates: {summary.states:,} states, "
        f"{summary.cells:,} cells, {summary.visits:,} visits"
    )
    for number, state in enumerate(states, start=1):
        print(f"\n{number}. {state.name} ({state.visits:,} visits)")
        width = max((len(action.name) for action in state.actions), default=0)
        for place, action in enumerate(state.actions):
            mark = "*" if place == 0 else " "
            print(f"   {mark} {action.name:<{width}}  {action.value:+8.2f}  {action.visits:>12,}")
    return 0
