"""What studies of learners share: runs that go on where they were stopped, and paired differences."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxcards.files import write_text
from jaxcards.training.metrics import read_metrics


def write_json(path: Path, value: Any) -> None:
    """Write JSON with each innermost object or list on one line."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    for innermost in (r"\[[^\[\]{}]*\]", r"\{[^{}]*\}"):
        text = re.sub(innermost, lambda found: " ".join(found[0].split()), text)
    write_text(path, text + "\n")


def jaxcards(*words: object) -> None:
    """Runs a command of jaxcards."""
    subprocess.run([sys.executable, "-m", "jaxcards", *map(str, words)], check=True)


def options(settings: Mapping[str, object]) -> list[str]:
    """Returns settings as options of a command line."""
    return [word for name, value in settings.items() for word in (f"--{name}", str(value))]


def entropy(first: float, last: float) -> dict[str, object]:
    """Returns an entropy bonus of calls and of cards, at the start and at the end of a run."""
    at_first = {"entropy": first, "card-entropy": first}
    return at_first | {"final-entropy": last, "final-card-entropy": last}


def trained(folder: Path, game: str, updates: int, settings: Mapping[str, object]) -> Path:
    """Returns the folder of a run with so many updates; makes it, or goes on, unless it is there."""
    metrics = folder / "metrics.jsonl"
    if (folder / "checkpoints").exists():
        if not metrics.exists() or read_metrics(metrics)[-1]["update"] < updates:
            jaxcards("train", "--resume", folder)
    else:
        words = ("--out", folder, "--updates", updates, "--no-evaluate", *options(settings))
        jaxcards("train", game, *words)
    return folder


def differences(
    players: Mapping[str, str | Path],
    game: str,
    deals: int,
    out: Path,
    pairs: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    """Returns the differences of pairs of players on duplicate deals: values of JSON by "A - B".

    Args:
      players: by name, as on the command line of `jaxcards evaluate`.
      game: id of the game.
      deals: duplicate deals of each pair.
      out: file for the whole cross table.
      pairs: names of those asked for, in the order of `players`.
    """
    words = ("--game", game, "--deals", deals, "--json", out, "--force")
    jaxcards("evaluate", *players.values(), *words)
    names = {str(player): name for name, player in players.items()}
    found = json.loads(out.read_text("utf-8"))["pairs"]
    by_names = {(names[pair["a"]], names[pair["b"]]): pair["difference"] for pair in found}
    return {f"{a} - {b}": by_names[a, b] for a, b in pairs}
