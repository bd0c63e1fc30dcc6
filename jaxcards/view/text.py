"""Texts as codes with typed arguments, and their words in each language.

`texts/*.json` has a template for every key. `jaxcards/serve/page/code/render.js` fills in templates by
the same rules.
"""

import dataclasses
import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "texts"
LANGUAGES = ("en", "de", "fr")

# A place in a template, such as {seat} or {points:+}.
_PLACE = re.compile(r"\{(\w+)(?::([+.\d]+))?\}")
_FORMATS: dict[str | None, Callable[[Any], str]] = {
    None: str,
    "+": lambda number: f"{number:+d}" if number else "0",
    ".1": lambda number: f"{number:.1f}",
}


@dataclasses.dataclass(frozen=True, init=False)
class Text:
    """A text for people: a key of the language files, and what its template is filled in with.

    The name of an argument is its type. `card` and `cards` are numbers of cards, None for one that lies
    face down. `seat` and `seats` are numbers of seats. All others are numbers, plain words such as the
    symbol of a suit, further texts, or tuples of texts. A key without a template is its own template.

    >>> Text("why.follow", suit="♥").args
    {'suit': '♥'}
    """

    key: str
    # A dict has no hash; that of the key is enough.
    args: Mapping[str, Any] = dataclasses.field(hash=False)

    def __init__(self, key: str, /, **args: Any) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "args", args)


@functools.cache
def language_file(language: str) -> dict[str, Any]:
    """Return the file of a language: its texts, and what it calls the games, presets and rules."""
    return json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))


def render(text: Text, faces: Sequence[str], names: Sequence[Text], language: str = "en") -> str:
    """Return a text in words.

    Args:
      text: the text.
      faces: of all cards.
      names: of all seats.
      language: one of `LANGUAGES`.
    """
    templates = language_file(language)["texts"]

    def say(text: Text) -> str:
        template = templates.get(text.key, text.key)
        # A template with several forms depends on the person or on the number.
        if not isinstance(template, str):
            template = template[_form(text, template, names, language)]
        return _PLACE.sub(lambda place: fill(place[1], place[2], text.args[place[1]]), template)

    # The name of an argument is its type; see `Text`.
    def fill(name: str, form: str | None, value: Any) -> str:
        if name == "card":
            return say(Text("card.hidden")) if value is None else faces[value]
        if name == "cards":
            return " ".join(fill("card", None, card) for card in value)
        if name == "seat":
            return say(names[value])
        if name == "seats":
            return listed([say(names[seat]) for seat in value])
        if isinstance(value, Text):
            return say(value)
        if isinstance(value, tuple | list):
            return ", ".join(map(say, value))
        return _FORMATS[form](value)

    def listed(words: Sequence[str]) -> str:
        if len(words) == 1:
            return words[0]
        # Each language joins the last two words in its own way.
        return say(Text("list", first=", ".join(words[:-1]), last=words[-1]))

    return say(text)


def _form(text: Text, forms: Mapping[str, str], names: Sequence[Text], language: str) -> str:
    """Return the form of a template that fits: of the reader, of a single thing, or of all others."""
    if "you" in forms and names[text.args["seat"]].key == "seat.you":
        return "you"
    if "one" in forms and _is_one(text.args["number"], language):
        return "one"
    return "other"


def _is_one(number: int, language: str) -> bool:
    """Return whether a language says a number of things in the singular."""
    # French uses the singular for 0, too.
    return number in (0, 1) if language == "fr" else number == 1
