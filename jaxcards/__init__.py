"""Trick-taking card games as pure array functions.

    import jaxcards

    game = jaxcards.make("jass")      # or "jass/tournament", or make("jass", weis=False)
    jaxcards.games()                  # every id with a line of description

Importing this package imports no JAX: each public name loads its module when it is first used
(PEP 562), so that a wrong command line is answered at once.
"""

import importlib
import sys
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

__version__ = "0.2.0"

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

# Modules that can be used without an import of their own. `games` is a package that can be called.
_PACKAGES = (
    *("cards", "evaluation", "games", "interop", "learn", "records", "review", "testing", "throughput"),
    "xla",
)

# What had another name before -> its name now.
_MOVED = {
    "actions": "cards.actions",
    "batches": "evaluation.batches",
    "bits": "cards.features",
    "commands": "cli",
    "compile": "xla",
    "compile_cache": "xla.cache",
    "dealing": "cards.dealing",
    "determinize_blocks": "determinize.blocks",
    "determinize_by_card": "determinize.by_card",
    "determinize_by_suit": "determinize.by_suit",
    "determinize_plan": "determinize.plan",
    "evaluation_plot": "evaluation.plot",
    "evaluation_result": "evaluation.result",
    "history": "cards.history",
    "kernel": "bench.gpu.kernel",
    "lanes": "bench.gpu.scalarize",
    "lookup": "xla.lookup",
    "machine": "bench.machine",
    "melds": "cards.melds",
    "packing": "xla.bitfields",
    "prng": "xla.prng",
    "products": "xla.prng",
    "rules": "settings",
    "seats": "cards.seats",
    "simulation": "evaluation.simulation",
    "statistics": "evaluation.intervals",
    "suits": "cards.relabel",
    "tricks": "cards.tricks",
    "words": "cards.text",
}


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"jaxcards.{name}")
    if name in _MOVED:
        # `from jaxcards import name` hides the text of an AttributeError, and hasattr() knows no other.
        importing = sys._getframe(1).f_globals.get("__name__") == "importlib._bootstrap"
        error = ImportError if importing else AttributeError
        raise error(f"jaxcards.{name} has moved: it is jaxcards.{_MOVED[name]} now")
    if name not in _MODULES:
        raise AttributeError(f"module 'jaxcards' has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})
