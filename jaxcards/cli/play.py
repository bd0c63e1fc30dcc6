"""`jaxcards play`: a deal or a match against trained players, in a terminal."""

import argparse
import dataclasses
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxcards import players, registry
from jaxcards.cli.options import (
    add_force,
    add_no_cache,
    add_seed,
    add_value,
    check_outputs,
    output_file,
)
from jaxcards.errors import UserError

if TYPE_CHECKING:
    from jaxcards.game import Game
    from jaxcards.play.hints import Hints
    from jaxcards.play.local import LocalTable
    from jaxcards.play.saved import Saved

HELP = "play a deal or a match in the terminal"

NEEDS = ("play", ("rich",))
"""The extra of the command, and the packages of it that the command needs."""

YOU = "you"
HINT_WORLDS = 64


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("game", nargs="?", help="id of the game, and its changed rules (default: jass)")
    parser.add_argument(
        "--seats",
        metavar="A,B,...",
        help="player of each seat: you, champion, heuristic, random, search:32, a run folder, or "
        "FILE.py:NAME (default: you, and the champion in all others)",
    )
    parser.add_argument("--match", action="store_true", help="play a whole match")
    add_value(parser, "totals", tuple[int, ...], "points of each side before a match", "zeros")
    add_value(parser, "deals_before", int, "deals of the match played before", 0, minimum=0)
    add_seed(parser)
    # None shows that the option is missing: then the seed is random.
    parser.set_defaults(seed=None)
    parser.add_argument(
        "--resume", nargs="?", const="", metavar="FILE",
        help="continue a saved game (default FILE: the last game)",
    )  # fmt: skip
    parser.add_argument("--save", metavar="FILE", help="file for saving the game")
    add_force(parser)
    parser.add_argument("--results", metavar="FILE", help="file for counting wins and losses")
    add_value(
        parser, "worlds", int, "deals to play out for a hint", HINT_WORLDS, minimum=2, maximum=10_000
    )
    add_no_cache(parser)


def check(args: argparse.Namespace) -> None:
    """Set game: str; seats: list[str] | None; rules: dict; seed: int; save: Path | None.

    With `--resume` these are None, and come from the file.
    """
    if args.resume is not None:
        args.seats = args.seats and args.seats.split(",")
        for name in ("game", "seed", "save"):
            if getattr(args, name) is not None:
                what = "game" if name == "game" else f"--{name}"
                raise UserError(f"--resume continues a saved game: leave out {what}")
        if args.match or args.totals or args.deals_before:
            raise UserError("--resume continues a saved game as it is: leave out the score")
        return
    args.game = registry.canonical_id(args.game or "jass")
    args.rules = {}
    if args.seats is not None:
        args.seats = args.seats.split(",")
        _check_seats(args.seats, args.game, typed=True)
    if (args.totals or args.deals_before) and not args.match:
        raise UserError("--totals and --deals-before need a match: add --match")
    if args.seed is None:
        args.seed = secrets.randbits(32)
    args.save = args.save and output_file(args.save)
    check_outputs(args, [args.save], [Path(args.results)] if args.results else [])


def _check_seats(names: list[str], game: str, typed: bool) -> None:
    """Raise `UserError` for an unknown player, or for one that cannot play the game here."""
    seated = [players.compiled_player(name, typed) for name in names if name != YOU]
    players.game_of(game, seated)


def run(args: argparse.Namespace) -> int:
    """Play, and save the game and its result."""
    from jaxcards.play import saved as files
    from jaxcards.xla import cache

    cache.enable(args.cache)
    resumed = None
    if args.resume is not None:
        args.save = Path(args.resume) if args.resume else files.newest()
        resumed = files.read(args.save)
        # A saved file may name code, which runs only if the user has typed the same seats.
        typed = args.seats == resumed.seats
        if args.seats and not typed:
            raise UserError(f"the saved game has --seats {','.join(resumed.seats)}: leave them")
        args.game, args.rules, args.seats = resumed.game, resumed.rules, resumed.seats
        args.match, args.seed = resumed.match, resumed.seed
        args.totals, args.deals_before = tuple(resumed.totals), resumed.num_deals
        _check_seats(args.seats, registry.canonical_id(args.game), typed)
    return _Evening(args).play(resumed)


