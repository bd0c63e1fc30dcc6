"""Presets of docs/rikiki.md, 1, and the variations that the tests play.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

from types import SimpleNamespace

DEFAULTS = {
    "num_players": 4,
    "schedule": (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    "trump_mode": "turnup",
    "trump_cycle": (0, 1, 2, 3, 4),
    "all_dealt": "no_trump",
    "forehead": False,
    "hook": True,
    "hook_from": 1,
    "lead_offset": 1,
    "dealer_rotates": True,
    "made_base": 10,
    "made_linear": 1,
    "made_square": 0,
    "made_zero_base": -1,
    "made_zero_cards": 0,
    "miss_base": 0,
    "miss_made": False,
    "miss_diff": 0,
    "miss_square": 0,
    "miss_trick": 0,
}
_TEN = (10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
_SEVEN = (7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7)
_UP_10 = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
_UP_13 = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
PRESETS = {
    "plain": {"lead_offset": 2, "made_base": 5, "made_linear": 0, "miss_diff": 1},
    "standard": {"schedule": _TEN},
    "standard3": {"num_players": 3, "schedule": _TEN},
    "standard5": {"num_players": 5, "schedule": _TEN},
    "standard6": {"num_players": 6, "schedule": (8, *_SEVEN, 8)},
    "standard7": {"num_players": 7, "schedule": _SEVEN},
    "open_spiel": {"schedule": (10,), "miss_trick": 1},
    "open_spiel_penalty": {"schedule": (10,), "miss_diff": 1},
    "up_down_13": {"schedule": (*_UP_13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)},
    "no_trump_free_bids": {
        "schedule": _UP_13,
        "trump_mode": "none",
        "hook": False,
        "made_linear": 0,
        "made_square": 1,
        "miss_trick": 1,
    },
    "cycle": {
        "num_players": 5,
        "schedule": (*_UP_10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
        "trump_mode": "cycle",
        "miss_diff": 1,
    },
    "square": {"schedule": _TEN, "made_linear": 0, "made_square": 1, "miss_square": 1},
}

VARIANTS: dict[str, tuple[str, dict]] = {name: (name, {}) for name in PRESETS} | {
    "seventeen": (
        "standard",
        {
            "num_players": 3,
            "schedule": (17, 16, 5),
            "hook": False,
            "lead_offset": 2,
            "made_zero_base": 5,
            "made_zero_cards": 1,
            "miss_base": 4,
            "miss_diff": 3,
            "miss_trick": 2,
        },
    ),
    "short_cycle": (
        "cycle",
        {
            "num_players": 6,
            "schedule": (3, 8, 1, 1, 2),
            "trump_cycle": (4, 2, 0),
            "lead_offset": 2,
            "dealer_rotates": False,
            "made_base": -7,
            "made_square": -2,
            "miss_made": True,
            "miss_square": -1,
        },
    ),
    "crowd": ("standard7", {"schedule": (4, 7), "lead_offset": 2, "made_zero_base": 0}),
    "duel": ("standard", {"num_players": 2, "schedule": (26, 24, 10, 3)}),
    "dealers_card": ("standard", {"schedule": (13, 13, 5), "all_dealt": "dealers_card"}),
    "forehead": ("standard", {"schedule": (1, 1, 3), "forehead": True, "hook_from": 2}),
    "late_hook": ("standard", {"schedule": (1, 2, 3, 4), "hook_from": 3}),
}

# What other variants cover as well: the slow tests play them.
RARE = ["standard3", "standard5", "standard6", "open_spiel_penalty", "cycle", "square"]
RARE += ["standard7", "up_down_13", "short_cycle", "no_trump_free_bids", "crowd"]
RARE += ["late_hook", "duel", "dealers_card"]


def rules_of(name: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changed = VARIANTS[name]
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changed))
