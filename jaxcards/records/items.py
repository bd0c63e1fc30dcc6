"""What readers of files yield: records, what was mended in them, and what cannot be read."""

import dataclasses

from jaxcards.records.record import Record


@dataclasses.dataclass(frozen=True)
class Read:
    """A record of a file.

    Attributes:
      place: where in the file, such as "line 3" or "deal 7".
      record: what was read; whether it fits its game and replays is for `verify.problems` to say.
      repairs: what was wrong with it, or missing, and has been mended; a line each.
      text: as it stood in the file, for the file of what is refused.
    """

    place: str
    record: Record
    repairs: tuple[str, ...] = ()
    text: str = ""


@dataclasses.dataclass(frozen=True)
class Refused:
    """What is no record, or does not replay.

    Attributes:
      place, text: as of `Read`.
      reason: what is wrong with it, in one line.
    """

    place: str
    reason: str
    text: str = ""


Item = Read | Refused
