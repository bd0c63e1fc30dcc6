"""Rules of Sheepshead: the settings, and the presets.

This file imports no JAX, so that a command line is checked at once. docs/sheepshead.md names the
sources of each preset and setting.
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
    partner: Literal["called_ace", "jack_of_diamonds", "black_queens", "none"] = setting(
        "called_ace",
        "the holder of a called card (called_ace) or of the jack of diamonds helps the picker, the "
        "picker plays alone (none), or the black queens play together without picker and blind",
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
        "if all pass: the fewest points win (leaster), stakes double later (doubler), or the dealer "
        "must pick (forced_pick)",
    )
    doubler_mode: Literal["multiply", "queue"] = setting(
        "multiply",
        "doublers in a row multiply the stakes of the next deal, or each one doubles a deal (queue)",
    )
    doubler_cap: int = setting(
        64, "the largest multiplier of doublers that multiply", minimum=1, maximum=_LARGEST_CAP
    )
    same_dealer: bool = setting(False, "after a doubler, the same player deals again", of_match=True)
    leaster_blind: Literal["last_trick", "first_trick", "none"] = setting(
        "last_trick", "the trick whose winner gets the blind's points in a leaster, if any"
    )
    loner_choice: bool = setting(
        True, "the picker says whether to play alone; else it does only without a possible partner"
    )
    call_up: bool = setting(
        False, "a picker with the jack of diamonds may call the next higher jack that it lacks"
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
    partner_recracks: bool = setting(False, "if the picker does not, the partner may double them again")
    crack_who: Literal["unasked", "defenders"] = setting(
        "unasked", "who may crack: those who had no turn to pick, or all opponents of the picker"
    )
    blitz: bool = setting(
        False, "both black queens may double the stakes: of the picker, or of an opponent who cracks"
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
        if self.blitz and self.doubler_cap > _LARGEST_CAP // 2:
            raise UserError(f"blitz=True needs doubler_cap of at most {_LARGEST_CAP // 2}")
        if self.partner_recracks and not (self.recrack and self.has_partner_card):
            raise UserError("partner_recracks=True needs recrack=True, and a partner of the picker")
        if self.call_up and not (self.partner == "jack_of_diamonds" and self.loner_choice):
            raise UserError("call_up=True needs partner='jack_of_diamonds' and loner_choice=True")
        if not self.picks and (self.num_players != 4 or self.no_pick != "leaster" or self.doubles):
            raise UserError(
                "partner='black_queens' has no picker: it needs num_players=4, and the defaults of "
                "no_pick, crack and blitz"
            )

    @property
    def hand_size(self) -> int:
        """Cards dealt to each player, and tricks of a deal."""
        return _SIZES[self.num_players][0] if self.picks else 8

    @property
    def blind_size(self) -> int:
        """Cards of the blind."""
        return _SIZES[self.num_players][1] if self.picks else 0

    @property
    def num_plays(self) -> int:
        """Cards played in a deal."""
        return self.num_players * self.hand_size

    @property
    def picks(self) -> bool:
        """The deal begins with the choice of a picker."""
        return self.partner != "black_queens"

    @property
    def calls(self) -> bool:
        """The picker finds a partner by calling a card."""
        return self.partner == "called_ace"

    @property
    def has_partner_card(self) -> bool:
        """The holder of one card is the picker's partner."""
        return self.partner in ("called_ace", "jack_of_diamonds")

    @property
    def asks_loner(self) -> bool:
        """The picker says whether it plays alone."""
        return self.has_partner_card and self.loner_choice

    @property
    def has_unknown(self) -> bool:
        """An unknown card can occur."""
        return self.calls and self.allow_unknown

    @property
    def doubles(self) -> bool:
        """A call can double the stakes."""
        return self.crack or self.blitz

    @property
    def shows_held(self) -> bool:
        """A call can show cards that the picker has or has buried."""
        return self.call_up or (self.calls and self.call_fallback != "none")


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
