"""Checks that the rules of every game share. Needs no jax, as the files of rules that use it.

The rules of a game are a frozen dataclass of flags (bool), choices (Literal), whole numbers (int) and
tuples of these; its `__post_init__` calls `check_fields` and then checks what belongs together.
"""

import typing
from collections.abc import Mapping
from typing import Any, Literal

from jaxcards.errors import UserError
from jaxcards.settings import annotations


def check_fields(rules: Any, ranges: Mapping[str, tuple[int, int]]) -> None:
    """Checks every flag, choice and whole number of a set of rules.

    Args:
      rules: an instance of a dataclass. Fields of other types, such as tuples, are not looked at.
      ranges: lowest and highest value of each whole number, by field.

    Raises:
      UserError: names the field, what is allowed and what was given.
    """
    for name, annotation in annotations(type(rules)).items():
        value = getattr(rules, name)
        if typing.get_origin(annotation) is Literal:
            choices = typing.get_args(annotation)
            # By type too: True == 1.
            if not any(type(value) is type(choice) and value == choice for choice in choices):
                allowed = ", ".join(map(str, choices))
                raise UserError(f"{name} must be one of {allowed}, not {value!r}")
        elif annotation is bool and not isinstance(value, bool):
            raise UserError(f"{name} must be True or False, not {value!r}")
        elif annotation is int:
            check_int(name, value, *ranges[name])


def check_int(name: str, value: object, lowest: int, highest: int) -> None:
    """Raises `UserError` unless the value is an int, and no bool, from lowest to highest."""
    if not is_int(value) or not lowest <= value <= highest:  # type: ignore[operator]
        raise UserError(f"{name} must be an int from {lowest} to {highest}, not {value!r}")


def is_int(value: object) -> bool:
    """Whether a value is an int; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)
