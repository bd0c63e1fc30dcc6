"""`jaxcards evaluate`: compares players on duplicate deals."""

import argparse

import jaxcards
from jaxcards.cli import players
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.plot import plot
from jaxcards.files import write_text
from jaxcards.xla import cache


def run(args: argparse.Namespace) -> int:
    """Prints a table of all pairs; writes `args.json` and `args.plot` where they are given."""
    cache.enable()
    game = jaxcards.make(args.game)
    loaded = [players.load(player, game) for player in args.players]
    result = evaluate(
        game,
        agents=[agent for agent, _ in loaded],
        params=[params for _, params in loaded],
        names=players.distinct_names(args.players),
        num_deals=args.deals,
        seed=args.seed,
    )
    print(result.to_text())
    if args.json:
        write_text(args.json, result.to_json())
    if args.plot:
        plot(result, args.plot)
    return 0
