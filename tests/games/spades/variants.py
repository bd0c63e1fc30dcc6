"""Presets of docs/spades.md, 6, and the variations that the tests play.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

from types import SimpleNamespace

DEFAULTS = {
    "num_players": 4,
    "partners": True,
    "bidding": "free",
    "joint_limit": False,
    "nil": 100,
    "nil_tricks": "bags",
    "blind_nil": 0,
    "blind_behind": 100,
    "lead_spades": "broken",
    "bag_penalty": 100,
    "target": 500,
    "floor": -200,
    "max_deals": 50,
}
PRESETS = {
    "standard": {},
    "blind_nil": {"blind_nil": 200},
    "cutthroat": {"num_players": 3, "partners": False},
    "solo": {"partners": False},
    "suicide": {"bidding": "suicide"},
    "whiz": {"bidding": "whiz"},
    "open_spiel": {
        "joint_limit": True, "nil_tricks": "help", "lead_spades": "last", "floor": -350,
    },
}  # fmt: skip
VARIANTS: dict[str, tuple[str, dict]] = {name: (name, {}) for name in PRESETS} | {
    "blind_three": ("cutthroat", {"blind_nil": 150, "blind_behind": 0, "lead_spades": "any"}),
    "whiz_three": ("cutthroat", {"bidding": "whiz", "bag_penalty": 50}),
    "lax": ("suicide", {"joint_limit": True, "nil": 50, "nil_tricks": "help", "lead_spades": "any"}),
}
RARE = ["solo", "blind_three", "whiz_three", "lax", "open_spiel"]


def rules_of(name: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changed = VARIANTS[name]
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changed))
