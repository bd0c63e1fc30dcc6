"""`jaxcards convert`: from files of records to another file."""

import argparse
import sys
from pathlib import Path

from jaxcards.cli.options import (
    add_force,
    add_no_cache,
    add_value,
    check_outputs,
    output_file,
    pass_over,
)
from jaxcards.errors import UserError

HELP = "convert game records, and check each one by a replay"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("input", metavar="IN", help="a file or folder of records")
    parser.add_argument(
        "output",
        metavar="OUT",
        help="the new file (.jsonl, .h5, .egn, .hslu, .pbn, .lin, .swisslos.h5), "
        "or a folder of logs (.logs)",
    )
    add_force(parser)
    add_value(
        parser, "seed", int, "seed of the times in logs, for records without times", 0,
        minimum=0, maximum=2**32 - 1,
    )  # fmt: skip
    add_no_cache(parser)


def check(args: argparse.Namespace) -> None:
    """Set input: list[Path]; output: Path; seed: int."""
    from jaxcards.records.convert import inputs, refused_file
    from jaxcards.records.formats import format_to_write

    if format_to_write(Path(args.output)).folder and Path(args.output).exists():
        raise UserError(f"{args.output} exists: remove it, or name another folder")
    args.output = output_file(args.output)
    args.input = inputs(Path(args.input), pass_over)
    check_outputs(args, [args.output, refused_file(args.output)], args.input)


def run(args: argparse.Namespace) -> int:
    """Write `args.output` and print the counts. Return 1 if a record was refused."""
    from jaxcards.records.convert import convert, refused_file
    from jaxcards.records.progress import bar
    from jaxcards.xla import cache

    cache.enable(args.cache)
    with bar("convert") as show:
        counts = convert(args.input, args.output, lambda counts: show(counts.deals), args.seed)
    print(
        f"{args.output}: {_number(counts.written + counts.refused, 'record')} read, "
        f"{counts.written} written ({_number(counts.deals, 'deal')}, {counts.repaired} repaired), "
        f"{counts.refused} refused"
    )
    if counts.refused:
        print(f"the first refused record is {counts.first}", file=sys.stderr)
        print(f"all of them, with reasons, are in {refused_file(args.output)}", file=sys.stderr)
    return 1 if counts.refused else 0


def _number(number: int, what: str) -> str:
    """Return a number with its word: "1 deal", "2 deals"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
