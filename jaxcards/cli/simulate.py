"""`jaxcards simulate`: print one deal, show statistics of many, or record them in a file."""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from jaxcards.errors import UserError, require

if TYPE_CHECKING:
    from jaxcards.game import Game
    from jaxcards.records.dataset import DataSet

HELP = "print one deal, show statistics of many, or record deals in a file"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("game", help="id of the game")
    add_value(parser, "deals", int, "1 prints the deal, more print statistics", 1, minimum=1)
    parser.add_argument(
        "--players",
        default="random",
        metavar="A,B,...",
        help="one player for all seats, or one for each (default: random)",
    )
    add_seed(parser)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write the deals as records (.h5, .jsonl or .swisslos.h5); continues a stopped run",
    )
    add_outputs(parser, plot=False)
    pictures = parser.add_argument_group("pictures of a deal")
    pictures.add_argument("--svg", metavar="FILE", help="draw one moment of the deal")
    pictures.add_argument("--gif", metavar="FILE", help="draw the whole deal, decision by decision")
    add_value(pictures, "at", int, "decisions before the drawn moment", "half of them", minimum=0)
    add_value(pictures, "seat", int, "seat whose view is drawn", "all hands open", minimum=0)
    add_no_cache(parser)


def check(args: argparse.Namespace) -> None:
    """Set game: str; players: list[Player]; deals, seed: int; out, json, svg, gif: Path | None.

    And at, seat: int | None.
    """
    args.players = [players.honest_player(text, typed=True) for text in args.players.split(",")]
    for player in args.players:
        if player.opponent is not None:
            raise UserError(f"simulate cannot use other engines: {player.name} is for evaluate")
    args.game = players.game_of(args.game, args.players)
    args.out = args.out and output_file(args.out)
    args.svg = args.svg and output_file(args.svg, (".svg",))
    args.gif = args.gif and output_file(args.gif, (".gif",))
    if args.gif:
        require("pictures", "a GIF", "resvg_py", "PIL")
    check_outputs(args, [args.out, args.svg, args.gif])
    drawn = args.svg or args.gif
    if args.out and args.json:
        raise UserError("--json writes statistics, --out writes records: give only one of them")
    if args.out and drawn:
        raise UserError("--svg and --gif draw one deal, --out writes records: give only one of them")
    if drawn and args.deals != 1:
        raise UserError("--svg and --gif draw a single deal: leave --deals out")
    if args.at is not None and not args.svg:
        raise UserError("--at selects the moment that --svg draws: add --svg FILE")
    if args.seat is not None and not drawn:
        raise UserError("--seat selects the view that is drawn: add --svg FILE or --gif FILE")


def run(args: argparse.Namespace) -> int:
    """Print a deal with its decisions, or statistics of many; write `args.json` or `args.out`."""
    import jaxcards
    from jaxcards.evaluation.simulation import play_one, simulate
    from jaxcards.files import write_text
    from jaxcards.players.loading import load
    from jaxcards.records.dataset import DataSet, divide_processor
    from jaxcards.xla import cache

    cache.enable(args.cache)
    # Before JAX uses a device: its devices are fixed from then on.
    devices = divide_processor() if args.out else 1
    game = jaxcards.make(args.game)
    if args.seat is not None and args.seat >= game.num_players:
        raise UserError(f"--seat must be 0 to {game.num_players - 1}, not {args.seat}")
    if len(args.players) not in (1, game.num_players):
        raise UserError(
            f"--players names one player for all seats or {game.num_players}, one for each seat of "
            f"{game.id}, not {len(args.players)}"
        )
    loaded = [load(player, game) for player in args.players]
    agents, params = [agent for agent, _ in loaded], [params for _, params in loaded]
    names = [player.name for player in args.players]
    if args.out:
        data = DataSet(game, agents, params, names, args.deals, args.seed)
        return _write(data, args.out, devices, args.force)
    result: dict[str, Any] = {"game": game.id, "players": names, "seed": args.seed}
    if args.deals == 1:
        deal, text = play_one(game, agents, params, args.seed)
        result |= deal
        _draw(args, game, [decision["action"] for decision in deal["decisions"]])
    else:
        statistics = simulate(game, agents, params, args.deals, args.seed)
        result |= statistics.to_dict()
        text = statistics.to_text()
    print(f"{game.id}, played by {', '.join(names)}, seed {args.seed}\n\n{text}")
    if args.json:
        result["provenance"] = provenance(game)
        write_text(args.json, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    return 0


def _write(data: "DataSet", out: Path, devices: int, force: bool) -> int:
    """Write records of the deals, and print their number."""
    from jaxcards.records import dataset
    from jaxcards.records.progress import bar

    folder = dataset.pieces_folder(out)
    if folder.exists():
        print(f"continuing with the pieces in {folder}", file=sys.stderr)
    start = time.perf_counter()
    with bar("simulate", data.num_deals) as show:
        played = dataset.write(data, out, devices, show, force)
    rate = played / (time.perf_counter() - start)
    deals = f"{data.num_deals} deal{'s' * (data.num_deals > 1)}"
    print(f"{out}: {deals} of {data.game.id}, played by {', '.join(data.names)}")
    if played:
        print(f"{rate:,.{int(rate < 10)}f} deals/s, compiling and writing included")
    return 0


def _draw(args: argparse.Namespace, game: "Game", actions: list[int]) -> None:
    """Write the requested pictures."""
    from jaxcards.evaluation.simulation import states_of
    from jaxcards.files import write_text

    if args.at is not None and args.at > len(actions):
        raise UserError(f"--at must be 0 to {len(actions)}, the decisions of this deal, not {args.at}")
    if args.svg:
        at = len(actions) // 2 if args.at is None else args.at
        *_, state = states_of(game, args.seed, actions[:at])
        write_text(args.svg, game.to_svg(state, args.seat))
    if args.gif:
        from jaxcards.pictures.animation import write_gif

        write_gif(args.gif, [game.to_svg(s, args.seat) for s in states_of(game, args.seed, actions)])
