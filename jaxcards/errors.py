"""Errors of one line: what a user gave, with what is allowed and the nearest name; failed writes."""

import difflib
from collections.abc import Iterable

_LONGEST_QUOTE = 60


class UserError(ValueError):
    """Bad input. Its text is one line; the command line prints it and exits with status 2."""

    def __init__(self, message: object) -> None:
        super().__init__(" ".join(str(message).split()))


class WriteError(OSError):
    """A file cannot be written. The command line prints one line and exits with status 3."""


def quote(value: object) -> str:
    """Return `repr(value)`, on one line and cut to a readable length. Values of NumPy become plain."""
    value = value.tolist() if hasattr(value, "tolist") else value
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def nearest(name: object, allowed: Iterable[str]) -> str | None:
    """Returns the allowed name that looks most like `name`, or None if none is close."""
    by_lower = {candidate.lower(): candidate for candidate in allowed}
    wanted = str(name)[:_LONGEST_QUOTE].lower()
    close = difflib.get_close_matches(wanted, by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None


def unknown(kind: str, name: object, allowed: Iterable[str], where: str = "") -> UserError:
    """Returns the error for a name that does not exist.

    >>> str(unknown("preset", "tornament", ["slalom", "tournament"]))
    "unknown preset 'tornament'; did you mean 'tournament'? (allowed: slalom, tournament)"

    `where` is put in front, such as the name of a file.
    """
    names = list(allowed)
    guess = nearest(name, names)
    hint = f"; did you mean {guess!r}?" if guess is not None else ""
    prefix = f"{where}: " if where else ""
    listing = ", ".join(names) if names else "none"
    return UserError(f"{prefix}unknown {kind} {quote(name)}{hint} (allowed: {listing})")
