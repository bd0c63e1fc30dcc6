"""The command `jaxcards`.

All that can be wrong with a command line is found before JAX is imported, which takes seconds.
Each command gets an `argparse.Namespace` with checked values:

    train     game: str; config: TrainingConfig; out: Path; resume: Path | None; evaluate: bool;
              processes: the arguments of `training.multihost.processes.connect`, a tuple | None
    evaluate  players: list[Player]; game: str; deals, seed: int; json, plot: Path | None
    simulate  game: str; players: list[Player]; deals, seed: int; json: Path | None
    bench     games: list[str]; works: list[Workload]; batches, devices: tuple[int, ...];
              repeats, seed: int; seconds: float; json, plot: Path | None
    games     nothing

`game` is an id with its preset written out; `Player` is in `jaxcards.cli.arguments`.

Exit status: that of the command, 2 for bad input, 130 after Ctrl-C, 143 after SIGTERM while
training.
"""

import argparse
import dataclasses
import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import jaxcards
from jaxcards import registry, settings
from jaxcards.bench import workloads
from jaxcards.cli import arguments
from jaxcards.errors import UserError, nearest, quote, unknown
from jaxcards.training.config import CONFIG_FILE, TrainingConfig


class _Parser(argparse.ArgumentParser):
    def __init__(self, **kwargs: Any) -> None:
        # An abbreviation would change its meaning with the next option that is added.
        super().__init__(allow_abbrev=False, **kwargs)

    def error(self, message: str) -> NoReturn:
        raise UserError(re.sub(r"^argument ", "", message))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (default: the one of this process) and returns the exit status."""
    try:
        status = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
        return status
    except UserError as error:
        return _fail(error)
    except BrokenPipeError:
        # The reader has gone, as in `jaxcards games | head -1`; at exit Python would flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.filename is None:
            raise
        return _fail(f"{error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        print("jaxcards: interrupted", file=sys.stderr)
        return 130


def _fail(message: object) -> int:
    print(f"jaxcards: error: {message}", file=sys.stderr)
    return 2


def _run(argv: list[str]) -> int:
    parser, commands = build_parser()
    if not argv:
        raise UserError(f"which command? (allowed: {', '.join(commands)}; see jaxcards --help)")
    if argv[0] not in commands:
        _options_of(parser, argv)
        raise unknown("command", argv[0], commands)
    # Intermixed: options may stand between the players of `evaluate`.
    args, rest = commands[argv[0]].parse_known_intermixed_args(argv[1:])
    _refuse(rest, commands[argv[0]])
    args.command = argv[0]
    args.check(args)
    try:
        return importlib.import_module(f"jaxcards.cli.{args.command}").run(args)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "jaxcards":
            raise
        raise UserError(
            f"{args.command} needs the package {error.name}: pip install 'jaxcards[train]'"
        ) from None


def _options_of(parser: argparse.ArgumentParser, argv: list[str]) -> None:
    """Answers `--help` and `--version`, which exit, and refuses other options of no command."""
    if argv[0].startswith("-"):
        parser.parse_known_args(argv[:1])
        _refuse(argv[:1], parser)


def _refuse(rest: list[str], parser: argparse.ArgumentParser) -> None:
    """Raises an error for the arguments that a parser did not know, if there are any."""
    for text in rest:
        if text.startswith("-"):
            name = text.partition("=")[0]
            known = [option for a in parser._actions for option in a.option_strings]
            guess = nearest(name, known)
            hint = f"; did you mean {guess}?" if guess else ""
            raise UserError(f"unknown option {quote(name)}{hint} (see {parser.prog} --help)")
    if rest:
        raise UserError(f"unexpected argument {quote(rest[0])} (see {parser.prog} --help)")


# --- The commands -------------------------------------------------------------------------------


def build_parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser of `jaxcards`, which knows the help, and the parser of each command by name."""
    parser = _Parser(
        prog="jaxcards", description="Trick-taking card games in JAX: train, evaluate, simulate."
    )
    parser.add_argument("--version", action="version", version=f"jaxcards {jaxcards.__version__}")
    parsers = parser.add_subparsers(metavar="COMMAND", title="commands")
    commands: dict[str, argparse.ArgumentParser] = {}

    def add(name: str, help: str, check: Callable[[argparse.Namespace], None]) -> _Parser:
        command = parsers.add_parser(name, help=help, description=help.capitalize() + ".")
        command.set_defaults(check=check)
        commands[name] = command
        return command

    _train_options(add("train", "train a player, then evaluate it", _check_train))
    _evaluate_options(add("evaluate", "compare players on duplicate deals", _check_evaluate))
    _simulate_options(add("simulate", "play one deal to read, or many to count", _check_simulate))
    _bench_options(add("bench", "measure how fast this machine is", _check_bench))
    add("games", "list every game and preset", lambda args: None)
    return parser, commands


def _train_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game", nargs="?", help="id of the game (default: the one of --config or --resume)"
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--config", metavar="FILE", help="TOML file with settings")
    source.add_argument("--resume", metavar="DIR", help="run folder to go on with")
    parser.add_argument("--out", metavar="DIR", help="new run folder (default: runs/GAME)")
    parser.add_argument(
        "--no-evaluate", dest="evaluate", action="store_false", help="only train the player"
    )
    group = parser.add_argument_group(
        "several processes", "the same command in each of them; see docs/devices.md"
    )
    group.add_argument("--coordinator", metavar="HOST:PORT", help="where process 0 listens")
    _add_value(group, "num_processes", int, _limits("number of processes", 1), "none")
    _add_value(group, "process_id", int, _limits("which of them this is, from 0", 0), "none")
    group.add_argument(
        "--distributed",
        action="store_true",
        help="ask the cluster (SLURM, Open MPI, ...) for all three",
    )
    group = parser.add_argument_group("settings", "each of them wins over the same setting in a file")
    hints = settings.annotations(TrainingConfig)
    for field in dataclasses.fields(TrainingConfig):
        default = settings.to_text(field.default)
        _add_value(group, field.name, hints[field.name], field.metadata, default)


