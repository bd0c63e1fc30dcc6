"""Run folders named on the command line. Does not need JAX."""

import shlex
from itertools import count
from pathlib import Path

from jaxcards import registry, settings
from jaxcards.errors import UserError, quote, unknown
from jaxcards.training.config import CONFIG_FILE

SEED = "seed_"
"""Start of the name of the run folder of a seed, in the folder of several seeds."""


def run_folder(text: str) -> Path:
    """Return the path of a run folder that exists and has a configuration.

    Raises:
      UserError: if it does not; names the nearest folder beside it.
    """
    folder = Path(text)
    if not folder.is_dir():
        siblings = sorted(str(file.parent) for file in folder.parent.glob(f"*/{CONFIG_FILE}"))
        if not siblings:
            make = f"jaxcards train GAME --out {shlex.quote(text)}"
            raise UserError(f"unknown run folder {quote(text)}: {make} makes one")
        raise unknown("run folder", text, siblings)
    if not (folder / CONFIG_FILE).is_file():
        # A folder with a run for each seed, for each combination of a grid, or for each of both.
        kinds = (f"{SEED}*", "*=*", f"*=*/{SEED}*")
        runs = sorted(file for kind in kinds for file in folder.glob(f"{kind}/{CONFIG_FILE}"))
        if runs:
            raise UserError(f"{text} has {len(runs)} runs: name one, such as {runs[0].parent}")
        raise UserError(f"{text} is not a run folder: missing {CONFIG_FILE}")
    return folder


def new_run_folder(text: str | None, game: str) -> Path:
    """Return the folder for a new run, which is new or empty.

    Args:
      text: the requested folder, or None for `runs/<game>`, then `runs/<game>-2`, ...
      game: the id of the game as it was typed.

    Raises:
      UserError: if the requested folder has files, or is a file itself.
    """
    if text is None:
        first = Path("runs", game.partition(" ")[0].replace("/", "-"))
        names = (first if n == 1 else first.with_name(f"{first.name}-{n}") for n in count(1))
        return next(path for path in names if _is_free(path))
    folder = Path(text)
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{text} is a file, not a folder")
    if (folder / CONFIG_FILE).exists():
        raise UserError(f"{text} already has a run: choose another folder, or --resume {text}")
    if not _is_free(folder):
        raise UserError(f"{text} has other files: name a new folder")
    return folder


def _is_free(folder: Path) -> bool:
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def configured_game(file: Path) -> str | None:
    """Return the canonical id that a configuration file names under `game`, or None.

    Raises:
      UserError: if the file cannot be read, or does not name a game.
    """
    id = settings.read_toml(file).get("game")
    if id is None:
        return None
    try:
        return registry.canonical_id(id)
    except UserError as error:
        raise UserError(f"{file}: {error}") from None


def trained_game(folder: Path) -> str:
    """Return the canonical id of the game of a run folder. Raises the errors of `configured_game`."""
    game = configured_game(folder / CONFIG_FILE)
    if game is None:
        raise UserError(f'{folder / CONFIG_FILE}: names no game (game = "jass")')
    return game
