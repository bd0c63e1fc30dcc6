"""Fill the marked blocks of README.md, docs/ and benchmarks/README.md: `python benchmarks/readme.py`.

A block is the text between `<!-- name -->` and `<!-- /name -->`. Its table is made in `readme_tables/`:
from the code, or from result files. Without a result, the block stays unchanged.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # the checkout that this file belongs to
sys.path.append(str(ROOT / "benchmarks"))  # last: tests have modules of the same names

from readme_tables import from_code, from_parsers, from_players, from_results  # noqa: E402

import jaxcards  # noqa: E402


def pages(root: Path = ROOT) -> dict[Path, dict[str, Callable[[], str | None]]]:
    """Every page with blocks, relative to the root: its blocks and the functions for their content."""
    blocks: dict[str, dict[str, Callable[[], str | None]]] = {
        "README.md": {
            "games": from_code.games,
            "glance": partial(from_players.glance, root),
        },
        "benchmarks/README.md": {"work": from_code.work_of_peers},
        "docs/cli.md": {"options": from_parsers.options},
        "docs/devices.md": {"devices": partial(from_results.devices, root)},
        "docs/howto.md": {"habits": partial(from_results.habits, root)},
        "docs/leaderboard.md": {"leaderboards": from_players.leaderboards},
        "docs/players.md": {"by_preset": partial(from_players.strength_by_preset, root)},
        "docs/settings.md": {"settings": from_parsers.settings},
        "docs/results.md": {
            "eight_minutes": partial(from_players.of_eight_minutes, root),
            "by_match": partial(from_players.strength_in_matches, root),
            "exploiters": partial(from_players.exploiters, root),
            "random_play": partial(from_results.random_play, root),
            "work": partial(from_results.work, root),
            "peers": partial(from_results.peers, root),
            "training": partial(from_results.training, root),
            "gpu": partial(from_results.gpu, root),
            "sizes": partial(from_results.sizes, root),
        },
    }
    for game in [id for id in jaxcards.games() if "/" not in id]:
        blocks[f"docs/{game}.md"] = {
            "cards": partial(from_code.cards, game),
            "facts": partial(from_code.facts, game),
            "presets": partial(from_code.presets, game),
        }
    return {Path(page): found for page, found in blocks.items()}


def fill(text: str, name: str, content: str) -> str:
    """Return a page with a block replaced.

    Raises:
      ValueError: if the page does not have the two marks of this block once each, in order.
    """
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise ValueError(f"the page needs {start} and then {end}, once each")
    before, rest = text.split(start)
    return f"{before}{start}\n{content}\n{end}{rest.split(end)[1]}"


def filled(page: Path, root: Path = ROOT) -> str:
    """Return a page of `pages` with every block up to date."""
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
