"""The rules of Skat: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once. docs/skat.md names the sources.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate

BASES = (9, 10, 11, 12, 24)  # of the four suits and Grand
NULL_VALUES = (23, 35, 46, 59)  # with the skat, Hand, Ouvert, Ouvert Hand
_MOST = (18, 18, 18, 18, 11)  # the largest multiplier: 11 matadors (Grand 4), and seven more
VALUES = tuple(
    sorted({b * n for b, m in zip(BASES, _MOST, strict=True) for n in range(2, m + 1)} | {*NULL_VALUES})
)
"""The values that may be bid, ascending."""


@dataclasses.dataclass(frozen=True)
class SkatRules:
    """Rules of Skat; instances are valid, or `UserError` is raised."""

    auction: Literal["values", "first"] = setting(
        "values", "who declares: the highest bid, or the first player who does not pass"
    )
    hand: bool = setting(True, "Hand games, with Schneider, Schwarz and Ouvert announced")
    null_ouvert: bool = setting(True, "Null may be played with open cards")
    kontra: bool = setting(
        False, "an opponent may double the game (Kontra), and the declarer again (Re)"
    )
    all_pass: Literal["throw_in", "ramsch"] = setting(
        "throw_in", "if all pass: no game, or Ramsch, in which the most card points lose"
    )
    seeger_fabian: bool = setting(
        False, "50 points more for a game won, 50 less for a game lost, which brings each opponent 40"
    )
    num_deals: int = setting(36, "deals of a match", minimum=1, maximum=1000, of_match=True)

    def __post_init__(self) -> None:
        validate(self)
        if self.auction == "first" and self.all_pass == "ramsch":
            raise UserError("all_pass='ramsch' needs auction='values'")


Rules = SkatRules

PRESETS: dict[str, SkatRules] = {
    "isko": SkatRules(),
    "seeger_fabian": SkatRules(seeger_fabian=True),
    "kontra": SkatRules(kontra=True),
    "ramsch": SkatRules(kontra=True, all_pass="ramsch"),
    "open_spiel": SkatRules(auction="first", hand=False, null_ouvert=False),
}

OLD_PRESETS: dict[str, str] = {}

DEFAULT_PRESET = "isko"