class _Evening:
    """The games of one run of the command."""

    def __init__(self, args: argparse.Namespace) -> None:
        import jaxcards
        from jaxcards.match import Match
        from jaxcards.play import results
        from jaxcards.play import saved as files

        self.args, self.files, self.counts = args, files, results
        self.game: Game = jaxcards.make(args.game, **args.rules)
        # Refuse an impossible match before players are loaded.
        self.episode = Match(self.game) if args.match else self.game
        self.seats = args.seats or [YOU] + [players.CHAMPION] * (self.game.num_players - 1)
        if len(self.seats) != self.game.num_players:
            raise UserError(
                f"--seats names {len(self.seats)} players, but {self.game.id} has "
                f"{self.game.num_players}: one for each seat"
            )
        self.results = Path(args.results) if args.results else files.folder() / "results.jsonl"
        self.own_file = args.save is not None
        self.file: Path = args.save or files.new_file(args.game)

    def play(self, resumed: "Saved | None") -> int:
        """Play until the end, or until the user stops. Return the exit status."""
        from jaxcards.play.conversation import Conversation, Stopped

        record = self._record()
        if record:
            print(record)
        self.table = self._table(resumed)
        conversation = Conversation(self.table, keep=self._keep, finish=self._finish, hints=self._hints)
        try:
            conversation.run(resumed=resumed is not None)
        except Stopped:
            self._say_goodbye()
            return 0
        except KeyboardInterrupt:
            print()
            self._say_goodbye()
            return 130
        self._clear()
        return 0

    def _table(self, resumed: "Saved | None") -> "LocalTable":
        from jaxcards.play.local import LocalPlayer, LocalTable
        from jaxcards.players.loading import load_player

        names = _names(self.seats)
        loaded: dict[str, LocalPlayer] = {}
        occupants = []
        # Seats with the same player share its parameters, and have names of their own.
        for text, name in zip(self.seats, names, strict=True):
            if text != YOU and text not in loaded:
                agent, params = load_player(text, self.episode)
                loaded[text] = LocalPlayer(name, agent, params)
            occupants.append(dataclasses.replace(loaded.get(text, LocalPlayer(name)), known_as=name))
        number = resumed.number if resumed else 0
        table = LocalTable(
            self.game, occupants, self.args.seed, match=self.args.match, number=number,
            totals=self.args.totals or (), num_deals=self.args.deals_before,
        )  # fmt: skip
        for place, action in enumerate(resumed.actions if resumed else []):
            self._replay(table, place, action, resumed)
        return table

    def _replay(self, table: "LocalTable", place: int, action: int, resumed: "Saved | None") -> None:
        try:
            if table.deal_over:
                table.next_deal()
            table.play(action)
        except UserError as error:
            version = resumed.version if resumed else ""
            raise UserError(
                f"{self.file} does not replay, jaxcards {version} wrote it: "
                f"at action {place + 1}, {error}"
            ) from None

    # ---- Saved results ---------------------------------------------------------------------------

    def _keep(self) -> None:
        import jaxcards
        from jaxcards.play.saved import Saved

        table = self.table
        # A match is replayed from its first deal on, and a single deal alone.
        first = 0 if table.match else table.number
        self.files.write(
            self.file,
            Saved(
                self.args.game, self.args.rules, bool(self.args.match), table.seed, first,
                list(self.seats), list(table.history), jaxcards.__version__,
                list(self.args.totals or ()) if table.match else table.totals, self.args.deals_before,
            ),
        )  # fmt: skip

    def _finish(self) -> str:
        """Count a finished deal or match, and return the number of wins among the last hundred."""
        people = self.table.people
        if not people:
            return ""
        returns = self.table.returns()
        for player in people:
            share = self.counts.SHARES[self.table.view(player).outcome]
            self.counts.append(
                self.results,
                {
                    "kind": self._kind, "won": share, "seat": player, "seats": self.seats,
                    "seed": self.table.seed, "number": self.table.number, "returns": returns,
                },
            )  # fmt: skip
        return self._record()

    @property
    def _kind(self) -> str:
        return f"{self.game.id} {'match' if self.args.match else 'deal'}"

    def _record(self) -> str:
        """Return a line with the wins among the last hundred games of this kind, or "" before the
        first.
        """
        record = self.counts.last(self.results, self._kind)
        if not record.games or YOU not in self.seats:
            return ""
        one, many = ("match", "matches") if self.args.match else ("deal", "deals")
        what = one if record.games == 1 else many
        return f"Won {record.won:g} of the last {record.games} {what} of {self.game.id}."

    def _clear(self) -> None:
        """Remove the file of a finished game, unless the user named it."""
        if not self.own_file or self.file.is_relative_to(self.files.folder()):
            self.file.unlink(missing_ok=True)

    def _say_goodbye(self) -> None:
        if self.table.over and not self.table.match:
            self._clear()
            return
        print(f"The game is saved; continue with: jaxcards play --resume {self.file}")

    # ---- Hints ----------------------------------------------------------------------------------

    def _hints(self) -> "Hints":
        from jaxcards.play.hints import hints
        from jaxcards.players.loading import load_player

        def load(name: str) -> tuple[Any, Any]:
            return load_player(name, self.episode)

        return hints(self.game, load, self.args.worlds)


def _names(seats: list[str]) -> list[str]:
    """Return the name of each seat, numbered if two are alike: "champion", "champion 2"."""
    short = [name.rstrip("/").rpartition("/")[2] or name for name in seats]
    names: list[str] = []
    for name in short:
        names.append(f"{name} {_names_like(names, name) + 1}" if _names_like(names, name) else name)
    return names


def _names_like(names: list[str], name: str) -> int:
    """Return the number of names that equal a name, numbered or not."""
    return sum(known == name or known.rpartition(" ")[0] == name for known in names)
