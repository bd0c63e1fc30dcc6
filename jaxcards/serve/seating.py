"""The occupants of the seats of a table, and requests for seats."""

import dataclasses
import functools
import re
import secrets
from collections.abc import Collection, Sequence

from jaxcards.errors import UserError, unknown
from jaxcards.serve.refusals import Refusal
from jaxcards.view.text import LANGUAGES, Text, language_file

YOU, PERSON = "you", "person"
"""Requests for the seat of the person who opens the table, and for an invited person."""

SUBSTITUTE = "heuristic"
"""Plays on for a person who has left."""

LONGEST_NAME = 24

MOST_SEATS = 16

FIRST_NAMES = ("Alma", "Hugo", "Nora", "Oscar", "Flora", "Victor", "Ida")
"""Names of bots by seat, easy to say in all languages."""

_NAMED = ("champion", "heuristic", "search", "random")  # levels that every language has a word for
# Players in records of tables: a level, worlds of a search, then a number or the person replaced.
_IN_RECORDS = re.compile(rf"({'|'.join(_NAMED)})(:\d+)?( \d+| for .*)?")
_NAMELESS = {"a guest", *(language_file(language)["texts"]["guest"] for language in LANGUAGES)}


@dataclasses.dataclass(frozen=True)
class Occupant:
    """The occupant of a seat.

    Attributes:
      kind: `PERSON`, or the name of a player such as "champion".
      name: of a person; of a player its kind, numbered among those at the table, for records.
      number: of a player, counted among those of its kind at the table, from 1.
      stands_for: the name of the person whose seat a player has taken, or empty.
      token: hash of the token of a person that sits here; empty for a player or a free seat.
      person: hash of the token that results are kept for; empty without one.
      invitation: what somebody who is invited must know; empty once the seat is taken.
    """

    kind: str
    name: str
    token: str = ""
    person: str = ""
    invitation: str = ""
    number: int = 1
    stands_for: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person decides."""
        return self.kind == PERSON

    def known_at(self, seat: int) -> Text:
        """Return the name as others read it at a seat, each in their language."""
        if self.free:
            return Text("seat.invited")
        if self.is_person:
            return Text("seat.named", name=self.name)
        player = Text("seat.named", name=first_name(seat))
        if self.stands_for:
            return Text("seat.substitute", player=player, name=self.stands_for)
        return player

    @property
    def free(self) -> bool:
        """Whether the seat waits for a person."""
        return self.is_person and not self.token


def first_name(seat: int) -> str:
    """Return the first name of a player at a seat: "Hugo", or "Hugo 2" behind the first seven."""
    turn, place = divmod(seat, len(FIRST_NAMES))
    return f"{FIRST_NAMES[place]} {turn + 1}" if turn else FIRST_NAMES[place]


def shown_name(name: str, seat: int, own: bool) -> Text | str:
    """Return a name of a record as people read it: of a player, the first name of its seat.

    Args:
      name: of the record.
      seat: its number.
      own: whether a person without a name is "you" and not the number of the seat.
    """
    if _IN_RECORDS.fullmatch(name):
        return first_name(seat)
    if name not in _NAMELESS:
        return name
    return Text("seat.you") if own else Text("seat.number", number=seat)


def new_token() -> str:
    """Return an unguessable token: 192 random bits as 32 letters."""
    return secrets.token_urlsafe(24)


def seat_all(
    asked: Sequence[str], offered: Collection[str], num_players: int, name: str, game: str
) -> list[Occupant]:
    """Return the occupant of each seat; the seat of the person who opens the table has no token yet.

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
            found.append(new_player(kind, found))
        else:
            raise unknown("player", kind, [YOU, PERSON, *offered])
    return found


def new_player(kind: str, before: Sequence[Occupant]) -> Occupant:
    """Return a player, numbered after those of its kind that sit already."""
    number = 1 + sum(occupant.kind == kind for occupant in before)
    # The name of a search leaves out its settings, which follow a colon.
    short = kind.partition(":")[0]
    return Occupant(kind, f"{short} {number}" if number > 1 else short, number=number)


def substitute(name: str) -> Occupant:
    """Return the player that takes the seat of a person."""
    return Occupant(SUBSTITUTE, f"{SUBSTITUTE} for {name}", stands_for=name)


@functools.cache
def _taken_names() -> frozenset[str]:
    """Return names and levels of players, and "you", in all languages and in lower case."""
    keys = [*(f"player.{kind}" for kind in _NAMED), "seat.you", "seat.dummy"]
    words = [language_file(language)["texts"][key] for language in LANGUAGES for key in keys]
    return frozenset(word.casefold() for word in (*_NAMED, *FIRST_NAMES, *words))


def checked_name(name: str) -> str:
    """Return the name of a person without blanks around it.

    Raises:
      Refusal: it is empty, too long, belongs to a player, or has letters that cannot be printed.
    """
    name = " ".join(name.split())
    # "Hugo 2" would pass for a player as well as "Hugo".
    if name.casefold().rstrip("0123456789 ") in _taken_names():
        raise Refusal("name_of_player", name=name)
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise Refusal("name_letters", most=LONGEST_NAME)
    return name
