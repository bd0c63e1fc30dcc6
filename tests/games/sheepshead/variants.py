"""Presets of docs/sheepshead.md and the rules that the tests play.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

import random
from types import SimpleNamespace

DEFAULTS = {
    "num_players": 5,
    "partner": "called_ace",
    "trump_suit": 1,
    "spitz": "none",
    "no_pick": "leaster",
    "doubler_mode": "multiply",
    "doubler_cap": 64,
    "same_dealer": False,
    "leaster_blind": "last_trick",
    "loner_choice": True,
    "call_up": False,
    "allow_unknown": True,
    "call_fallback": "ten",
    "called_hold": "any",
    "called_ten_wins": False,
    "partner_offsuit": True,
    "crack": False,
    "recrack": False,
    "partner_recracks": False,
    "crack_who": "unasked",
    "blitz": False,
    "double_on_bump": False,
    "partner_off_hook": False,
    "num_deals": 5,
}
_SEED = {"call_fallback": "down"}
_CRACKS = {"crack": True, "recrack": True}
_STANDARD = {
    "call_fallback": "ten",
    "called_hold": "ace",
    "called_ten_wins": True,
    "partner_offsuit": False,
    "double_on_bump": True,
}
_JACK = {"partner": "jack_of_diamonds"}
PRESETS = {
    "deepsheep": _SEED,
    "deepsheep_jd": _JACK,
    "deepsheep_3p": {"num_players": 3, "partner": "none"},
    "deepsheep_4p": {"num_players": 4, "partner": "none"},
    "deepsheep_doubler": _SEED | {"no_pick": "doubler"},
    "deepsheep_forced": _SEED | {"no_pick": "forced_pick"},
    "deepsheep_crack": _SEED | _CRACKS,
    "deepsheep_clubs": _SEED | {"trump_suit": 0},
    "deepsheep_spitz": _SEED | {"spitz": "second"},
    "standard": _STANDARD,
    "standard_crack": _STANDARD | _CRACKS | {"crack_who": "unasked"},
    "standard_jd": _JACK | {"loner_choice": False, "double_on_bump": True},
    "four_partner": {
        "num_players": 4,
        "call_fallback": "down",
        "crack": True,
        "crack_who": "defenders",
    },
    "six_jd": _JACK | {"num_players": 6, "no_pick": "doubler", "doubler_mode": "queue"},
    "six_called": _CRACKS
    | {
        "num_players": 6,
        "call_fallback": "down",
        "called_hold": "ace",
        "partner_offsuit": False,
        "crack_who": "defenders",
        "partner_off_hook": True,
        "double_on_bump": True,
    },
    "four_jd_spades": _JACK
    | {"num_players": 4, "trump_suit": 3, "spitz": "top", "leaster_blind": "first_trick"},
}

VALUES = {
    "num_players": (3, 4, 5, 6),
    "partner": ("called_ace", "jack_of_diamonds", "black_queens", "none"),
    "trump_suit": (0, 1, 2, 3),
    "spitz": ("none", "second", "top"),
    "no_pick": ("leaster", "doubler", "forced_pick"),
    "doubler_mode": ("multiply", "queue"),
    "same_dealer": (False, True),
    "leaster_blind": ("last_trick", "first_trick", "none"),
    "loner_choice": (True, False),
    "call_up": (False, True),
    "allow_unknown": (True, False),
    "call_fallback": ("none", "ten", "down"),
    "called_hold": ("any", "ace"),
    "called_ten_wins": (True, False),
    "partner_offsuit": (True, False),
    "crack": (True, False),
    "recrack": (True, False),
    "partner_recracks": (False, True),
    "crack_who": ("unasked", "defenders"),
    "blitz": (False, True),
    "double_on_bump": (True, False),
    "partner_off_hook": (True, False),
}


def random_changes(seed: int) -> dict:
    """Any combination of rules that makes sense."""
    source = random.Random(seed)
    changes = {field: source.choice(values) for field, values in VALUES.items()}
    if changes["num_players"] == 3:
        changes["partner"] = "none"
    elif changes["partner"] == "black_queens":
        changes |= {"num_players": 4, "no_pick": "leaster", "crack": False, "blitz": False}
    elif source.random() < 0.5:  # half of all without a called card would leave much of it out
        changes["partner"] = "called_ace"
    changes["recrack"] &= changes["crack"]
    has_card = changes["partner"] in ("called_ace", "jack_of_diamonds")
    changes["partner_recracks"] &= changes["recrack"] and has_card
    changes["call_up"] &= changes["partner"] == "jack_of_diamonds" and changes["loner_choice"]
    return changes


# Chosen so that each value of each field occurs (a test says so), called cards most of all.
COMBINATIONS = {
    "secret_call": {
        "num_players": 4,
        "trump_suit": 2,
        "spitz": "top",
        "loner_choice": False,
        "allow_unknown": False,
        "called_hold": "ace",
        "called_ten_wins": True,
        "leaster_blind": "none",
        "crack": True,
        "crack_who": "unasked",
        "double_on_bump": True,
    },
    "no_fallback": {
        "num_players": 6,
        "trump_suit": 3,
        "spitz": "second",
        "call_fallback": "none",
        "loner_choice": False,
        "no_pick": "doubler",
        "doubler_mode": "queue",
        "crack": True,
        "recrack": True,
        "crack_who": "defenders",
        "partner_off_hook": True,
    },
    "three_cracks": {
        "num_players": 3,
        "partner": "none",
        "trump_suit": 0,
        "no_pick": "forced_pick",
        "crack": True,
        "recrack": True,
        "crack_who": "defenders",
    },
    "secret_jack_cracked": {
        "num_players": 5,
        "partner": "jack_of_diamonds",
        "loner_choice": False,
        "crack": True,
        "recrack": True,
        "crack_who": "defenders",
        "leaster_blind": "first_trick",
        "partner_off_hook": True,
    },
    "called_up_jack": {
        "call_up": True,
        "crack": True,
        "recrack": True,
        "partner_recracks": True,
        "crack_who": "defenders",
        "no_pick": "doubler",
        "same_dealer": True,
    },
    "blitz": {"blitz": True, "crack": True, "recrack": True, "partner_recracks": True},
    "black_queens": {"num_players": 4, "partner": "black_queens", "double_on_bump": True},
}
VARIANTS = {name: (name, {}) for name in PRESETS} | {
    name: ("deepsheep_jd" if "jack" in name else "deepsheep", changes)
    for name, changes in COMBINATIONS.items()
}

# What other variants cover as well: the slow tests play them.
RARE = [
    "deepsheep_jd", "deepsheep_4p", "deepsheep_forced", "deepsheep_clubs",
    "deepsheep_spitz", "deepsheep_doubler", "standard_jd", "standard_crack", "four_jd_spades", "six_jd",
    "secret_jack_cracked", "no_fallback", "secret_call", "four_partner", "deepsheep", "three_cracks",
]  # fmt: skip


def overrides_of(variant: str) -> tuple[str, dict]:
    """Preset and changed fields of a preset or variant, or of "random 7"."""
    if variant.startswith("random "):
        return "standard", random_changes(int(variant.split()[1]))
    return VARIANTS[variant]


def rules_of(variant: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changes = overrides_of(variant)
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changes))
