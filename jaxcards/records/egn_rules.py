"""The rulesets of Euchre Game Notation, and ours."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from jaxcards.errors import UserError, quote, unknown

PRESET = "euchre/stick_the_dealer"

_LEADS = {"LEFT_OF_DEALER": "dealer_left", "LEFT_OF_LONER": "maker_left"}
_DEFAULTS: dict[str, Any] = {
    "std": True,
    "winning_score": 10,
    "num_deals": 0,
    "loner_lead": "LEFT_OF_DEALER",
    "loner_march_score": 4,
    "defend_alone": False,
    # The only supported values of other rules.
    "min_rank": 9,
    "canadian": False,
    "loner_euchred_score": 2,
    "farmers": False,
    "partners_best": False,
    "go_under": False,
    "joker": False,
    "num_players": 4,
    "allow_no_trump": False,
    "fast_break": False,
    "four_trick_tokens": False,
}
# The rules behind the first six have one supported value.
_ONLY = list(_DEFAULTS)[6:]
_LONGEST_MATCH, _HIGHEST_TARGET, _HIGHEST_POINTS = 100_000, 1_000, 100
_USUAL_DEALS = 1_000  # our max_deals, which games hardly ever reach
_POINTS_LONE_DEFENCE = 4  # ours; the notation has no field for it


@dataclasses.dataclass(frozen=True)
class Rules:
    """The part of a ruleset that affects who plays and the points of a deal.

    Attributes:
      changed: our rules that differ from those of `PRESET`.
      target: points that end the game.
      num_deals: deals that end the game; 0 for any number.
      lead_left_of_maker: the seat to the left of a lone maker leads, not that of the dealer.
      stick_dealer: the dealer may not pass in the second round.
      defend_alone: a defender may play alone against a lone maker.
      alone_march: points of a lone maker for five tricks.
    """

    changed: Mapping[str, Any]
    target: int
    num_deals: int
    lead_left_of_maker: bool
    stick_dealer: bool
    defend_alone: bool
    alone_march: int

    def points(self, tricks: int, alone: bool, defended_alone: bool) -> tuple[int, int]:
        """Return the points of a finished deal for makers and defenders."""
        if tricks == 5:
            return (self.alone_march if alone else 2), 0
        if tricks >= 3:
            return 1, 0
        return 0, (_POINTS_LONE_DEFENCE if defended_alone else 2)


def rules_of(ruleset: Mapping[str, Any]) -> Rules:
    """Return the rules of a ruleset.

    Raises:
      UserError: if it has a rule that jaxcards lacks, or a value of the wrong type.
    """
    given = _DEFAULTS | dict(ruleset)
    for name, value in given.items():
        if name not in _DEFAULTS:
            raise unknown("rule of Euchre Game Notation", name, _DEFAULTS)
        if type(value) is not type(_DEFAULTS[name]):
            kind = type(_DEFAULTS[name]).__name__
            raise UserError(f"the rule {name} must be of type {kind}, not {quote(value)}")
        if name in _ONLY and value != _DEFAULTS[name]:
            raise UserError(f"the rule {name}={value!r} is not played here")
    if given["loner_lead"] not in _LEADS:
        raise unknown("value of loner_lead", given["loner_lead"], _LEADS)
    if given["num_deals"] and ruleset.get("winning_score"):
        raise UserError("the rules winning_score and num_deals exclude each other: give one of them")
    ours = {
        "stick_dealer": given["std"],
        "lone_lead": _LEADS[given["loner_lead"]],
        # A winning score of 0 stands for no target, and ours has a highest one.
        "target": _below(given, "winning_score", _HIGHEST_TARGET) or _HIGHEST_TARGET,
        "points_alone_march": _below(given, "loner_march_score", _HIGHEST_POINTS),
        "defend_alone": "if_alone" if given["defend_alone"] else "never",
    }
    if given["num_deals"]:
        ours["max_deals"] = _below(given, "num_deals", _LONGEST_MATCH)
    # The values of our preset: only others are changes.
    usual = {"stick_dealer": True, "lone_lead": "dealer_left", "target": 10}
    usual |= {"points_alone_march": 4, "defend_alone": "never"}
    return Rules(
        changed={name: value for name, value in ours.items() if value != usual.get(name)},
        target=ours["target"],
        num_deals=given["num_deals"],
        lead_left_of_maker=given["loner_lead"] == "LEFT_OF_LONER",
        stick_dealer=given["std"],
        defend_alone=given["defend_alone"],
        alone_march=given["loner_march_score"],
    )


def _below(given: Mapping[str, Any], name: str, highest: int) -> int:
    if not 0 <= given[name] <= highest:
        raise UserError(f"the rule {name} must be from 0 to {highest}, not {quote(given[name])}")
    return given[name]


def ruleset_of(rules: Any) -> dict[str, Any]:
    """Return the ruleset of our rules, those of Euchre with four partners.

    Raises:
      UserError: if the notation lacks such rules.
    """
    beyond = {"mode": "partners4", "joker": False}
    beyond |= {"points_make": 1, "points_march": 2, "points_euchre": 2, "points_super_euchre": 2}
    beyond |= {"farmers_hand": False, "canadian_loner": False, "points_lone_euchre": 1}
    for name, value in beyond.items():
        if getattr(rules, name) != value:
            raise UserError(f"Euchre Game Notation has no {name}={getattr(rules, name)!r}")
    if rules.defend_alone == "always":
        raise UserError("Euchre Game Notation has no defend_alone='always'")
    end = {"winning_score": rules.target}
    if rules.max_deals != _USUAL_DEALS:
        if rules.target != _DEFAULTS["winning_score"]:
            raise UserError("Euchre Game Notation cannot express both target and max_deals")
        end = {"num_deals": rules.max_deals}
    leads = {ours: theirs for theirs, ours in _LEADS.items()}
    return {
        "std": rules.stick_dealer,
        **end,
        "loner_lead": leads[rules.lone_lead],
        "loner_march_score": rules.points_alone_march,
        "defend_alone": rules.defend_alone != "never",
    }
