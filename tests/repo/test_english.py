"""Texts for readers are plain English; the rules D401 and D404 of ruff check docstrings as well."""

import ast
import re
import tokenize
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("jaxcards", "tests", "benchmarks", "examples", "experiments")
# Folders whose texts are still to be rewritten.
LATER = ("jaxcards/games/", "jaxcards/serve/", "jaxcards/view/")
# Openings of docstrings, and phrases anywhere, that hide the subject or the point of a sentence.
OPENINGS = re.compile(r"(How|It|Returns|That|What|Whether|Which|Who|Whose)\b")
PHRASES = re.compile(
    r"\b((is|are) no(ne)?\b(?! longer)"
    r"|(?i:all but|as many|but for|in place of|nobody|nor|of which|so many|whoever))\b"
)


def texts(source):
    """Yield text, line, and whether it is a docstring, for docstrings, comments, errors and help."""
    for node in ast.walk(ast.parse(source)):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_help = isinstance(node, ast.keyword) and node.arg == "help"
        is_help |= isinstance(node, ast.Call) and ast.unparse(node.func) in ("setting", "parser.error")
        if is_docstring or is_help or isinstance(node, ast.Raise):
            constants = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
            yield from ((str(part.value), part.lineno, is_docstring) for part in constants)
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string, token.start[0], False


def faults(source):
    """Return line and words of each bad opening and each phrase."""
    found = (
        (line, (is_docstring and OPENINGS.match(text)) or PHRASES.search(" ".join(text.split())))
        for text, line, is_docstring in texts(source)
    )
    return [(line, match[0]) for line, match in found if match]


@pytest.mark.parametrize("folder", FOLDERS)
def test_texts_are_plain(folder):
    for file in sorted((ROOT / folder).rglob("*.py")):
        name = file.relative_to(ROOT).as_posix()
        if not name.startswith(LATER) and file != Path(__file__):
            assert faults(file.read_text(encoding="utf-8")) == [], name


def test_bad_texts_are_found():
    assert faults('"""Whether a card is legal."""') == [(1, "Whether")]
    assert faults("# Nobody has it.\n# It is no longer legal, and x is None.") == [(1, "Nobody")]
    assert faults('raise ValueError(f"{x} is no card")') == [(1, "is no")]
    assert faults('add("--deals", help="as many deals as given")') == [(1, "as many")]
