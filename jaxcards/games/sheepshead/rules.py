"""The rules of Sheepshead: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once.
Sources: the DeepSheep design text and its program for the presets `deepsheep…`; Wikipedia, the pages of
pagat.com, sheepshead.org and playsheepshead.org, and club leaflets from Wisconsin for the others.
docs/sheepshead.md names the differences between them.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate

_SIZES = {3: (10, 2), 4: (7, 4), 5: (6, 2), 6: (5, 2)}  # cards of a hand and of the blind
_MOST_DEALS = 100_000  # totals stay below 2**31
_LARGEST_CAP = 1024


@dataclasses.dataclass(frozen=True)
class SheepsheadRules:
    """Rules of Sheepshead; instances are valid, or `UserError` is raised."""

    num_players: int = setting(
        5, "number of players; three play without a partner", minimum=3, maximum=6
    )
    partner: Literal["called_ace", "jack_of_diamonds", "none"] = setting(
        "called_ace", "the partner holds a called card (called_ace) or the jack of diamonds, or is none"
    )
    trump_suit: int = setting(
        1, "the suit that is trumps besides all queens and jacks: ♣ 0, ♦ 1, ♥ 2, ♠ 3",
        minimum=0, maximum=3,
    )  # fmt: skip
    spitz: Literal["none", "second", "top"] = setting(
        "none", "place of the seven of trumps: lowest (none), below the queen of clubs, or highest"
    )
    no_pick: Literal["leaster", "doubler", "forced_pick"] = setting(
        "leaster",
        "if nobody picks: the fewest points win (leaster), stakes double later (doubler), or the "
        "dealer must pick (forced_pick)",
    )
    doubler_mode: Literal["multiply", "queue"] = setting(
        "multiply",
        "consecutive doublers multiply the stakes of the next deal, or double as many deals (queue)",
    )
    doubler_cap: int = setting(
        64, "the largest multiplier of doublers that multiply", minimum=1, maximum=_LARGEST_CAP
    )
    leaster_blind: Literal["last_trick", "first_trick", "none"] = setting(
        "last_trick", "who gets the blind's points in a leaster: the winner of a trick, or nobody"
    )
    loner_choice: bool = setting(
        True, "the picker says whether to play alone; else it does only without a possible partner"
    )
    allow_unknown: bool = setting(
        True, "an ace may be called without a card of its suit, by an unknown card"
    )
    call_fallback: Literal["none", "ten", "down"] = setting(
        "ten", "what a picker with all three fail aces may call: nothing, a ten, or ever lower cards"
    )
    called_hold: Literal["any", "ace"] = setting(
        "any", "what the picker keeps of the called suit if no ace was called: any card, or its ace"
    )
    called_ten_wins: bool = setting(
        False, "a called ten or lower card is the highest of its suit when it is led"
    )
    partner_offsuit: bool = setting(True, "the partner may throw the called card on another suit")
    crack: bool = setting(False, "the stakes may be doubled against the picker")
    recrack: bool = setting(False, "the picker may double them again")
    crack_who: Literal["unasked", "defenders"] = setting(
        "unasked", "who may crack: those who had no turn to pick, or all but the picker"
    )
    double_on_bump: bool = setting(False, "a lost deal costs the picking side double")
    partner_off_hook: bool = setting(False, "the partner pays nothing if their side takes no trick")
    num_deals: int = setting(5, "deals of a match", minimum=1, maximum=_MOST_DEALS, of_match=True)

    def __post_init__(self) -> None:
        validate(self)
        if self.num_players == 3 and self.partner != "none":
            raise UserError("three players need partner='none': the picker plays against two")
        if self.recrack and not self.crack:
            raise UserError("recrack=True needs crack=True: there is nothing to answer")

    @property
    def hand_size(self) -> int:
        """Cards dealt to each player, and tricks of a deal."""
        return _SIZES[self.num_players][0]

    @property
    def blind_size(self) -> int:
        """Cards of the blind."""
        return _SIZES[self.num_players][1]

    @property
    def num_plays(self) -> int:
        """Cards played in a deal."""
        return self.num_players * self.hand_size

    @property
    def calls(self) -> bool:
        """Whether a partner is found by calling a card."""
        return self.partner == "called_ace"

    @property
    def has_unknown(self) -> bool:
        """Whether an unknown card can occur."""
        return self.calls and self.allow_unknown


Rules = SheepsheadRules

_DEEPSHEEP = SheepsheadRules(call_fallback="down")
_STANDARD = SheepsheadRules(
    call_fallback="ten", called_hold="ace", called_ten_wins=True, partner_offsuit=False,
    double_on_bump=True,
)  # fmt: skip

PRESETS: dict[str, SheepsheadRules] = {
    "deepsheep": _DEEPSHEEP,
    "deepsheep_jd": SheepsheadRules(partner="jack_of_diamonds"),
    "deepsheep_3p": SheepsheadRules(num_players=3, partner="none"),
    "deepsheep_4p": SheepsheadRules(num_players=4, partner="none"),
    "deepsheep_doubler": dataclasses.replace(_DEEPSHEEP, no_pick="doubler"),
    "deepsheep_forced": dataclasses.replace(_DEEPSHEEP, no_pick="forced_pick"),
    "deepsheep_crack": dataclasses.replace(_DEEPSHEEP, crack=True, recrack=True),
    "deepsheep_clubs": dataclasses.replace(_DEEPSHEEP, trump_suit=0),
    "deepsheep_spitz": dataclasses.replace(_DEEPSHEEP, spitz="second"),
    "standard": _STANDARD,
    "standard_crack": dataclasses.replace(_STANDARD, crack=True, recrack=True, crack_who="unasked"),
    "standard_jd": SheepsheadRules(
        partner="jack_of_diamonds", loner_choice=False, double_on_bump=True
    ),
    "four_partner": SheepsheadRules(
        num_players=4, call_fallback="down", crack=True, crack_who="defenders"
    ),
    "six_jd": SheepsheadRules(
        num_players=6, partner="jack_of_diamonds", no_pick="doubler", doubler_mode="queue"
    ),
    "six_called": SheepsheadRules(
        num_players=6, call_fallback="down", called_hold="ace", partner_offsuit=False, crack=True,
        recrack=True, crack_who="defenders", partner_off_hook=True, double_on_bump=True,
    ),
    "four_jd_spades": SheepsheadRules(
        num_players=4, partner="jack_of_diamonds", trump_suit=3, spitz="top",
        leaster_blind="first_trick",
    ),
}  # fmt: skip

OLD_PRESETS = {name.replace("deepsheep", "seed"): name for name in PRESETS if "deepsheep" in name}

DEFAULT_PRESET = "standard"
