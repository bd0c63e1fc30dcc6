"""The rules of Bridge: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once. docs/bridge.md names the sources.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate


@dataclasses.dataclass(frozen=True)
class BridgeRules:
    """Rules of Bridge; instances are valid, or `UserError` is raised."""

    vulnerability: Literal["drawn", "chicago", "rubber", "none", "both"] = setting(
        "drawn",
        "vulnerable sides: drawn with the cards, as in Chicago (none, twice the dealer's, both), as in "
        "rubber bridge with its scores (those with a game), none, or both",
    )
    tiny: bool = setting(
        False, "eight cards: two tricks, bids of one or two in hearts, spades or no trump, small scores"
    )
    num_deals: int = setting(
        16, "deals of a match; of a rubber at most", minimum=1, maximum=1000, of_match=True
    )

    def __post_init__(self) -> None:
        validate(self)
        if self.tiny and self.vulnerability != "none":
            raise UserError("tiny=True needs vulnerability='none'")

    @property
    def book(self) -> int:
        """Tricks of the declarer's side that the level of a bid does not count."""
        return 0 if self.tiny else 6


Rules = BridgeRules

PRESETS: dict[str, BridgeRules] = {
    "duplicate": BridgeRules(),
    "chicago": BridgeRules(vulnerability="chicago", num_deals=4),
    "rubber": BridgeRules(vulnerability="rubber", num_deals=40),
    "open_spiel": BridgeRules(vulnerability="none"),
    "tiny": BridgeRules(vulnerability="none", tiny=True),
}

OLD_PRESETS: dict[str, str] = {}

DEFAULT_PRESET = "duplicate"
