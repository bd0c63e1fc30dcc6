"""The player of a run folder.

Most players are networks, which `agents.networks.saved` reads. Other learners have a `PlayerFile`.
"""

from pathlib import Path
from typing import Any

from jaxcards.agent import Agent
from jaxcards.agents.learners.base import Learner
from jaxcards.agents.learners.registry import player_file
from jaxcards.agents.networks import saved
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.training.config import learner_of
from jaxcards.training.folder import RunFolder


def describe_player(name: str, learner: Learner) -> dict[str, Any]:
    """Return the description of a learner's player for checkpoints, as JSON values."""
    own = player_file(name)
    return own.describe(learner) if own else learner.describe_network().to_json()


def write_player(name: str, learner: Learner, state: Any, run: RunFolder) -> None:
    """Write the player of a state unless it is a network; a network is in the checkpoint."""
    own = player_file(name)
    if own:
        own.write(run.path / own.NAME, learner, state)


def load_trained_player(folder: Path, game: Game) -> tuple[Agent, Any]:
    """Return the player of a run folder and its parameters. The player takes its best action.

    A network comes from the newest checkpoint or, in a folder without checkpoints, from player.msgpack.
    Other players come from the file of their learner.

    Args:
      folder: the run folder.
      game: the game to play.

    Raises:
      UserError: if the player is missing, cannot be read, or cannot play this game.
    """
    run = RunFolder(Path(folder))
    own = player_file(learner_of(run.config)) if run.config.is_file() else None
    if own:
        if not (run.path / own.NAME).exists():
            raise UserError(f"{folder} has no player: missing {own.NAME}")
        return own.load(run.path / own.NAME, game)
    return saved.for_game(run.path, game, *load_network(folder))


def load_network(folder: Path) -> tuple[dict[str, Any], Any]:
    """Return the newest network of a run folder: its description, and parameters for all its games.

    Args:
      folder: the run folder, of a learner whose players are networks.

    Raises:
      UserError: if it is missing, or cannot be read.
    """
    run = RunFolder(Path(folder))
    if run.checkpoints.is_dir():
        from jaxcards.training import checkpoints

        update = checkpoints.latest(run.checkpoints)
        if update is not None:
            state, _, player = checkpoints.read(run.checkpoints, update)
            return player, _network_of(state)
    if run.player.is_file():
        return saved.read_network(run.player)
    raise UserError(f"{folder} has no player: missing a checkpoint or {run.player.name}")


def _network_of(state: Any) -> Any:
    """Return the network that plays, from a learner's state as plain dictionaries.

    This is the moving average of the policy, if the run has one, else the policy or the action values.
    """
    optimiser = state["optimiser"]
    # The state of `averaging` has this one key.
    for part in optimiser.values() if isinstance(optimiser, dict) else optimiser:
        if isinstance(part, dict) and set(part) == {"average"}:
            return part["average"]["policy"]
    params = state["params"]
    return params["policy"] if "policy" in params else params["values"]
