"""Presets of docs/bridge.md, 8, and the variations that the tests play.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

from types import SimpleNamespace

DEFAULTS = {"vulnerability": "drawn", "tiny": False, "num_deals": 16}
PRESETS = {
    "duplicate": {},
    "chicago": {"vulnerability": "chicago", "num_deals": 4},
    "rubber": {"vulnerability": "rubber", "num_deals": 40},
    "open_spiel": {"vulnerability": "none"},
    "tiny": {"vulnerability": "none", "tiny": True},
}
VARIANTS: dict[str, tuple[str, dict]] = {name: (name, {}) for name in PRESETS} | {
    "both": ("duplicate", {"vulnerability": "both"}),
}
RARE = ["open_spiel", "both"]


def rules_of(name: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changed = VARIANTS[name]
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changed))
