"""The rules of Euchre: every choice that players differ on, and the named sets of choices.

This file needs no jax, so that a command line can check a name at once.
Sources: North American table rules (Wikipedia, Pagat, ohioeuchre.com), British Euchre with the joker,
three-handed Euchre with a dummy, and OpenSpiel. docs/euchre.md names the differences between them.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import check_fields


@dataclasses.dataclass(frozen=True)
class EuchreRules:
    """Rules of Euchre.

    Attributes:
      mode: four players in partnerships ("partners4"), or three and a dummy: five open cards for the
        player of seat 0 ("dummy_pool") or for any maker ("dummy_cutthroat"), or an open fourth hand
        that the player of seat 0 plays ("dummy_partner").
      stick_dealer: the dealer may not pass in the second round.
      discard_upcard: the dealer may discard the card just picked up.
      allow_alone: the maker may play alone.
      defend_alone: who is asked to defend alone: nobody ("never"), defenders against a lone maker
        ("if_alone"), or defenders in every deal ("always").
      lone_lead: the first lead against a lone maker is to the left of the dealer ("dealer_left") or of
        the maker ("maker_left").
      joker: the joker is the highest trump.
      target: points that win a match.
      points_make: of the makers for three or four tricks.
      points_march: of the makers for five tricks.
      points_alone_march: of a lone maker for five tricks.
      points_euchre: of the defenders if the makers take fewer than three tricks.
      points_lone_defence: the same of a lone defender.
      points_super_euchre: the least that defenders get if the makers take no trick.
    """

    mode: Literal["partners4", "dummy_pool", "dummy_cutthroat", "dummy_partner"] = "partners4"
    stick_dealer: bool = True
    discard_upcard: bool = True
    allow_alone: bool = True
    defend_alone: Literal["never", "if_alone", "always"] = "never"
    lone_lead: Literal["dealer_left", "maker_left"] = "dealer_left"
    joker: bool = False
    target: int = 10
    points_make: int = 1
    points_march: int = 2
    points_alone_march: int = 4
    points_euchre: int = 2
    points_lone_defence: int = 4
    points_super_euchre: int = 2

    def __post_init__(self) -> None:
        check_fields(self, {"target": (1, 1_000), **dict.fromkeys(POINTS_FIELDS, (1, 100))})
        if self.defend_alone != "never":
            if self.mode != "partners4":
                raise UserError(f"defend_alone={self.defend_alone!r} needs mode='partners4'")
            if not self.allow_alone:
                raise UserError(f"defend_alone={self.defend_alone!r} needs allow_alone=True")


POINTS_FIELDS = (
    "points_make", "points_march", "points_alone_march",
    "points_euchre", "points_lone_defence", "points_super_euchre",
)  # fmt: skip


Rules = EuchreRules

PRESETS: dict[str, EuchreRules] = {
    "standard": EuchreRules(stick_dealer=False),
    "stick_the_dealer": EuchreRules(),
    "defend_alone": EuchreRules(stick_dealer=False, defend_alone="if_alone"),
    "british": EuchreRules(stick_dealer=False, joker=True, target=11),
    "seed": EuchreRules(mode="dummy_pool", lone_lead="maker_left"),
    "seed_code": EuchreRules(mode="dummy_cutthroat"),
    "dummy_partner": EuchreRules(mode="dummy_partner", lone_lead="maker_left"),
    "open_spiel": EuchreRules(discard_upcard=False),
    "open_spiel_no_stick": EuchreRules(discard_upcard=False, stick_dealer=False),
    "open_spiel_lone_defender": EuchreRules(discard_upcard=False, defend_alone="always"),
    "open_spiel_no_stick_lone_defender": EuchreRules(
        discard_upcard=False, stick_dealer=False, defend_alone="always"
    ),
}

DEFAULT_PRESET = "standard"

PRESET_DESCRIPTIONS: dict[str, str] = {
    "standard": "four players to 10; a deal that nobody takes is thrown in",
    "stick_the_dealer": "the same, but the dealer must name a suit when all have passed",
    "defend_alone": "against a lone maker one defender may play alone as well",
    "british": "25 cards with the joker as highest trump, to 11",
    "seed": "three players: seat 0 may take five open cards, the two others are partners",
    "seed_code": "three players, everyone alone: the maker may take five open cards",
    "dummy_partner": "three players: seat 0 plays an open hand as its partner's",
    "open_spiel": "as OpenSpiel plays it: the card picked up may not be discarded",
    "open_spiel_no_stick": "OpenSpiel, and the dealer may pass twice",
    "open_spiel_lone_defender": "OpenSpiel, and defenders are always asked to play alone",
    "open_spiel_no_stick_lone_defender": "OpenSpiel with both of these",
}
