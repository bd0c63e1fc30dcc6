"""The page as files: nothing from elsewhere, nothing inline, and every rule in every language."""

import json
import re

import pytest

from jaxcards.errors import UserError
from jaxcards.games.jass.play import DECK
from jaxcards.pictures.packs import GERMAN, PACKS, SWISS
from jaxcards.serve import catalogue
from jaxcards.serve.app import PAGE
from jaxcards.serve.faces import sprite
from jaxcards.view.text import LANGUAGES, language_file

CODE = {file.name: file.read_text(encoding="utf-8") for file in (PAGE / "code").glob("*.js")}
TEXTS = {language: language_file(language) for language in LANGUAGES}


def test_nothing_is_loaded_from_elsewhere():
    for file in PAGE.rglob("*.*"):
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert not re.search(r"https?://|src=[\"']//|url\(", text), file


def test_html_has_no_inline_scripts_or_styles():
    for file in PAGE.glob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", text), file


def test_code_makes_no_html_of_texts():
    for name, text in CODE.items():
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|document\.write", text), (
            name
        )


def test_files_are_small():
    for name, text in CODE.items():
        assert len(text.splitlines()) <= 300, name


def test_every_language_has_every_rule_and_choice():
    """English help is that of the rules themselves, unless that names values as code does."""
    games = {game["name"]: game for game in catalogue.games([])["games"]}
    for language in LANGUAGES:
        told = TEXTS[language]["games"]
        assert list(told) == list(games)
        for name, game in games.items():
            rules = {rule["name"]: rule for rule in game["rules"]}
            assert list(told[name]["rules"]) == list(rules), (language, name)
            for rule, found in told[name]["rules"].items():
                words = [choice for choice in rules[rule]["choices"] if isinstance(choice, str)]
                assert list(found.get("choices", {})) == words, (language, name, rule)
                help = found.get("help", rules[rule]["help"] if language == "en" else "")
                assert all([found["label"], help, *found.get("choices", {}).values()])
                assert language == "en" or help != rules[rule]["help"], (language, name, rule)
                assert not re.search(r"\w_\w|\b(seat|Platz|place) 0", help), (language, name, rule)
                shown = found.get("choices", {}).items()
                assert not [n for n, label in shown if n != label.lower() and f"({n})" in help], rule
                assert len(set(found.get("choices", {}).values())) == len(words), (language, name, rule)


def test_presets_have_different_names_in_every_language():
    for game in catalogue.games([])["games"]:
        for language in LANGUAGES:
            keys = [f"preset.{game['name']}.{preset['name']}" for preset in game["presets"]]
            names = [TEXTS[language]["texts"][key] for key in keys]
            assert len(set(names)) == len(names) and not re.search(r"\w_\w", " ".join(names))
        english = [TEXTS["en"]["texts"][f"{key}.about"] for key in keys]
        assert [preset["description"] for preset in game["presets"]] == english


def test_every_card_of_every_game_is_drawn():
    drawn = {name: sprite(name) for name in PACKS}
    for sheet in drawn.values():
        names = set(re.findall(r'<symbol id="(card-[\w-]+)"', sheet))
        assert len(names) == 53 and {"card-hearts-10", "card-spades-A", "card-joker"} <= names
    assert len(set(drawn.values())) == 3 and ">B<" in drawn["swiss"] and ">B<" not in drawn["german"]
    used = set(re.findall(r'href="#([\w-]+)"', drawn["french"]))
    assert used - set(re.findall(r' id="([\w-]+)"', drawn["french"])) == set()
    assert len({name for name in used if name.startswith("court-")}) == 12
    with pytest.raises(UserError, match="did you mean 'swiss'"):
        sprite("swis")


def test_swiss_suits_are_drawn_and_named_as_jass_reads_them():
    """Schellen and Schilten count double, as ♣ and ♠ do (docs/jass.md, 2.1)."""
    drawings = {"Schellen": GERMAN.suits["diamonds"], "Eicheln": GERMAN.suits["clubs"]}
    for symbol, suit in (("♦", "diamonds"), ("♣", "clubs"), ("♥", "hearts"), ("♠", "spades")):
        word = TEXTS["de"]["texts"][f"suit.swiss.{suit}"]
        assert DECK.card(f"{word} 6") == DECK.card(f"{symbol}6")
        assert SWISS.suits[suit] == drawings.get(word, SWISS.suits[suit])


def test_the_page_knows_every_pack():
    named = re.search(r"PACKS = \[(.*)\]", CODE["packs.js"])[1]
    assert set(json.loads(f"[{named}]")) == set(PACKS)
    letters = re.search(r"LETTERS = (\{.*\});", CODE["packs.js"])[1]
    for name, pack in PACKS.items():
        own = re.search(rf"{name}: (\{{.*?\}})", letters)[1]
        assert dict(re.findall(r'(\w+): "(\w)"', own)) == pack.letters
