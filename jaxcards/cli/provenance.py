"""Provenance of a result: version, commit, game with its rules, machine, command."""

import dataclasses
import shlex
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxcards.game import Game


def provenance(game: "Game | None" = None) -> dict[str, Any]:
    """Return the provenance of a result of this process, as JSON values.

    Args:
      game: the game that was played. Its id and all its rules are included.
    """
    from jaxcards import registry
    from jaxcards.bench import machine

    about: dict[str, Any] = {"command": shlex.join(["jaxcards", *sys.argv[1:]])}
    if game is not None:
        id = registry.versioned_id(game.id or game.name)
        about |= {"game": id, "rules": dataclasses.asdict(game.rules)}
    return about | {"machine": machine.describe()}
