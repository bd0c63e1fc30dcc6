"""`jaxcards games`: every id of a game with its description, or all rules of a game or a preset."""

import argparse
import dataclasses
import textwrap
import typing
from typing import Any, Literal

from jaxcards import registry, settings

HELP = "list every game and preset, or all rules of one"

_WIDTH = 88
# A default longer than this does not widen the column for all.
_WIDEST_DEFAULT = 34


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("game", nargs="?", help="a game or a preset whose rules to show")


def check(args: argparse.Namespace) -> None:
    """Set game: str | None, a name with or without a preset."""
    if args.game is not None:
        registry.resolve(args.game)


def run(args: argparse.Namespace) -> int:
    """Print a line for each id, or the rules of `args.game`. Does not need JAX."""
    if args.game:
        print("\n".join(_describe(args.game)))
        return 0
    lines = registry.games()
    width = max(map(len, lines))
    for id, description in lines.items():
        print(f"{id:<{width}}  {description}")
    return 0


def _describe(id: str) -> list[str]:
    """Return every rule of a game with its values and meaning, then its presets; or of a preset."""
    entry, rules = registry.resolve(id)
    if "/" in id:
        return _describe_preset(registry.canonical_id(id), entry, rules)
    module = entry.rules()
    lines = textwrap.wrap(f"{entry.name}: {entry.description}", _WIDTH)
    lines += ["", "Rules, each with its default and the allowed values:", "", *_rules(rules), ""]
    lines += textwrap.wrap(
        f"Presets, each with the rules it changes (default: {module.DEFAULT_PRESET}):", _WIDTH
    )
    for name, changed in module.PRESETS.items():
        lines += ["", f"  {entry.name}/{name}"]
        lines += _indented(_told(entry, name))
        lines += _indented(", ".join(_changes(rules, changed)))
    return [*lines, "", f'With changed rules: "{entry.name}/PRESET (RULE=VALUE, ...)"']


def _describe_preset(id: str, entry: registry.GameEntry, rules: Any) -> list[str]:
    """Return every rule of a preset with its values and meaning."""
    preset = id.partition(" ")[0].partition("/")[2]
    lines = textwrap.wrap(f"{id}: {_told(entry, preset)}", _WIDTH)
    lines += ["", "Rules of this preset, each with the allowed values:", "", *_rules(rules)]
    return [*lines, "", f'With changed rules: "{id.partition(" ")[0]} (RULE=VALUE, ...)"']


def _told(entry: registry.GameEntry, preset: str) -> str:
    """Return the name and the paragraph of a preset."""
    return ". ".join(filter(None, entry.preset_texts(preset)))


def _rules(default: Any) -> list[str]:
    """Return at least two lines for each rule."""
    hints = settings.annotations(type(default))
    fields = [field for field in dataclasses.fields(default) if field.init]
    texts = [f"  {field.name} = {getattr(default, field.name)!r}" for field in fields]
    width = max(len(text) for text in texts if len(text) <= _WIDEST_DEFAULT)
    lines = []
    for field, text in zip(fields, texts, strict=True):
        values = _values(hints[field.name], field.metadata)
        # If a line is too long, the values go on the next one.
        fits = max(len(text), width) + len(values) + 2 <= _WIDTH
        lines += [f"{text:<{width}}  {values}"] if fits else [text, *_indented(values)]
        lines += _indented(field.metadata.get("help", ""))
    return lines


def _values(annotation: Any, limits: typing.Mapping[str, Any]) -> str:
    """Return the values that a rule may have: "True | False", "whole number from 0 to 30000"."""
    if annotation is bool:
        return "True | False"
    if typing.get_origin(annotation) is Literal:
        return " | ".join(map(repr, typing.get_args(annotation)))
    kind = settings.describe_type(annotation).removeprefix("a ")
    return f"{kind} {settings.describe_range(limits)}".rstrip()


def _changes(default: Any, rules: Any) -> list[str]:
    """Return `name=value` for every rule that differs from the default."""
    names = [field.name for field in dataclasses.fields(rules) if field.init]
    values = {name: getattr(rules, name) for name in names}
    return [f"{name}={value!r}" for name, value in values.items() if value != getattr(default, name)]


def _indented(text: str) -> list[str]:
    indent = 6 * " "
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
