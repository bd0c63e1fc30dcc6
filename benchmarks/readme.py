"""Fills the marked blocks of README.md and docs/*.md: `python benchmarks/readme.py`.

A block is what stands between `<!-- name -->` and `<!-- /name -->`. Games, facts, presets and features
come from the code, speed and strength from result files; where no result exists yet, the block is
left as it is.
"""

import dataclasses
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # the checkout that this file belongs to
sys.path.append(str(ROOT / "benchmarks"))  # last: tests that read this file have names of their own

RESULTS = Path("benchmarks", "results")
UNITS = {  # what the table of speeds shows of each kind of work
    "random": "deals",
    "observations": "deals",
    "network": "decisions",
    "training": "decisions",
    "determinization": "samples",
    "matches": "matches",
}
USUAL_BATCH = 4096
EVALUATIONS = "experiments/*_ppo/evaluation.json"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


# ---- From result files --------------------------------------------------------------------------


def speed(root: Path) -> str | None:
    """Figures of benchmarks/suite.py on one core or accelerator, or None where there are none."""
    rows = []
    for result, link in suites(root):
        for game in result["games"]:
            best = {work: usual(result, game, work) for work in UNITS}
            random = best["random"]
            if random is None:
                continue
            low, high = random["per_second"]["quartiles"]
            more = [f for f in result["figures"] if f["game"] == game and f["work"] == "random"]
            ratios = [
                (f["to_one_device"]["median"], f["devices"]) for f in more if "to_one_device" in f
            ]
            gain = "{:.2f} x on {}".format(*max(ratios)) if ratios else "–"
            wide = [f for f in more if f["devices"] == 1 and "to_usual_batch" in f]
            widest = max(wide, key=lambda f: f["batch"], default=None)
            flat = (
                f"{widest['to_usual_batch']['median']:.2f} x at {widest['batch']:,}" if widest else "–"
            )
            rows.append(
                [
                    f"`{game}`",
                    f"{random['per_second']['median']:,.0f}",
                    f"{low:,.0f} to {high:,.0f}",
                    f"{random['also_per_second']['card_plays'] / 1e6:,.0f} M",
                    *(rate(best[work], unit) for work, unit in UNITS.items() if work != "random"),
                    flat,
                    gain,
                    link,
                ]
            )
    head = ("game", "random play, deals/s", "quartiles", "card plays/s", "with observations, deals/s")
    head += ("a network plays, decisions/s", "training, decisions/s", "determinizations/s", "matches/s")
    head += ("larger batch", "all devices", "measured on")
    return table(head, rows) if rows else None


def usual(result: dict[str, Any], game: str, work: str) -> dict[str, Any] | None:
    """The figure of one core or accelerator at the batch that suits it: 4,096, or the fastest."""
    found = [f for f in result["figures"] if (f["game"], f["work"], f["devices"]) == (game, work, 1)]
    found = [f for f in found if "core" in f] or found
    at_usual = [f for f in found if f["batch"] == USUAL_BATCH and "core" in f]
    return max(at_usual or found, key=lambda f: f["per_second"]["median"], default=None)


def rate(figure: dict[str, Any] | None, unit: str) -> str:
    """The median of a figure in a unit."""
    if figure is None:
        return "–"
    own = figure["unit"] == unit
    return f"{figure['per_second']['median'] if own else figure['also_per_second'][unit]:,.0f}"


def peers(root: Path) -> str | None:
    """Other engines in the runs of benchmarks/suite.py, or None where there are none."""
    rows = []
    for result, link in suites(root):
        for row in result["peers"]:
            ratio, unit = row["ratio"], row["unit"].replace("_", " ")
            low, high = ratio["quartiles"]
            rows.append(
                [
                    row["title"],
                    f"{row['per_second']['median']:,.0f} {unit}/s",
                    f"`{row['ours']}`, {row['ours_per_second']['median']:,.0f}",
                    f"{ratio['median']:,.3g} x",
                    f"{low:,.3g} to {high:,.3g}",
                    link,
                ]
            )
    head = ("engine", "on one core", "ours, beside it", "ratio", "quartiles", "measured on")
    return table(head, rows) if rows else None


