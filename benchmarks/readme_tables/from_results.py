"""Tables of speed, from result files; None where no result exists yet."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from readme_tables import table

RESULTS = Path("benchmarks", "results")
UNITS = {  # the columns of the table of speeds, by kind of work
    "random": "deals",
    "observations": "deals",
    "network": "decisions",
    "training": "decisions",
    "determinization": "samples",
    "matches": "matches",
}
USUAL_BATCH = 4096


def rounded(number: float) -> str:
    """Return a rate in two digits: 9,175,502 is "9.2 M", 448,100 is "450 k"."""
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if float(f"{number:.2g}") >= size:
            return f"{float(f'{number / size:.2g}'):,.{int(number < 9.95 * size)}f}{unit}"
    return f"{float(f'{number:.2g}'):,.0f}"


def on_machines(head: Sequence[str], found: Sequence[tuple[str, Sequence[Sequence[object]]]]) -> str:
    """Return a table for each machine, below a line that names it; "" without rows."""
    return "\n\n".join(f"{where}:\n\n{table(head, rows)}" for where, rows in found if rows)


def suites(root: Path) -> list[tuple[dict[str, Any], str]]:
    """Return every result of benchmarks/suite.py with a link from docs/ that names the machine."""
    found = []
    for file in sorted((root / RESULTS).glob("*-suite.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        machine = result["machine"]
        cores = "one core" if any("core" in f for f in result["figures"]) else machine["device"]
        where = f"{machine['processor']}, {cores}, jax {machine['jax']}"
        found.append((result, f"[{where}](../{RESULTS.as_posix()}/{file.name})"))
    return found


def usual(result: dict[str, Any], game: str, work: str) -> dict[str, Any] | None:
    """Return the figure of one core or accelerator at its usual batch: 4,096, or the fastest."""
    found = [f for f in result["figures"] if (f["game"], f["work"], f["devices"]) == (game, work, 1)]
    found = [f for f in found if "core" in f] or found
    at_usual = [f for f in found if f["batch"] == USUAL_BATCH and "core" in f]
    return max(at_usual or found, key=lambda f: f["per_second"]["median"], default=None)


def rate(figure: dict[str, Any] | None, unit: str, written: Callable[[float], str]) -> str:
    """Return the median of a figure in a unit."""
    if figure is None:
        return "–"
    own = figure["unit"] == unit
    return written(figure["per_second"]["median"] if own else figure["also_per_second"][unit])


def speed(root: Path) -> dict[str, str]:
    """Return the speed of random play of each game on one core, from the first result that has it."""
    return {
        game: rate(usual(result, game, "random"), "deals", rounded)
        for result, _ in reversed(suites(root))
        for game in result["games"]
    }


def work(root: Path) -> str | None:
    """Return the table of all kinds of work except random play, or None without a result."""
    works = [work for work in UNITS if work != "random"]
    found = []
    for result, where in suites(root):
        measured = {figure["game"] for figure in result["figures"] if figure["work"] in works}
        games = [game for game in result["games"] if game in measured]
        found.append((where, [[f"`{game}`", *_rates(result, game, works)] for game in games]))
    head = ("game", "with observations, deals/s", "a network plays, decisions/s")
    head += ("training, decisions/s", "determinizations/s", "matches/s")
    return on_machines(head, found) or None


def _rates(result: dict[str, Any], game: str, works: Sequence[str]) -> list[str]:
    """Return the rates of a game at these kinds of work."""
    return [rate(usual(result, game, work), UNITS[work], rounded) for work in works]


def random_play(root: Path) -> str | None:
    """Return the table of random play, or None without a result."""
    found = [(where, _random_play(result)) for result, where in suites(root)]
    head = ("game", "deals/s", "card plays/s")
    return on_machines(head, found) or None


def _random_play(result: dict[str, Any]) -> list[list[str]]:
    found = {game: usual(result, game, "random") for game in result["games"]}
    return [
        [
            f"`{game}`",
            f"{random['per_second']['median'] / 1e6:.2f} M",
            f"{random['also_per_second']['card_plays'] / 1e6:,.0f} M",
        ]
        for game, random in found.items()
        if random
    ]


def peers(root: Path) -> str | None:
    """Return the table of other engines beside ours, or None without a result."""
    found = []
    for result, where in suites(root):
        rows = [
            [
                row["title"],
                f"{rounded(row['per_second']['median'])} {row['unit'].replace('_', ' ')}/s",
                f"`{row['ours']}`",
                f"{_three_digits(row['ratio']['median'])} x",
            ]
            for row in result["peers"]
        ]
        found.append((where, rows))
    return on_machines(("engine", "it plays", "beside", "ratio"), found) or None


def _three_digits(number: float) -> str:
    shown = float(f"{number:.3g}")
    return f"{shown:,.0f}" if shown >= 100 else f"{shown:g}"


def training(root: Path) -> str | None:
    """Return the parts of a training step's time, by benchmarks/training.py; None without a result."""
    found = []
    for file in sorted((root / RESULTS).glob("*-training.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        machine, number = result["machine"], result["devices"]
        processor = _accelerator(machine) or machine["processor"]
        where = f"{processor}, {number} device{'s' * (number > 1)}, jax {machine['jax']}"
        rows = []
        for game in result["games"]:
            parts = ("acting", "judging", "learning", "engine", "rest")
            shares = [f"{100 * game['shares'][name]['median']:.1f}" for name in parts]
            speed = rounded(game["decisions_per_second"]["median"])
            rows.append([f"`{game['game']}`", speed, *shares])
        found.append((f"[{where}](../{RESULTS.as_posix()}/{file.name})", rows))
    head = ("game", "decisions/s", "acting", "judging", "learning", "engine", "rest")
    return on_machines(head, found) or None


def devices(root: Path) -> str | None:
    """Return the results of benchmarks/devices.py, or None without results."""
    found = []
    for file in sorted((root / RESULTS).glob("*-devices.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        machine = result["machine"]
        where = f"{machine['processor']}, {machine['cores_usable']} cores, jax {machine['jax']}"
        rows = []
        for name, training in result["training_decisions"].items():
            play = result["random_play_deals"][name]
            rows.append(
                [
                    f"{name}, simulated" if name in result["simulated"] else name,
                    rounded(training["per_second"]["median"]),
                    f"{training['to_one_device']['median']:.2f} x",
                    rounded(play["per_second"]["median"]),
                    f"{play['to_one_device']['median']:.2f} x",
                ]
            )
        found.append((f"[{where}](../{RESULTS.as_posix()}/{file.name})", rows))
    ratio = "to one device"
    head = ("devices", "training, decisions/s", ratio, "random play, deals/s", ratio)
    return on_machines(head, found) or None


def habits(root: Path) -> str | None:
    """Return the results of benchmarks/habits.py, a table each, or None without results."""
    head = ("habit", "deals/s", "`random_play` is faster by")
    tables = []
    for file in sorted((root / RESULTS).glob("*-habits.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        machine = result["machine"]
        where = f"`{result['game']}`, {machine['processor']}, one core, jax {machine['jax']}"
        rows = []
        for habit in result["habits"]:
            ratio = habit["random_play_is_faster"]["median"]
            rows.append([habit["text"], rounded(habit["per_second"]["median"]), f"{ratio:,.3g} x"])
        tables.append(f"{table(head, rows)}\n\n[{where}](../{RESULTS.as_posix()}/{file.name})")
    return "\n\n".join(tables) or None


def gpu(root: Path) -> str | None:
    """Return the table of random play of every game on a GPU, or None without a result."""
    found = []
    for where, result in _of_gpus(root, "gpu"):
        rows = []
        for id, game in result.get("games", {}).items():
            speed = game["xla"]["deals_per_second"]
            rows.append([f"`{id}`", f"{speed['median'] / 1e6:,.0f} M"])
        found.append((where, rows))
    return on_machines(("game", "deals/s"), found) or None


def sizes(root: Path) -> str | None:
    """Return decisions a second of a training step by its sizes, from benchmarks/sizes.py."""
    head = ("layers of policy and critic", "deals of an update", "decisions/s")
    found = []
    for where, result in _of_gpus(root, "sizes"):
        rows = []
        for row in result["sizes"]:
            speed = row["decisions_per_second"]
            layers = ", ".join(map(str, row["widths"]))
            rows.append([layers, f"{row['deals']:,}", f"{speed['median'] / 1e6:,.1f} M"])
        found.append((f"`{result['game']}`, {result['sizes'][0]['precision']}, {where}", rows))
    return on_machines(head, found) or None


def _of_gpus(root: Path, kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Return every result of a kind on a GPU, after a link to it that names the GPU."""
    found = []
    for file in sorted((root / RESULTS).glob(f"*-{kind}.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        if device := _accelerator(result["machine"]):
            where = f"{device}, jax {result['machine']['jax']}"
            found.append((f"[{where}](../{RESULTS.as_posix()}/{file.name})", result))
    return found


def _accelerator(machine: dict[str, Any]) -> str:
    """Return the name of the GPU or TPU of a result; "" for a CPU."""
    platform, _, device = machine["device"].partition(": ")
    return "" if platform == "cpu" else device
