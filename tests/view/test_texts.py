"""Every text has words in every language, the same in Python and on the page."""

import ast
import functools
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from jaxcards import registry
from jaxcards.serve.seating import _NAMED
from jaxcards.serve.settings import ServeSettings
from jaxcards.settings import annotations
from jaxcards.view.structure import Seat, View
from jaxcards.view.text import FOLDER, LANGUAGES, Text, language_file, render

LIBRARY = Path(FOLDER).parents[1]
PYTHON = "\n".join(file.read_text(encoding="utf-8") for file in LIBRARY.rglob("*.py"))
PAGE = FOLDER.parents[1] / "serve" / "page"
SCRIPTS = {file.name: file.read_text(encoding="utf-8") for file in (PAGE / "code").glob("*.js")}
TEXTS = {language: language_file(language)["texts"] for language in LANGUAGES}
ENGLISH = TEXTS["en"]

LINES = (
    "all_cards", "bag_penalty", "bags", "belote", "bid", "buried", "capot", "cards", "carry",
    "contract", "declarations", "last_trick", "match", "nil", "stock", "straight", "weis",
)  # fmt: skip
MODES = (
    "undenufe", "obenabe", "slalom_top", "slalom_bottom", "guschti_top", "guschti_bottom",
)  # fmt: skip
# Keys whose last part is a value at run time: the first part, and these values.
FAMILIES = {
    "meld.four": "6789TJQKA",
    "unit": ("tricks", "points", "card_points", "points_ahead", "chips", "penalty_points"),
    "count": ("tricks", "points", "card_points"),
    "costs": ("better", "close", "same", "worse"),
    "hint": ("champion", "heuristic"),
    "player": (*_NAMED, "people", "person"),
    "setup.player": _NAMED,
    "mode": MODES,
    "said": ("pass", "double", "redouble", "take", "name", "contract"),
    "rank": "AKQJUOB",
    "line": LINES,
    "suit": ("clubs", "diamonds", "hearts", "spades"),
    "suit.german": ("clubs", "diamonds", "hearts", "spades"),
    "suit.swiss": ("clubs", "diamonds", "hearts", "spades"),
    "passing": ("left", "right", "hold"),
    "kind": ("deal", "match"),
    "pack": ("french", "german", "swiss"),
    "outcome": ("won", "lost", "level"),
    "game": registry.GAMES,
}
for game, entry in registry.GAMES.items():
    FAMILIES[f"preset.{game}"] = [n for p in entry.rules().PRESETS for n in (p, f"{p}.about")]
_REFUSALS = "Conflict|Forbidden|Missing|Refusal|TooMany|Unavailable|Unknown"
FAMILIES["error"] = re.findall(rf'(?:{_REFUSALS})\("(\w+)"', PYTHON)


def forms(template):
    return {"other": template} if isinstance(template, str) else template


def places(template):
    """Return the names of the arguments of a template, each with its format."""
    return {place for form in forms(template).values() for place in re.findall(r"\{(.*?)\}", form)}


def test_every_language_has_its_file():
    assert {file.stem for file in FOLDER.glob("*.json")} == set(LANGUAGES)
    assert set(LANGUAGES) == set(annotations(ServeSettings)["language"].__args__)
    named = re.search(r"LANGUAGES = \{(.*)\}", SCRIPTS["words.js"])[1]
    assert set(re.findall(r"(\w+):", named)) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_arguments(language):
    found = TEXTS[language]
    assert list(found) == sorted(ENGLISH), "in the order of the alphabet"
    for key, template in found.items():
        assert all(forms(template).values()), key
        assert places(template) - {"number"} == places(ENGLISH[key]) - {"number"}, key
        # A form for a single thing may say "1" itself.
        assert "number" in places(template) or "number" not in places(ENGLISH[key]), key
        assert set(forms(template)) in ({"other"}, {"you", "other"}, {"one", "other"}), key


@functools.cache
def named_in_python():
    """Return the constants of the library that look like keys."""
    groups = {key.partition(".")[0] for key in ENGLISH if "." in key}
    key = re.compile(rf"(?:{'|'.join(sorted(groups))})\.[a-z_A-Z.]+")
    nodes = ast.walk(ast.parse(PYTHON))
    constants = {node.value for node in nodes if isinstance(node, ast.Constant)}
    named = {text for text in constants if isinstance(text, str) and key.fullmatch(text)}
    return {text for text in named if not text.endswith((".", ".msgpack", ".sqlite"))}


def named_in_scripts():
    """Return the constants of the page that are given to `t`, or are the keys of texts."""
    whole = "\n".join(SCRIPTS.values())
    calls = re.findall(r"\bt\((.*?)[),]", whole) + re.findall(r"key: (\"[\w.]+\")", whole)
    calls += re.findall(r"\? (\"[\w.]+\" : \"[\w.]+\"), \{", whole)
    return {key for call in calls for key in re.findall(r"\"([\w.]+)\"", call)}


def named_by_families():
    found = {f"{first}.{last}" for first, values in FAMILIES.items() for last in values}
    facts = {key for key in ENGLISH if key.startswith("fact.") and not key.endswith(".label")}
    return found | {f"mode.{mode}.explained" for mode in MODES} | {f"{fact}.label" for fact in facts}


def test_every_key_that_the_code_names_has_a_text():
    named = named_in_python() | named_in_scripts() | named_by_families()
    assert len(named) > 250 and named - set(ENGLISH) == set()


def test_every_text_is_named_by_the_code():
    named = named_in_python() | named_in_scripts() | named_by_families()
    assert set(ENGLISH) - named == set()