def suites(root: Path) -> list[tuple[dict[str, Any], str]]:
    """Every result of benchmarks/suite.py, and a link to it that names the machine."""
    found = []
    for file in sorted((root / RESULTS).glob("*-suite.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        machine = result["machine"]
        cores = "one core" if any("core" in f for f in result["figures"]) else machine["device"]
        where = f"{machine['processor']}, {cores}, jax {machine['jax']}"
        found.append((result, f"[{where}]({RESULTS.as_posix()}/{file.name})"))
    return found


def training(root: Path) -> str | None:
    """The results of benchmarks/training.py, or None where there are none."""
    rows = []
    for file in sorted((root / RESULTS).glob("*-training.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        machine, number = result["machine"], result["devices"]
        where = f"{machine['processor']}, {number} device{'s' * (number > 1)}, jax {machine['jax']}"
        for game in result["games"]:
            shares = {name: share["median"] for name, share in game["shares"].items()}
            outside = game["share_outside_network"]["median"]
            parts = [shares[name] for name in ("acting", "judging", "learning", "engine", "rest")]
            rows.append(
                [
                    f"`{game['game']}`",
                    f"{game['decisions_per_second']['median']:,.0f}",
                    *(f"{100 * share:.1f} %" for share in (1 - outside, *parts, outside)),
                    f"[{where}]({RESULTS.as_posix()}/{file.name})",
                ]
            )
    head = ("game", "decisions/s", "network arithmetic", "of it acting", "judging", "learning")
    return table((*head, "engine", "rest", "outside network", "measured on"), rows) if rows else None


def devices(root: Path) -> str | None:
    """The results of benchmarks/devices.py, or None where there are none."""
    rows = []
    for file in sorted((root / RESULTS).glob("*-devices.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        machine = result["machine"]
        where = f"{machine['processor']}, {machine['cores_usable']} cores, jax {machine['jax']}"
        for name, training in result["training_decisions"].items():
            play = result["random_play_deals"][name]
            rows.append(
                [
                    f"{name}, simulated" if name in result["simulated"] else name,
                    f"{training['per_second']['median']:,.0f}",
                    f"{training['to_one_device']['median']:.2f} x",
                    f"{play['per_second']['median']:,.0f}",
                    f"{play['to_one_device']['median']:.2f} x",
                    f"[{where}](../{RESULTS.as_posix()}/{file.name})",
                ]
            )
    head = (
        "devices",
        "training, decisions/s",
        "to one device",
        "random play, deals/s",
        "to one device",
    )
    return table((*head, "measured on"), rows) if rows else None


def habits(root: Path) -> str | None:
    """The results of benchmarks/habits.py, a table each, or None where there are none."""
    head = ("habit", "deals/s", "`random_play` is faster by", "quartiles", "to compile")
    tables = []
    for file in sorted((root / RESULTS).glob("*-habits.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        machine = result["machine"]
        where = f"`{result['game']}`, {machine['processor']}, one core, jax {machine['jax']}"
        rows = []
        for habit in result["habits"]:
            ratio = habit["random_play_is_faster"]
            rows.append(
                [
                    habit["text"],
                    f"{habit['per_second']['median']:,.0f}",
                    f"{ratio['median']:,.3g} x",
                    "{:,.3g} to {:,.3g}".format(*ratio["quartiles"]),
                    f"{habit['compile_seconds']:.1f} s",
                ]
            )
        tables.append(f"{table(head, rows)}\n\n[{where}](../{RESULTS.as_posix()}/{file.name})")
    return "\n\n".join(tables) or None


def kernel_code(root: Path) -> str | None:
    """The results of benchmarks/kernel_code.py, or None where there are none."""
    rows = []
    for file in sorted((root / RESULTS).glob("*-kernel_code.json")):
        for game, found in json.loads(file.read_text(encoding="utf-8"))["games"].items():
            counts = ("instructions_of_a_step", "instructions_around_steps", "instructions_of_a_deal")
            row = [f"`{game}`", found["registers"], found["local_bytes"]]
            rows.append([*row, *(f"{found[name]:,}" for name in counts)])
    head = ("game", "registers", "bytes of local memory", "instructions of a step")
    return table((*head, "of a deal outside of steps", "of a deal"), rows) if rows else None


def strength(root: Path) -> str | None:
    """The evaluations of the trained players, or None where there are none."""
    rows = []
    for file in sorted(root.glob(EVALUATIONS)):
        result = json.loads(file.read_text(encoding="utf-8"))
        link = file.relative_to(root).as_posix()
        about = f"[{result['num_deals']:,} x {result['num_seatings']}]({link})"
        for pair in result["pairs"]:
            points, won = pair["difference"], pair["won"]
            rows.append(
                [
                    f"`{result['game']}`",
                    f"{pair['a']} – {pair['b']}",
                    f"{points['mean']:+.2f}",
                    f"{points['low']:+.2f} to {points['high']:+.2f}",
                    f"{100 * won['mean']:.1f} %",
                    f"{100 * won['low']:.1f} to {100 * won['high']:.1f} %",
                    about,
                ]
            )
    head = ("game", "players", "points per deal", "95 % interval", "deals won", "95 % interval")
    return table((*head, "deals x seatings"), rows) if rows else None


# ---- From the code ------------------------------------------------------------------------------


def work_of_peers() -> str:
    """What other engines do of the same, and what not, and how to get them."""
    import importlib

    names = importlib.import_module("peers").NAMES
    modules = [importlib.import_module(f"peers.{name}") for name in names]
    rows = [
        (m.TITLE, f"`{m.OURS}`", m.UNIT.replace("_", " "), m.SAME, m.NOT_SAME, m.INSTALL)
        for m in modules
    ]
    return table(("engine", "beside", "compared by", "the same", "not the same", "to have it"), rows)


def games(root: Path) -> str:
    """Every game with the names of its presets."""
    import jaxcards

    ids = jaxcards.games()
    rows = []
    for name in [id for id in ids if "/" not in id]:
        named = [f"`{id.partition('/')[2]}`" for id in ids if id.startswith(f"{name}/")]
        rows.append((f"[`{name}`](docs/{name}.md)", ids[name], ", ".join(named)))
    return table(("game and rules", "what it is", "presets"), rows)


def facts(game: str) -> str:
    """Numbers of each preset of a game."""
    import jax

    import jaxcards

    def size(tree: Any) -> int:
        return sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(tree))

    rows = []
    for id in _presets(game):
        made = jaxcards.make(id)
        state = jax.eval_shape(made.init, jax.random.key(0))
        seen = jax.eval_shape(made.observe, state, 0)
        rows.append(
            (
                f"`{id}`",
                made.num_players,
                made.deck.num_cards,
                made.num_actions,
                made.max_steps,
                size(state),
                size(seen),
                made.num_features,
                made.num_full_state_features,
            )
        )
    head = ("id", "players", "cards", "actions", "longest deal", "bytes of state")
    return table((*head, "bytes of observation", "features", "full-state features"), rows)


def presets(game: str) -> str:
    """What each preset changes of the rules' defaults."""
    import jaxcards

    rows = []
    for id, description in _presets(game).items():
        rules = jaxcards.make(id).rules
        changes = [
            f"`{field.name}={getattr(rules, field.name)!r}`"
            for field in dataclasses.fields(rules)
            if getattr(rules, field.name) != field.default
        ]
        rows.append((f"`{id}`", description, ", ".join(changes) or "–"))
    return table(("id", "what it is", "differs from the defaults in"), rows)


def features(game: str) -> str:
    """The features of the default preset."""
    import jaxcards

    rows, first = [], 0
    for feature in jaxcards.make(game).feature_table:
        last = first + feature.size - 1
        rows.append((f"{first} to {last}" if feature.size > 1 else first, feature.size, feature.name))
        first = last + 1
    return table(("features", "number", "meaning"), rows)


def _presets(game: str) -> dict[str, str]:
    import jaxcards

    return {id: text for id, text in jaxcards.games().items() if id.startswith(f"{game}/")}


# ---- Blocks -------------------------------------------------------------------------------------


def fill(text: str, name: str, content: str) -> str:
    """Returns a page with a block replaced.

    Raises:
      ValueError: the page does not have the two marks of this block once each, in order.
    """
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise ValueError(f"the page needs {start} and then {end}, once each")
    before, rest = text.split(start)
    return f"{before}{start}\n{content}\n{end}{rest.split(end)[1]}"


def pages(root: Path = ROOT) -> dict[Path, dict[str, Callable[[], str | None]]]:
    """Every page with blocks, relative to the root: its blocks and what makes their content."""
    import jaxcards

    found: dict[Path, dict[str, Callable[[], str | None]]] = {
        Path("README.md"): {
            "games": lambda: games(root),
            "speed": lambda: speed(root),
            "peers": lambda: peers(root),
            "training": lambda: training(root),
            "strength": lambda: strength(root),
        }
    }
    found[Path("docs", "design.md")] = {"kernel_code": lambda: kernel_code(root)}
    found[Path("docs", "devices.md")] = {"devices": lambda: devices(root)}
    found[Path("docs", "performance.md")] = {"habits": lambda: habits(root)}
    found[Path("benchmarks", "README.md")] = {"work": work_of_peers}
    for game in [id for id in jaxcards.games() if "/" not in id]:
        found[Path("docs", f"{game}.md")] = {
            "facts": lambda game=game: facts(game),
            "presets": lambda game=game: presets(game),
            "features": lambda game=game: features(game),
        }
    return found


def filled(page: Path, root: Path = ROOT) -> str:
    """Returns a page of `pages` with every block up to date."""
    text = (root / page).read_text(encoding="utf-8")
    for name, make in pages(root)[page].items():
        content = make()
        if content is not None:
            text = fill(text, name, content)
    return text


def main() -> int:
    for page in pages():
        text = filled(page)
        changed = text != (ROOT / page).read_text(encoding="utf-8")
        if changed:
            beside = ROOT / page.with_suffix(".tmp")
            beside.write_text(text, encoding="utf-8")
            beside.rename(ROOT / page)
        print(f"{page}: {'rewritten' if changed else 'up to date'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
