"""Frozen dataclasses of settings, filled from defaults, a TOML file and the command line.

The configuration of a training run and the rules of each game are such dataclasses. A class of settings
declares its fields with `setting`, which stores a help text and the range of each, and calls
`validate(self)` in `__post_init__`. This module does not need JAX.
"""

import dataclasses
import json
import math
import re
import tomllib
import types
import typing
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, Union

from jaxcards.errors import UserError, quote, unknown

T = TypeVar("T")

_LIMITS = ("minimum", "above", "maximum")


def setting(
    default: Any,
    help: str,
    *,
    minimum: float | None = None,
    above: float | None = None,
    maximum: float | None = None,
    of_match: bool = False,
) -> Any:
    """Return a field of a class of settings.

    Args:
      default: its default value.
      help: its meaning, one line; `--help` and `jaxcards games jass` show it.
      minimum, above, maximum: the range of a number, or of every number of a tuple. `above` itself is
        excluded.
      of_match: for rules: affects how deals make a match, and nothing within a deal.
    """
    limits = dict(zip(_LIMITS, (minimum, above, maximum), strict=True))
    metadata = {"help": help, "of_match": of_match, **limits}
    return dataclasses.field(default=default, metadata=metadata)


# --- Values -------------------------------------------------------------------------------------


def annotations(cls: type) -> dict[str, Any]:
    """Return name -> annotation, for every field that the constructor of a dataclass takes."""
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.init}


def convert(name: str, annotation: Any, value: object) -> Any:
    """Return `value` as a value of the annotation, for a field of this name.

    Annotations are bool, int, float, str, Literal, optional values and tuples of these. A list becomes
    a tuple, a whole number a float, and a scalar of NumPy or JAX a Python value. Other values are not
    converted, so that `weis="no"` is an error and not True. Other annotations take every value.

    Raises:
      UserError: if the value is of another type.
    """
    if getattr(value, "shape", None) == ():
        value = value.item()  # type: ignore[attr-defined]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        # Compare types, too: 1 == True, but they are different settings.
        for choice in arguments:
            if type(choice) is type(value) and choice == value:
                return choice
        if isinstance(value, str):
            raise unknown(f"{name}", value, map(str, arguments))
    elif origin in (Union, types.UnionType) and type(None) in arguments and len(arguments) == 2:
        inner = arguments[0] if arguments[1] is type(None) else arguments[1]
        return None if value is None else convert(name, inner, value)
    elif origin is tuple:
        if isinstance(value, (list, tuple)):
            return _convert_tuple(name, annotation, value)
    elif annotation is float:
        if type(value) in (int, float):
            return float(typing.cast(float, value))
    elif annotation in (bool, int, str):
        if type(value) is annotation:
            return value
    else:
        return value
    raise UserError(f"{name} must be {describe_type(annotation)}, not {quote(value)}")


def _convert_tuple(name: str, annotation: Any, values: Collection[object]) -> tuple[Any, ...]:
    arguments = typing.get_args(annotation)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        arguments = (arguments[0],) * len(values)
    if len(arguments) != len(values):
        raise UserError(f"{name} must be {describe_type(annotation)}, not {quote(values)}")
    return tuple(convert(name, a, v) for a, v in zip(arguments, values, strict=True))


def parse(name: str, annotation: Any, text: str) -> Any:
    """Return the value of a text on the command line; tuples are written `256,256`.

    Raises:
      UserError: if the text does not give such a value.
    """
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    value: object = text
    try:
        if annotation in (int, float):
            value = annotation(text)
        elif annotation is bool:
            value = {"true": True, "false": False}.get(text.lower(), text)
        elif origin is tuple:
            # Commas in brackets belong to a part: "slalom (weis=False, target=500)".
            split = re.split(r",(?![^()]*\))", text)
            parts = [part.strip() for part in split] if text.strip() else []
            value = tuple(parse(name, arguments[0], part) for part in parts)
        elif origin is Literal:
            value = next((choice for choice in arguments if str(choice) == text), text)
    except ValueError:
        raise UserError(f"{name} must be {describe_type(annotation)}, not {quote(text)}") from None
    return convert(name, annotation, value)


def describe_type(annotation: Any) -> str:
    """Return an annotation in words: "a whole number", "one of: float32, bfloat16"."""
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    if annotation in words:
        return words[annotation]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return "one of: " + ", ".join(map(str, arguments))
    if origin is tuple and arguments:
        inner = describe_type(arguments[0]).removeprefix("a ")
        count = "" if arguments[-1] is Ellipsis else f"{len(arguments)} "
        return f"a list of {count}{inner}s" if inner.endswith("number") else f"a list ({inner})"
    return str(annotation)


def validate(config: Any) -> None:
    """Check every field of a dataclass of settings against its type and its range.

    In a field for a tuple, a list becomes a tuple; in a field for a float, a whole number becomes a
    float.

    Raises:
      UserError: names the field, the allowed values and the given one.
    """
    hints = annotations(type(config))
    for field in dataclasses.fields(config):
        value = convert(field.name, hints[field.name], getattr(config, field.name))
        check_range(field.name, value, field.metadata)
        object.__setattr__(config, field.name, value)


