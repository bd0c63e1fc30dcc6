"""`jaxcards review`: a recorded deal or match, move by move, reviewed by a player and its search."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jaxcards import players
from jaxcards.cli.options import (
    add_no_cache,
    add_outputs,
    add_seed,
    add_value,
    check_outputs,
    output_file,
)
from jaxcards.cli.provenance import provenance
from jaxcards.errors import UserError
from jaxcards.files import check_input

if TYPE_CHECKING:
    from jaxcards.records.record import Record

HELP = "review a recorded deal or match, and show the cost of each move"

WORLDS, ENDINGS = 128, 4


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("record", metavar="RECORD", help="a file of records (see docs/records.md)")
    add_value(parser, "number", int, "number of the record in the file, from 0", 0, minimum=0)
    parser.add_argument(
        "--player", default=players.CHAMPION, metavar="PLAYER",
        help="reviewer: champion, heuristic, random, a run folder, FILE.py:NAME (default: champion)",
    )  # fmt: skip
    add_value(
        parser, "worlds", int, "deals to play out for each legal action", WORLDS,
        minimum=2, maximum=players.MOST_WORLDS,
    )  # fmt: skip
    add_value(
        parser, "endings", int, "cards per hand at which hands are opened; 0 for never", ENDINGS,
        minimum=0, maximum=players.MOST_CARDS,
    )  # fmt: skip
    add_seed(parser)
    add_outputs(parser, plot=False)
    parser.add_argument("--html", metavar="FILE", help="write a page with a picture of each move")
    add_no_cache(parser)


def check(args: argparse.Namespace) -> None:
    """Set record: Path; player: Player; number, worlds, endings, seed: int;
    json, html: Path | None."""
    args.record = Path(args.record)
    check_input(args.record)
    args.player = players.compiled_player(args.player, typed=True)
    if args.player.searches:
        raise UserError("reviews add a search: name the policy, such as champion, and --worlds N")
    args.html = args.html and output_file(args.html, (".html", ".htm"))
    check_outputs(args, [args.html], [args.record])


def run(args: argparse.Namespace) -> int:
    """Print the review; write `args.json` and `args.html` if given."""
    from jaxcards.champions.catalogue import search_by, with_rollout_policy
    from jaxcards.files import write_text
    from jaxcards.match import Match
    from jaxcards.players.loading import load
    from jaxcards.records.progress import bar
    from jaxcards.records.record import MatchRecord, deals_of, game_of
    from jaxcards.review import review, to_html, to_text
    from jaxcards.view.text import language_file
    from jaxcards.xla import cache

    cache.enable(args.cache)
    record = _read(args.record, args.number)
    game = game_of(record)
    players.game_of(record.game, [args.player])
    episode = Match(game) if isinstance(record, MatchRecord) else game
    agent, params = load(args.player, episode)
    if args.player.name == players.CHAMPION:
        agent, params = with_rollout_policy(agent, params)
        agent = search_by(game, agent)
    known = language_file("en")["texts"]
    name = known.get(f"hint.{args.player.name}", f"the {args.player.name}")
    with bar("review", len(deals_of(record))) as show:
        reviews = review(
            record, agent, params, worlds=args.worlds, seed=args.seed, name=name, endings=args.endings,
            progress=lambda deal, done, all: show(deal + done / all),
        )  # fmt: skip
    # Write the files first: the reader of the text may close it early, as `head` does.
    if args.json:
        result = {"deals": [one.to_dict() for one in reviews], "provenance": provenance(game)}
        write_text(args.json, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    if args.html:
        write_text(args.html, to_html(reviews))
    print(to_text(reviews))
    return 0


def _read(path: Path, number: int) -> "Record":
    """Return a record of a file, counted from 0, and report on stderr if there are others.

    Raises:
      UserError: if the file is of an unknown format or lacks this record, or the record cannot be read.
    """
    from jaxcards.records.convert import inputs, items_of
    from jaxcards.records.items import Refused

    inputs(path)  # raises the error for a file of an unknown format
    found, count = None, 0
    for item in items_of(path):
        if count == number:
            found = item
        count += 1
        if count > number + 1:
            break  # a file may have millions
    if found is None:
        what = f"{count} record" if count == 1 else f"{count} records"
        raise UserError(f"{path} has {what}, counted from 0, but not number {number}")
    if isinstance(found, Refused):
        raise UserError(f"{path}, {found.place}: {found.reason}")
    if count > 1:
        print(f"{path} has several records; this is number {number} (--number N)", file=sys.stderr)
    return found.record
