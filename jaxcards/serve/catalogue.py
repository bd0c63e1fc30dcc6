"""The games as a page offers them: presets, and every rule with its help and its values. No JAX."""

import dataclasses
import functools
import typing
from collections.abc import Sequence
from typing import Any, Literal

from jaxcards import registry, settings
from jaxcards.serve.seating import MOST_SEATS, first_name


def games(offered: Sequence[str]) -> dict[str, Any]:
    """Return all games with presets and rules, the players offered, and the bot's name of each seat."""
    bots = [first_name(seat) for seat in range(MOST_SEATS)]
    return {"games": list(_games()), "players": list(offered), "bots": bots}


@functools.cache
def _games() -> tuple[dict[str, Any], ...]:
    return tuple(_game(entry) for entry in registry.GAMES.values())


def _game(entry: registry.GameEntry) -> dict[str, Any]:
    module = entry.rules()
    default = module.PRESETS[module.DEFAULT_PRESET]
    hints = settings.annotations(type(default))
    fields = [field for field in dataclasses.fields(default) if field.init]
    return {
        "name": entry.name,
        "description": entry.description,
        "default": module.DEFAULT_PRESET,
        "presets": [
            {
                "name": name,
                "description": entry.preset_texts(name)[1] or entry.preset_texts(name)[0],
                "rules": {field.name: getattr(rules, field.name) for field in fields},
            }
            for name, rules in module.PRESETS.items()
        ],
        "rules": [_rule(field, hints[field.name]) for field in fields],
    }


def _rule(field: Any, annotation: Any) -> dict[str, Any]:
    """Return a rule: its name, help, kind ("bool", "int", "choice", "list", "text") and values."""
    kind, choices = "text", []
    if annotation is bool:
        kind = "bool"
    elif annotation is int:
        kind = "int"
    elif typing.get_origin(annotation) is Literal:
        kind, choices = "choice", list(typing.get_args(annotation))
    elif typing.get_origin(annotation) is tuple:
        kind = "list"
    return {
        "name": field.name,
        "help": field.metadata.get("help", ""),
        "kind": kind,
        "choices": choices,
        "minimum": field.metadata.get("minimum"),
        "maximum": field.metadata.get("maximum"),
    }