def check_range(name: str, value: object, limits: Mapping[str, Any]) -> None:
    """Raise `UserError` unless numbers are finite and inside `limits`, named as in `setting`.

    The function checks a number, or every number of a tuple; other values pass.
    """
    minimum, above, maximum = (limits.get(key) for key in _LIMITS)
    for number in value if isinstance(value, tuple) else (value,):
        # In Python a bool is an int, too; its range is not checked.
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            continue
        if not math.isfinite(number):
            raise UserError(f"{name} must be finite, not {number}")
        low = (minimum is not None and number < minimum) or (above is not None and number <= above)
        if low or (maximum is not None and number > maximum):
            raise UserError(f"{name} must be {describe_range(limits)}, not {number}")


def describe_range(limits: Mapping[str, Any]) -> str:
    """Return the limits of a number in words: "at least 1", "from 0 to 1"; "" without limits."""
    minimum, above, maximum = (limits.get(key) for key in _LIMITS)
    if minimum is not None and maximum is not None:
        return f"from {minimum} to {maximum}"
    words = {"at least": minimum, "above": above, "at most": maximum}
    return " and ".join(f"{word} {limit}" for word, limit in words.items() if limit is not None)


# --- Building a configuration -------------------------------------------------------------------


def build(cls: type[T], values: Mapping[str, Any], where: str = "") -> T:
    """Return `cls(**values)`, with every error as one line.

    Args:
      cls: a dataclass.
      values: field name -> value; missing fields keep their defaults.
      where: prefix of every message, such as the name of a file.

    Raises:
      UserError: an unknown field, a value of the wrong type, or one that the class refuses.
    """
    hints = annotations(cls)
    prefix = f"{where}: " if where else ""
    for name in values:
        if name not in hints:
            raise unknown("setting", name, hints, where)
    try:
        return cls(**{name: convert(name, hints[name], value) for name, value in values.items()})
    except ValueError as error:
        raise UserError(f"{prefix}{error}") from None


def read_toml(path: str | Path) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
      UserError: if the file is missing, cannot be read, or is not valid TOML.
    """
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: is not valid TOML: {error}") from None


def load(
    cls: type[T],
    path: str | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    *,
    ignore: Collection[str] = (),
) -> T:
    """Return settings from the defaults, then a TOML file, then the overrides: the last one wins.

    Args:
      cls: a dataclass of settings.
      path: a TOML file, or None.
      overrides: field name -> value, as from the command line.
      ignore: keys of the file that are not settings.

    Raises:
      UserError: see `read_toml` and `build`; the message names the file if the error is in it.
    """
    given = dict(overrides or {})
    if path is None:
        return build(cls, given)
    values = {key: value for key, value in read_toml(path).items() if key not in ignore}
    hints = annotations(cls)
    for name, value in values.items():
        if name not in hints:
            raise unknown("setting", name, [*ignore, *hints], str(path))
        if name not in given:
            try:
                convert(name, hints[name], value)
            except UserError as error:
                raise UserError(f"{path}: {error}") from None
    # If the values of the file alone are invalid, name it in the error. An override may still fix them.
    return build(cls, {**values, **given}, "" if given and _stands(cls, values) else str(path))


def _stands(cls: type, values: Mapping[str, Any]) -> bool:
    try:
        build(cls, values)
    except UserError:
        return False
    return True


# --- Writing settings ---------------------------------------------------------------------------


def to_text(value: Any) -> str:
    """Return the text for the command line that `parse` reads back to this value."""
    if isinstance(value, (tuple, list)):
        return ",".join(map(to_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def describe(config: Any) -> list[str]:
    """Return a line `name = value` for every field, in order."""
    return [f"{f.name} = {_to_toml(getattr(config, f.name))}" for f in dataclasses.fields(config)]


def to_toml(config: Any, **more: Any) -> str:
    """Return the text of a TOML file that `load` reads back to an equal configuration.

    Args:
      config: an instance of a dataclass of settings. Fields that are None are left out.
      more: further keys, written first; `load` needs them in `ignore`.
    """
    values = {**more, **{f.name: getattr(config, f.name) for f in dataclasses.fields(config)}}
    lines = [f"{name} = {_to_toml(value)}" for name, value in values.items() if value is not None]
    return "\n".join(lines) + "\n"


def tables_to_toml(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of TOML tables, which may contain tables. Keys are Python names."""
    text = ""
    for name, table in tables.items():
        within = {key: value for key, value in table.items() if isinstance(value, Mapping)}
        rows = {key: value for key, value in table.items() if key not in within and value is not None}
        lines = [f"[{name}]", *(f"{key} = {_to_toml(value)}" for key, value in rows.items())]
        text += "\n" + "\n".join(lines) + "\n"
        text += tables_to_toml({f"{name}.{key}": value for key, value in within.items()})
    return text


def _to_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(_to_toml, value)) + "]"
    if isinstance(value, (int, float)):
        return repr(value)
    # A JSON string is a TOML string, except that TOML also needs DEL escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
