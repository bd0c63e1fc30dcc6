"""Allowed imports: nothing points up, no two rooms point at each other, games are strangers.

A room is a folder or a module right below `jaxcards/`. CONTRIBUTING.md describes the floors.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# From the ground up. A room may import from itself and from those before it.
FLOORS = (
    "errors", "files", "tables", "xla", "settings", "cards", "view", "pictures", "determinize",
    "stages", "contract", "game", "past", "match", "agent", "registry", "kit", "games", "loops",
    "rollouts", "throughput", "testing", "host", "opponents", "evaluation", "records", "agents",
    "learn", "review", "interop", "champions", "training", "players", "play", "serve", "bench", "cli",
)  # fmt: skip
HEIGHT = {room: height for height, room in enumerate(FLOORS)}
# The same inside `agents`.
WINGS = ("heuristics", "players", "networks", "search", "learners")
# What has no floor: the public names, which load what they stand for when they are first used.
FRONT_DOORS = ("jaxcards", "jaxcards.__main__")
# `registry` names the module of each game and `players` the class of each player, as texts.


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for file in (ROOT / "jaxcards").rglob("*.py"):
        parts = file.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


MODULES = modules()


def imports_of(source: str) -> list[str]:
    """Return the modules of the package that a source text imports, wherever in it."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "jaxcards":
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.append(full if full in MODULES else node.module)
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] == "jaxcards"]
    return found


def room(module: str) -> str:
    """Return the room of a module: "jaxcards.games.jass.play" -> "games"."""
    return module.split(".")[1]


def points_up(module: str, imported: str) -> bool:
    """Return whether an import leads to a higher floor."""
    if module in FRONT_DOORS or imported == "jaxcards":
        return False
    return HEIGHT[room(imported)] > HEIGHT[room(module)]


def games_of(module: str) -> set[str]:
    """Return the game that a module belongs to, if it does."""
    for wing in ("games.", "agents.heuristics.", "agents.learners.qtable."):
        _, found, name = module.partition(f"jaxcards.{wing}")
        if found:
            return {name.partition(".")[0]}
    return set()


def knows_a_stranger(module: str, imported: str) -> bool:
    """Return whether an import leads from a game to another, or to a game from a general module."""
    if module in FRONT_DOORS or not imported.startswith("jaxcards.games."):
        return False
    return games_of(imported) != games_of(module)


EDGES = [
    (module, imported) for module, file in MODULES.items() for imported in imports_of(file.read_text())
]


def test_every_room_has_a_floor():
    rooms = {room(module) for module in MODULES if module not in FRONT_DOORS}
    assert rooms == set(FLOORS)


def test_nothing_points_up():
    assert len(EDGES) > 500
    assert [edge for edge in EDGES if points_up(*edge)] == []


@pytest.mark.parametrize("edge", [("agents", "game"), ("training", "agents"), ("rollouts", "match")])
def test_an_import_that_is_turned_round_is_found(edge):
    module, imported = (f"jaxcards.{name}" for name in edge)
    assert not points_up(module, imported) and points_up(imported, module)


def test_nothing_in_agents_points_up():
    """A wing of `agents` imports from itself and from those before it; only `players` is loose."""
    edges = [
        tuple(name.split(".")[2] for name in edge)
        for edge in EDGES
        if all(name.startswith("jaxcards.agents.") for name in edge)
    ]
    assert {wing for edge in edges for wing in edge} == set(WINGS)
    assert [edge for edge in edges if WINGS.index(edge[1]) > WINGS.index(edge[0])] == []


def test_no_two_rooms_point_at_each_other():
    pairs = {(room(a), room(b)) for a, b in EDGES if a not in FRONT_DOORS and b != "jaxcards"}
    assert [(a, b) for a, b in pairs if a < b and (b, a) in pairs] == []


def test_games_are_strangers():
    assert [edge for edge in EDGES if knows_a_stranger(*edge)] == []
    assert knows_a_stranger("jaxcards.games.jass.play", "jaxcards.games.belote.play")
    assert knows_a_stranger("jaxcards.agents.learners.ppo.learner", "jaxcards.games.jass.play")
    assert not knows_a_stranger("jaxcards.agents.heuristics.jass.view", "jaxcards.games.jass.play")


def test_the_root_is_small():
    assert len(list((ROOT / "jaxcards").glob("*.py"))) <= 15


def test_every_package_says_what_lives_there():
    for file in (ROOT / "jaxcards").rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(file.read_text())) or ""
        sentences = [part for part in text.replace("\n", " ").split(". ") if part]
        assert len(sentences) >= 2, f"{file.relative_to(ROOT)} needs two sentences or three"


def then_set_devices(statement: str) -> subprocess.CompletedProcess[str]:
    """Run a statement in a separate process, then set the number of JAX devices."""
    count = 'import jax\njax.config.update("jax_num_cpu_devices", 2)\nprint(jax.device_count())'
    command = [sys.executable, "-c", f"{statement}\n{count}"]
    environment = os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": ""}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


# A module may need the package of an extra that is not installed.
IMPORT_ALL = """
import importlib
for name in {}:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        assert not error.name.startswith("jaxcards"), error
"""


def test_an_import_makes_no_array():
    # `interop` imports other libraries, which may.
    within = sorted(
        module for module in MODULES if module not in FRONT_DOORS and room(module) != "interop"
    )
    imported = then_set_devices(IMPORT_ALL.format(within))
    assert (imported.stdout, imported.returncode) == ("2\n", 0), imported.stderr
    made = then_set_devices("import jax.numpy\njax.numpy.float32(0)")
    assert made.returncode and "jax_num_cpu_devices" in made.stderr


def test_tests_are_in_the_same_folders():
    rooms = {path.name for path in (ROOT / "jaxcards").iterdir() if path.is_dir()} - {"__pycache__"}
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders - rooms == {"support", "repo"}
    assert rooms <= folders
