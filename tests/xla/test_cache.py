"""The user's cache of compiled programs: used unasked, never in anybody's way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.marks import by_cost

from jaxcards.xla.cache import prune

COMPILE = """
import jax, warnings
warnings.simplefilter("error")
from jaxcards.xla import cache
jax.jit(lambda x: x * 5)(2.0)  # JAX has decided by now that it keeps nothing
cache.enable(WANTED)
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.jit(lambda x: x * 3 + 1)(2.0)
"""


def compile_something(wanted: bool = True, **environment: str) -> None:
    env = {k: v for k, v in os.environ.items() if not k.startswith("JAX_COMPILATION_CACHE")}
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", COMPILE.replace("WANTED", str(wanted))],
        env=env | {"PYTHONPATH": root, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_programs_are_kept(tmp_path):
    compile_something(XDG_CACHE_HOME=str(tmp_path))
    assert files(tmp_path / "jaxcards")


@pytest.mark.slow
def test_a_cache_of_the_users_own_is_left_to_them(tmp_path):
    own = tmp_path / "own"
    compile_something(XDG_CACHE_HOME=str(tmp_path / "home"), JAX_COMPILATION_CACHE_DIR=str(own))
    assert files(own) and not (tmp_path / "home").exists()


@pytest.mark.parametrize("own", by_cost([False, True], {False}))
def test_without_the_cache_nothing_is_kept(tmp_path, own):
    folder = {"JAX_COMPILATION_CACHE_DIR": str(tmp_path / "own")} if own else {}
    compile_something(wanted=False, XDG_CACHE_HOME=str(tmp_path / "home"), **folder)
    assert files(tmp_path) == []


@pytest.mark.slow
def test_nowhere_to_write(tmp_path):
    (tmp_path / "file").touch()
    compile_something(XDG_CACHE_HOME=str(tmp_path / "file"))


@pytest.mark.parametrize("largest, left", [(100, "abc"), (70, "bc"), (31, "c"), (0, "")])
def test_the_oldest_go_first(tmp_path, largest, left):
    for time, name in enumerate("abc"):
        (tmp_path / name).write_bytes(b"x" * 30)
        os.utime(tmp_path / name, (time, time))
    prune(tmp_path, largest)
    assert sorted(path.name for path in tmp_path.iterdir()) == list(left)
