"""The command `jaxcards`: puts the commands together, parses, and prints errors.

Exit status: that of the command, 2 for bad input, 130 after Ctrl-C, 143 after SIGTERM while
training.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import jaxcards
from jaxcards.cli import (
    bench,
    convert,
    evaluate,
    exploit,
    games,
    imitate,
    play,
    review,
    serve,
    simulate,
    table,
    train,
)
from jaxcards.errors import UserError, nearest, quote, unknown

COMMANDS = {
    "train": train,
    "evaluate": evaluate,
    "exploit": exploit,
    "imitate": imitate,
    "table": table,
    "play": play,
    "serve": serve,
    "simulate": simulate,
    "convert": convert,
    "review": review,
    "bench": bench,
    "games": games,
}
"""Name of each command -> its module; see `jaxcards.cli`."""


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
    name, command = argv[0], COMMANDS[argv[0]]
    # Intermixed: options may stand between the players of `evaluate`.
    args, rest = commands[name].parse_known_intermixed_args(argv[1:])
    _refuse(rest, commands[name])
    command.check(args)
    try:
        return command.run(args)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "jaxcards":
            raise
        extra = getattr(command, "EXTRA", "train")
        raise UserError(
            f"{name} needs the package {error.name}: pip install 'jaxcards[{extra}]'"
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


def build_parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Returns the parser of `jaxcards`, which knows the help, and the parser of each command."""
    parser = _Parser(
        prog="jaxcards", description="Trick-taking card games in JAX: train, evaluate, play."
    )
    parser.add_argument("--version", action="version", version=f"jaxcards {jaxcards.__version__}")
    parsers = parser.add_subparsers(metavar="COMMAND", title="commands")
    commands: dict[str, argparse.ArgumentParser] = {}
    for name, module in COMMANDS.items():
        help = module.HELP
        commands[name] = parsers.add_parser(name, help=help, description=help.capitalize() + ".")
        module.add_options(commands[name])
    return parser, commands
