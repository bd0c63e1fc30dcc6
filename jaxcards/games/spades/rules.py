"""The rules of Spades: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once.
docs/spades.md names the sources.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate


@dataclasses.dataclass(frozen=True)
class SpadesRules:
    """Rules of Spades; instances are valid, or `UserError` is raised."""

    num_players: int = setting(4, "number of players", minimum=3, maximum=4)
    partners: bool = setting(True, "players who sit opposite are partners; else everyone is alone")
    bidding: Literal["free", "suicide", "whiz"] = setting(
        "free",
        "bids: any; one partner nil and the other 4 or more (suicide); or nil or the number of spades "
        "in the hand (whiz)",
    )
    joint_limit: bool = setting(False, "the bids of two partners add up to 13 at most")
    nil: int = setting(
        100, "points for a bid of nil, won without a trick and lost with one", minimum=0, maximum=500
    )
    nil_tricks: Literal["bags", "help"] = setting(
        "bags", "tricks of a failed nil are bags, or help to make the bid of the partner"
    )
    blind_nil: int = setting(
        0, "points for nil bid before looking at the cards; 0: not allowed", minimum=0, maximum=500
    )
    blind_behind: int = setting(
        100, "points that a side must be behind for a blind nil", minimum=0, maximum=1000
    )
    lead_spades: Literal["broken", "last", "any"] = setting(
        "broken", "when to lead spades: once one is played, with nothing else left, or at any time"
    )
    bag_penalty: int = setting(100, "points that ten bags cost", minimum=0, maximum=500)
    target: int = setting(
        500, "points that end a match; the most win", minimum=10, maximum=1000, of_match=True
    )
    floor: int = setting(
        -200, "a match also ends at these points or fewer", minimum=-1000, maximum=-10, of_match=True
    )
    max_deals: int = setting(
        50, "the largest number of deals of a match", minimum=1, maximum=500, of_match=True
    )

    @property
    def num_sides(self) -> int:
        return 2 if self.partners else self.num_players

    def __post_init__(self) -> None:
        validate(self)
        if self.partners and self.num_players != 4:
            raise UserError("num_players must be 4 with partners")
        if not self.partners and (self.joint_limit or self.bidding == "suicide"):
            raise UserError("joint_limit and bidding='suicide' need partners")
        if self.blind_nil and self.bidding != "free":
            raise UserError("blind_nil needs bidding='free'")
        # The last digit of a total counts bags.
        if self.nil % 10 or self.blind_nil % 10 or self.bag_penalty % 10:
            raise UserError("nil, blind_nil and bag_penalty must be multiples of 10")


Rules = SpadesRules

PRESETS: dict[str, SpadesRules] = {
    "standard": SpadesRules(),
    "blind_nil": SpadesRules(blind_nil=200),
    "cutthroat": SpadesRules(num_players=3, partners=False),
    "solo": SpadesRules(partners=False),
    "suicide": SpadesRules(bidding="suicide"),
    "whiz": SpadesRules(bidding="whiz"),
    "open_spiel": SpadesRules(joint_limit=True, nil_tricks="help", lead_spades="last", floor=-350),
}

DEFAULT_PRESET = "standard"
