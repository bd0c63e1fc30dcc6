"""The rules of Euchre: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once. docs/euchre.md names the sources.
"""

import dataclasses
from typing import Any, Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate


def _points(default: int, help: str) -> Any:
    return setting(default, help, minimum=1, maximum=100)


@dataclasses.dataclass(frozen=True)
class EuchreRules:
    """Rules of Euchre; instances are valid, or `UserError` is raised."""

    mode: Literal["partners4", "dummy_pool", "dummy_cutthroat", "dummy_partner", "cutthroat"] = setting(
        "partners4",
        "four players in partnerships (partners4), or three: with five open cards for seat 0 "
        "(dummy_pool) or any maker (dummy_cutthroat), with a hand that seat 0 plays as its partner's "
        "(dummy_partner), or without a dummy (cutthroat)",
    )
    stick_dealer: bool = setting(True, "the dealer may not pass in the second round")
    discard_upcard: bool = setting(True, "the dealer may discard the card just picked up")
    farmers_hand: bool = setting(
        False, "in the first round a player with only nines and tens may ask for a new deal"
    )
    allow_alone: bool = setting(True, "the maker may play alone")
    canadian_loner: bool = setting(False, "the dealer's partner must play alone after ordering up")
    defend_alone: Literal["never", "if_alone", "always"] = setting(
        "never", "defenders are asked to defend alone: never, against a lone maker, or in every deal"
    )
    lone_lead: Literal["dealer_left", "maker_left"] = setting(
        "dealer_left", "who leads to the first trick against a lone maker: left of the dealer or maker"
    )
    joker: bool = setting(False, "the joker is the highest trump")
    target: int = setting(10, "points that win a match", minimum=1, maximum=1_000, of_match=True)
    max_deals: int = setting(
        1_000, "a match that no rule has ended is over after so many deals; the most points win",
        minimum=1, maximum=100_000, of_match=True,
    )  # fmt: skip
    points_make: int = _points(1, "points of the makers for three or four tricks")
    points_march: int = _points(2, "points of the makers for five tricks")
    points_alone_march: int = _points(4, "points of a lone maker for five tricks")
    points_euchre: int = _points(2, "points of the defenders if the makers take two tricks or fewer")
    points_lone_defence: int = _points(4, "the same for a lone defender")
    points_lone_euchre: int = _points(1, "least points of the defenders if a lone maker is euchred")
    points_super_euchre: int = _points(2, "least points of the defenders if the makers take no trick")

    def __post_init__(self) -> None:
        validate(self)
        if self.defend_alone != "never":
            self._require(f"defend_alone={self.defend_alone!r}", mode="partners4", allow_alone=True)
        if self.canadian_loner:
            self._require("canadian_loner=True", mode="partners4", allow_alone=True)
        if self.farmers_hand:
            self._require("farmers_hand=True", joker=False)
        if self.mode == "cutthroat":
            self._require("mode='cutthroat'", allow_alone=False)

    def _require(self, setting: str, **others: Any) -> None:
        """Raise `UserError` if another rule does not have the value that a setting needs."""
        for name, value in others.items():
            if getattr(self, name) != value:
                raise UserError(f"{setting} needs {name}={value!r}")


Rules = EuchreRules

PRESETS: dict[str, EuchreRules] = {
    "standard": EuchreRules(stick_dealer=False),
    "stick_the_dealer": EuchreRules(),
    "defend_alone": EuchreRules(stick_dealer=False, defend_alone="if_alone"),
    "british": EuchreRules(stick_dealer=False, joker=True, target=11),
    "three_handed": EuchreRules(mode="dummy_pool", lone_lead="maker_left"),
    "three_handed_code": EuchreRules(mode="dummy_cutthroat"),
    "dummy_partner": EuchreRules(mode="dummy_partner", lone_lead="maker_left"),
    "cutthroat": EuchreRules(mode="cutthroat", allow_alone=False, points_march=3),
    "open_spiel": EuchreRules(discard_upcard=False),
    "open_spiel_no_stick": EuchreRules(discard_upcard=False, stick_dealer=False),
    "open_spiel_lone_defender": EuchreRules(discard_upcard=False, defend_alone="always"),
    "open_spiel_no_stick_lone_defender": EuchreRules(
        discard_upcard=False, stick_dealer=False, defend_alone="always"
    ),
}

OLD_PRESETS = {"seed": "three_handed", "seed_code": "three_handed_code"}

DEFAULT_PRESET = "standard"
