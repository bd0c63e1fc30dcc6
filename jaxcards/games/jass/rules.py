"""The rules of Swiss Jass: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once.
Sources: Jassverband Schweiz / JassWiki after Egg and Hagenbucher, "Puur Näll Ass", and Müller, "Stöck
Wys Stich"; Swisslos for the game to 2500. docs/jass.md names the differences between them.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate

MODES = ("d", "c", "h", "s", "unde", "obe", "slalom_top", "slalom_bottom")
"""Names of modes 0 to 7: four trump suits, bottom-up, top-down, and the two slaloms."""

WORDS = {"undenufe": "unde", "obenabe": "obe", "schieben": "push"}
"""German words for parts of the names of actions, besides those of suits."""


@dataclasses.dataclass(frozen=True)
class JassRules:
    """Rules of Jass; instances are valid, or `UserError` is raised."""

    game: Literal["schieber", "differenzler"] = setting(
        "schieber", "two teams (schieber), or everyone predicts alone (differenzler)"
    )
    push: bool = setting(True, "forehand may push the choice of a mode to the partner, once")
    pushed_leader: Literal["forehand", "declarer", "by_mode"] = setting(
        "forehand",
        "who leads the first trick of a pushed deal; by_mode: the declarer in slaloms, else forehand",
    )
    obenabe_undenufe: bool = setting(True, "obenabe and undenufe may be chosen")
    slalom: bool = setting(False, "modes that change direction with every trick may be chosen")
    guschti: bool = setting(False, "the modes of slalom change direction once, after five tricks")
    multipliers: tuple[int, int, int, int, int, int, int, int] = setting(
        (1, 1, 1, 1, 1, 1, 1, 1),
        "factor of everything scored, by mode: ♦ ♣ ♥ ♠ undenufe obenabe and the two slaloms",
        minimum=1,
        maximum=100,
    )
    weis: bool = setting(True, "melds (Weis) score")
    weis_share_cards: bool = setting(True, "a card may serve in a run and in four of a kind")
    weis_low_fours: bool = setting(True, "four sixes, sevens or eights score 100")
    weis_long_runs: Literal["progressive", "flat"] = setting(
        "progressive", "runs of six and more cards score 150, 200, … (progressive) or 100 (flat)"
    )
    weis_height: bool = setting(True, "equal melds are compared by their top card")
    stock: bool = setting(True, "king and queen of trumps (Stöck) score 20")
    match_bonus: int = setting(100, "points for all nine tricks", minimum=0, maximum=1_000)
    undertrump: Literal["banned", "void"] = setting(
        "banned",
        "a player void in the led suit may not play a lower trump than one on the table unless nothing "
        "else is left (banned), or may (void)",
    )
    open_predictions: bool = setting(False, "everyone hears the predictions (Differenzler)")
    exact_bonus: int = setting(
        0,
        "points that an exact prediction above 0 takes off the sum (Differenzler)",
        minimum=0,
        maximum=100,
    )
    target: int = setting(
        1000, "points that win a match; 0 = none", minimum=0, maximum=30_000, of_match=True
    )
    deals: int = setting(
        0, "deals after which a match ends, if no target ends it before; 0 = no limit",
        minimum=0, maximum=1_000_000, of_match=True,
    )  # fmt: skip
    finish: Literal["deal_end", "immediate"] = setting(
        "deal_end", "a match ends with the deal, or as soon as a trick brings the target (immediate)",
        of_match=True,
    )  # fmt: skip
    target_order: Literal["stock_weis_trick", "stock_trick_weis"] = setting(
        "stock_weis_trick",
        "order of counting if both sides reach the target in the first trick: Stöck, Weis, trick, "
        "or Stöck, trick, Weis",
        of_match=True,
    )

    def __post_init__(self) -> None:
        validate(self)
        if not self.target and not self.deals:
            raise UserError("target or deals must be above 0, else a match never ends")
        if self.finish == "immediate" and not self.target:
            raise UserError("finish='immediate' needs a target")
        if self.game == "differenzler":
            self._check_differenzler()

    @property
    def modes(self) -> tuple[int, ...]:
        """Return the numbers of the modes that may be chosen."""
        no_trumps = (4, 5) if self.obenabe_undenufe else ()
        slaloms = (6, 7) if self.slalom else ()
        return (0, 1, 2, 3, *no_trumps, *slaloms)

    def _check_differenzler(self) -> None:
        fixed = {
            "push": False, "slalom": False, "weis": False, "stock": False,
            "match_bonus": 0, "multipliers": (1,) * 8, "target": 0, "finish": "deal_end",
        }  # fmt: skip
        for field, value in fixed.items():
            if getattr(self, field) != value:
                raise UserError(f"differenzler needs {field}={value!r}")


Rules = JassRules

_SWISSLOS_FACTORS = (1, 2, 1, 2, 3, 3, 3, 3)
_TOURNAMENT = JassRules(weis=False, stock=False, match_bonus=0, target=0, deals=12)

PRESETS: dict[str, JassRules] = {
    "schieber_1000": JassRules(),
    "schieber_2500": JassRules(multipliers=_SWISSLOS_FACTORS, target=2500),
    "swisslos": JassRules(
        multipliers=_SWISSLOS_FACTORS, weis_height=False, target=2500, finish="immediate"
    ),
    "tournament": _TOURNAMENT,
    "tournament_207": dataclasses.replace(_TOURNAMENT, match_bonus=50),
    "slalom": JassRules(multipliers=_SWISSLOS_FACTORS, target=2500, slalom=True),
    "differenzler": JassRules(
        game="differenzler", push=False, weis=False, stock=False, match_bonus=0,
        undertrump="void", target=0, deals=12,
    ),
}  # fmt: skip

OLD_PRESETS = {"seed": "swisslos"}

DEFAULT_PRESET = "schieber_1000"