def test_no_script_knows_english_words():
    """A script may look at keys and arguments of a text, and never at its words."""
    for name, text in SCRIPTS.items():
        searched = re.findall(r"(?<![\w)\]])/(?![/*])(?:\\.|[^/\n])+/[gimsuy]*(?=[.,;)])", text)
        assert not [found for found in searched if re.search(r"[a-z]{3}", found)], (name, searched)
        assert "phrases" not in text and "patterns" not in text


# ---- Words ---------------------------------------------------------------------------------------

FACES = ("♥10", "♠A", "JK")
NAMES = (Text("seat.you"), Text("seat.named", name="Anna {x}"), Text("seat.named", name="Hugo"))
VALUES = {
    "card": (0, None), "cards": ((0, 2), (1,)), "seat": (0, 1), "seats": ((1,), (0, 1, 2)),
    "suit": ("♠", "♥"), "points": (-3, 0), "chips": ((NAMES[2], NAMES[1]), (NAMES[0],)),
    "gain": (1.24, 0.5), "error": (0.3, 2.5),
}  # fmt: skip


def examples(key):
    """Texts of a key with different arguments."""
    found = []
    for turn, number in enumerate((1, 0, 7)):
        names = {place.partition(":")[0] for place in places(ENGLISH[key])} | {"number", "seat"}
        usual = (turn, Text("mode.short", suit="♦"))
        args = {name: VALUES.get(name, usual)[turn % 2] for name in names}
        signed = {place.partition(":")[0] for place in places(ENGLISH[key]) if place.endswith(":+")}
        args |= {name: (5, 0, -5)[turn] for name in signed}
        found.append(Text(key, **(args | {"number": number})))
    return found


def as_json(text):
    if isinstance(text, Text):
        return {"key": text.key, "args": {name: as_json(value) for name, value in text.args.items()}}
    return [as_json(part) for part in text] if isinstance(text, tuple) else text


RENDER = """
import { speaker } from %s;
import { readFileSync } from "node:fs";
const { templates, texts, faces, names } = JSON.parse(readFileSync(0));
const words = {};
for (const [language, found] of Object.entries(templates)) {
  const say = speaker(found, language);
  words[language] = texts.map((text) => say(text, faces, names));
}
console.log(JSON.stringify(words));
"""


def test_the_page_and_python_use_the_same_words():
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    texts = [text for key in ENGLISH for text in examples(key)]
    texts += [Text("seat {number} knows it", number=2), Text("a {name}", name=NAMES[2])]
    given = {"templates": TEXTS, "faces": FACES, "names": [as_json(name) for name in NAMES]}
    done = subprocess.run(
        [node, "--input-type=module", "-e", RENDER % json.dumps((PAGE / "code/render.js").as_uri())],
        input=json.dumps(given | {"texts": [as_json(text) for text in texts]}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    page = json.loads(done.stdout)
    for language in LANGUAGES:
        for text, words in zip(texts, page[language], strict=True):
            assert render(text, FACES, NAMES, language) == words, (language, text)


@pytest.mark.parametrize(
    "text, words",
    [
        (Text("log.plays", seat=0, card=0), ["you play ♥10", "du spielst ♥10", "tu joues ♥10"]),
        (
            Text("log.plays", seat=2, card=None),
            ["Hugo plays a card face down", "Hugo spielt eine verdeckte Karte",
             "Hugo joue une carte cachée"],
        ),
        (Text("count.tricks", number=0), ["0 tricks", "0 Stiche", "0 pli"]),
        (Text("count.tricks", number=1), ["1 trick", "1 Stich", "1 pli"]),
        (
            Text("result.score", seats=(0, 2), number=57),
            ["you and Hugo: 57 points", "du und Hugo: 57 Punkte", "toi et Hugo : 57 points"],
        ),
        (Text("result.chip", seat=0, chips=-2), ["you (-2)", "du (-2)", "toi (-2)"]),
        (Text("result.chip", seat=0, chips=2), ["you (+2)", "du (+2)", "toi (+2)"]),
        (
            Text("outcome.defeated", role=Text("role.soloist")),
            ["You defeated the declarer", "Du hast den Alleinspieler geschlagen",
             "Tu as battu le soliste"],
        ),
        (
            Text("outcome.beaten", role=Text("role.maker")),
            ["The maker won", "Der Spielmacher hat gewonnen", "Le preneur a gagné"],
        ),
        (Text("a key of another game: {number}", number=3), ["a key of another game: 3"] * 3),
    ],
)  # fmt: skip
def test_words(text, words):
    assert [render(text, FACES, NAMES, language) for language in LANGUAGES] == words


@pytest.mark.parametrize(
    "name, words", [("Anna", ["Anna", "Anna (dummy)"]), (Text("seat.you"), ["you", "the dummy"])]
)
def test_a_player_with_two_hands_names_the_second_one_the_dummy(name, words):
    seats = tuple(Seat(seat, 0, Text("seat.number", number=seat), 5) for seat in range(2))
    view = View("g", (), 0, seats, 0, None, Text("ask.play")).named([name])
    assert [view.name(seat) for seat in range(2)] == words


def test_texts_are_equal_if_key_and_arguments_are():
    assert Text("do.bid", number=3) == Text("do.bid", number=3) != Text("do.bid", number=4)
    assert len({Text("do.bid", number=3), Text("do.bid", number=3)}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_for_players_speaks_of_a_policy(language):
    words = " ".join(form for text in TEXTS[language].values() for form in forms(text).values())
    assert not re.search(r"polic|politi", words, re.IGNORECASE)
