"""Presets of docs/hearts.md, 6, and the variations that the tests play.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

from types import SimpleNamespace

DEFAULTS = {
    "num_players": 4,
    "directions": (1, 3, 2, 0),
    "any_club": False,
    "points_in_first": False,
    "break_hearts": True,
    "queen_breaks": True,
    "spare_queen": False,
    "jack": 0,
    "no_trick": 0,
    "moon": "add",
    "target": 100,
    "max_deals": 50,
}
PRESETS = {
    "standard": {},
    "moon_subtract": {"moon": "subtract"},
    "omnibus": {"jack": -10},
    "open_spiel": {"directions": (0, 1, 2, 3)},
    "plain": {"directions": (0,), "points_in_first": True, "break_hearts": False, "moon": "none"},
    "three": {"num_players": 3, "directions": (1, 2, 0)},
    "five": {"num_players": 5, "directions": (1, 4, 0)},
    "six": {"num_players": 6, "directions": (1, 5, 3, 0)},
}
VARIANTS: dict[str, tuple[str, dict]] = {name: (name, {}) for name in PRESETS} | {
    "six_omnibus": ("six", {"jack": -10}),
    "options": (
        "open_spiel",
        {"any_club": True, "queen_breaks": False, "spare_queen": True, "jack": -10, "no_trick": -5},
    ),
    "lax": (
        "open_spiel",
        {"points_in_first": True, "spare_queen": True, "no_trick": -5, "moon": "subtract"},
    ),
}
RARE = ["moon_subtract", "five", "six", "six_omnibus", "plain", "open_spiel", "lax"]


def rules_of(name: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changed = VARIANTS[name]
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changed))
