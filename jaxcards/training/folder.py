"""The run folder and its files. Does not need JAX."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxcards import settings
from jaxcards.agents.learners.registry import player_file
from jaxcards.agents.players import names_code
from jaxcards.files import write_text
from jaxcards.training.config import (
    BEGUN,
    CONFIG_FILE,
    RESUMED,
    TrainingConfig,
    adversary_of,
    exploits,
    learner_of,
    learns_matches,
    load_config,
)

_README = """\
A training run of jaxcards: {game}

config.toml       every setting; jaxcards train --config config.toml repeats the run
metrics.jsonl     a JSON object for every call of the device: losses, speed, points per deal
curve.png         the learning curve
tensorboard/      the same numbers: tensorboard --logdir {path}
checkpoints/      the newest two states of the learner
{player:<17} the player alone, without data that only training needs
evaluation.json   the finished player on duplicate deals; evaluation.png shows it{more}

Next commands:

{next}
"""

_SEEDS_README = """\
Training runs of jaxcards with several seeds: {game}

{names}
                  run folders; jaxcards train --resume continues each by itself
metrics.jsonl     means over the seeds; half widths are of 95 % intervals over the seeds
curve.png         the mean learning curve and its 95 % interval over the seeds
tensorboard/      the same numbers: tensorboard --logdir {path}
"""

_GRID_README = """\
Training runs of jaxcards with several settings: {game}

{names}
curve.png         the learning curve of each, with its 95 % interval
"""


@dataclass(frozen=True)
class RunFolder:
    """The files of one run.

    Attributes:
      path: the folder.
    """

    path: Path

    @property
    def config(self) -> Path:
        return self.path / CONFIG_FILE

    @property
    def metrics(self) -> Path:
        return self.path / "metrics.jsonl"

    @property
    def tensorboard(self) -> Path:
        return self.path / "tensorboard"

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    @property
    def player(self) -> Path:
        return self.path / "player.msgpack"

    @property
    def held_out(self) -> Path:
        return self.path / "held_out.json"

    @property
    def curve(self) -> Path:
        return self.path / "curve.png"

    @property
    def evaluation(self) -> Path:
        return self.path / "evaluation.json"

    @property
    def evaluation_plot(self) -> Path:
        return self.path / "evaluation.png"

    @property
    def readme(self) -> Path:
        return self.path / "README.txt"

    def write_config(self, game: str, config: TrainingConfig, provenance: Mapping[str, Any]) -> None:
        """Create the folder and write the configuration, which makes it the folder of a run.

        Args:
          game: id of the game.
          config: every setting.
          provenance: JSON values about the process, written as a table that is not read back. A resumed
            run keeps the table of the process that started it.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        begun = settings.read_toml(self.config).get(BEGUN) if self.config.exists() else None
        tables = {BEGUN: begun, RESUMED: provenance} if begun else {BEGUN: provenance}
        text = settings.to_toml(config, game=game, learner=config.learner)
        write_text(self.config, text + settings.tables_to_toml(tables))

    def read_config(self) -> TrainingConfig:
        """Return the configuration. Raises the errors of `load_config`."""
        return load_config(learner_of(self.config), self.config, resumed=True)

    def next_commands(
        self, config: TrainingConfig, opponents: Sequence[str], resumable: bool
    ) -> list[str]:
        """Return the commands for which the run can be used."""
        command = "exploit" if exploits(config) else "train"
        resume = f"jaxcards {command} --resume {self.path}"
        if names_code(adversary_of(config)):  # code from a file runs only if it is named again
            resume += f" {'' if exploits(config) else '--against '}{adversary_of(config)}"
        if not resumable:
            # A complete run goes on only with a higher limit.
            limit = "updates" if config.updates else "minutes"
            resume += f" --{limit} {2 * getattr(config, limit)}   # in all, twice as long"
        evaluate = f"jaxcards evaluate {self.path} {' '.join(opponents)}"
        return [evaluate + (" --matches" if learns_matches(config) else ""), resume]

    def write_readme(
        self, game: str, config: TrainingConfig, opponents: Sequence[str], resumable: bool
    ) -> None:
        """Write a description of the folder's files and of its uses."""
        lines = self.next_commands(config, opponents, resumable)
        commands = "\n".join(f"  {line}" for line in lines)
        own = player_file(config.learner)
        player = own.NAME if own else self.player.name
        more = ""
        if config.learner == "imitation":
            more = f"\n{self.held_out.name:<17} prediction quality on held-out games"
        text = _README.format(game=game, path=self.path, player=player, next=commands, more=more)
        write_text(self.readme, text)

    def write_seeds_readme(self, game: str, seeds: "Sequence[RunFolder]") -> None:
        """Write a description of a folder with a run for each of several seeds."""
        names = ", ".join(f"{seed.path.name}/" for seed in seeds)
        write_text(self.readme, _SEEDS_README.format(game=game, path=self.path, names=names))

    def write_grid_readme(self, game: str, groups: "Sequence[RunFolder]") -> None:
        """Write a description of a folder with a folder for each combination of settings."""
        names = "\n".join(f"{group.path.name}/" for group in groups)
        write_text(self.readme, _GRID_README.format(game=game, names=names))
