"""Packages that only some doors need, with one line where they are missing."""

import importlib
from typing import Any

from jaxcards.errors import missing


def require(module: str, extra: str, title: str) -> Any:
    """Return a module of an extra.

    Args:
      module: its dotted name.
      extra: what `pip install 'jaxcards[...]'` names.
      title: what the package is called in sentences.

    Raises:
      UserError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name.partition(".")[0]):
            raise
        raise missing(extra, f"jaxcards.interop.{extra}", title) from None
