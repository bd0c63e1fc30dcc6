"""The catalogue of shipped networks and the rules that each one plays."""

import importlib.util
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
from jaxcards.agents.players import HEURISTICS
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.belief import Belief
from jaxcards.agents.search.double_dummy import DoubleDummyAgent
from jaxcards.agents.search.rollout_policy import Policies, WithRolloutPolicy
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import AroundDeals, deal_of

FOLDER = Path(__file__).parent / "players"
"""The folder with NAME.msgpack, a network, and NAME.json, its card, for each player.

Some players also have NAME_rollout.msgpack, a smaller network trained to play alike, as their rollout
policy. The package jaxcards-players, the folder `players` of the source, has more of them.
"""

EXTRA = "jaxcards_players"
"""Module of the package jaxcards-players."""

SEARCHED_CALLS = frozenset({"rikiki"})
"""Names of games in which searching calls, too, was measured to gain; see experiments/search."""


def load_agent(game: str | Game, folder: Path | None = None) -> tuple[NetworkAgent, Any]:
    """Return the strongest shipped player of a game, and its parameters.

    The player takes the policy's most likely action: `agent.act(params, observation, legal, key)`.
    Where it gains points, the player evaluates the network under all names of the suits;
    `agent.fast_policy` evaluates it once. Custom rules get the network trained on the nearest rules
    with an equal number of players.

    Args:
      game: an id, such as "euchre" or "jass/slalom", or a game. A `Match` gets a player that reads the
        score of the match, if one knows these rules; otherwise the player of its deals.
      folder: folder of the players; None for all that are installed.

    Raises:
      UserError: an unknown id, or a network is missing for the features and actions of such rules.
    """
    _, agent, params = _find(_made(game), folder)
    return agent, jax.tree.map(jnp.asarray, params)


def load_search(
    game: str | Game, folder: Path | None = None, **settings: Any
) -> tuple[SearchAgent, Any]:
    """Return a search by the network that `load_agent` returns, and its parameters.

    If a rollout policy is shipped with that network, it plays out the sampled worlds; see
    docs/search.md.

    Args:
      game, folder: see `load_agent`. In a match the search plays for the points of each deal.
      **settings: of `SearchAgent`, such as `worlds`. Worlds are weighted by `Belief()` unless you set
        `belief`; the games in `SEARCHED_CALLS` search calls.

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
    # Beliefs gained in five games; see experiments/search. In Hearts and Spades no gain is shown.
    found: dict[str, Any] = {"belief": Belief(), "calls": game.name in SEARCHED_CALLS}
    return SearchAgent(game, agent, **found | settings)


def with_rollout_policy(agent: Agent, params: Any, folder: Path | None = None) -> tuple[Agent, Any]:
    """Return a shipped network with its rollout policy, if it has one, for a search.

    Args:
      agent, params: the result of `load_agent`, returned unchanged without a rollout policy.
      folder: see `load_agent`.
    """
    if not isinstance(agent, NetworkAgent) or isinstance(agent.game, AroundDeals):
        return agent, params
    game = agent.game
    network = files(folder)[player_of(game, folder)]
    path = network.with_stem(f"{network.stem}_rollout")
    if not path.exists():
        return agent, params
    rollout, own = saved.for_game(Path(path.name), game, *saved.read_network(path))
    both = Policies(params, jax.tree.map(jnp.asarray, own))
    return WithRolloutPolicy.around(agent, rollout), both


def load_double_dummy(
    game: str | Game, folder: Path | None = None, **settings: Any
) -> tuple[DoubleDummyAgent, Any]:
    """Return the player that sees all hands, built on the network that `load_agent` returns.

    Args:
      game, folder: see `load_agent`. In a match the player plays for the points of each deal.
      **settings: of `DoubleDummyAgent`, such as `endings`.

    Raises:
      UserError: as `load_agent` and `DoubleDummyAgent`.
    """
    deal = deal_of(_made(game))
    agent, params = load_agent(deal, folder)
    return DoubleDummyAgent(deal, agent, **settings), params


def player_of(game: str | Game, folder: Path | None = None) -> str:
    """Return the name of the player that `load_agent` returns. Raises the same errors."""
    return _find(_made(game), folder)[0]


def network_of(game: str | Game, folder: Path | None = None) -> tuple[dict[str, Any], Any]:
    """Return the description of the network behind `load_agent`, for all rules that it has learned.

    The format is that of `saved.PlayerInfo.to_json`. Raises the errors of `load_agent`.
    """
    return saved.read_network(files(folder)[player_of(game, folder)])


def cards(folder: Path | None = None) -> dict[str, dict[str, Any]]:
    """Return the cards of all players by name, as JSON values with a key `presets`."""
    found = {name: path.with_suffix(".json") for name, path in files(folder).items()}
    return {name: json.loads(path.read_text("utf-8")) for name, path in found.items()}


def files(folder: Path | None = None) -> dict[str, Path]:
    """Return the files of the networks by the name of the player; `folder` as in `load_agent`."""
    # Finding the package does not import it. Its player replaces one of the same name.
    extra = importlib.util.find_spec(EXTRA)
    folders = [FOLDER, *map(Path, (extra and extra.submodule_search_locations) or ())]
    paths = [path for one in ([folder] if folder else folders) for path in sorted(one.glob("*.json"))]
    return {path.stem: path.with_suffix(".msgpack") for path in paths}


def _made(game: str | Game) -> Game:
    return registry.make(game) if isinstance(game, str) else check_game(game)


def _find(game: Game, folder: Path | None) -> tuple[str, NetworkAgent, Any]:
    refusals, paths = [], files(folder)
    for name in _nearest(game, folder):
        path = paths[name]
        try:
            return name, *saved.for_game(Path(path.name), game, *saved.read_network(path))
        except UserError as error:
            refusals.append(str(error))
    # The first refusal is that of the player with the nearest rules.
    reason = [*refusals, f"none has learned {deal_of(game).name} for {game.num_players} players"][0]
    other = "heuristic" if deal_of(game).name in HEURISTICS else "random"
    more = "" if importlib.util.find_spec(EXTRA) else "install jaxcards-players, which has more, or "
    advice = f"{more}use another player, such as {other}"
    raise UserError(f"no shipped player plays {game.id or game.name}: {reason}; {advice}")


def _nearest(game: Game, folder: Path | None) -> Sequence[str]:
    """Return the players with the right number of seats, nearest rules first.

    If two players learned the same rules, players of matches come first, then those that learned the
    fewest other rules. Players of matches do not play single deals.
    """
    deal, found = deal_of(game), {}
    for name, card in cards(folder).items():
        learned = map(registry.make, card["presets"])
        distances = [_distance(deal, other) for other in learned if _same_table(deal, other)]
        if distances and (deal is not game or not card["matches"]):
            # Sorted in this order; False comes before True.
            found[name] = min(distances), not card["matches"], len(card["presets"])
    return sorted(found, key=found.__getitem__)


def _same_table(game: Game, other: Game) -> bool:
    return (game.name, game.num_players) == (other.name, other.num_players)


def _distance(game: Game, other: Game) -> int:
    """Return the number of differences between the rules of two games."""
    return len(facts(game.rules).items() - facts(other.rules).items())
