"""The rules of Hearts: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once.
docs/hearts.md names the sources.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate

ALL_POINTS = 26


@dataclasses.dataclass(frozen=True)
class HeartsRules:
    """Rules of Hearts; instances are valid, or `UserError` is raised."""

    num_players: int = setting(4, "number of players", minimum=3, maximum=6)
    directions: tuple[int, ...] = setting(
        (1, 3, 2, 0), "how many places to the left three cards are passed, deal by deal; 0: none are",
        minimum=0, maximum=5,
    )  # fmt: skip
    any_club: bool = setting(
        False, "the holder of the lowest club leads any club first, not only that one"
    )
    points_in_first: bool = setting(
        False, "hearts and the queen of spades may be discarded in the first trick"
    )
    break_hearts: bool = setting(True, "hearts may be led only after one has been played")
    queen_breaks: bool = setting(True, "the queen of spades also allows hearts to be led")
    spare_queen: bool = setting(
        False, "a player with only hearts and the queen of spades may lead a heart at any time"
    )
    jack: int = setting(
        0, "penalty points of the jack of diamonds; -10 in Omnibus Hearts", minimum=-26, maximum=0
    )
    no_trick: int = setting(0, "penalty points of a player without a trick", minimum=-26, maximum=0)
    moon: Literal["add", "subtract", "none"] = setting(
        "add",
        "a player with all hearts and the queen of spades: 26 points for each other player (add), 26 "
        "points less (subtract), or no exception",
    )
    target: int = setting(
        100, "points that end a match; the lowest total wins", minimum=1, maximum=1000, of_match=True
    )
    max_deals: int = setting(
        50, "the largest number of deals of a match", minimum=16, maximum=250, of_match=True
    )

    @property
    def passes(self) -> bool:
        """Whether cards are passed in some deals."""
        return any(self.directions)

    def __post_init__(self) -> None:
        validate(self)
        if not 1 <= len(self.directions) <= 16:
            raise UserError(f"directions must have 1 to 16 deals, not {len(self.directions)}")
        if max(self.directions) >= self.num_players:
            raise UserError(
                f"directions: a place to the left of {self.num_players} players is at most "
                f"{self.num_players - 1}, not {max(self.directions)}"
            )


Rules = HeartsRules

PRESETS: dict[str, HeartsRules] = {
    "standard": HeartsRules(),
    "moon_subtract": HeartsRules(moon="subtract"),
    "omnibus": HeartsRules(jack=-10),
    "open_spiel": HeartsRules(directions=(0, 1, 2, 3)),
    "plain": HeartsRules(directions=(0,), points_in_first=True, break_hearts=False, moon="none"),
    "three": HeartsRules(num_players=3, directions=(1, 2, 0)),
    "five": HeartsRules(num_players=5, directions=(1, 4, 0)),
    "six": HeartsRules(num_players=6, directions=(1, 5, 3, 0)),
}

DEFAULT_PRESET = "standard"
