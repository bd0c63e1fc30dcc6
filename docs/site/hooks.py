"""Add pages and files from outside of docs/ to the site of mkdocs.yml, and the API reference.

On the site every file has its path from the root of the project, such as docs/jass.md, so that a
link between pages is the same there and in the checkout. A file that a page links to comes along.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

SITE = Path(__file__).parent
ROOT = SITE.parents[1]
PAGES = ("*.md", "docs/*.md", "benchmarks/*.md", "experiments/*.md", "experiments/*/*.md")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CELL = re.compile(r"<td[^>]*>.*?</td>", re.DOTALL)
CODE = re.compile(r"<code>[^<]*</code>")
JOINT = re.compile(r"(?<=[A-Za-z0-9][_./])(?=\w)")
LOADED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//[^>]*>")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the API reference at the end of the navigation."""
    config.nav.append({"API": [{name: api_path(name)} for name in rooms()]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the files of the site: the pages, the files that they link to, and the API reference."""
    pages = {path for pattern in PAGES for path in ROOT.glob(pattern)}
    paths = pages.union(*map(linked, pages), SITE.glob("*.css"), SITE.glob("*.js"))
    of_theme = [file for file in files if not (file.abs_src_path or "").startswith(config.docs_dir)]
    found = Files(of_theme)
    for path in sorted(paths):
        uri = path.relative_to(ROOT).as_posix()
        found.append(published(File.generated(config, uri, abs_src_path=str(path))))
    for name, modules in rooms().items():
        head = "---\nsearch: { boost: 0.5 }  # below the guides\n---\n"
        text = f"{head}# {name}\n\n" + "".join(f"::: {module}\n\n" for module in modules)
        found.append(published(File.generated(config, api_path(name), content=text)))
    return found


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Let long names in tables break. Refuse a page that loads anything from the net."""
    if found := LOADED.search(output):
        raise PluginError(f"{page.file.src_uri} loads from the net: {found[0]}")
    return breakable(output)


def breakable(html: str) -> str:
    """Allow line breaks after "_", "." and "/" in the code of table cells."""
    return CELL.sub(lambda cell: CODE.sub(lambda code: JOINT.sub("<wbr>", code[0]), cell[0]), html)


def published(file: File) -> File:
    """Put the pages of docs/ at the top of the site; README.md is not its first page."""
    if file.src_uri == "README.md":
        file.dest_uri = "README.html"
    file.dest_uri = file.dest_uri.removeprefix("docs/")
    return file


def linked(page: Path) -> Iterator[Path]:
    """Yield the files of the project that a page links to."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        path = (page.parent / target.partition("#")[0]).resolve()
        if path.is_file() and path.is_relative_to(ROOT):
            yield path


def rooms() -> dict[str, list[str]]:
    """Return the modules of each room of the package: a folder or a module right below jaxcards/."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "jaxcards").rglob("*.py")):
        package, *rest = file.relative_to(ROOT).with_suffix("").parts
        if not rest[0].startswith("__"):
            names = [package, *(name for name in rest if name != "__init__")]
            found.setdefault(".".join(names[:2]), []).append(".".join(names))
    return found


def api_path(room: str) -> str:
    """Return the page of a room, from the root of the project."""
    return f"docs/api/{room.partition('.')[2]}.md"
