"""Without the packages of an extra a command says so at once, and leaves nothing behind."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jaxcards import errors
from jaxcards.cli import main
from jaxcards.errors import UserError

DATA = Path(__file__).parents[1] / "records" / "data"
PACKAGES = (
    *("orbax", "tensorboardX", "matplotlib", "tqdm", "h5py", "resvg_py", "PIL", "rich", "fastapi"),
    *("uvicorn", "pyspiel", "pyschieber", "colver"),
)


@pytest.fixture
def without_extras(tmp_path, monkeypatch):
    """Return an empty working folder, with the packages of all extras hidden."""
    monkeypatch.chdir(tmp_path)
    for package in PACKAGES:
        monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(errors, "install_command", lambda extra: f"install {extra}")
    return tmp_path


@pytest.mark.parametrize(
    "line, words",
    [
        ("train jass", "train needs orbax: install train"),
        ("exploit heuristic", "exploit needs orbax: install train"),
        ("imitate jass records.jsonl", "imitate needs orbax: install train"),
        ("evaluate random heuristic --plot a.png", "--plot needs matplotlib: install train"),
        ("bench jass --plot a.png", "--plot needs matplotlib: install train"),
        ("evaluate random pyschieber:greedy", "pyschieber:greedy needs pyschieber: install opponents"),
        ("simulate jass --deals 9 --out a.h5", "HDF5 needs h5py: install records"),
        ("simulate jass --gif a.gif", "a GIF needs resvg_py: install pictures"),
        ("convert records.jsonl a.h5", "HDF5 needs h5py: install records"),
        ("convert records.h5 a.jsonl", "HDF5 needs h5py: install records"),
        ("review records.h5", "HDF5 needs h5py: install records"),
        ("imitate jass records.h5", "HDF5 needs h5py: install records"),
        ("play", "play needs rich: install play"),
        ("serve", "serve needs fastapi: install web"),
    ],
)
def test_a_missing_package_is_named_before_any_work(without_extras, capsys, line, words):
    (without_extras / "records.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    shutil.copy(DATA / "format_1.jsonl", without_extras / "records.jsonl")
    assert main.main(line.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"jaxcards: error: {words}\n")
    assert {path.name for path in without_extras.iterdir()} == {"records.h5", "records.jsonl"}


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "line",
    [
        "games jass",
        "simulate rikiki --json a.json",
        "simulate rikiki --svg a.svg",
        "evaluate random heuristic --game rikiki --deals 2 --json a.json",
        "convert records.jsonl a.jsonl",
    ],
)
def test_what_needs_no_extra_works_without_them(without_extras, capsys, line):
    lines = (DATA / "format_1.jsonl").read_text().splitlines(keepends=True)
    (line_of_rikiki, *_) = [one for one in lines if '"rikiki/standard3"' in one]
    (without_extras / "records.jsonl").write_text(line_of_rikiki)
    assert main.main(line.split()) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    "source, command",
    [
        (None, "pip install 'jaxcards[train]'"),
        ({"url": "file:///a%20b/cards", "dir_info": {}}, "pip install '/a b/cards[train]'"),
        ({"url": "file:///b", "dir_info": {"editable": True}}, "pip install -e '/b[train]'"),
        (
            {"url": "https://example.org/cards", "vcs_info": {"vcs": "git"}},
            "pip install 'jaxcards[train] @ git+https://example.org/cards'",
        ),
        (
            {"url": "https://example.org/cards-1.whl", "archive_info": {}},
            "pip install 'jaxcards[train] @ https://example.org/cards-1.whl'",
        ),
    ],
)
def test_the_hint_names_the_way_this_copy_was_installed(monkeypatch, source, command):
    class Installed:
        def read_text(self, name):
            return None if source is None else json.dumps(source)

    monkeypatch.setattr(errors.importlib.metadata, "distribution", lambda name: Installed())
    assert errors.install_command.__wrapped__("train") == command


def test_the_hint_works_in_a_checkout_that_is_not_installed(monkeypatch):
    def distribution(name):
        raise errors.importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(errors.importlib.metadata, "distribution", distribution)
    root = Path(__file__).parents[2]
    assert errors.install_command.__wrapped__("web") == f"pip install -e '{root}[web]'"


def test_a_package_is_looked_for_without_importing_it():
    statements = "require('train', 'x', 'numpy'); import sys; print('numpy' in sys.modules)"
    code = f"from jaxcards.errors import require; {statements}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n"
    with pytest.raises(UserError, match="x needs nowhere: pip install"):
        errors.require("train", "x", "nowhere")
