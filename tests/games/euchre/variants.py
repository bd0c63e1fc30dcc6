"""Presets of docs/euchre.md, 1, and the variations that the tests play.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

import random
from types import SimpleNamespace

DEFAULTS = {
    "max_deals": 1000,
    "mode": "partners4",
    "stick_dealer": True,
    "discard_upcard": True,
    "farmers_hand": False,
    "allow_alone": True,
    "canadian_loner": False,
    "defend_alone": "never",
    "lone_lead": "dealer_left",
    "joker": False,
    "target": 10,
    "points_make": 1,
    "points_march": 2,
    "points_alone_march": 4,
    "points_euchre": 2,
    "points_lone_defence": 4,
    "points_lone_euchre": 1,
    "points_super_euchre": 2,
}
_OPEN_SPIEL = {"discard_upcard": False}
PRESETS = {
    "three_handed": {"mode": "dummy_pool", "lone_lead": "maker_left"},
    "three_handed_code": {"mode": "dummy_cutthroat"},
    "dummy_partner": {"mode": "dummy_partner", "lone_lead": "maker_left"},
    "cutthroat": {"mode": "cutthroat", "allow_alone": False, "points_march": 3},
    "standard": {"stick_dealer": False},
    "defend_alone": {"stick_dealer": False, "defend_alone": "if_alone"},
    "stick_the_dealer": {},
    "open_spiel": _OPEN_SPIEL,
    "open_spiel_no_stick": _OPEN_SPIEL | {"stick_dealer": False},
    "open_spiel_lone_defender": _OPEN_SPIEL | {"defend_alone": "always"},
    "open_spiel_no_stick_lone_defender": _OPEN_SPIEL
    | {"stick_dealer": False, "defend_alone": "always"},
    "british": {"stick_dealer": False, "joker": True, "target": 11},
}


def random_rules(seed: int) -> dict:
    """Any consistent combination of fields."""
    rng = random.Random(seed)
    flags = ("stick_dealer", "discard_upcard", "allow_alone", "joker")
    changed = {field: rng.random() < 0.5 for field in flags}
    changed["mode"] = rng.choice(["partners4", "dummy_pool", "dummy_cutthroat", "dummy_partner"])
    changed["lone_lead"] = rng.choice(["dealer_left", "maker_left"])
    if changed["mode"] == "partners4" and changed["allow_alone"]:
        changed["defend_alone"] = rng.choice(["never", "if_alone", "always"])
    points = rng.sample(range(1, 20), 6)
    fields = [field for field in DEFAULTS if field.startswith("points_")]
    fields.remove("points_lone_euchre")
    changed |= dict(zip(fields, points, strict=True))
    # Drawn last, so that a seed means the same as before these rules were added.
    changed["points_lone_euchre"] = rng.randint(1, 20)
    changed["farmers_hand"] = not changed["joker"]
    if not changed["allow_alone"] and rng.random() < 0.5:
        changed["mode"] = "cutthroat"
    changed["canadian_loner"] = changed["mode"] == "partners4" and changed["allow_alone"]
    return changed


# Random combinations, chosen so that every mode and most pairs of fields are among them.
RANDOM = {f"random {seed}": random_rules(seed) for seed in (2, 6, 9, 15, 16, 17)}
HOUSE_RULES = {"farmers_hand": True, "canadian_loner": True, "points_lone_euchre": 3}
VARIANTS = {name: (name, {}) for name in PRESETS} | {
    name: ("stick_the_dealer", changed) for name, changed in RANDOM.items()
}
VARIANTS |= {
    "house rules": ("defend_alone", HOUSE_RULES),
    "farmers hand": ("stick_the_dealer", {"farmers_hand": True}),
    "canadian loner": ("open_spiel_lone_defender", {"canadian_loner": True}),
    "lone euchre": ("standard", {"points_lone_euchre": 4}),
}

# What other variants cover as well: the slow tests play them.
RARE = [
    "stick_the_dealer", "open_spiel_no_stick", "open_spiel_lone_defender", "random 2",
    "random 6", "random 9", "random 15", "random 16", "open_spiel", "open_spiel_no_stick_lone_defender",
    "three_handed", "defend_alone", "farmers hand", "canadian loner", "lone euchre",
]  # fmt: skip


def overrides_of(name: str) -> tuple[str, dict]:
    """Preset and changed fields of a variant; `random n` for any n."""
    if name.startswith("random "):
        return "stick_the_dealer", random_rules(int(name.split()[1]))
    return VARIANTS[name]


def rules_of(name: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changed = overrides_of(name)
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changed))
