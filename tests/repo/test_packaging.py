"""The package from outside: imports, the wheel, the pinned versions, the Makefile."""

import importlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import jaxcards

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def python(code: str, *, cwd=ROOT, path=ROOT) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- Imports ------------------------------------------------------------------------------------


def test_importing_the_package_imports_no_jax():
    python(
        "import sys, jaxcards, jaxcards.cli.main, jaxcards.games, jaxcards.training.config\n"
        "jaxcards.make, jaxcards.register, jaxcards.UserError, jaxcards.__version__\n"
        "assert 'jax' not in sys.modules and 'numpy' not in sys.modules"
    )


def test_public_names_are_listed_and_others_refused():
    assert set(jaxcards.__all__) <= set(dir(jaxcards))
    with pytest.raises(AttributeError, match="no attribute 'mkae'"):
        jaxcards.mkae  # noqa: B018


@pytest.mark.parametrize("name", sorted(jaxcards._MODULES))
def test_public_names_resolve(name):
    assert getattr(jaxcards, name).__module__.startswith("jaxcards")


def test_games_is_a_function_and_a_package():
    python(
        "import jaxcards\n"
        "assert callable(jaxcards.games)\n"
        "import jaxcards.games as package\n"
        "from jaxcards import games\n"
        "assert games is package is jaxcards.games and package.__path__\n"
        "from jaxcards import registry\n"
        "registry.GAMES.clear()\n"
        "assert games() == registry.games() == {}"
    )


def test_modules_that_can_be_used_without_an_import_of_their_own():
    python(
        "import jaxcards\n"
        "assert jaxcards.cards.CardSet is jaxcards.CardSet\n"
        "assert callable(jaxcards.xla.jit) and callable(jaxcards.testing.check_game)\n"
        "import jaxcards.rollouts\n"
        "assert jaxcards.rollout is jaxcards.rollouts.rollout"
    )


# --- The wheel ----------------------------------------------------------------------------------


