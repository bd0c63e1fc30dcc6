"""`jaxcards evaluate`: compares players on duplicate deals."""

import argparse
import sys
from dataclasses import replace

from jaxcards import players
from jaxcards.cli.options import add_no_cache, add_outputs, add_seed, add_value, check_outputs
from jaxcards.cli.provenance import provenance
from jaxcards.errors import UserError

HELP = "compare players on duplicate deals"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "players",
        nargs="+",
        metavar="player",
        help=f"{players.FORMS}, ENGINE:PLAYER[:N] or http://HOST:PORT "
        "(see docs/players.md, docs/opponents.md)",
    )
    parser.add_argument("--game", help="id of the game (default: of the run folders, else jass)")
    add_value(parser, "deals", int, "deals, each with every seating", 2000, minimum=1)
    parser.add_argument("--matches", action="store_true", help="play whole matches; a win counts 1")
    parser.add_argument(
        "--calls",
        metavar="PLAYER",
        help="player that makes all calls, so that only the play of cards is compared",
    )
    parser.add_argument(
        "--score",
        choices=("points", "imps", "matchpoints"),
        default="points",
        help="unit of the results: points or, in Bridge, imps or matchpoints (default: points)",
    )
    parser.add_argument(
        "--variance-reduction",
        action="store_true",
        help="also give narrower intervals if a player is random or a search (AIVAT)",
    )
    parser.add_argument(
        "--group",
        action="store_true",
        help="average over run folders whose names differ in the last number",
    )
    add_seed(parser)
    add_outputs(parser)
    add_no_cache(parser)


def check(args: argparse.Namespace) -> None:
    """Set players: list[Player]; game, score: str; matches, group: bool; deals, seed: int; json, plot.

    `calls` is a Player, or None if each makes its own calls.
    """
    args.players = [players.player(text, typed=True) for text in args.players]
    if len(args.players) < 2:
        raise UserError("name at least two players, such as: evaluate heuristic random")
    args.calls = None if args.calls is None else players.player(args.calls, typed=True)
    if args.calls is not None and args.calls.opponent is not None:
        raise UserError("a player of another engine cannot call for all: name one of ours for --calls")
    callers = [] if args.calls is None else [args.calls]
    args.game = players.game_of(args.game, args.players + callers)
    if args.group and (args.plot or args.calls or args.score != "points"):
        raise UserError("--group excludes --plot, --calls and --score: leave them out")
    if args.variance_reduction and (args.group or args.matches or args.calls or args.score != "points"):
        raise UserError(
            "--variance-reduction excludes --group, --matches, --calls and --score: leave them out"
        )
    check_outputs(args)


def run(args: argparse.Namespace) -> int:
    """Print a table of all pairs, and write `args.json` and `args.plot` if given."""
    import jaxcards
    from jaxcards.evaluation.calls import Calls
    from jaxcards.evaluation.duplicate import evaluate
    from jaxcards.evaluation.groups import evaluate_groups, group_name
    from jaxcards.evaluation.plot import plot
    from jaxcards.evaluation.scores import check_score
    from jaxcards.files import write_text
    from jaxcards.players.loading import load
    from jaxcards.xla import cache

    cache.enable(args.cache)
    game = jaxcards.make(args.game)
    if args.matches:
        game = jaxcards.Match(game)
    check_score(game, args.score)
    loaded = [load(player, game) for player in args.players]
    agents, params = [agent for agent, _ in loaded], [own for _, own in loaded]
    names = players.distinct_names(args.players)
    if args.group:
        folders = {player.name for player in args.players if player.folder is not None}
        named = [group_name(name) if name in folders else name for name in names]
        groups = evaluate_groups(game, agents, params, names, named, args.deals, args.seed)
        print(groups.to_text())
        if args.json:
            write_text(args.json, replace(groups, provenance=provenance(game)).to_json())
        return 0
    # Finished pairs are kept beside the result, so that a stopped run can go on.
    keep = args.json and args.json.with_name(f"{args.json.name}.part.npz")
    if keep and keep.exists():
        print(f"continuing with the pairs of {keep}", file=sys.stderr)
    result = evaluate(
        game,
        agents=agents,
        params=params,
        names=names,
        num_deals=args.deals,
        seed=args.seed,
        keep=keep,
        calls=args.calls and Calls(args.calls.name, *load(args.calls, game)),
        score=args.score,
        variance_reduction=args.variance_reduction,
    )
    print(result.to_text())
    if args.json:
        write_text(args.json, replace(result, provenance=provenance(game)).to_json())
    if args.plot:
        plot(result, args.plot)
    return 0
