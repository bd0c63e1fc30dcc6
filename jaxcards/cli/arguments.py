"""What the arguments of commands mean, found out and checked without JAX."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from jaxcards import registry, settings
from jaxcards.errors import UserError, nearest, quote, unknown
from jaxcards.training.config import CONFIG_FILE

# Players that need no run folder.
PLAYERS = {
    "random": "plays any legal action",
    "rules": "the rule-based player of the game",
}


class Value(argparse.Action):
    """An option whose text becomes a value of an annotation inside a range.

    argparse's own `type=` would hide which values are allowed.
    """

    def __init__(self, *args: Any, annotation: Any, limits: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.annotation, self.limits = annotation, limits

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        text: Any,
        option: str | None = None,
    ) -> None:
        name = option or self.dest
        value = settings.parse(name, self.annotation, text)
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, (int, float)):
                settings.check_range(name, number, self.limits)
        setattr(namespace, self.dest, value)


@dataclass(frozen=True)
class Player:
    """A player of the command line: a name of `PLAYERS`, or a trained one in its run folder."""

    name: str
    folder: Path | None = None


def player(text: str) -> Player:
    """The player that a text names.

    Raises:
      UserError: neither a name of `PLAYERS` nor a run folder.
    """
    if text in PLAYERS:
        return Player(text)
    if "/" in text or (text and Path(text).exists()):
        return Player(text, run_folder(text))
    guess = nearest(text, PLAYERS)
    hint = f"; did you mean {guess!r}?" if guess else ""
    raise UserError(
        f"unknown player {quote(text)}{hint} (allowed: {', '.join(PLAYERS)}, or a run folder)"
    )


def run_folder(text: str) -> Path:
    """The path of a run folder that exists and has a configuration.

    Raises:
      UserError: it does not; names the nearest folder beside it.
    """
    folder = Path(text)
    if not folder.is_dir():
        siblings = sorted(str(file.parent) for file in folder.parent.glob(f"*/{CONFIG_FILE}"))
        raise unknown("run folder", text, siblings)
    if not (folder / CONFIG_FILE).is_file():
        raise UserError(f"{text} is no run folder: it has no {CONFIG_FILE}")
    return folder


def configured_game(file: Path) -> str | None:
    """The canonical id that a configuration file names under `game`, or None.

    Raises:
      UserError: the file cannot be read, or names no game.
    """
    id = settings.read_toml(file).get("game")
    if id is None:
        return None
    try:
        return registry.canonical_id(id)
    except UserError as error:
        raise UserError(f"{file}: {error}") from None


def trained_game(folder: Path) -> str:
    """The canonical id of the game of a run folder. Errors as `configured_game`."""
    game = configured_game(folder / CONFIG_FILE)
    if game is None:
        raise UserError(f'{folder / CONFIG_FILE}: names no game (game = "jass")')
    return game


def game_of_players(game: str | None, players: Sequence[Player]) -> str:
    """The canonical id that players meet in: the one asked for, else the one they were trained on.

    Raises:
      UserError: an unknown game, or a player who was trained on another one.
    """
    trained = {p.name: trained_game(p.folder) for p in players if p.folder is not None}
    chosen = registry.canonical_id(game or next(iter(trained.values()), "jass"))
    for name, other in trained.items():
        if other.partition("/")[0] != chosen.partition("/")[0]:
            raise UserError(f"{name} was trained on {other} and cannot play {chosen}")
    return chosen


def output_file(text: str, suffixes: Sequence[str] = ()) -> Path:
    """A path that a file can be written to.

    Raises:
      UserError: its folder does not exist, it is a folder itself, or has none of the suffixes.
    """
    path = Path(text)
    if path.is_dir():
        raise UserError(f"{text} is a folder, not a file")
    if not path.parent.is_dir():
        raise UserError(f"cannot write {text}: there is no folder {path.parent}")
    if suffixes and path.suffix.lower() not in suffixes:
        raise UserError(f"{text} must end in one of: {', '.join(suffixes)}")
    return path


def processes(
    coordinator: str | None, num_processes: int | None, process_id: int | None, distributed: bool
) -> tuple[str | None, int | None, int | None] | None:
    """The processes that train together, or None if there is only this one.

    Returns:
      Coordinator, number of processes, number of this one; all None if the cluster is to be asked.

    Raises:
      UserError: some of them are missing, or do not fit.
    """
    named = {
        "--coordinator": coordinator,
        "--num-processes": num_processes,
        "--process-id": process_id,
    }
    missing = [name for name, value in named.items() if value is None]
    if distributed:
        if len(missing) < len(named):
            raise UserError(f"--distributed asks the cluster; it takes none of {', '.join(named)}")
        return None, None, None
    if len(missing) == len(named):
        return None
    if coordinator is None or num_processes is None or process_id is None:
        raise UserError(f"{', '.join(named)} go together: {' and '.join(missing)} missing")
    host, _, port = coordinator.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise UserError(
            f"--coordinator must be HOST:PORT, such as 10.0.0.1:8476, not {quote(coordinator)}"
        )
    if process_id >= num_processes:
        raise UserError(
            f"--process-id must be below --num-processes ({num_processes}), not {process_id}"
        )
    return coordinator, num_processes, process_id


def new_run_folder(text: str | None, game: str) -> Path:
    """The folder for a new run; never one that holds a run already.

    Args:
      text: the folder that was asked for, or None for `runs/<game>`, then `runs/<game>-2`, ...
      game: the id of the game as it was typed.

    Raises:
      UserError: the folder that was asked for holds a run or is a file.
    """
    if text is None:
        first = Path("runs", game.replace("/", "-"))
        names = (first if n == 1 else first.with_name(f"{first.name}-{n}") for n in count(1))
        return next(path for path in names if not (path / CONFIG_FILE).exists())
    folder = Path(text)
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{text} is a file, not a folder")
    if (folder / CONFIG_FILE).exists():
        raise UserError(f"{text} holds a run already: choose another, or --resume {text}")
    return folder
