"""Turn the name of a player into an agent and its parameters."""

from os import PathLike, fspath
from typing import Any

import jax

from jaxcards import registry
from jaxcards.agents.players import make_player
from jaxcards.champions import catalogue
from jaxcards.game import Game
from jaxcards.players import code
from jaxcards.players.names import CHAMPION, DOUBLE_DUMMY, Player, game_of, player
from jaxcards.training import player as trained


def load_player(name: str | PathLike[str], game: str | Game) -> tuple[Any, Any]:
    """Return the player of a name, as on the command line, and its parameters.

    Args:
      name: "random", "heuristic" or "champion"; a search, such as "search:64"; a run folder;
        "my_agent.py:make", a function of a file, which is run (see `jaxcards.players.code`); a name
        that an installed package registers; or "openspiel:ismcts:100", a player of another engine.
      game: an id, such as "jass/slalom"; a game; or a `Match`, for players that read its score.

    Returns:
      An agent with `act(params, observation, legal, key)`, and `params`. `jaxcards.rollout` and
      `jaxcards.evaluation.evaluate` take both. Players of other engines are for `evaluate` alone.

    Raises:
      UserError: if the name is unknown, or the player cannot play this game.
    """
    made = registry.make(game) if isinstance(game, str) else game
    named = player(fspath(name), typed=True)
    if named.folder is not None or named.opponent is not None:
        # The id of a match is that of its game with one more word.
        game_of(made.id.removesuffix(" match") or None, [named])
    return load(named, made)


def load(player: Player, game: Game) -> tuple[Any, Any]:
    """Return the `Agent` of a player and its parameters; or an `Opponent` and ().

    The player that sees all hands is an `OpenHandsAgent`.

    Raises:
      UserError: if the game has no such player, or the run folder has none that can play it.
    """
    if player.opponent is not None:
        return player.opponent, ()
    if player.folder is not None:
        return trained.load_trained_player(player.folder, game)
    if player.code is not None:
        return code.make(player.code, game)
    if player.name == CHAMPION:
        return catalogue.load_agent(game)
    if player.name == DOUBLE_DUMMY:
        return catalogue.load_double_dummy(game)
    if player.searches:
        return _search(player, game)
    agent = make_player(player.name, game)
    return agent, agent.init(jax.random.key(0), game)


def network(player: Player, game: Game) -> tuple[dict[str, Any], Any]:
    """Return the network of a `network_player`, for all rules that it has learned.

    Returns:
      Its description, as `agents.networks.saved` reads it, and its parameters.

    Raises:
      UserError: if it cannot be read.
    """
    if player.folder is None:
        return catalogue.network_of(game)
    return trained.load_network(player.folder)


def _search(player: Player, game: Game) -> tuple[Any, Any]:
    settings: Any = dict(player.search)
    milliseconds = settings.pop("milliseconds", None)
    search, params = catalogue.load_search(game, **settings)
    if milliseconds is None:
        return search, params
    from jaxcards.agents.search.budget import within

    return within(search, params, milliseconds), params
