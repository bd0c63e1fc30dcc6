"""Who plays for each player of a table, and how seats are asked for."""

import dataclasses
import secrets
from collections.abc import Collection, Sequence

from jaxcards.errors import UserError, quote, unknown

YOU, PERSON = "you", "person"
"""What a seat is asked for that is whoever opens the table, or somebody who is invited."""

SUBSTITUTE = "heuristic"
"""Plays on for a person who has left."""

LONGEST_NAME = 24


@dataclasses.dataclass(frozen=True)
class Occupant:
    """Who plays for a player.

    Attributes:
      kind: `PERSON`, or the name of a player such as "champion".
      name: what the others call it.
      token: hash of the token of a person that sits here; empty for a player or a free seat.
      person: hash of the token that results are kept for; empty without one.
      invitation: what somebody who is invited must know; empty once the seat is taken.
    """

    kind: str
    name: str
    token: str = ""
    person: str = ""
    invitation: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person decides."""
        return self.kind == PERSON

    @property
    def free(self) -> bool:
        """Whether the seat waits for a person."""
        return self.is_person and not self.token


def new_token() -> str:
    """Returns a token that nobody can guess: 192 random bits as 32 letters."""
    return secrets.token_urlsafe(24)


def seat_all(
    asked: Sequence[str], offered: Collection[str], num_players: int, name: str, game: str
) -> list[Occupant]:
    """Returns who plays for each player; the seat of whoever opens the table has no token yet.

    Args:
      asked: for each player `YOU`, `PERSON` or one of the players offered.
      offered: names of players.
      num_players: how many are needed.
      name: of whoever opens the table.
      game: its id, for errors.

    Raises:
      UserError: a wrong number of seats, an unknown player, or not exactly one `YOU`.
    """
    if len(asked) != num_players:
        raise UserError(f"{game} has {num_players} players, and seats names {len(asked)}")
    if asked.count(YOU) != 1:
        raise UserError(f"one of the seats must be {YOU!r}, and {asked.count(YOU)} are")
    found: list[Occupant] = []
    for kind in asked:
        if kind == YOU:
            found.append(Occupant(PERSON, name))
        elif kind == PERSON:
            found.append(Occupant(PERSON, "", invitation=new_token()))
        elif kind in offered:
            found.append(Occupant(kind, _numbered(kind, found)))
        else:
            raise unknown("player", kind, [YOU, PERSON, *offered])
    return found


def _numbered(kind: str, before: Sequence[Occupant]) -> str:
    """Returns the name of a player, numbered where one like it sits already."""
    same = sum(occupant.kind == kind for occupant in before)
    short = kind.partition(":")[0]
    return f"{short} {same + 1}" if same else short


def checked_name(name: str) -> str:
    """Returns the name of a person without blanks around it.

    Raises:
      UserError: it is empty, too long, or has letters that cannot be printed.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise UserError(
            f"a name has 1 to {LONGEST_NAME} letters that can be printed, not {quote(name)}"
        )
    return name
