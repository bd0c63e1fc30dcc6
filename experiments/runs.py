"""Shared code of studies: their files of results, runs that continue, and paired differences."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxcards.files import write_text
from jaxcards.training.metrics import read_metrics

FORMER = {
    "gae-lambda": 0.7,
    "final-entropy": 0.02,
    "final-card-entropy": 0.02,
    "average": 0.0,
    "symmetric": False,
    "sure-every": 1,
}
"""Settings of `ppo` that had another default when most studies ran. The default of lambda was 0.3 in
Rikiki and 0.85 in Sheepshead."""


def read_json(path: Path) -> dict[str, Any]:
    """Return the values of a file of results; {} before the first one."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def write_json(path: Path, value: Any) -> None:
    """Write JSON with each innermost object or list on one line."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    for innermost in (r"\[[^\[\]{}]*\]", r"\{[^{}]*\}"):
        text = re.sub(innermost, lambda found: " ".join(found[0].split()), text)
    write_text(path, text + "\n")


def run_jaxcards(*words: object) -> None:
    """Run a command of jaxcards."""
    subprocess.run([sys.executable, "-m", "jaxcards", *map(str, words)], check=True)


def options(settings: Mapping[str, object]) -> list[str]:
    """Return settings as options of a command line; flags are True or False."""
    words: list[str] = []
    for name, value in settings.items():
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [f"--{name}", str(value)]
    return words


def entropy(first: float, last: float) -> dict[str, object]:
    """Return the settings of an entropy bonus of calls and cards that falls over the run."""
    at_first = {"entropy": first, "card-entropy": first}
    return at_first | {"final-entropy": last, "final-card-entropy": last}


def trained(folder: Path, game: str, updates: int, settings: Mapping[str, object]) -> Path:
    """Return the folder of a run; train, or resume, unless the run has all its updates."""
    metrics = folder / "metrics.jsonl"
    if (folder / "checkpoints").exists():
        if not metrics.exists() or read_metrics(metrics)[-1]["update"] < updates:
            run_jaxcards("train", "--resume", folder)
    else:
        words = ("--out", folder, "--updates", updates, "--no-evaluate", *options(settings))
        run_jaxcards("train", game, *words)
    return folder


def differences(
    players: Mapping[str, str | Path],
    game: str,
    deals: int,
    out: Path,
    pairs: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    """Return the differences of pairs of players on duplicate deals: values of JSON by "A - B".

    Args:
      players: by name, as on the command line of `jaxcards evaluate`.
      game: id of the game.
      deals: duplicate deals of each pair.
      out: file for the whole cross table.
      pairs: names, in the order of `players`.
    """
    words = ("--game", game, "--deals", deals, "--json", out, "--force")
    run_jaxcards("evaluate", *players.values(), *words)
    names = {str(player): name for name, player in players.items()}
    found = read_json(out)["pairs"]
    by_names = {(names[pair["a"]], names[pair["b"]]): pair["difference"] for pair in found}
    return {f"{a} - {b}": by_names[a, b] for a, b in pairs}
