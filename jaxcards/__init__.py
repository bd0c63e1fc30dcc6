"""Trick-taking card games as pure array functions.

    import jaxcards

    game = jaxcards.make("jass")      # or "jass/tournament", or make("jass", weis=False)
    jaxcards.games()                  # every id with a line of description

Importing this package imports no JAX: each public name loads its module when it is first used
(PEP 562), so that a wrong command line is answered at once.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxcards.actions import ActionSet
    from jaxcards.cards import CardSet
    from jaxcards.errors import UserError
    from jaxcards.game import Game
    from jaxcards.match import Match
    from jaxcards.registry import games, make, register
    from jaxcards.rollout import rollout

__version__ = "0.1.0"

__all__ = [
    "ActionSet",
    "CardSet",
    "Game",
    "Match",
    "UserError",
    "__version__",
    "games",
    "make",
    "register",
    "rollout",
]

# Public name -> the module that has it. `games` is a package that can be called.
_MODULES = {
    "ActionSet": "jaxcards.actions",
    "CardSet": "jaxcards.cards",
    "Game": "jaxcards.game",
    "Match": "jaxcards.match",
    "UserError": "jaxcards.errors",
    "make": "jaxcards.registry",
    "register": "jaxcards.registry",
    "rollout": "jaxcards.rollout",
}


class _Package(ModuleType):
    """This package. `jaxcards.rollout` stays the function when its module of that name loads."""

    def __setattr__(self, name: str, value: Any) -> None:
        # The import system binds every submodule, once it has loaded, as an attribute here.
        if isinstance(value, ModuleType) and _MODULES.get(name) == value.__name__:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name == "games":
        return importlib.import_module("jaxcards.games")
    if name not in _MODULES:
        raise AttributeError(f"module 'jaxcards' has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
