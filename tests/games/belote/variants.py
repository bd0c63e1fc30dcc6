"""Presets of docs/belote.md, 1.2, variations of them, and random combinations of rules.

Written out here a second time, as plain namespaces, so that the engine's own presets are tested
against them and not against themselves.
"""

import random
from types import SimpleNamespace

DEFAULTS = {
    "max_deals": 1000,
    "auction": "bela",
    "all_pass": "dealer_must",
    "modes_nt_at": False,
    "max_bid": 160,
    "generale": False,
    "overtake_plain": True,
    "partner_exempt": False,
    "undertrump": "forced",
    "declarations": True,
    "decl_share_cards": True,
    "decl_trump_first": False,
    "decl_tie": "forehand",
    "decl_reveal": "before_play",
    "straight8": "match",
    "belote": True,
    "belote_safe": False,
    "capot_bonus": 90,
    "capot_declarations": "void",
    "bonus_makes": True,
    "tie": "fail",
    "contract_only": False,
    "rounding": 1,
    "target": 1001,
    "match_tie": "bidder",
    "belote_wins": True,
}
_FRENCH = {
    "auction": "turnup",
    "all_pass": "void",
    "overtake_plain": False,
    "partner_exempt": True,
    "decl_share_cards": False,
    "decl_trump_first": True,
    "decl_tie": "none",
    "decl_reveal": "after_first_trick",
    "straight8": "hundred",
    "belote_safe": True,
    "capot_declarations": "transfer",
    "match_tie": "play_on",
}
_CONTRACT = _FRENCH | {"auction": "contract", "undertrump": "free", "rounding": 10}
PRESETS = {
    "bela": {},
    "belot": {"overtake_plain": False, "capot_declarations": "transfer", "match_tie": "draw"},
    "belote_classic": _FRENCH | {"declarations": False, "tie": "litige", "target": 1000},
    "belote_501": _FRENCH | {"tie": "litige", "target": 501},
    "contree": _CONTRACT | {"declarations": False, "target": 2000},
    "coinche": _CONTRACT | {"target": 3000},
    "coinche_nt_at": _CONTRACT | {"target": 3000, "modes_nt_at": True},
}
CHOICES = {
    "auction": ("bela", "turnup", "contract"),
    "all_pass": ("dealer_must", "forehand_must", "void"),
    "modes_nt_at": (False, True),
    "overtake_plain": (True, False),
    "partner_exempt": (False, True),
    "undertrump": ("forced", "free"),
    "declarations": (True, True, False),
    "decl_share_cards": (True, False),
    "decl_trump_first": (False, True),
    "decl_tie": ("forehand", "none"),
    "decl_reveal": ("before_play", "after_first_trick"),
    "straight8": ("match", "hundred"),
    "belote": (True, True, False),
    "belote_safe": (False, True),
    "capot_bonus": (90, 0, 137),
    "capot_declarations": ("transfer", "void"),
    "tie": ("fail", "litige", "make"),
    "rounding": (1, 10),
    "target": (1001, 200, 30_000),
    "match_tie": ("bidder", "play_on", "draw"),
    "max_bid": (160, 160, 180, 220, 400),
    "generale": (False, True),
    "bonus_makes": (True, False),
    "contract_only": (False, False, True),
    "belote_wins": (True, False),
}


def allowed(changed: dict) -> dict:
    """Return a combination of fields, changed if section 1.1 rules it out."""
    rules = DEFAULTS | changed
    if rules["auction"] == "contract":
        rules["all_pass"] = "void"
        rules["tie"] = "fail" if rules["contract_only"] and rules["tie"] == "litige" else rules["tie"]
    else:
        contracts = ("modes_nt_at", "max_bid", "generale", "contract_only")
        rules |= {field: DEFAULTS[field] for field in contracts}
        if rules["auction"] == "turnup" and rules["all_pass"] == "forehand_must":
            rules["all_pass"] = "dealer_must"
    return {field: value for field, value in rules.items() if value != DEFAULTS[field]}


def random_rules(seed: int) -> dict:
    source = random.Random(seed)
    return allowed({field: source.choice(values) for field, values in CHOICES.items()})


# Name: preset and what it changes.
VARIANTS: dict[str, tuple[str, dict]] = {name: (name, {}) for name in PRESETS} | {
    "forehand_must": ("bela", {"all_pass": "forehand_must", "tie": "make", "belote_safe": True}),
    "void_bela": (
        "bela",
        {
            "all_pass": "void",
            "tie": "litige",
            "capot_declarations": "void",
            "decl_tie": "none",
            "undertrump": "free",
            "rounding": 10,
            "decl_share_cards": False,
            "decl_reveal": "after_first_trick",
        },
    ),
    "turnup_must": (
        "belote_501",
        {
            "all_pass": "dealer_must",
            "overtake_plain": True,
            "straight8": "match",
            "belote_safe": False,
            "capot_declarations": "void",
            "partner_exempt": False,
        },
    ),
    "hard_contract": (
        "coinche_nt_at",
        {
            "overtake_plain": True,
            "undertrump": "forced",
            "belote_safe": False,
            "straight8": "match",
            "decl_reveal": "before_play",
            "tie": "make",
            "rounding": 1,
            "capot_bonus": 137,
        },
    ),
    "bids_to_210": ("coinche_nt_at", {"max_bid": 210, "tie": "litige"}),
    "generale": ("coinche", {"generale": True, "bonus_makes": False}),
    "contract_only": ("contree", {"max_bid": 180, "contract_only": True}),
    "cards_make": ("belote_501", {"bonus_makes": False, "belote_wins": False}),
}

# What other variants cover as well: the slow tests play them.
RARE = ["belote_501", "contree", "coinche", "forehand_must", "generale", "contract_only", "cards_make"]


def overrides_of(name: str) -> tuple[str, dict]:
    """Preset and changed fields of a preset or variant, or of `random 17`."""
    if name.startswith("random "):
        return "bela", random_rules(int(name.split()[1]))
    return VARIANTS[name.lower()]


def rules_of(name: str) -> SimpleNamespace:
    """Rules for the reference."""
    preset, changed = overrides_of(name)
    return SimpleNamespace(**(DEFAULTS | PRESETS[preset] | changed))
