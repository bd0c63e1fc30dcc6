"""Loads the player of a run folder, and writes it to a file of its own.

Most players are networks, which `PlayerInfo` describes; a learner of others has a `PlayerFile`.
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
from jaxcards.agents import learners
from jaxcards.agents.learner import Learner
from jaxcards.agents.network import NETWORKS, BitsNetwork, NetworkAgent
from jaxcards.agents.vocabulary import Vocabulary
from jaxcards.errors import UserError
from jaxcards.files import replacing
from jaxcards.game import Game
from jaxcards.training.config import learner_of
from jaxcards.training.folder import RunFolder


@dataclasses.dataclass(frozen=True)
class PlayerInfo:
    """The game and the network that the parameters of a player are for.

    Attributes:
      game: id of the game that it was trained on.
      num_features, num_actions: of that game; with planes the number of their numbers.
      hidden: widths of the policy's hidden layers.
      precision: of its arithmetic.
      vocabulary: what its inputs and outputs are, if it was trained on several games; else None.
      inputs: what the network is given, "features" or "planes"; see `Sight`.
    """

    game: str
    num_features: int
    num_actions: int
    hidden: tuple[int, ...]
    precision: str
    vocabulary: Vocabulary | None = None
    inputs: str = "features"

    @classmethod
    def of(cls, learner: Learner) -> "PlayerInfo":
        """Returns the description of what `learner.saved` returns."""
        game, agent = learner.game, learner.player
        assert isinstance(agent, NetworkAgent)
        id, sizes = game.id or game.name, (agent.sight.num_inputs, game.num_actions)
        return cls(id, *sizes, agent.hidden, agent.precision, learner.vocabulary, agent.inputs)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "PlayerInfo":
        """Reads what `to_json` returned, with the name that the game has now."""
        game, hidden = registry.current_id(values["game"]), tuple(values["hidden"])
        named = values.get("vocabulary")
        words = named and Vocabulary(**{part: tuple(names) for part, names in named.items()})
        return cls(**{**values, "game": game, "hidden": hidden, "vocabulary": words or None})

    def to_json(self) -> dict[str, Any]:
        """Returns the description as values of JSON."""
        values = dataclasses.asdict(self) | {"hidden": list(self.hidden)}
        words = values.pop("vocabulary")
        if words is not None:  # players of one game are described as they always were
            values["vocabulary"] = {part: list(names) for part, names in words.items()}
        if self.inputs == "features":  # and so are players that read the features
            del values["inputs"]
        return values

    def agent(self, game: Game, where: Path) -> NetworkAgent:
        """Returns the agent that plays a game with such parameters.

        Args:
          game: the game it was trained on, or another preset of it that looks the same to players.
          where: put in front of an error.

        Raises:
          UserError: the game differs in its features or actions.
        """
        id = game.id or game.name
        if self.game.partition("/")[0] != game.name:
            raise UserError(f"{where} was trained on {self.game} and cannot play {id}")
        agent = NetworkAgent(game, self.hidden, True, self.precision, self.inputs)
        sizes, own = (self.num_features, self.num_actions), (agent.sight.num_inputs, game.num_actions)
        if not self.vocabulary and sizes != own:
            raise UserError(
                f"{where} was trained on {self.game} with {sizes[0]} {self.inputs} and {sizes[1]} "
                f"actions and cannot play {id}, which has {own[0]} and {own[1]}"
            )
        return agent

    def network(self) -> BitsNetwork:
        """Returns the network whose parameters were saved."""
        words, sizes = self.vocabulary, (self.num_features, self.num_actions)
        inputs, outputs = (words.num_inputs, len(words.outputs)) if words else sizes
        return NETWORKS[self.inputs](inputs, self.hidden, outputs, jnp.dtype(self.precision))


def describe_player(name: str, learner: Learner) -> dict[str, Any]:
    """Returns what the checkpoints of a learner, by name, say of its player: values of JSON."""
    own = learners.player_file(name)
    return own.describe(learner) if own else PlayerInfo.of(learner).to_json()


def write_player(name: str, learner: Learner, state: Any, run: RunFolder) -> None:
    """Writes the player of a state if it is no network; a network is in the checkpoint."""
    own = learners.player_file(name)
    if own:
        own.write(run.path / own.NAME, learner, state)


def load_player(folder: Path, game: Game) -> tuple[Agent, Any]:
    """Returns the player of a run folder, who plays the best action it knows, and its parameters.

    A network comes from the newest checkpoint or, in a folder without any, from player.msgpack; other
    players from the file of their learner.

    Args:
      folder: the run folder.
      game: the game to play.

    Raises:
      UserError: there is no player, it cannot be read, or it cannot play this game.
    """
    run = RunFolder(Path(folder))
    own = learners.player_file(learner_of(run.config)) if run.config.is_file() else None
    if own:
        if not (run.path / own.NAME).exists():
            raise UserError(f"{folder} holds no player: it has no {own.NAME}")
        return own.load(run.path / own.NAME, game)
    if run.checkpoints.is_dir():
        from jaxcards.training import checkpoints

        update = checkpoints.latest(run.checkpoints)
        if update is not None:
            state, _, player = checkpoints.read(run.checkpoints, update)
            return _fitting(run.path, game, player, _network_of(state))
    if run.player.is_file():
        return _fitting(run.path, game, *_read_player(run.player))
    raise UserError(f"{folder} holds no player: it has neither a checkpoint nor {run.player.name}")


def export_player(run: RunFolder, info: PlayerInfo, params: Any) -> None:
    """Writes player.msgpack: the network of a policy without what only training needs.

    Args:
      run: whose folder.
      info: what the parameters fit to.
      params: of the policy.
    """
    content = {"player": json.dumps(info.to_json()), "params": jax.device_get(params)}
    with replacing(run.player) as temporary:
        temporary.write_bytes(flax.serialization.to_bytes(content))


def _network_of(state: Any) -> Any:
    """Returns the network that plays, out of a learner's state as plain dictionaries.

    It is the average of the policy, if the run has one; the policy; or what values actions.
    """
    optimiser = state["optimiser"]
    for part in optimiser.values() if isinstance(optimiser, dict) else optimiser:
        if isinstance(part, dict) and set(part) == {"average"}:
            return part["average"]["policy"]
    params = state["params"]
    return params["policy"] if "policy" in params else params["values"]


def _read_player(path: Path) -> tuple[dict[str, Any], Any]:
    try:
        content = flax.serialization.msgpack_restore(path.read_bytes())
        return json.loads(content["player"]), content["params"]
    except Exception as error:  # whatever a damaged file makes the library raise
        raise UserError(f"{path} cannot be read ({type(error).__name__})") from error


def _fitting(where: Path, game: Game, player: dict[str, Any], params: Any) -> tuple[NetworkAgent, Any]:
    """Returns agent and parameters, if they are what the agent's network takes."""
    try:
        info = PlayerInfo.from_json(player)
        agent = info.agent(game, where)
    except (TypeError, KeyError):
        raise UserError(f"{where}: the description of its player is damaged") from None
    expected = jax.eval_shape(info.network().fresh, jax.random.key(0))
    found = jax.tree.map(lambda x: (np.shape(x), np.asarray(x).dtype), params)
    if found != jax.tree.map(lambda x: (x.shape, x.dtype), expected):
        raise UserError(f"{where}: its parameters do not fit a network of {list(agent.hidden)}")
    if info.vocabulary is None:
        return agent, params
    try:
        return agent, info.vocabulary.for_game(game, params)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
