"""Presets of docs/jass.md, 5, and the variations that the tests play.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

from types import SimpleNamespace

DEFAULTS = {
    "game": "schieber",
    "push": True,
    "pushed_leader": "forehand",
    "obenabe_undenufe": True,
    "slalom": False,
    "guschti": False,
    "multipliers": (1,) * 8,
    "weis": True,
    "weis_share_cards": True,
    "weis_low_fours": True,
    "weis_long_runs": "progressive",
    "weis_height": True,
    "stock": True,
    "match_bonus": 100,
    "undertrump": "banned",
    "open_predictions": False,
    "exact_bonus": 0,
    "target": 1000,
    "deals": 0,
    "finish": "deal_end",
    "target_order": "stock_weis_trick",
}
_FACTORS_2500 = (1, 2, 1, 2, 3, 3, 3, 3)
_NO_WEIS = {"weis": False, "stock": False, "target": 0, "deals": 12}
PRESETS = {
    "schieber_1000": {},
    "schieber_2500": {"multipliers": _FACTORS_2500, "target": 2500},
    "swisslos": {
        "multipliers": _FACTORS_2500,
        "weis_height": False,
        "target": 2500,
        "finish": "immediate",
    },
    "tournament": _NO_WEIS | {"match_bonus": 0},
    "tournament_207": _NO_WEIS | {"match_bonus": 50},
    "slalom": {"multipliers": _FACTORS_2500, "target": 2500, "slalom": True},
    "differenzler": _NO_WEIS
    | {"game": "differenzler", "push": False, "match_bonus": 0, "undertrump": "void"},
}
SHORTHANDS = {  # of rules in the examples of Weis
    "noshare": {"weis_share_cards": False},
    "flat": {"weis_long_runs": "flat"},
    "nolow": {"weis_low_fours": False},
    "noheight": {"weis_height": False},
}

VARIANTS: dict[str, tuple[str, dict]] = {name: (name, {}) for name in PRESETS} | {
    "swisslos_deals": ("swisslos", {"finish": "deal_end"}),
    "old_weis": (
        "schieber_1000",
        {
            "weis_share_cards": False,
            "weis_low_fours": False,
            "weis_long_runs": "flat",
            "weis_height": False,
            "pushed_leader": "declarer",
        },
    ),
    "short_match": (
        "slalom",
        {
            "multipliers": (1, 2, 3, 4, 5, 6, 7, 8),
            "target": 150,
            "finish": "immediate",
            "match_bonus": 57,
            "weis_height": False,
        },
    ),
    "plain": (
        "schieber_1000",
        {
            "push": False,
            "weis": False,
            "undertrump": "void",
            "match_bonus": 0,
            "finish": "immediate",
        },
    ),
    "relabelled": (  # short_match with other factors: see the property of relabelled suits
        "slalom",
        {
            "multipliers": (3, 1, 4, 2, 5, 6, 7, 8),
            "target": 150,
            "finish": "immediate",
            "match_bonus": 57,
            "weis_height": False,
        },
    ),
    "void_tournament": ("tournament", {"undertrump": "void"}),
    "noshare_slalom": (
        "slalom",
        {"weis_share_cards": False, "stock": False, "pushed_leader": "declarer"},
    ),
    "guschti": (
        "slalom",
        {
            "guschti": True,
            "pushed_leader": "by_mode",
            "obenabe_undenufe": False,
            "target_order": "stock_trick_weis",
            "target": 150,
            "finish": "immediate",
        },
    ),
    "open_differenzler": ("differenzler", {"open_predictions": True, "exact_bonus": 10, "deals": 16}),
}

# What other variants cover as well: the slow tests play them.
RARE = [
    "schieber_2500", "swisslos", "swisslos_deals", "old_weis", "short_match", "plain", "relabelled",
    "void_tournament", "noshare_slalom", "slalom", "tournament", "tournament_207",
]  # fmt: skip


def overrides_of(name: str) -> tuple[str, dict]:
    """Preset and changed fields of a preset, shorthand or variant."""
    if name in SHORTHANDS:
        return "schieber_1000", SHORTHANDS[name]
    return VARIANTS[name.lower()]


def rules_of(name: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changed = overrides_of(name)
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changed))
