"""The registry of learners by name. Imports no JAX until a learner is made."""

import pkgutil
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.errors import unknown

if TYPE_CHECKING:
    from jaxcards.agents.learners.base import Learner, PlayerFile
    from jaxcards.agents.learners.fixed_player import FixedPlayer
    from jaxcards.agents.networks.vocabulary import Start
    from jaxcards.game import Game


@dataclass(frozen=True)
class _Entry:
    """The entry of a learner in the registry.

    Attributes:
      about: a line of description.
      config, learner: the paths of its classes.
      player_file: the path of a module that is a `PlayerFile`; "" if players are networks.
    """

    about: str
    config: str
    learner: str
    player_file: str = ""


_LEARNERS = {
    "ppo": _Entry(
        "proximal policy optimisation by self-play",
        "jaxcards.agents.learners.ppo.config:PPOConfig",
        "jaxcards.agents.learners.ppo.learner:PPO",
    ),
    "reinforce": _Entry(
        "policy gradient by self-play, with a reward for each trick and no critic",
        "jaxcards.agents.learners.reinforce.config:ReinforceConfig",
        "jaxcards.agents.learners.reinforce.learner:Reinforce",
    ),
    "dqn": _Entry(
        "deep Q-learning from replayed turns, by self-play",
        "jaxcards.agents.learners.dqn.config:DQNConfig",
        "jaxcards.agents.learners.dqn.learner:DQN",
    ),
    "distillation": _Entry(
        "supervised learning of a trained network's policy, in self-played deals",
        "jaxcards.agents.learners.distillation.config:DistillationConfig",
        "jaxcards.agents.learners.distillation.learner:Distillation",
    ),
    "imitation": _Entry(
        "supervised learning of recorded decisions; see jaxcards imitate",
        "jaxcards.agents.learners.imitation.config:ImitationConfig",
        "jaxcards.agents.learners.imitation.learner:Imitation",
    ),
    "q-table": _Entry(
        "tabular Q-learning over features in words, by self-play; its table is in SQLite",
        "jaxcards.agents.learners.qtable.config:QTableConfig",
        "jaxcards.agents.learners.qtable.learner:QTable",
        player_file="jaxcards.agents.learners.qtable.player_file",
    ),
}

LEARNERS = {name: entry.about for name, entry in _LEARNERS.items()}
"""Name of each learner and a line of description."""

DEFAULT = "ppo"
"""The default learner of a run."""


def settings_of(name: str) -> type[LearnerConfig]:
    """Return the class of a learner's settings.

    Raises:
      UserError: if the name is unknown.
    """
    found = pkgutil.resolve_name(_entry(name).config)
    assert issubclass(found, LearnerConfig)
    return found


def make_learner(
    name: str,
    game: "Game",
    config: LearnerConfig,
    num_devices: int = 1,
    adversary: "FixedPlayer | None" = None,
    teachers: "tuple[FixedPlayer, ...]" = (),
    start: "Start | None" = None,
) -> "Learner":
    """Return a learner.

    Args:
      name: one of `LEARNERS`.
      game: the game that is learned.
      config: an instance of `settings_of(name)`.
      num_devices: number of devices that share the work.
      adversary: the fixed opponent, for a learner with the setting `against`; else None.
      teachers: the network to learn from, for each of `Mixture.games` in this order, for a learner with
        the setting `teacher`; else empty.
      start: the network of a new run, for a learner with the setting `start`; else None.

    Raises:
      UserError: for an unknown name, devices that cannot share the work, or a player that does not fit.
    """
    given = {"adversary": adversary, "teachers": teachers, "start": start}
    # A learner takes only the players that its settings name.
    more = {name: value for name, value in given.items() if value}
    learner: Learner = pkgutil.resolve_name(_entry(name).learner)(game, config, num_devices, **more)
    return learner


def player_file(name: str) -> "PlayerFile | None":
    """Return the module that reads and writes a learner's players; None if they are networks.

    Raises:
      UserError: if the name is unknown.
    """
    path = _entry(name).player_file
    return typing.cast("PlayerFile", pkgutil.resolve_name(path)) if path else None


def _entry(name: str) -> _Entry:
    if name not in _LEARNERS:
        raise unknown("learner", name, LEARNERS)
    return _LEARNERS[name]
