"""Presets of docs/skat.md, 7, and the variations that the tests play.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

from types import SimpleNamespace

DEFAULTS = {
    "auction": "values",
    "hand": True,
    "null_ouvert": True,
    "kontra": False,
    "all_pass": "throw_in",
    "seeger_fabian": False,
    "num_deals": 36,
}
PRESETS = {
    "isko": {},
    "seeger_fabian": {"seeger_fabian": True},
    "kontra": {"kontra": True},
    "ramsch": {"kontra": True, "all_pass": "ramsch"},
    "open_spiel": {"auction": "first", "hand": False, "null_ouvert": False},
}
VARIANTS: dict[str, tuple[str, dict]] = {name: (name, {}) for name in PRESETS} | {
    "first_kontra": ("open_spiel", {"hand": True, "null_ouvert": True, "kontra": True}),
    "no_null_ouvert": ("ramsch", {"null_ouvert": False, "seeger_fabian": True}),
}
RARE = ["seeger_fabian", "kontra", "open_spiel", "first_kontra", "no_null_ouvert"]


def rules_of(name: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changed = VARIANTS[name]
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changed))