def _check_train(args: argparse.Namespace) -> None:
    args.processes = arguments.processes(
        args.coordinator, args.num_processes, args.process_id, args.distributed
    )
    options = {name: vars(args).pop(name) for name in settings.annotations(TrainingConfig)}
    overrides = {name: value for name, value in options.items() if value is not None}
    args.resume = args.resume and arguments.run_folder(args.resume)
    file = args.resume / CONFIG_FILE if args.resume else args.config
    if args.resume and args.out:
        raise UserError("--out goes with a new run; --resume writes to the folder it goes on with")
    args.config = settings.load(TrainingConfig, file, overrides, ignore=("game",))
    configured = file and arguments.configured_game(file)
    typed = args.game or configured
    if typed is None:
        raise UserError(f"which game? (allowed: {', '.join(registry.GAMES)})")
    args.game = registry.canonical_id(typed)
    if args.resume and args.game != arguments.trained_game(args.resume):
        raise UserError(f"{args.resume} was trained on {configured}, not on {args.game}")
    args.out = args.resume or arguments.new_run_folder(args.out, typed)


def _evaluate_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "players", nargs="+", metavar="player", help=f"{' | '.join(arguments.PLAYERS)} | run folder"
    )
    parser.add_argument("--game", help="id of the game (default: of the run folders, else jass)")
    _add_value(parser, "deals", int, _limits("deals, each with every seating", 1), 2000)
    _add_seed(parser)
    _add_json(parser)
    _add_plot(parser)


def _check_evaluate(args: argparse.Namespace) -> None:
    args.players = [arguments.player(text) for text in args.players]
    if len(args.players) < 2:
        raise UserError("evaluate compares two players or more (such as: evaluate rules random)")
    args.game = arguments.game_of_players(args.game, args.players)
    _check_outputs(args)
    _check_plot(args)


def _simulate_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="id of the game")
    _add_value(parser, "deals", int, _limits("1 = a deal to read, more = statistics", 1), 1)
    parser.add_argument(
        "--players",
        default="random",
        metavar="A,B,...",
        help="one for all seats or one for each seat (default: random)",
    )
    _add_seed(parser)
    _add_json(parser)


def _check_simulate(args: argparse.Namespace) -> None:
    args.players = [arguments.player(text) for text in args.players.split(",")]
    args.game = arguments.game_of_players(args.game, args.players)
    _check_outputs(args)


def _bench_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="+", metavar="game", help="id of a game")
    parser.add_argument(
        "--work",
        default="random",
        metavar="A,B,...",
        help=f"{' | '.join(workloads.WORKLOADS)} | all (default: random)",
    )
    numbers = tuple[int, ...]
    batch = parser.add_mutually_exclusive_group()
    _add_value(batch, "batch", int, _limits("deals side by side", 1), "by device")
    _add_value(batch, "batches", numbers, _limits("several of them, such as 1,64,4096", 1), "one")
    _add_value(parser, "devices", numbers, _limits("devices that share a batch; 1,2: in turns", 1), "1")
    _add_value(parser, "repeats", int, _limits("timed repeats", 1), 10)
    _add_value(parser, "seconds", float, _limits("least time of a repeat", 0), 0.25)
    _add_seed(parser)
    _add_json(parser)
    _add_plot(parser)


def _check_bench(args: argparse.Namespace) -> None:
    args.games = list(dict.fromkeys(registry.canonical_id(game) for game in args.games))
    args.works = workloads.choose(args.work.split(","))
    args.batches = args.batches or ((args.batch,) if args.batch else ())
    args.devices = args.devices or (1,)
    _check_outputs(args)
    _check_plot(args)


# --- Options that several commands have ---------------------------------------------------------


def _limits(help: str, minimum: int, maximum: int | None = None) -> dict[str, Any]:
    return {"help": help, "minimum": minimum, "maximum": maximum}


def _add_value(
    parser: argparse._ActionsContainer, name: str, annotation: Any, limits: Any, default: Any
) -> None:
    """Adds `--name`; a default that is a text is only shown, and None stands for it."""
    help = f"{limits['help']} (default: {default})".replace("%", "%%")
    parser.add_argument(
        "--" + name.replace("_", "-"),
        action=arguments.Value,
        annotation=annotation,
        limits=limits,
        default=None if isinstance(default, str) else default,
        metavar={int: "N", float: "X", tuple[int, ...]: "N,N,..."}.get(annotation, "TEXT"),
        help=help,
    )


def _add_seed(parser: argparse.ArgumentParser) -> None:
    _add_value(parser, "seed", int, _limits("seed of every random number", 0, 2**32 - 1), 0)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", metavar="FILE", help="write the result to a file as well")


def _add_plot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plot", metavar="FILE", help="draw the result (.png, .svg or .pdf)")


def _check_plot(args: argparse.Namespace) -> None:
    args.plot = args.plot and arguments.output_file(args.plot, (".png", ".svg", ".pdf"))


def _check_outputs(args: argparse.Namespace) -> None:
    args.json = args.json and arguments.output_file(args.json)
