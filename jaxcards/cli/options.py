"""Options shared by several commands, and options with a type and a range."""

import argparse
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxcards import settings
from jaxcards.errors import UserError, WriteError, require

_METAVARS = {int: "N", float: "X", tuple[int, ...]: "N,N,..."}


class _Value(argparse.Action):
    """An option whose text becomes a value of an annotation inside a range.

    argparse's own `type=` would hide the allowed values.
    """

    def __init__(self, *args: Any, annotation: Any, limits: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.annotation, self.limits = annotation, limits

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        text: Any,
        option: str | None = None,
    ) -> None:
        name = option or self.dest
        value = settings.parse(name, self.annotation, text)
        settings.check_range(name, value, self.limits)
        setattr(namespace, self.dest, value)


def add_value(
    parser: argparse._ActionsContainer,
    name: str,
    annotation: Any,
    help: str,
    default: Any,
    **limits: Any,
) -> None:
    """Add `--name` with a value of an annotation.

    Args:
      parser: a parser or a group of it.
      name: the field of the namespace; `_` is written `-` on the command line.
      annotation: see `settings.parse`.
      help: one line, to which the default is added.
      default: the value without the option. A string is only shown; the value is then None.
      limits: `minimum`, `above`, `maximum`, as in `settings.setting`; others are ignored.
    """
    option = "--" + name.replace("_", "-")
    # argparse formats help texts: a per cent sign must be doubled.
    text = f"{help} (default: {default})".replace("%", "%%")
    if annotation is bool:
        parser.add_argument(option, action=argparse.BooleanOptionalAction, help=text)
        return
    parser.add_argument(
        option,
        action=_Value,
        annotation=annotation,
        limits=limits,
        default=None if isinstance(default, str) else default,
        metavar=_METAVARS.get(annotation, "TEXT"),
        help=text,
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add `--seed`."""
    add_value(parser, "seed", int, "random seed", 0, minimum=0, maximum=2**32 - 1)


def add_outputs(parser: argparse.ArgumentParser, *, plot: bool = True) -> None:
    """Add `--json`, `--force` and, if asked for, `--plot`."""
    parser.add_argument("--json", metavar="FILE", help="also write the result to a file")
    if plot:
        parser.add_argument("--plot", metavar="FILE", help="draw the result (.png, .svg or .pdf)")
    add_force(parser)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add `--force`."""
    parser.add_argument("--force", action="store_true", help="replace files that exist")


def add_no_cache(parser: argparse.ArgumentParser) -> None:
    """Add `--no-cache`, which sets `cache` to False."""
    parser.add_argument(
        "--no-cache", dest="cache", action="store_false",
        help="compile without the cache on disk",
    )  # fmt: skip


def check_outputs(
    args: argparse.Namespace, others: Sequence[Path | None] = (), inputs: Sequence[Path] = ()
) -> None:
    """Turn the texts of `add_outputs` into paths, and check all files that a command writes.

    Args:
      args: of the command.
      others: further output paths, from `output_file`.
      inputs: input files of the command.

    Raises:
      UserError: see `output_file`; also if an output is also an input or another output, or exists
        and `--force` is not given.
    """
    outputs = list(others)
    if "json" in args:
        args.json = args.json and output_file(args.json)
        outputs.append(args.json)
    if "plot" in args:
        args.plot = args.plot and output_file(args.plot, (".png", ".svg", ".pdf"))
        if args.plot:
            require("train", "--plot", "matplotlib")
        outputs.append(args.plot)
    taken = {path.resolve() for path in inputs}
    for path in filter(None, outputs):
        if path.resolve() in taken:
            raise UserError(f"{path} is named twice: every output needs its own file")
        taken.add(path.resolve())
        # A link that leads nowhere is a file as well, which would be replaced.
        if os.path.lexists(path) and not args.force:
            raise UserError(f"{path} exists: name another file, or replace it with --force")


def pass_over(file: Path) -> None:
    """Report on stderr that a member of a folder of records is skipped."""
    print(f"{file} is not a file of records: skipped", file=sys.stderr)


def output_file(text: str, suffixes: Sequence[str] = ()) -> Path:
    """Return a path to which a file can be written.

    Raises:
      UserError: if the path cannot be a file, or lacks an allowed suffix.
      WriteError: if the folder cannot be written.
    """
    path = Path(text)
    if path.is_dir():
        raise UserError(f"{text} is a folder, not a file")
    if path.exists() and not path.is_file():
        raise UserError(f"{text} is a pipe or a device, not a file")
    if not path.parent.is_dir():
        raise UserError(f"cannot write {text}: folder {path.parent} not found")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise WriteError(errno.EACCES, f"the folder {path.parent} cannot be written", text)
    if suffixes and path.suffix.lower() not in suffixes:
        raise UserError(f"{text} must end in one of: {', '.join(suffixes)}")
    if path.suffix in (".h5", ".hdf5"):
        require("records", "HDF5", "h5py")
    return path
