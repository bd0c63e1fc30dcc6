"""The items that readers of files yield: records with their repairs, and refused texts."""

import dataclasses

from jaxcards.records.record import Record


@dataclasses.dataclass(frozen=True)
class Read:
    """A record of a file.

    Attributes:
      place: in the file, such as "line 3" or "deal 7".
      record: the record, before `verify.problems` has checked its game and its replay.
      repairs: errors and gaps that were mended; a line each.
      text: the original text in the file, for the file of refused records.
    """

    place: str
    record: Record
    repairs: tuple[str, ...] = ()
    text: str = ""


@dataclasses.dataclass(frozen=True)
class Refused:
    """A text that is not a record, or does not replay.

    Attributes:
      place, text: see `Read`.
      reason: the error, in one line.
    """

    place: str
    reason: str
    text: str = ""


Item = Read | Refused
