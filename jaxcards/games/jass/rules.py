"""The rules of Swiss Jass: every choice that players differ on, and the named sets of choices.

This file needs no jax, so that a command line can check a name at once.
Sources: Jassverband Schweiz / JassWiki after Egg and Hagenbucher, "Puur Näll Ass", and Müller, "Stöck
Wys Stich"; Swisslos for the game to 2500. docs/jass.md names the differences between them.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import check_fields, is_int

MODES = ("d", "c", "h", "s", "unde", "obe", "slalom_top", "slalom_bottom")
"""Names of modes 0 to 7: four trump suits, bottom-up, top-down, and the two slaloms."""


@dataclasses.dataclass(frozen=True)
class JassRules:
    """Rules of Jass.

    Attributes:
      game: two teams ("schieber"), or everyone predicting alone ("differenzler").
      push: forehand may push the choice of a mode to the partner, once.
      pushed_leader: who leads the first trick of a pushed deal.
      slalom: modes that change direction with every trick may be chosen.
      multipliers: factor of everything scored, by mode (♦ ♣ ♥ ♠ undenufe obenabe slalom slalom).
      weis: melds are scored.
      weis_share_cards: a card may serve in a run and in four of a kind.
      weis_low_fours: four sixes, sevens or eights score 100.
      weis_long_runs: runs of six and more score 150, 200, … or, "flat", 100.
      weis_height: equal melds are compared by their top card.
      stock: king and queen of trumps score 20.
      match_bonus: points for taking all nine tricks.
      undertrump: when void, a lower trump than one on the table is "banned" unless nothing else is
        left, or allowed ("void").
      target: points that win a match; 0 for none.
      deals: number of deals after which a match ends; 0 for unlimited. With a target as well, whatever
        comes first.
      finish: a match ends with the deal, or as soon as a trick brings the target ("immediate").
    """

    game: Literal["schieber", "differenzler"] = "schieber"
    push: bool = True
    pushed_leader: Literal["forehand", "declarer"] = "forehand"
    slalom: bool = False
    multipliers: tuple[int, int, int, int, int, int, int, int] = (1, 1, 1, 1, 1, 1, 1, 1)
    weis: bool = True
    weis_share_cards: bool = True
    weis_low_fours: bool = True
    weis_long_runs: Literal["progressive", "flat"] = "progressive"
    weis_height: bool = True
    stock: bool = True
    match_bonus: int = 100
    undertrump: Literal["banned", "void"] = "banned"
    target: int = 1000
    deals: int = 0
    finish: Literal["deal_end", "immediate"] = "deal_end"

    def __post_init__(self) -> None:
        object.__setattr__(self, "multipliers", tuple(self.multipliers))
        check_fields(self, {"match_bonus": (0, 1_000), "target": (0, 30_000), "deals": (0, 1_000_000)})
        factors = self.multipliers
        if len(factors) != 8 or not all(is_int(f) and 1 <= f <= 100 for f in factors):
            raise UserError(f"multipliers must be eight ints from 1 to 100, not {factors!r}")
        if not self.target and not self.deals:
            raise UserError("target or deals must be above 0, else a match never ends")
        if self.finish == "immediate" and not self.target:
            raise UserError("finish='immediate' needs a target")
        if self.game == "differenzler":
            self._check_differenzler()

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

PRESETS: dict[str, JassRules] = {
    "schieber_1000": JassRules(),
    "schieber_2500": JassRules(multipliers=_SWISSLOS_FACTORS, target=2500),
    "seed": JassRules(multipliers=_SWISSLOS_FACTORS, target=2500, finish="immediate"),
    "tournament": JassRules(weis=False, stock=False, target=0, deals=12),
    "slalom": JassRules(multipliers=_SWISSLOS_FACTORS, target=2500, slalom=True),
    "differenzler": JassRules(
        game="differenzler", push=False, weis=False, stock=False, match_bonus=0,
        undertrump="void", target=0, deals=12,
    ),
}  # fmt: skip

DEFAULT_PRESET = "schieber_1000"

PRESET_DESCRIPTIONS: dict[str, str] = {
    "schieber_1000": "Schieber to 1000 with Weis and Stöck, every mode single",
    "schieber_2500": "Schieber to 2500, modes counted one, two or three times",
    "seed": "the Swisslos game to 2500, over as soon as a trick reaches it",
    "tournament": "Schieber of 12 deals without Weis and Stöck, every mode single",
    "slalom": "Schieber to 2500 with the modes that change direction with each trick",
    "differenzler": "everyone alone: predict your points, the smallest difference wins",
}
