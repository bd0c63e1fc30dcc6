"""`jaxcards games`: every id, and every rule of a game."""

import ast
import dataclasses
import re

import pytest
from support.fakes import coin_rules

from jaxcards import registry
from jaxcards.cli import main

HELP = 6 * " "


@pytest.fixture
def coin(monkeypatch):
    """Return a registry with one made-up game, whose rules have no help, and nothing else."""
    monkeypatch.setattr(registry, "GAMES", {})
    registry.register("coin", coin_rules, "support.fakes.coin_game:Coin", "toss a coin")


def printed(capsys, *argv: str) -> list[str]:
    assert main.main(["games", *argv]) == 0
    return capsys.readouterr().out.splitlines()


def test_every_id(coin, capsys):
    lines = printed(capsys)
    assert lines[2] == "coin/long   a hundred tosses" and len(lines) == 3


def test_rules_without_help(coin, capsys):
    assert printed(capsys, "coin") == [
        "coin: toss a coin",
        "",
        "Rules, each with its default and the allowed values:",
        "",
        "  tosses = 3        whole number",
        "  fair = True       True | False",
        "  side = 'heads'    'heads' | 'tails'",
        "  weights = (1, 1)  list of whole numbers",
        "",
        "Presets, each with the rules it changes (default: short):",
        "",
        "  coin/short",
        "      three tosses",
        "",
        "  coin/long",
        "      a hundred tosses",
        "      tosses=100",
        "",
        'With changed rules: "coin/PRESET (RULE=VALUE, ...)"',
    ]


def test_a_preset(coin, capsys):
    assert printed(capsys, "coin/long") == [
        "coin/long: a hundred tosses",
        "",
        "Rules of this preset, each with the allowed values:",
        "",
        "  tosses = 100      whole number",
        "  fair = True       True | False",
        "  side = 'heads'    'heads' | 'tails'",
        "  weights = (1, 1)  list of whole numbers",
        "",
        'With changed rules: "coin/long (RULE=VALUE, ...)"',
    ]


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_rule_has_its_default_and_a_meaning(capsys, name):
    lines = printed(capsys, name)
    module = registry.GAMES[name].rules()
    default = module.PRESETS[module.DEFAULT_PRESET]
    assert max(map(len, lines)) <= 88
    for field in dataclasses.fields(default):
        start = f"  {field.name} = {getattr(default, field.name)!r}"
        (number,) = [n for n, line in enumerate(lines) if (line + "  ").startswith(start + "  ")]
        text = " ".join(line.strip() for line in lines[number : number + 5])
        assert lines[number + 1].startswith(HELP) and " ".join(field.metadata["help"].split()) in text
        if isinstance(getattr(default, field.name), bool):
            assert lines[number].endswith("  True | False")


@pytest.mark.parametrize("name", registry.GAMES)
def test_changes_make_a_preset_of_the_default(capsys, name):
    module = registry.GAMES[name].rules()
    default = module.PRESETS[module.DEFAULT_PRESET]
    text = "\n".join(printed(capsys, name)).split("\nPresets, ")[1].split("\n\nIn Python")[0]
    blocks = re.findall(rf"^  {name}/(\w+)\n((?:{HELP}.*\n?)+)", text, re.MULTILINE)
    assert [preset for preset, _ in blocks] == list(module.PRESETS)
    for preset, block in blocks:
        words = " ".join(block.split())
        description = ". ".join(registry.GAMES[name].preset_texts(preset))
        assert words.startswith(description)
        call = ast.parse(f"f({words.removeprefix(description)})", mode="eval").body
        changes = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        assert dataclasses.replace(default, **changes) == module.PRESETS[preset]
