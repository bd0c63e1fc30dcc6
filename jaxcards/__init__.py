"""Trick-taking card games as pure array functions.

    import jaxcards

    game = jaxcards.make("jass")      # or "jass/tournament", or make("jass", weis=False)
    jaxcards.games()                  # every id with a line of description

Importing this package does not import JAX: each public name loads its module on first use (PEP 562).
Errors in a command line therefore appear at once.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxcards.cards.actions import ActionSet
    from jaxcards.cards.sets import CardSet
    from jaxcards.champions.catalogue import load_agent
    from jaxcards.errors import UserError
    from jaxcards.game import Game
    from jaxcards.match import Match
    from jaxcards.players.loading import load_player
    from jaxcards.registry import games, make, register
    from jaxcards.rollouts import rollout

__version__ = "0.3.0"

__all__ = [
    "ActionSet",
    "CardSet",
    "Game",
    "Match",
    "UserError",
    "__version__",
    "games",
    "load_agent",
    "load_player",
    "make",
    "register",
    "rollout",
]

# Public name -> the module that has it.
_MODULES = {
    "ActionSet": "jaxcards.cards.actions",
    "CardSet": "jaxcards.cards.sets",
    "Game": "jaxcards.game",
    "Match": "jaxcards.match",
    "UserError": "jaxcards.errors",
    "load_agent": "jaxcards.champions.catalogue",
    "load_player": "jaxcards.players.loading",
    "make": "jaxcards.registry",
    "register": "jaxcards.registry",
    "rollout": "jaxcards.rollouts",
}

# Modules that can be used without an explicit import. `games` is a callable package.
_PACKAGES = (
    *("cards", "evaluation", "games", "interop", "learn", "records", "review", "testing", "throughput"),
    "xla",
)


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"jaxcards.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module 'jaxcards' has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULES[name]), name)
    # From now on Python finds the name without this function.
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})
