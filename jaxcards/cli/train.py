"""`jaxcards train`: its options. The work is in `jaxcards.cli.training`, which needs JAX."""

import argparse
import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

from jaxcards import players, registry, settings
from jaxcards.agents.learners.registry import DEFAULT, LEARNERS
from jaxcards.cli.options import add_no_cache, add_value
from jaxcards.errors import UserError, quote, unknown
from jaxcards.training.by_game import BEST
from jaxcards.training.config import (
    CONFIG_FILE,
    TrainingConfig,
    adversary_of,
    config_class,
    learner_of,
    load_config,
    own_settings,
    start_of,
    teacher_of,
)
from jaxcards.training.run_folders import configured_game, new_run_folder, run_folder, trained_game

HELP = "train a player, then evaluate it"

NEEDS = ("train", ("orbax", "tensorboardX", "matplotlib", "tqdm"))
"""The extra of the command; see `cli.play`."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command, with one for each setting of a learner or of the run."""
    parser.add_argument(
        "game", nargs="?", help="id of the game (default: the one of --config or --resume)"
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--config", metavar="FILE", help="TOML file with settings")
    source.add_argument("--resume", metavar="DIR", help="run folder to continue")
    parser.add_argument(
        "--learner",
        metavar="NAME",
        help=f"one of: {', '.join(LEARNERS)} (default: that of --config or --resume, else {DEFAULT})",
    )
    parser.add_argument("--out", metavar="DIR", help="new run folder (default: runs/GAME)")
    parser.add_argument(
        "--no-evaluate", dest="evaluate", action="store_false", help="only train the player"
    )
    about = "seeds to train together, each in a run folder; the first is --seed"
    add_value(parser, "seeds", int, about, 1, minimum=1)
    parser.add_argument(
        "--grid",
        nargs="+",
        default=(),
        metavar="NAME=X,X",
        help="train every combination of these values of settings, with all seeds",
    )
    group = parser.add_argument_group(
        "several processes", "run the same command in each process; see docs/devices.md"
    )
    group.add_argument("--coordinator", metavar="HOST:PORT", help="address of process 0")
    add_value(group, "num_processes", int, "number of processes", "none", minimum=1)
    add_value(group, "process_id", int, "number of this process, from 0", "none", minimum=0)
    group.add_argument(
        "--distributed",
        action="store_true",
        help="get all three from the cluster (SLURM, Open MPI, ...)",
    )
    add_settings(parser, tuple(LEARNERS))


def add_settings(
    parser: argparse.ArgumentParser, learners: Sequence[str], leave_out: Collection[str] = ()
) -> None:
    """Add `--no-cache`, and an option for each setting of some learners and of the run.

    The help shows the settings of the first learner; see `show_settings`.

    Args:
      parser: of a command that trains.
      learners: names.
      leave_out: settings without an option.
    """
    add_no_cache(parser)
    group = parser.add_argument_group("settings of the run", "an option overrides a file")
    for field in dataclasses.fields(TrainingConfig):
        _add_setting(group, field.name, learners[0])
    group = parser.add_argument_group("settings of the learner")
    owners: dict[str, str] = {}
    # A setting of several learners has one option, described as by the first of them.
    for learner in learners:
        for name in own_settings(learner):
            owners.setdefault(name, learner)
    for name, learner in owners.items():
        if name not in leave_out:
            _add_setting(group, name, learner)
    _show(parser, learners[0])


def show_settings(parser: argparse.ArgumentParser, argv: Sequence[str]) -> None:
    """Show in the help only the settings of the learner that a command line names."""
    chosen = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    chosen.add_argument("--learner", choices=tuple(LEARNERS))
    try:
        _show(parser, chosen.parse_known_args(argv)[0].learner or DEFAULT)
    except argparse.ArgumentError:  # `check` has the message
        pass


def given_settings(args: argparse.Namespace, learners: Sequence[str]) -> dict[str, Any]:
    """Remove the settings from the arguments; return the given ones, name -> value."""
    names = {name for learner in learners for name in settings.annotations(config_class(learner))}
    options = {name: vars(args).pop(name, None) for name in names}
    return {name: value for name, value in options.items() if value is not None}


def check(args: argparse.Namespace) -> None:
    """Set game: str; config: TrainingConfig; out: Path; resume: Path | None; evaluate: bool;
    seeds: int; grid: a dict, setting -> values; processes: the arguments of
    `training.multihost.processes.connect`, a tuple | None."""
    args.processes = _processes(args.coordinator, args.num_processes, args.process_id, args.distributed)
    overrides = given_settings(args, tuple(LEARNERS))
    args.resume = args.resume and run_folder(args.resume)
    file = args.resume / CONFIG_FILE if args.resume else args.config
    begun = learner_of(file) if file else DEFAULT
    learner = args.learner or begun
    if args.resume and learner != begun:
        raise UserError(f"{args.resume} was begun with {begun}: a resumed run keeps its learner")
    if args.resume and args.out:
        raise UserError("--out needs a new run; --resume writes to its own folder")
    configured = file and configured_game(file)
    typed = args.game or configured
    args.config = load_config(learner, file, overrides, typed or "", resumed=bool(args.resume))
    if typed is None:
        raise UserError(f"which game? (allowed: {', '.join(registry.GAMES)})")
    args.game = registry.canonical_id(typed)
    args.grid = _grid(args.grid, args.config, overrides)
    if args.seeds > 1 or args.grid:
        _check_together(args)
    if args.resume and args.game != trained_game(args.resume):
        raise UserError(f"{args.resume} was trained on {configured}, not on {args.game}")
    if adversary := adversary_of(args.config):
        named = players.compiled_player(adversary, overrides.get("against") == adversary)
        players.game_of(args.game, [named])
    if teacher := teacher_of(args.config):
        players.game_of(args.game, [players.network_player(teacher)])
    if (start := start_of(args.config)) and not args.resume:
        players.game_of(args.game, [players.network_player(start)])
    args.out = args.resume or new_run_folder(args.out, typed)


def run(args: argparse.Namespace) -> int:
    """Train, and evaluate the trained player; see `jaxcards.cli.training`."""
    from jaxcards.cli import training

    return training.run(args)


def _grid(
    texts: Sequence[str], config: TrainingConfig, given: Collection[str]
) -> dict[str, tuple[float, ...]]:
    """Return the values of each setting of `--grid`.

    Args:
      texts: of the form NAME=VALUE,VALUE.
      config: the other settings.
      given: names of settings that have an option.

    Raises:
      UserError: for a setting or a value that a grid cannot have.
    """
    if texts and not config.numbers:
        raise UserError(f"{config.learner} trains one run at a time: leave out --grid")
    grid: dict[str, tuple[float, ...]] = {}
    fields = {field.name: field for field in dataclasses.fields(config)}
    for text in texts:
        name, separator, listed = text.partition("=")
        name = name.replace("-", "_")
        if not separator:
            raise UserError(f"--grid needs NAME=VALUE,VALUE, not {quote(text)}")
        if name in fields and name not in config.numbers:
            raise UserError(
                f"{name} changes the compiled step: train its values one by one (--grid takes "
                f"{', '.join(config.numbers)})"
            )
        if name not in fields:
            raise unknown("setting", name, config.numbers, "--grid")
        if name in given or name in grid:
            raise UserError(f"{name} is set twice: once in --grid is enough")
        values = settings.parse(name, tuple[float, ...], listed)
        if not values:
            raise UserError(f"--grid has no value of {name}")
        for value in values:
            settings.check_range(name, value, fields[name].metadata)
            if values.count(value) > 1:
                raise UserError(f"--grid has {name} = {value} twice: name each value once")
        grid[name] = values
    return grid


def _check_together(args: argparse.Namespace) -> None:
    """Raise `UserError` for options that do not go with several runs at once."""
    config, learner = args.config, args.config.learner
    option = "--grid" if args.grid else "--seeds"
    if args.resume:
        raise UserError(f"{option} needs a new run: leave out {option} or --resume")
    if args.processes:
        raise UserError(f"{option} trains in one process: leave out {option}, or start one process")
    if learner == "imitation":
        raise UserError(f"{learner} trains one seed at a time: leave out {option}")
    if args.seeds > 1 and getattr(config, "variants", 0):
        raise UserError("every seed has other variants of the rules: leave out --seeds or --variants")
    if config.seed + args.seeds > 2**32:
        raise UserError(f"{args.seeds} seeds from {config.seed} on exceed {2**32 - 1}: lower --seed")


def _add_setting(group: argparse._ActionsContainer, name: str, learner: str) -> None:
    """Add the option of a setting."""
    chosen = config_class(learner)
    annotation, field = settings.annotations(chosen)[name], chosen.__dataclass_fields__[name]
    add_value(group, name, annotation, default="", **field.metadata)


def _show(parser: argparse.ArgumentParser, learner: str) -> None:
    """Set the help of every setting; hide those that the learner lacks."""
    fields = {field.name: field for field in dataclasses.fields(config_class(learner))}
    known = {name for other in LEARNERS for name in settings.annotations(config_class(other))}
    for action in parser._actions:
        if action.dest in fields:
            field = fields[action.dest]
            help = f"{field.metadata['help']} (default: {_default(learner, field)})"
            action.help = help.replace("%", "%%")
        elif action.dest in known:
            action.help = argparse.SUPPRESS


def _default(learner: str, field: "dataclasses.Field[Any]") -> str:
    """Return the default of a setting as text, and the defaults of games that differ."""
    games = BEST.get(learner, {}).items()
    by_game = [f"{game}: {_text(own[field.name])}" for game, own in games if field.name in own]
    return "; ".join([_text(field.default), *by_game])


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return settings.to_text(value) or "none"


def _processes(
    coordinator: str | None, num_processes: int | None, process_id: int | None, distributed: bool
) -> tuple[str | None, int | None, int | None] | None:
    """Return the processes that train together, or None if this is the only one.

    Returns:
      Coordinator, number of processes, number of this one; all None to get them from the cluster.

    Raises:
      UserError: if some of them are missing, or contradict each other.
    """
    named = {
        "--coordinator": coordinator,
        "--num-processes": num_processes,
        "--process-id": process_id,
    }
    missing = [name for name, value in named.items() if value is None]
    if distributed:
        if len(missing) < len(named):
            raise UserError(f"--distributed asks the cluster: leave out {', '.join(named)}")
        return None, None, None
    if len(missing) == len(named):
        return None
    if coordinator is None or num_processes is None or process_id is None:
        raise UserError(f"{', '.join(named)} go together: {' and '.join(missing)} missing")
    host, _, port = coordinator.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise UserError(
            f"--coordinator must be HOST:PORT, such as 10.0.0.1:8476, not {quote(coordinator)}"
        )
    if process_id >= num_processes:
        raise UserError(
            f"--process-id must be below --num-processes ({num_processes}), not {process_id}"
        )
    return coordinator, num_processes, process_id
