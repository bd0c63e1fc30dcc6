"""The command `jaxcards`: assembles the commands, parses, and prints errors.

Exit status: that of the command, 2 for bad input, 3 for a file that cannot be written, 130 after
Ctrl-C, 143 after SIGTERM.
"""

import argparse
import contextlib
import errno
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any, NoReturn

import jaxcards
from jaxcards.cli import (
    bench,
    convert,
    evaluate,
    exploit,
    games,
    imitate,
    leaderboard,
    play,
    review,
    serve,
    simulate,
    table,
    train,
)
from jaxcards.errors import UserError, WriteError, missing, nearest, quote, require, unknown

COMMANDS = {
    "train": train,
    "evaluate": evaluate,
    "leaderboard": leaderboard,
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

CANNOT_WRITE = 3
"""The exit status if a file cannot be written."""

_OF_DISKS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class _Parser(argparse.ArgumentParser):
    def __init__(self, **kwargs: Any) -> None:
        # Abbreviations are off: a new option could change their meaning.
        super().__init__(allow_abbrev=False, **kwargs)

    def error(self, message: str) -> NoReturn:
        raise UserError(re.sub(r"^argument ", "", message))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (default: that of this process) and return the exit status.

    SIGTERM raises `SystemExit`, so that unfinished files are removed.
    """
    try:
        with _ended_by_sigterm():
            status = _run(sys.argv[1:] if argv is None else list(argv))
            # Errors of the output appear here, where they are caught, and not at exit.
            sys.stdout.flush()
            return status
    except UserError as error:
        return _fail(error)
    except BrokenPipeError:
        _close_stdout()  # the reader is gone, as in `jaxcards games | head -1`
        return 0
    except WriteError as error:
        return _fail(f"cannot write {error.filename}: {error.strerror}", CANNOT_WRITE)
    except OSError as error:
        # An error of a disk that names no file comes from stdout.
        if error.filename is None and error.errno in _OF_DISKS:
            _close_stdout()
            return _fail(f"cannot write the output: {error.strerror}", CANNOT_WRITE)
        if error.filename is None:
            raise
        return _fail(f"{error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        print("jaxcards: interrupted", file=sys.stderr)
        return 130


@contextlib.contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the command like an exception; a second one ends the process at once."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        signal.signal(number, signal.SIG_DFL)
        sys.exit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers
        return
    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _close_stdout() -> None:
    """Discard the rest of stdout's buffer: flushing it at exit would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: object, status: int = 2) -> int:
    print(f"jaxcards: error: {message}", file=sys.stderr)
    return status


def _run(argv: list[str]) -> int:
    parser, commands = build_parser()
    if not argv:
        raise UserError(f"which command? (allowed: {', '.join(commands)}; see jaxcards --help)")
    if argv[0] not in commands:
        _options_of(parser, argv)
        raise unknown("command", argv[0], commands)
    name, command = argv[0], COMMANDS[argv[0]]
    # The help depends on the learner, so that the learner must be known before parsing.
    if command is train:
        train.show_settings(commands[name], argv[1:])
    # Intermixed: options may stand between the players of `evaluate`.
    args, rest = commands[name].parse_known_intermixed_args(argv[1:])
    _refuse(rest, commands[name])
    command.check(args)
    extra, packages = getattr(command, "NEEDS", ("train", ()))
    require(extra, name, *packages)
    try:
        return command.run(args)
    except ModuleNotFoundError as error:
        # A module of our own that is missing is a bug; other modules belong to an extra.
        if error.name is None or error.name.partition(".")[0] == "jaxcards":
            raise
        raise missing(extra, name, error.name) from None


def _options_of(parser: argparse.ArgumentParser, argv: list[str]) -> None:
    """Handle `--help` and `--version`, which exit; refuse other options without a command."""
    if argv[0].startswith("-"):
        parser.parse_known_args(argv[:1])
        _refuse(argv[:1], parser)


def _refuse(rest: list[str], parser: argparse.ArgumentParser) -> None:
    """Raise an error for arguments that a parser did not recognise."""
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
    """Return the parser of `jaxcards`, which has the help, and the parser of each command."""
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
