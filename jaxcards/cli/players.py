"""Players that a command line names. Knows no JAX until one is loaded."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxcards import registry
from jaxcards.agents import players as built_in
from jaxcards.agents.learners import player_file
from jaxcards.agents.players import OLD_NAMES, make_player
from jaxcards.cli import run_folders
from jaxcards.errors import UserError, nearest, quote
from jaxcards.opponents import names as opponents
from jaxcards.training.config import CONFIG_FILE, learner_of

if TYPE_CHECKING:
    from jaxcards.game import Game


CHAMPION, SEARCH, DOUBLE_DUMMY = "champion", "search", "double_dummy"

PLAYERS = built_in.PLAYERS | {
    CHAMPION: "the trained network that is shipped for the rules",
    SEARCH: "the same network, which plays out deals before each card: search:64 for 64 of them, "
    "search:40ms for as many as it has time for, search:64:2 with endings of up to 2 cards in each "
    "hand solved",
    DOUBLE_DUMMY: "a bound, and no player: it sees all hands",
}
"""Name of each player of the command line that needs no folder, and a line of description."""

MOST_WORLDS = 10_000
MOST_MILLISECONDS = 600_000
MOST_CARDS = 5  # of `agents.search.endgame`, which needs JAX


@dataclasses.dataclass(frozen=True)
class Player:
    """A player of the command line: a name of `PLAYERS`, a run folder, or one of another engine.

    `search` has the settings behind the name of a search, if there are any.
    """

    name: str
    folder: Path | None = None
    opponent: opponents.Opponent | None = None
    search: Mapping[str, int] = dataclasses.field(default_factory=dict)


def player(text: str) -> Player:
    """Returns the player that a text names.

    Raises:
      UserError: neither a name of `PLAYERS` nor a run folder; or as `opponents.names.opponent`.
    """
    name = OLD_NAMES.get(text, text)
    if name in PLAYERS:
        return Player(name)
    if text.startswith(f"{SEARCH}:"):
        return Player(text, search=_search(text))
    if "/" in text or (text and Path(text).exists()):
        return Player(text, run_folders.run_folder(text))
    if ":" in text or text in opponents.ENGINES:
        return Player(text, opponent=opponents.opponent(text))
    guess = nearest(text, PLAYERS)
    hint = f"; did you mean {guess!r}?" if guess else ""
    raise UserError(
        f"unknown player {quote(text)}{hint} (allowed: {', '.join(PLAYERS)}, a run folder, or a player "
        "of another engine such as openspiel:ismcts:100)"
    )


def _search(text: str) -> Mapping[str, int]:
    """Returns the settings of a search that a text names: search:WORLDS, or search:WORLDS:ENDINGS.

    In place of worlds there may be milliseconds, such as 40ms.
    """
    _, number, *more = text.split(":")
    worlds, time = number, number.removesuffix("ms")
    if time != number:
        if not time.isdecimal() or not 1 <= int(time) <= MOST_MILLISECONDS:
            raise UserError(
                f"{SEARCH} takes 1 to {MOST_MILLISECONDS} ms for a decision, not {quote(number)}: "
                f"write {SEARCH}:40ms"
            )
        found = {"milliseconds": int(time)}
    elif not worlds.isdecimal() or not 2 <= int(worlds) <= MOST_WORLDS:
        raise UserError(
            f"{SEARCH} plays out 2 to {MOST_WORLDS} deals, not {quote(number)}: write {SEARCH}:64"
        )
    else:
        found = {"worlds": int(worlds)}
    if not more:
        return found
    if len(more) > 1 or not more[0].isdecimal() or int(more[0]) > MOST_CARDS:
        raise UserError(
            f"{SEARCH} solves endings of 0 to {MOST_CARDS} cards in each hand, not "
            f"{quote(':'.join(more))}: write {SEARCH}:64:2"
        )
    return found | {"endings": int(more[0])}


def honest_player(text: str) -> Player:
    """Returns the player that a text names, for what is played for its own sake.

    Raises:
      UserError: as `player`; or it sees all hands.
    """
    found = player(text)
    if found.name == DOUBLE_DUMMY:
        raise UserError(f"{text} sees all hands: it is a bound for players, in evaluate alone")
    return found


def compiled_player(text: str) -> Player:
    """Returns the player that a text names, for what plays in compiled functions alone.

    Raises:
      UserError: as `player`; or it is one of another engine, or one that sees all hands.
    """
    found = honest_player(text)
    if found.opponent is not None:
        raise UserError(f"players of other engines play in evaluate alone, and {text} is one")
    return found


def network_player(text: str) -> Player:
    """Returns the player that a text names, of those that are trained networks.

    Raises:
      UserError: as `player`; or it is no network.
    """
    found = player(text)
    if found.name == CHAMPION:
        return found
    if found.folder is None or player_file(learner_of(found.folder / CONFIG_FILE)):
        raise UserError(f"{text} is no network: name champion, or the run folder of one")
    return found


def game_of(game: str | None, players: Sequence[Player]) -> str:
    """Returns the id of the game that players play: the one asked for, else the one they trained on.

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
    """Returns the names of players, numbered where two are alike: "random", "random (2)"."""
    names: list[str] = []
    for player in players:
        name, number = player.name, 1
        while name in names:
            number += 1
            name = f"{player.name} ({number})"
        names.append(name)
    return names


def network(player: Player, game: "Game") -> tuple[dict[str, Any], Any]:
    """Returns what `network_player` named, for all rules that it has learned.

    Returns:
      Its description, as `agents.saved` reads it, and its parameters.

    Raises:
      UserError: it cannot be read.
    """
    if player.folder is None:
        from jaxcards.champions.catalogue import network_of

        return network_of(game)
    from jaxcards.training.player import load_network

    return load_network(player.folder)


def load(player: Player, game: "Game") -> tuple[Any, Any]:
    """Returns the `Agent` of a player and its parameters; or an `Opponent` and nothing.

    A player that sees all hands is an `OpenHandsAgent`.

    Raises:
      UserError: the game has no such player, or the run folder holds none that can play it.
    """
    import jax

    if player.opponent is not None:
        return player.opponent, ()
    if player.folder is not None:
        from jaxcards.training.player import load_player

        return load_player(player.folder, game)
    if player.name == CHAMPION:
        from jaxcards.champions.catalogue import load_agent

        return load_agent(game)
    if player.name == SEARCH or player.search:
        from jaxcards.champions.catalogue import load_search

        settings: Any = dict(player.search)
        milliseconds = settings.pop("milliseconds", None)
        search, params = load_search(game, **settings)
        if milliseconds is None:
            return search, params
        from jaxcards.agents.search.budget import within

        return within(search, params, milliseconds), params
    if player.name == DOUBLE_DUMMY:
        from jaxcards.champions.catalogue import load_double_dummy

        return load_double_dummy(game)
    agent = make_player(player.name, game)
    return agent, agent.init(jax.random.key(0), game)
