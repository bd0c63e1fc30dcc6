"""Network players as files: a description, and the parameters.

A file is one message of MessagePack, as Flax writes it: {"player": a JSON text, "params": arrays,
"checksum": of both}. Reading a file runs no code from it.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any

import flax.serialization
import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import registry
from jaxcards.agent import Agent
from jaxcards.agents.networks import integers
from jaxcards.agents.networks.network import NETWORKS, BitsNetwork, NetworkAgent
from jaxcards.agents.networks.vocabulary import Start, Vocabulary, policy_vocabulary
from jaxcards.errors import UserError
from jaxcards.files import checksum, write_bytes
from jaxcards.game import Game
from jaxcards.match import AroundDeals, Match, deal_of


@dataclasses.dataclass(frozen=True)
class PlayerInfo:
    """The description of the game and the network that a player's parameters are for.

    Attributes:
      game: id of the game that it was trained on.
      num_features, num_actions: of that game; with planes, the number of inputs.
      hidden: widths of the policy's hidden layers.
      precision: of its arithmetic.
      vocabulary: names of its inputs and outputs, if it was trained on several games; else None.
      inputs: the inputs of the network, "features", "planes" or "integers"; see `Encoding`.
      matches: whether its features are those of a match, including the score.
      symmetric: whether it plays by the mean under all names of the suits; see `NetworkAgent`.
    """

    game: str
    num_features: int
    num_actions: int
    hidden: tuple[int, ...]
    precision: str
    vocabulary: Vocabulary | None = None
    inputs: str = "features"
    matches: bool = False
    symmetric: bool = False

    @classmethod
    def of(cls, game: Game, agent: Agent, vocabulary: Vocabulary | None) -> "PlayerInfo":
        """Return the description of a network that was trained on a game.

        Args:
          game: the game.
          agent: the `NetworkAgent` of the network.
          vocabulary: the names of inputs and outputs of all games, if there were several; else None.
        """
        assert isinstance(agent, NetworkAgent)
        id, sizes = game.id or game.name, (agent.encoding.num_inputs, game.num_actions)
        matches = isinstance(agent.game, AroundDeals)
        return cls(
            id, *sizes, agent.hidden, agent.precision, vocabulary, agent.inputs, matches,
            agent.symmetric,
        )  # fmt: skip

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "PlayerInfo":
        """Return the description from the result of `to_json`, with the current name of the game."""
        game, hidden = registry.current_id(values["game"]), tuple(values["hidden"])
        named = values.get("vocabulary")
        words = named and Vocabulary(**{part: tuple(names) for part, names in named.items()})
        return cls(**{**values, "game": game, "hidden": hidden, "vocabulary": words or None})

    def to_json(self) -> dict[str, Any]:
        """Return the description as JSON values."""
        values = dataclasses.asdict(self) | {"hidden": list(self.hidden)}
        values["game"] = registry.versioned_id(self.game)
        words = values.pop("vocabulary")
        if words is not None:  # keep the old format for players of one game
            values["vocabulary"] = {part: list(names) for part, names in words.items()}
        if self.inputs == "features":  # and for players that read the features
            del values["inputs"]
        for name in ("matches", "symmetric"):
            if not values[name]:
                del values[name]
        return values

    def agent(self, game: Game, where: Path) -> NetworkAgent:
        """Return the agent that plays a game with such parameters.

        Args:
          game: the game it was trained on, another preset of it with the same features and actions, or
            a `Match` of such a game.
          where: prefix of errors.

        Raises:
          UserError: if the game differs in its features or actions.
        """
        game = deal_of(game)
        id = game.id or game.name
        # Presets of a game may share players; different games may not.
        if self.game.partition("/")[0] != game.name:
            raise UserError(f"{where} was trained on {self.game} and cannot play {id}")
        # With the score of the match among its features, the agent must see a match.
        seen = Match(game) if self.matches else game
        kind = integers.IntegersAgent if self.inputs == "integers" else NetworkAgent
        agent = kind(seen, self.hidden, True, self.precision, self.inputs, self.symmetric)
        sizes = (self.num_features, self.num_actions)
        own = (agent.encoding.num_inputs, game.num_actions)
        if not self.vocabulary and sizes != own:
            raise UserError(
                f"{where} was trained on {self.game} with {sizes[0]} {self.inputs} and {sizes[1]} "
                f"actions and cannot play {id}, which has {own[0]} and {own[1]}"
            )
        return agent

    def network(self) -> BitsNetwork:
        """Return the network whose parameters were saved."""
        words, sizes = self.vocabulary, (self.num_features, self.num_actions)
        inputs, outputs = (words.num_inputs, len(words.outputs)) if words else sizes
        make = integers.network if self.inputs == "integers" else NETWORKS[self.inputs]
        return make(inputs, self.hidden, outputs, jnp.dtype(self.precision))


def write_network(path: Path, info: PlayerInfo, params: Any) -> None:
    """Write the network of a policy, without the parts that only training needs; see `files.replacing`.

    Args:
      path: of the file.
      info: the description of the network.
      params: of the policy.
    """
    about, params = json.dumps(info.to_json()), jax.device_get(params)
    content = {"player": about, "params": params, "checksum": checksum(params, about)}
    write_bytes(path, flax.serialization.to_bytes(content))


def read_network(path: Path) -> tuple[dict[str, Any], Any]:
    """Return the description of a player, as `PlayerInfo.to_json` has it, and its parameters.

    Raises:
      UserError: if the file cannot be read, or is damaged. Files of version 0.2 have no checksum.
    """
    try:
        content = flax.serialization.msgpack_restore(path.read_bytes())
        if content.get("checksum") not in (None, checksum(content["params"], content["player"])):
            raise ValueError("wrong checksum")
        return json.loads(content["player"]), content["params"]
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    except Exception as error:  # any error of the library for a damaged file
        raise UserError(f"{path} is damaged ({type(error).__name__}): restore it") from error


def for_game(
    where: Path, game: Game, player: dict[str, Any], params: Any
) -> tuple[NetworkAgent, Any]:
    """Return the agent that plays a game by a saved network, and its parameters.

    Args:
      where: prefix of errors.
      game: the game to play.
      player, params: the result of `read_network`.

    Raises:
      UserError: if the description is damaged, the parameters do not match it, or the network cannot
        play the game.
    """
    try:
        info = PlayerInfo.from_json(player)
        agent = info.agent(game, where)
    except (TypeError, KeyError):
        raise UserError(f"{where}: the description of its player is damaged") from None
    expected = jax.eval_shape(info.network().fresh, jax.random.key(0))
    # Compare shapes and dtypes with those of a fresh network, which is only traced.
    found = jax.tree.map(lambda x: (np.shape(x), np.asarray(x).dtype), params)
    if found != jax.tree.map(lambda x: (x.shape, x.dtype), expected):
        raise UserError(f"{where}: its parameters do not match a network of {list(agent.hidden)}")
    # A network for several rules: pick out the rows and columns of this game.
    if info.vocabulary is None:
        return agent, params
    try:
        return agent, info.vocabulary.for_game(agent.game, params)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None


def start(where: str, game: Game, player: dict[str, Any], params: Any) -> Start:
    """Return a saved network as the start of a run.

    Args:
      where: prefix of errors.
      game: the game that the run learns.
      player, params: the result of `read_network`.

    Raises:
      UserError: if it is of another game, its inputs are not features, or these have changed.
    """
    info = PlayerInfo.from_json(player)
    if info.game.partition("/")[0] != deal_of(game).name:
        raise UserError(f"{where} was trained on {info.game} and cannot start a run of {game.id}")
    if info.inputs != "features":
        raise UserError(f"{where} sees {info.inputs}, but a run must start from a network of features")
    if info.vocabulary:
        return Start(info.vocabulary, params)
    # The file of a network for one game has no names: it uses all those of the game, in their order.
    trained = registry.make(info.game)
    own = policy_vocabulary([Match(trained) if info.matches else trained])
    sizes, now = (info.num_features, info.num_actions), (len(own.inputs), len(own.outputs))
    if sizes != now:
        raise UserError(
            f"{where} has {sizes[0]} features and {sizes[1]} actions, and {info.game} has {now[0]} and "
            f"{now[1]} in this version: begin with a run of this version, or with champion"
        )
    return Start(own, params)
