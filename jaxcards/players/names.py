"""Parsing of players' names, without importing JAX, so that a wrong name is reported at once."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

from jaxcards import registry
from jaxcards.agents import players as built_in
from jaxcards.agents.learners.registry import player_file
from jaxcards.agents.players import names_code
from jaxcards.errors import UserError, nearest, quote
from jaxcards.opponents import names as opponents
from jaxcards.players.code import Code, of_file, of_packages
from jaxcards.training import run_folders
from jaxcards.training.config import CONFIG_FILE, learner_of

CHAMPION, SEARCH, DOUBLE_DUMMY = "champion", "search", "double_dummy"

PLAYERS = built_in.PLAYERS | {
    CHAMPION: "the shipped network for the rules",
    SEARCH: "the same network, which plays out deals before each card: search:64 for 64 deals, "
    "search:40ms for a time limit, search:64:2 to solve endings of up to 2 cards in each hand",
    DOUBLE_DUMMY: "sees all hands: an upper bound for players; only in evaluate",
}
"""Name of each built-in player and a line of description."""

FORMS = f"{', '.join(PLAYERS)}, run folder, FILE.py:NAME"
"""The names of players in the help of commands."""

MOST_WORLDS = 10_000
MOST_MILLISECONDS = 600_000
MOST_CARDS = 5  # of `agents.search.endgame`, which needs JAX


@dataclasses.dataclass(frozen=True)
class Player:
    """A player by name. At most one attribute besides the name is set.

    Attributes:
      name: as typed.
      folder: its run folder.
      opponent: a player of another engine.
      search: the settings behind the name of a search.
      code: a function of a file or of an installed package that makes the player.
    """

    name: str
    folder: Path | None = None
    opponent: opponents.Opponent | None = None
    search: Mapping[str, int] = dataclasses.field(default_factory=dict)
    code: Code | None = None

    @property
    def searches(self) -> bool:
        """True if the player is a search by the shipped network."""
        return self.name == SEARCH or bool(self.search)


def player(text: str, typed: bool = False) -> Player:
    """Return the player of a name.

    Args:
      text: a name of `PLAYERS`, a search such as search:64, a run folder, `FILE.py:NAME`, a player
        of another engine, or a name that an installed package registers (see `players.code`).
      typed: whether the user typed the name. Code from a file runs only for typed names.

    Raises:
      UserError: if the name is unknown, or it names code in a file and was not typed.
    """
    if text in PLAYERS:
        return Player(text)
    if text.startswith(f"{SEARCH}:"):
        return Player(text, search=_search(text))
    if names_code(text):
        if not typed:
            raise UserError(
                f"{text} is a file of code, which runs only if you name it on the command line"
            )
        return Player(text, code=of_file(text))
    if text.endswith(".py"):
        raise UserError(f"{text} is a file: name the function that makes the player, {text}:make")
    if opponents.is_address(text):
        return Player(text, opponent=opponents.opponent(text))
    # A folder wins over an engine or a registered player of the same name.
    if "/" in text or (text and Path(text).exists()):
        return Player(text, run_folders.run_folder(text))
    if ":" in text or text in opponents.ENGINES:
        return Player(text, opponent=opponents.opponent(text))
    packages = of_packages()
    if text in packages:
        return Player(text, code=packages[text])
    known = [*PLAYERS, *packages]
    guess = nearest(text, known)
    hint = f"; did you mean {guess!r}?" if guess else ""
    raise UserError(
        f"unknown player {quote(text)}{hint} (allowed: {', '.join(known)}, a run folder, "
        "FILE.py:NAME, or a player of another engine such as openspiel:ismcts:100)"
    )


def _search(text: str) -> Mapping[str, int]:
    """Return the settings of a search: search:WORLDS or search:WORLDS:ENDINGS.

    Milliseconds such as 40ms may replace the number of worlds.
    """
    _, number, *more = text.split(":")
    worlds, time = number, number.removesuffix("ms")
    if time != number:
        if not time.isdecimal() or not 1 <= int(time) <= MOST_MILLISECONDS:
            raise UserError(
                f"{SEARCH} takes 1 to {MOST_MILLISECONDS} ms for a decision, not {quote(number)}: "
                f"write {SEARCH}:40ms"
            )
        settings = {"milliseconds": int(time)}
    elif not worlds.isdecimal() or not 2 <= int(worlds) <= MOST_WORLDS:
        raise UserError(
            f"{SEARCH} plays out 2 to {MOST_WORLDS} deals, not {quote(number)}: write {SEARCH}:64"
        )
    else:
        settings = {"worlds": int(worlds)}
    if not more:
        return settings
    if len(more) > 1 or not more[0].isdecimal() or int(more[0]) > MOST_CARDS:
        raise UserError(
            f"{SEARCH} solves endings of 0 to {MOST_CARDS} cards in each hand, not "
            f"{quote(':'.join(more))}: write {SEARCH}:64:2"
        )
    return settings | {"endings": int(more[0])}


def honest_player(text: str, typed: bool = False) -> Player:
    """Return the player of a name, which sees only its own hand.

    Raises:
      UserError: see `player`; also if the player sees all hands.
    """
    named = player(text, typed)
    if named.name == DOUBLE_DUMMY:
        raise UserError(f"{text} sees all hands: it is an upper bound, for evaluate alone")
    return named


def compiled_player(text: str, typed: bool = False) -> Player:
    """Return the player of a name, which must run in compiled functions.

    Raises:
      UserError: see `honest_player`; also if the player is one of another engine.
    """
    named = honest_player(text, typed)
    if named.opponent is not None:
        raise UserError(f"{text} is a player of another engine: these play only in evaluate")
    return named


def network_player(text: str) -> Player:
    """Return the player of a name, which is a trained network.

    Raises:
      UserError: see `player`; also if the player is not a network.
    """
    named = player(text)
    if named.name == CHAMPION:
        return named
    if named.folder is None or player_file(learner_of(named.folder / CONFIG_FILE)):
        raise UserError(f"{text} is not a network: name champion, or the run folder of one")
    return named


def game_of(game: str | None, players: Sequence[Player]) -> str:
    """Return the id of the game that players play: the given one, else the one they trained on.

    Raises:
      UserError: an unknown game, a player who was trained on another one, or one of an engine that does
        not play it.
    """
    trained = {p.name: run_folders.trained_game(p.folder) for p in players if p.folder is not None}
    chosen = registry.canonical_id(game or next(iter(trained.values()), "jass"))
    for name, other in trained.items():
        if other.partition("/")[0] != chosen.partition("/")[0]:
            raise UserError(f"{name} was trained on {other} and cannot play {chosen}")
    for player in players:
        if player.opponent is not None:
            opponents.check_game(player.opponent, chosen)
    return chosen


def distinct_names(players: Sequence[Player]) -> list[str]:
    """Return the names of players, numbered where two are equal: "random", "random (2)"."""
    names: list[str] = []
    for player in players:
        name, number = player.name, 1
        while name in names:
            number += 1
            name = f"{player.name} ({number})"
        names.append(name)
    return names
