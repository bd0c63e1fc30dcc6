"""Players of other engines by name, without importing JAX.

A name is `engine:player`, `engine:player:number` or the address of a program, `http://127.0.0.1:9000`.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from jaxcards.errors import UserError, quote, require, unknown


@dataclass(frozen=True)
class PlayerEntry:
    """A player of an engine.

    Attributes:
      description: one line.
      number: meaning of the number behind the name; None for players without a number.
      least, most: the range of the number.
    """

    description: str
    number: str | None = None
    least: int = 1
    most: int = 10_000_000


@dataclass(frozen=True)
class EngineEntry:
    """An engine.

    Attributes:
      title: its name in sentences.
      module: a module that exists if the engine is installed.
      adapter: "dotted.path:Class" of its `engine.Engine`.
      presets: ids of the games that it plays by our rules; () for all.
      players: by name.
    """

    title: str
    module: str
    adapter: str
    presets: tuple[str, ...]
    players: dict[str, PlayerEntry]


ENGINES: dict[str, EngineEntry] = {
    "openspiel": EngineEntry(
        title="OpenSpiel",
        module="pyspiel",
        adapter="jaxcards.opponents.openspiel:OpenSpiel",
        presets=(
            "euchre/open_spiel",
            "euchre/open_spiel_no_stick",
            "euchre/open_spiel_lone_defender",
            "euchre/open_spiel_no_stick_lone_defender",
            "rikiki/open_spiel",
            "rikiki/open_spiel_penalty",
            "hearts/open_spiel",
            "hearts/standard",
            "skat/open_spiel",
            "spades/open_spiel",
        ),
        players={
            # Its first simulation visits no action.
            "ismcts": PlayerEntry("Monte Carlo search over information sets", "simulations", least=2),
            "random": PlayerEntry("uniformly random legal actions"),
        },
    ),
    "pyschieber": EngineEntry(
        title="pyschieber",
        module="pyschieber",
        adapter="jaxcards.opponents.pyschieber:Pyschieber",
        presets=("jass/tournament",),
        players={
            "challenge": PlayerEntry("rules of thumb that count cards"),
            "greedy": PlayerEntry("chooses trumps by rules of thumb, and plays high cards"),
            "random": PlayerEntry("uniformly random legal actions"),
        },
    ),
    "colver": EngineEntry(
        title="colver",
        module="colver",
        adapter="jaxcards.opponents.colver:Colver",
        presets=("belote/contree",),
        players={
            "isdd": PlayerEntry("solves sampled deals, bids by rules of thumb", "deals"),
            "random": PlayerEntry("uniformly random legal actions"),
        },
    ),
    "http": EngineEntry(
        title="the program",
        module="http",
        adapter="jaxcards.opponents.http:Http",
        presets=(),
        players={},  # its name is an address
    ),
}
"""Name of each engine -> its games and its players."""


@dataclass(frozen=True)
class Opponent:
    """A player of another engine.

    Attributes:
      engine: a name of `ENGINES`.
      player: a name of the engine's players; for http the address of a program.
      number: amount of search; None for players without search.
    """

    engine: str
    player: str
    number: int | None = None

    def __str__(self) -> str:
        if is_address(self.player):
            return self.player
        number = "" if self.number is None else f":{self.number}"
        return f"{self.engine}:{self.player}{number}"

    @property
    def entry(self) -> EngineEntry:
        """Its engine."""
        return ENGINES[self.engine]


def is_address(text: str) -> bool:
    """Return whether a name is the address of a program."""
    return text.partition(":")[0] in ("http", "https")


def opponent(text: str) -> Opponent:
    """Return the player that a text names.

    Raises:
      UserError: an unknown engine or player, a number that is missing, too many or out of range, or an
        engine that is not installed, or an address without a host.
    """
    if is_address(text):
        try:
            parts = urlsplit(text)
            complete = bool(parts.hostname and (parts.port or True))
        except ValueError:  # of the port, or of brackets
            complete = False
        if not complete:
            raise UserError(f"{text}: write the address of a program, such as http://127.0.0.1:9000")
        return Opponent("http", text)
    name, _, rest = text.partition(":")
    if name not in ENGINES:
        raise unknown("engine", name, ENGINES)
    engine = ENGINES[name]
    player, colon, digits = rest.partition(":")
    if player not in engine.players:
        raise unknown(f"player of {name}", player, engine.players)
    number = _number(f"{name}:{player}", engine.players[player], digits if colon else None)
    require("opponents", text, engine.module)
    return Opponent(name, player, number)


def check_game(opponent: Opponent, game: str) -> None:
    """Raise `UserError` unless the player's engine plays the game of an id."""
    presets = opponent.entry.presets
    if presets and game not in presets:
        raise UserError(f"{opponent} cannot play {game}: {opponent.engine} plays {', '.join(presets)}")


def _number(name: str, player: PlayerEntry, digits: str | None) -> int | None:
    if player.number is None:
        if digits is not None:
            raise UserError(f"{name} takes no number, such as {quote(digits)}")
        return None
    allowed = f"{name}:N with N {player.number}, from {player.least} to {player.most}"
    if not digits:
        raise UserError(f"{name} needs a number: {allowed}")
    # Nine digits are enough to tell, and `int` fails for texts of some thousand.
    if not (digits.isascii() and digits.isdecimal() and player.least <= int(digits[:9]) <= player.most):
        raise UserError(f"{name}:{digits}: write {allowed}")
    return int(digits)
