"""Shared parts of the adapters: packages that only some need, and environments that pickle."""

import abc
import functools
import importlib
from typing import Any

from jaxcards.errors import missing


def require(module: str, extra: str, title: str) -> Any:
    """Return a module of an extra.

    Args:
      module: its dotted name.
      extra: the name in `pip install 'jaxcards[...]'`.
      title: the name of the package in sentences.

    Raises:
      UserError: if it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        # The error is about another module, one that the package itself needs.
        if error.name is None or not module.startswith(error.name.partition(".")[0]):
            raise
        raise missing(extra, f"jaxcards.interop.{extra}", title) from None


class Compiled(abc.ABC):
    """An environment whose pickle leaves out the compiled functions, which are rebuilt on use.

    A subclass defines `_make_programs` with a cache, so that equal environments share compiled code.
    """

    @functools.cached_property
    def _programs(self) -> Any:
        return self._make_programs()

    @abc.abstractmethod
    def _make_programs(self) -> Any:
        """Return the compiled functions."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_programs"}
