"""One-line errors: bad input with the allowed values and the nearest name; failed writes; extras."""

import difflib
import functools
import importlib.metadata
import importlib.util
import json
import shlex
import urllib.parse
from collections.abc import Iterable
from pathlib import Path

_LONGEST_QUOTE = 60


class UserError(ValueError):
    """Bad input. The text is one line; the command line prints it and exits with status 2."""

    def __init__(self, message: object) -> None:
        super().__init__(" ".join(str(message).split()))


class WriteError(OSError):
    """A file cannot be written. The command line prints one line and exits with status 3."""


def quote(value: object) -> str:
    """Return `repr(value)` on one line, cut to a readable length. NumPy scalars become plain values."""
    value = value.tolist() if hasattr(value, "tolist") else value
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def nearest(name: object, allowed: Iterable[str]) -> str | None:
    """Return the allowed name that looks most like `name`, or None if none is close."""
    by_lower = {candidate.lower(): candidate for candidate in allowed}
    # Cut long names: the time of a comparison grows with the square of the length.
    wanted = str(name)[:_LONGEST_QUOTE].lower()
    close = difflib.get_close_matches(wanted, by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None


def unknown(kind: str, name: object, allowed: Iterable[str], where: str = "") -> UserError:
    """Return the error for a name that does not exist.

    >>> str(unknown("preset", "tornament", ["slalom", "tournament"]))
    "unknown preset 'tornament'; did you mean 'tournament'? (allowed: slalom, tournament)"

    `where` is a prefix, such as the name of a file.
    """
    names = list(allowed)
    guess = nearest(name, names)
    hint = f"; did you mean {guess!r}?" if guess is not None else ""
    prefix = f"{where}: " if where else ""
    listing = ", ".join(names) if names else "none"
    return UserError(f"{prefix}unknown {kind} {quote(name)}{hint} (allowed: {listing})")


def require(extra: str, user: str, *packages: str) -> None:
    """Raise `UserError` if a package of an extra is not installed. Does not import the package.

    Args:
      extra: a name of `[project.optional-dependencies]`.
      user: the feature that needs the packages, such as the name of a command.
      packages: names of modules without dots.
    """
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise missing(extra, user, package)


def missing(extra: str, user: str, package: str) -> UserError:
    """Return the error for a package of an extra that is not installed; see `require`."""
    return UserError(f"{user} needs {package}: {install_command(extra)}")


@functools.cache
def install_command(extra: str) -> str:
    """Return the command that adds an extra to this copy of jaxcards, in the way it was installed."""
    try:
        text = importlib.metadata.distribution("jaxcards").read_text("direct_url.json")  # PEP 610
    except importlib.metadata.PackageNotFoundError:
        # The package is not installed: it runs from its checkout.
        text = json.dumps({"url": Path(__file__).parents[1].as_uri(), "dir_info": {"editable": True}})
    source = json.loads(text or "{}")
    url = source.get("url", "")
    if "dir_info" in source:
        folder = urllib.parse.unquote(urllib.parse.urlsplit(url).path)
        editable = "-e " if source["dir_info"].get("editable") else ""
        return f"pip install {editable}{shlex.quote(f'{folder}[{extra}]')}"
    if "vcs_info" in source:
        url = f"{source['vcs_info']['vcs']}+{url}"
    requirement = f"jaxcards[{extra}] @ {url}" if url else f"jaxcards[{extra}]"
    return f"pip install {shlex.quote(requirement)}"
