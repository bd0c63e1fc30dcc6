"""Messages to a seat, as values of JSON, made only from what its player may see."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from jaxcards.serve.store import Outcome
from jaxcards.serve.table import FAILED, WAITING, ServedTable
from jaxcards.view.text import Text


def of_table(table: ServedTable, player: int, place: int | None = None) -> dict[str, Any]:
    """Return the table as a player sees it.

    Args:
      table: the table.
      player: the player who looks.
      place: the number of actions of this deal before the message; None for now.
    """
    shown = table.ready and table.status not in (FAILED, WAITING)
    # A message about an earlier moment has the turn of that moment.
    back = 0 if place is None else len(table.actions) - place
    return {
        "id": table.id,
        "turn": table.turn - back,
        "status": table.status if not back else "playing",
        "failure": dataclasses.asdict(table.failure) if table.failure else None,
        "game": table.game.id,
        "match": table.match,
        "number": table.number,
        "player": player,
        "seats": [_seat(table, player, seat) for seat in range(len(table.occupants))],
        "view": table.view(player, place).to_dict() if shown else None,
        "log": _told(table, player, place) if shown else [],
    }


def _told(table: ServedTable, player: int, place: int | None) -> list[list[dict[str, Any]]]:
    return [[dataclasses.asdict(line) for line in lines] for lines in table.log(player, place)]


def _seat(table: ServedTable, player: int, seat: int) -> dict[str, Any]:
    occupant = table.occupants[seat]
    return {
        "kind": occupant.kind,
        "name": occupant.name,
        "shown": dataclasses.asdict(occupant.known_at(seat)),
        "free": occupant.free,
        "invitation": occupant.invitation if player == table.host else "",
    }


def of_review(table: ServedTable, player: int) -> dict[str, Any]:
    """Return the deal that is over, with all hands open, its moves, and its result for a player.

    Raises:
      UserError: the deal is not over.
    """
    ended = table.view(player).to_dict()
    views = [table.open_view(player, place) for place in range(len(table.looks))]
    return {
        "id": table.id,
        "number": table.number,
        "dealt": views[0].to_dict(),
        "moves": [
            {
                "number": n,
                "player": look.player,
                "action": action,
                "text": dataclasses.asdict(text_of(table, look.player, n, action)),
            }
            for n, (action, look) in enumerate(zip(table.actions, table.looks, strict=False))
        ],
        "views": [view.to_dict() for view in views],
        "points": table.look.points,
        **{part: ended[part] for part in ("result", "outcome", "verdict", "scores")},
    }


def text_of(table: ServedTable, player: int, place: int, action: int) -> Text:
    """Return the text of an action among the choices of its player."""
    for choice in table.view(player, place).choices:
        if choice.action == action:
            return choice.text
    return Text("do.named", name=table.game.action_to_string(action))


def of_statistics(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the results of a person, and their sums for each game and kind of opponents."""
    groups: dict[tuple[str, str, str], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.game, outcome.opponents, outcome.kind), []).append(outcome)
    return {
        "groups": [
            {
                "game": game,
                "opponents": opponents,
                "kind": kind,
                "played": len(found),
                "won": sum(outcome.won for outcome in found),
                "points": sum(outcome.points for outcome in found) / len(found),
                "course": [outcome.points for outcome in found[-500:]],
            }
            for (game, opponents, kind), found in groups.items()
        ],
        "results": [
            {
                "at": outcome.at,
                "game": outcome.game,
                "opponents": outcome.opponents,
                "kind": outcome.kind,
                "points": outcome.points,
                "won": outcome.won,
            }
            for outcome in outcomes
        ],
    }
