"""Recorded deals on a table: what of a record the table keeps, and what it tells of it."""

from typing import Any

from jaxcards.errors import UserError
from jaxcards.records import DealRecord, from_line
from jaxcards.serve.seating import LONGEST_NAME

GIVEN = "given"
"""Of an opening: there if the deal is from a record, with the names of those who played it."""


def deal_of(line: str) -> DealRecord:
    """Return the deal of a line of JSON, which fits its game.

    Raises:
      UserError: the text is something else.
    """
    try:
        record = from_line(line)
    except UserError as error:
        raise UserError(f"the record {error}" if str(error).startswith("is ") else str(error)) from None
    if not isinstance(record, DealRecord):
        raise UserError("this is a match: send one of its deals, as a record of its own")
    return record


def opened(record: DealRecord, move: int | None) -> tuple[dict[str, Any], list[int]]:
    """Return the opening of a deal as tables keep it, and its actions before a move.

    Raises:
      UserError: the record ends before the move.
    """
    if move is not None and move > len(record.actions):
        raise UserError(f"the record has {len(record.actions)} moves: there is no move {move}")
    facts = {n: list(v) if isinstance(v, tuple) else v for n, v in record.facts.items()}
    names = None
    # Where the deal is played on, the seats have other occupants than in the record.
    if record.players is not None and move in (None, len(record.actions)):
        names = [name[:LONGEST_NAME] for name in record.players]
    opening = {"deck": list(record.deck), "dealer": record.dealer, "facts": facts, GIVEN: names}
    return opening, list(record.actions[:move])


def counts(opening: dict[str, Any]) -> bool:
    """Return whether results of a deal are kept: not where all hands were known before."""
    return GIVEN not in opening
