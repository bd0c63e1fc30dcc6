"""`jaxcards games`: every id of a game with its description, or all rules of one game."""

import argparse
import dataclasses
import textwrap
import typing
from typing import Any, Literal

from jaxcards import registry, settings
from jaxcards.errors import unknown

HELP = "list every game and preset, or all rules of one game"

_WIDTH = 88
# A default longer than this does not widen the column of all.
_WIDEST_DEFAULT = 34


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    parser.add_argument("game", nargs="?", help="name of a game, to see all its rules")


def check(args: argparse.Namespace) -> None:
    """Leaves game: str | None, a name without a preset."""
    if args.game is not None and args.game not in registry.GAMES:
        name = args.game.partition("/")[0]
        raise unknown("game", name if name not in registry.GAMES else args.game, registry.GAMES)


def run(args: argparse.Namespace) -> int:
    """Prints a line for each id, or the rules and presets of `args.game`. Needs no JAX."""
    if args.game:
        print("\n".join(_describe(registry.GAMES[args.game])))
        return 0
    lines = registry.games()
    width = max(map(len, lines))
    for id, description in lines.items():
        print(f"{id:<{width}}  {description}")
    return 0


def _describe(entry: registry.GameEntry) -> list[str]:
    """Returns every rule of a game with its values and meaning, then the presets."""
    module = entry.rules()
    default = module.PRESETS[module.DEFAULT_PRESET]
    lines = textwrap.wrap(f"{entry.name}: {entry.description}", _WIDTH)
    lines += ["", "Rules, each with its default and the values allowed:", "", *_rules(default), ""]
    lines += textwrap.wrap(
        f"Presets, each with the rules it changes (default: {module.DEFAULT_PRESET}):", _WIDTH
    )
    for name, rules in module.PRESETS.items():
        lines += ["", f"  {entry.name}/{name}"]
        lines += _indented(module.PRESET_DESCRIPTIONS[name])
        lines += _indented(", ".join(_changes(default, rules)))
    return [*lines, "", f'In Python: jaxcards.make("{entry.name}/PRESET", RULE=VALUE, ...)']


def _rules(default: Any) -> list[str]:
    """Returns two lines or more for each rule."""
    hints = settings.annotations(type(default))
    fields = [field for field in dataclasses.fields(default) if field.init]
    texts = [f"  {field.name} = {getattr(default, field.name)!r}" for field in fields]
    width = max(len(text) for text in texts if len(text) <= _WIDEST_DEFAULT)
    lines = []
    for field, text in zip(fields, texts, strict=True):
        values = _values(hints[field.name], field.metadata)
        # What is too long for one line gets its values on the next.
        fits = max(len(text), width) + len(values) + 2 <= _WIDTH
        lines += [f"{text:<{width}}  {values}"] if fits else [text, *_indented(values)]
        lines += _indented(field.metadata.get("help", ""))
    return lines


def _values(annotation: Any, limits: typing.Mapping[str, Any]) -> str:
    """Returns the values that a rule may have: "True | False", "whole number from 0 to 30000"."""
    if annotation is bool:
        return "True | False"
    if typing.get_origin(annotation) is Literal:
        return " | ".join(map(repr, typing.get_args(annotation)))
    kind = settings.describe_type(annotation).removeprefix("a ")
    return f"{kind} {settings.describe_range(limits)}".rstrip()


def _changes(default: Any, rules: Any) -> list[str]:
    """Returns `name=value` for every rule that differs from the default."""
    names = [field.name for field in dataclasses.fields(rules) if field.init]
    values = {name: getattr(rules, name) for name in names}
    return [f"{name}={value!r}" for name, value in values.items() if value != getattr(default, name)]


def _indented(text: str) -> list[str]:
    indent = 6 * " "
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
