"""The site, the list of public names, and the changes: they are complete and say what is so."""

import importlib.util
import re
from importlib import import_module
from pathlib import Path

import pytest

import jaxcards

ROOT = Path(__file__).parents[2]
PUBLIC = (ROOT / "docs" / "public.md").read_text(encoding="utf-8")
NAMES = re.findall(r"^\| `(jaxcards\.[\w.]+)` \|", PUBLIC, re.MULTILINE)


@pytest.fixture(scope="module")
def hooks():
    pytest.importorskip("mkdocs")
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "site" / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMES)
def test_public_names_exist(name):
    owner, _, last = name.rpartition(".")
    try:
        import_module(name)  # a module is an attribute of its package once somebody has imported it
    except ModuleNotFoundError:
        assert hasattr(import_module(owner), last)


@pytest.mark.parametrize("module", ["jaxcards", "jaxcards.cards"])
def test_every_name_that_a_module_lists_is_public(module):
    rows = [line for line in PUBLIC.splitlines() if line.startswith(f"| `{module}")]
    for name in import_module(module).__all__:
        assert any(f".{name}`" in row or f"`{name}`" in row for row in rows), name


def test_the_newest_changes_are_those_of_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+) - \d{4}-\d\d-\d\d$", text, re.MULTILINE)[1] == jaxcards.__version__


def test_the_navigation_has_every_page_of_docs():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r": (\S+\.md)$", text, re.MULTILINE))
    assert {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")} <= named
    assert all((ROOT / page).exists() for page in named)


def test_pages_have_no_marks_of_a_merge():
    for pattern in ("*.md", "docs/*.md", "benchmarks/*.md", "experiments/*/*.md"):
        for page in ROOT.glob(pattern):
            text = page.read_text(encoding="utf-8")
            assert not re.search(r"^(<{7} |={7}$|>{7} )", text, re.MULTILINE), page


@pytest.mark.parametrize(
    "tag",
    [
        '<script src="https://unpkg.com/shim"></script>',
        '<link rel="stylesheet" href="//fonts.googleapis.com/css">',
        "<img alt=x src=http://example.org/x.png>",
    ],
)
def test_what_loads_from_the_net_is_found(hooks, tag):
    assert hooks.LOADED.search(f"<p>{tag}</p>")


def test_links_and_own_files_load_nothing(hooks):
    own = '<a href="https://jax.dev">jax</a><script src="site/x.js"></script>'
    assert not hooks.LOADED.search(own)


def test_names_in_tables_break_at_their_joints(hooks):
    cell = "<td><code>jass/schieber_1000</code></td>"
    broken = "<td><code>jass/<wbr>schieber_<wbr>1000</code></td>"
    assert hooks.breakable(f"<code>a_b</code>{cell}a_b") == f"<code>a_b</code>{broken}a_b"


def test_the_reference_has_every_module(hooks):
    modules = {module for room in hooks.rooms().values() for module in room}
    assert {"jaxcards.game", "jaxcards.cards", "jaxcards.games.jass.play"} <= modules
    files = [path for path in (ROOT / "jaxcards").rglob("*.py") if path.name != "__main__.py"]
    assert len(modules) == len(files) - 1, "all except the package itself"
