"""Which shipped network plays which rules."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards import registry
from jaxcards.agent import Agent, check_game
from jaxcards.agents.networks import saved
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.networks.vocabulary import facts
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.belief import Belief
from jaxcards.agents.search.double_dummy import DoubleDummyAgent
from jaxcards.agents.search.rollout_policy import Policies, WithRolloutPolicy
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import AroundDeals, deal_of

FOLDER = Path(__file__).parent / "players"
"""Has NAME.msgpack, a network, and NAME.json, its card, for each player.

Some have NAME_rollout.msgpack as well, a smaller network that plays alike: their rollout policy.
"""

BELIEFS = {name: Belief() for name in ("jass", "belote", "euchre", "rikiki", "sheepshead")}
"""By name of a game what a search believes, where that was found to gain; see experiments/search."""

SEARCHED_CALLS = frozenset({"rikiki"})
"""Names of games whose calls are searched, too, which was found to gain; see experiments/search."""


def load_agent(game: str | Game, folder: Path = FOLDER) -> tuple[NetworkAgent, Any]:
    """Return the strongest player that is shipped for a game, and its parameters.

    The player takes the policy's likeliest action: `agent.act(params, observation, legal, key)`. Where
    that gains points, the player asks the network under all names of the suits. `agent.fast_policy`
    asks once. Rules of your own get the network that has learned the nearest rules for as many players.

    Args:
      game: an id, such as "euchre" or "jass/slalom", or a game. A `Match` gets a player that knows how
        the match stands, or, where none has learned such rules, the player of its deals.
      folder: where the players are.

    Raises:
      UserError: an unknown id; or no network has learned all features and actions of such rules.
    """
    _, agent, params = _find(_made(game), folder)
    return agent, jax.tree.map(jnp.asarray, params)


def load_search(game: str | Game, folder: Path = FOLDER, **settings: Any) -> tuple[SearchAgent, Any]:
    """Return a search by the network that `load_agent` returns, and its parameters.

    Where a rollout policy is shipped with that network, it plays the worlds on; see docs/search.md.

    Args:
      game, folder: see `load_agent`. In a match it plays for the points of its deals.
      **settings: of `SearchAgent`, such as `worlds`. In games of `BELIEFS` its worlds are weighted so,
        unless `belief` says otherwise, and in those of `SEARCHED_CALLS` it searches calls.

    Raises:
      UserError: as `load_agent` and `SearchAgent`.
    """
    deal = deal_of(_made(game))
    agent, params = with_rollout_policy(*load_agent(deal, folder), folder)
    return search_by(deal, agent, **settings), params


def search_by(game: Game, agent: Agent, **settings: Any) -> SearchAgent:
    """Return a search by a shipped network.

    Args:
      game: of single deals.
      agent: what `load_agent` or `with_rollout_policy` returned.
      **settings: see `load_search`.
    """
    found = {"belief": BELIEFS.get(game.name), "calls": game.name in SEARCHED_CALLS}
    return SearchAgent(game, agent, **found | settings)


def with_rollout_policy(agent: Agent, params: Any, folder: Path = FOLDER) -> tuple[Agent, Any]:
    """Return a shipped network with the rollout policy that is shipped with it, for a search.

    Args:
      agent, params: what `load_agent` returned. They are returned as they are where there is none.
      folder: see `load_agent`.
    """
    if not isinstance(agent, NetworkAgent) or isinstance(agent.game, AroundDeals):
        return agent, params
    game = agent.game
    path = folder / f"{player_of(game, folder)}_rollout.msgpack"
    if not path.exists():
        return agent, params
    rollout, own = saved.for_game(Path(path.name), game, *saved.read_network(path))
    both = Policies(params, jax.tree.map(jnp.asarray, own))
    return WithRolloutPolicy.around(agent, rollout), both


def load_double_dummy(
    game: str | Game, folder: Path = FOLDER, **settings: Any
) -> tuple[DoubleDummyAgent, Any]:
    """Return the player with all hands open, around the network that `load_agent` returns.

    Args:
      game, folder: see `load_agent`. In a match it plays for the points of its deals.
      **settings: of `DoubleDummyAgent`, such as `endings`.

    Raises:
      UserError: as `load_agent` and `DoubleDummyAgent`.
    """
    deal = deal_of(_made(game))
    agent, params = load_agent(deal, folder)
    return DoubleDummyAgent(deal, agent, **settings), params


def player_of(game: str | Game, folder: Path = FOLDER) -> str:
    """Return the name of the player that `load_agent` returns. Errors as there."""
    return _find(_made(game), folder)[0]


def network_of(game: str | Game, folder: Path = FOLDER) -> tuple[dict[str, Any], Any]:
    """Return the network that `load_agent` plays by, for all rules that it has learned.

    It is described as `saved.PlayerInfo.to_json` does. Errors as `load_agent`.
    """
    return saved.read_network(folder / f"{player_of(game, folder)}.msgpack")


def cards(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Return the cards of all players by name: values of JSON, `presets` among them."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}


def _made(game: str | Game) -> Game:
    return registry.make(game) if isinstance(game, str) else check_game(game)


def _find(game: Game, folder: Path) -> tuple[str, NetworkAgent, Any]:
    refusals = []
    for name in _nearest(game, folder):
        path = folder / f"{name}.msgpack"
        try:
            return name, *saved.for_game(Path(path.name), game, *saved.read_network(path))
        except UserError as error:
            refusals.append(str(error))
    reason = [*refusals, f"none has learned {deal_of(game).name} for {game.num_players}"][0]
    raise UserError(f"no shipped player plays {game.id or game.name}: {reason}")


def _nearest(game: Game, folder: Path) -> Sequence[str]:
    """Return the players for as many seats, those first that have learned the rules most alike.

    Of players that have learned the same rules, those of matches come first, and then those that have
    learned the fewest other rules. Players of matches do not play single deals.
    """
    deal, found = deal_of(game), {}
    for name, card in cards(folder).items():
        learned = map(registry.make, card["presets"])
        distances = [_distance(deal, other) for other in learned if _same_table(deal, other)]
        if distances and (deal is not game or not card["matches"]):
            found[name] = min(distances), not card["matches"], len(card["presets"])
    return sorted(found, key=found.__getitem__)


def _same_table(game: Game, other: Game) -> bool:
    return (game.name, game.num_players) == (other.name, other.num_players)


def _distance(game: Game, other: Game) -> int:
    """In how many facts the rules of two games differ."""
    return len(facts(game.rules).items() ^ facts(other.rules).items())
