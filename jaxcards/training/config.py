"""Every setting of a training run: those of its learner, and those of the host.

The command line has an option for each field (`--learning-rate 3e-4`), a TOML file has a key
(`learning_rate = 3e-4`). To add a setting, add a field.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from jaxcards import settings
from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.agents.learners.registry import DEFAULT, LEARNERS, settings_of
from jaxcards.errors import UserError
from jaxcards.settings import setting
from jaxcards.training.by_game import best_for

# The configuration file of a run folder: the id of the game (key `game`), the name of the learner (key
# `learner`) and every setting. It can be passed to `--config`.
CONFIG_FILE = "config.toml"

BEGUN, RESUMED = "begun", "resumed"
"""Tables of `CONFIG_FILE` about the processes that started the run and that last resumed it."""


@dataclass(frozen=True)
class TrainingConfig(LearnerConfig):
    """The configuration of a training run; instances are valid, or `UserError` is raised.

    The class has the settings of all runs; `config_class` adds those of a learner.
    """

    learner: ClassVar[str]
    """Name of the learner that the class was made for."""

    minutes: float = setting(
        8.0, "minutes of training, without compiling; ignored if updates are given", minimum=0
    )
    updates: int = setting(0, "number of updates; 0 = the number that fits into the minutes", minimum=0)
    updates_per_dispatch: int = setting(8, "updates per call of the compiled function", minimum=1)
    devices: int = setting(0, "number of devices to train on; 0 = all", minimum=0)
    checkpoint_minutes: float = setting(1.0, "minutes between checkpoints", above=0)
    evaluate_minutes: float = setting(
        0.5,
        "minutes between evaluations; if updates are given, its ratio to minutes counts",
        above=0,
    )
    evaluation_deals: int = setting(512, "duplicate deals per evaluation", minimum=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.minutes and not self.updates:
            raise UserError("minutes or updates must be above 0, or the run would not end")


def config_class(learner: str = DEFAULT) -> type[TrainingConfig]:
    """Return the configuration class for runs of a learner. Raise `UserError` for an unknown name."""
    return _config_class(learner)


@functools.cache
def _config_class(learner: str) -> type[TrainingConfig]:
    own = settings_of(learner)
    body = {"__doc__": TrainingConfig.__doc__, "learner": learner, "__module__": __name__}
    made = type(f"{own.__name__}OfRun", (own, TrainingConfig), body)  # the defaults of the learner win
    return dataclass(frozen=True)(made)


def load_config(
    learner: str,
    path: str | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    game: str = "",
    resumed: bool = False,
) -> TrainingConfig:
    """Return the configuration of a run: defaults, then a TOML file, then the overrides.

    Args:
      learner: name of the learner.
      path: a file as `CONFIG_FILE`, or None.
      overrides: field name -> value.
      game: id of a game whose defaults apply (`by_game`); "" for the general defaults.
      resumed: the file belongs to a run folder. Missing settings get the values of earlier versions
        (`LearnerConfig.earlier`).

    Raises:
      UserError: an unknown learner, a setting of another learner, a retired setting with another value
        than its default; see also `settings.load`.
    """
    chosen = config_class(learner)
    given = settings.read_toml(path) if path else {}
    # Refuse a setting of another learner, which would have no effect.
    for names, where in ((given, f"{path}: "), (overrides or {}, "")):
        for name in names:
            owners = [other for other in LEARNERS if name in settings.annotations(config_class(other))]
            if owners and learner not in owners:
                raise UserError(
                    f"{where}{name} is a setting of {' and '.join(owners)}, but this run uses "
                    f"{learner}: leave it out, or choose another learner"
                )
    # A file of an earlier version may still have a removed setting, at its default.
    for name, default in chosen.retired.items():
        if given.get(name, default) != default:
            raise UserError(f"{path}: {name} was removed from the settings of {learner}: leave it out")
    # A resumed run keeps the values of its version; a new one begins with the best for its game.
    defaults = chosen.earlier if resumed else best_for(learner, game)
    missing = {name: value for name, value in defaults.items() if name not in given}
    ignore = ("game", "learner", BEGUN, RESUMED, *chosen.retired)
    return settings.load(chosen, path, {**missing, **(overrides or {})}, ignore=ignore)


def learner_of(path: str | Path) -> str:
    """Return the name of the learner in a TOML file, or the default."""
    name = settings.read_toml(path).get("learner", DEFAULT)
    try:
        settings_of(name)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    return str(name)


def adversary_of(config: TrainingConfig) -> str:
    """Return the name of the player that a run trains against; "" for self-play."""
    return str(getattr(config, "against", ""))  # some learners lack this setting


def exploits(config: TrainingConfig) -> bool:
    """Return whether a run learns only from deals against another player."""
    return bool(adversary_of(config)) and getattr(config, "against_share", 1.0) == 1


def learns_matches(config: TrainingConfig) -> bool:
    """Return whether a run learns to win matches."""
    return bool(getattr(config, "matches", False))


def teacher_of(config: TrainingConfig) -> str:
    """Return the name of the network whose policy a run learns; "" without a teacher."""
    return str(getattr(config, "teacher", ""))


def presets_of(config: TrainingConfig) -> tuple[str, ...]:
    """Return the further presets that a run learns."""
    return tuple(getattr(config, "presets", ()))


def start_of(config: TrainingConfig) -> str:
    """Return the name of the player whose network a run begins with; "" for a fresh network."""
    return str(getattr(config, "start", ""))


def own_settings(learner: str) -> tuple[str, ...]:
    """Return the names of a learner's settings that are not common to all runs."""
    shared = {field.name for field in fields(TrainingConfig)}
    return tuple(f.name for f in fields(settings_of(learner)) if f.name not in shared)