def test_a_wheel_works_outside_of_the_checkout(tmp_path):
    if Version(importlib.metadata.version("setuptools")) < Version("77"):
        pytest.skip("the installed setuptools is older than the build needs")
    source, site = tmp_path / "source", tmp_path / "site"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "jaxcards", source / "jaxcards", ignore=ignore)
    for name in ("pyproject.toml", "setup.py", "LICENSE", "README.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, source)
    # What must not come along.
    for folder in ("tests", "experiments", "runs"):
        (source / folder).mkdir()
        (source / folder / "__init__.py").touch()
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--target", str(site)]
    subprocess.run([*command, str(source)], check=True, cwd=tmp_path)
    installed = {path.name for path in site.iterdir()}
    assert installed == {"bin", "jaxcards", f"jaxcards-{jaxcards.__version__}.dist-info"}
    assert (site / "jaxcards" / "py.typed").is_file()
    modules = {path.relative_to(ROOT) for path in (ROOT / "jaxcards").rglob("*.py")}
    assert modules == {path.relative_to(site) for path in (site / "jaxcards").rglob("*.py")}
    metadata = importlib.metadata.PathDistribution(next(site.glob("*.dist-info"))).metadata
    assert metadata["Description-Content-Type"] == "text/markdown"
    description = metadata.get_payload()
    assert "## Games" in description and not re.search(r"\]\((?!https?://)", description)
    where = python("import jaxcards; print(jaxcards.__file__)", cwd=tmp_path, path=site)
    assert Path(where.strip()).is_relative_to(site)
    script = [sys.executable, str(site / "bin" / "jaxcards"), "--version"]
    environment = os.environ | {"PYTHONPATH": str(site)}
    said = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert said.stdout == f"jaxcards {jaxcards.__version__}\n"


def test_more_players_are_a_package_of_the_same_version():
    project = tomllib.loads((ROOT / "players" / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == jaxcards.__version__
    assert project["dependencies"] == [f"jaxcards=={jaxcards.__version__}"]


def tracked() -> list[str]:
    """Every file of the repository."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.skipif(not tracked(), reason="this is not a checkout")
def test_the_source_distribution_is_the_repository(tmp_path):
    """So it builds, tests and documents itself."""
    source = tmp_path / "source"
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        os.link(ROOT / name, source / name)
    for stray in ("tests/__pycache__/a.pyc", "runs/jass/config.toml", "notes.txt"):
        (source / stray).parent.mkdir(parents=True, exist_ok=True)
        (source / stray).touch()
    python(
        "import os, sys, setuptools.build_meta as backend\n"
        f"backend.build_sdist({str(tmp_path)!r})",
        cwd=source,
        path=source,
    )
    with tarfile.open(tmp_path / f"jaxcards-{jaxcards.__version__}.tar.gz") as archive:
        files = {member.name.partition("/")[2] for member in archive if member.isfile()}
    made = {"PKG-INFO", "setup.cfg", *(name for name in files if name.startswith("jaxcards.egg-info/"))}
    assert files - made == set(tracked())


# --- Versions -----------------------------------------------------------------------------------


def pins() -> dict[str, Version]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    parts = [line.split("==") for line in lines if line and not line.startswith("#")]
    assert all(len(part) == 2 for part in parts)
    return {canonicalize_name(name): Version(version) for name, version in parts}


def direct() -> list[Requirement]:
    extras = PROJECT["optional-dependencies"].values()
    texts = [*PROJECT["dependencies"], *(text for extra in extras for text in extra)]
    return [r for r in map(Requirement, texts) if r.name != "jaxcards"]


def installed_version(name: str) -> Version | None:
    try:
        return Version(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return None


def test_the_citation_and_the_changes_name_this_version():
    citation, changes = ((ROOT / name).read_text() for name in ("CITATION.cff", "CHANGELOG.md"))
    cited = re.search(r"^version: (.*)\ndate-released: (.*)$", citation, re.M)
    newest = re.search(r"^## (\S+) - (\S+)$", changes, re.M)
    assert cited.groups() == newest.groups()
    assert cited[1] == jaxcards.__version__


def test_constraints_name_no_host():
    text = (ROOT / "constraints.txt").read_text()
    assert "//" not in text and not re.search(r"^\s*-|@", text, re.MULTILINE)


@pytest.mark.parametrize("requirement", direct(), ids=str)
def test_direct_requirements_are_lower_bounds_that_the_pins_meet(requirement):
    assert [spec.operator for spec in requirement.specifier] == [">="]
    assert pins()[canonicalize_name(requirement.name)] in requirement.specifier


def test_everything_that_is_installed_with_them_is_pinned():
    pinned, wanted, seen = pins(), [(r.name, frozenset(r.extras)) for r in direct()], set()
    complete = True
    while wanted:
        name, extras = wanted.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        assert canonicalize_name(name) in pinned, f"constraints.txt does not pin {name}"
        # Another version than the pinned one may need other packages.
        if installed_version(name) != pinned[canonicalize_name(name)]:
            complete = False
            continue
        for requirement in map(Requirement, importlib.metadata.requires(name) or []):
            environments = [{"extra": extra} for extra in {"", *extras}]
            marker = requirement.marker
            if marker is None or any(marker.evaluate(e) for e in environments):
                wanted.append((requirement.name, frozenset(requirement.extras)))
    unused = set(pinned) - {canonicalize_name(name) for name, _ in seen}
    assert not (complete and unused), f"constraints.txt pins what nothing needs: {unused}"


# --- The Makefile and CI ------------------------------------------------------------------------

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def make(folder: Path, *arguments: str) -> str:
    # Flags and variables of a `make test ARGS=...` around this must not come in.
    given = {"ARGS", "CONFIG", "GAME", "MINUTES", "PYTHON", "RESUME", "WORKERS"}
    environment = {k: v for k, v in os.environ.items() if k not in given and not k.startswith("MAKE")}
    done = subprocess.run(
        ["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def installed(tmp_path):
    """Return a folder in the state after `make setup`."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
        os.utime(tmp_path / name, (1000, 1000))
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("bin/python", ".installed-train", ".installed-dev"):
        (tmp_path / ".venv" / name).touch()
    return tmp_path


@needs_make
def test_make_lists_its_targets(installed):
    text = make(installed)
    for target in (
        "setup",
        "train",
        "test",
        "test-slow",
        "test-web",
        "play",
        "lint",
        "docs",
        "bench",
        "bench-gpu",
        "clean",
        "help",
    ):
        assert re.search(rf"^  make {target} +\w", text, re.MULTILINE)


@needs_make
def test_setup_installs_only_once(installed):
    assert "pip" not in make(installed, "-n", "setup")
    assert "pip" not in make(installed, "-n", "train")


@needs_make
@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_setup_installs_again_after_a_change(installed, name):
    os.utime(installed / name)
    os.utime(installed / ".venv" / ".installed-dev", (2000, 2000))
    os.utime(installed / ".venv" / ".installed-train", (2000, 2000))
    assert "-e '.[dev]'" in make(installed, "-n", "setup")
    assert "-e '.[train]'" in make(installed, "-n", "train")


@needs_make
def test_a_lost_interpreter_is_made_anew(installed):
    (installed / ".venv" / "bin" / "python").unlink()
    assert "-m venv .venv" in make(installed, "-n", "setup")


@needs_make
def test_train_arguments(installed):
    def command(*arguments: str) -> str:
        return " ".join(make(installed, "-n", "train", *arguments).replace("\\\n", " ").split())

    assert command() == ".venv/bin/jaxcards train jass"
    text = command("MINUTES=2", "ARGS=--seed 3")
    assert text == ".venv/bin/jaxcards train jass --minutes 2 --seed 3"
    assert command("RESUME=runs/jass") == ".venv/bin/jaxcards train --resume runs/jass"


@needs_make
def test_an_old_python_is_refused_in_words(installed):
    shutil.rmtree(installed / ".venv")
    done = subprocess.run(
        ["make", "setup", "PYTHON=false"], cwd=installed, capture_output=True, text=True
    )
    assert done.returncode != 0 and "needs Python 3.11 or later" in done.stderr
    assert not (installed / ".venv").exists()


def test_ci_runs_make_test_in_the_checkout(tmp_path):
    fake = tmp_path / "make"
    fake.write_text('#!/bin/sh\necho "$PWD $*"\n')
    fake.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [ROOT / ".ci" / "run"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    calls = [f"{ROOT} test"]
    if "CHROMIUM" in environment or shutil.which("chromium"):
        calls.append(f"{ROOT} test-web")
    else:
        assert "The page was NOT tested" in done.stderr
    assert done.stdout.splitlines() == calls
