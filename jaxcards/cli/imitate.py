"""`jaxcards imitate`: train a network on the decisions in records of games."""

import argparse
import dataclasses
from pathlib import Path

from jaxcards import registry
from jaxcards.cli import train
from jaxcards.cli.options import add_value, pass_over
from jaxcards.cli.train import add_settings, given_settings
from jaxcards.training.config import load_config
from jaxcards.training.run_folders import new_run_folder

HELP = "train a player to imitate the players of recorded games"

NEEDS = train.NEEDS

_LEARNER = "imitation"
_EPOCHS = 4.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command, with one for each setting of the learner or of the run."""
    parser.add_argument("game", help="id of the game in the records")
    parser.add_argument("data", metavar="DATA", help="a file or folder of records")
    parser.add_argument("--out", metavar="DIR", help="new run folder (default: runs/imitation-GAME)")
    add_value(
        parser,
        "epochs",
        float,
        "passes over the data, unless minutes or updates are given",
        f"{_EPOCHS:g}",
        above=0,
        maximum=10_000,
    )
    parser.add_argument(
        "--no-evaluate", dest="evaluate", action="store_false", help="only train the player"
    )
    add_settings(parser, (_LEARNER,), leave_out=("data",))


def check(args: argparse.Namespace) -> None:
    """Set the values of `train.check`, and epochs: float, 0 if minutes or updates are given."""
    from jaxcards.records.convert import inputs

    args.processes = args.resume = None
    args.seeds, args.grid = 1, {}
    data = args.data
    inputs(Path(data), pass_over)
    overrides = given_settings(args, (_LEARNER,)) | {"data": data}
    args.game = registry.canonical_id(args.game)
    args.config = load_config(_LEARNER, None, overrides)
    limited = "minutes" in overrides or "updates" in overrides
    args.epochs = args.epochs or (0.0 if limited else _EPOCHS)
    args.out = new_run_folder(args.out, f"imitation-{args.game}")


def run(args: argparse.Namespace) -> int:
    """Read the records, train, and report how well held-out games are predicted."""
    import jaxcards
    from jaxcards.agents.learners.registry import make_learner
    from jaxcards.cli import training
    from jaxcards.training import devices, feeding
    from jaxcards.xla import cache

    devices.prepare(args.config)
    cache.enable(args.cache)
    game = jaxcards.make(args.game)
    learner = make_learner(_LEARNER, game, args.config, devices.choose(args.config))
    feed = feeding.feed_of(learner)  # type: ignore[arg-type]
    print(feed.about, flush=True)
    if args.epochs:
        updates = max(round(args.epochs * feed.per_epoch), 1)
        args.config = dataclasses.replace(args.config, updates=updates)
    return training.run(args)
