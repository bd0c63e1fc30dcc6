"""Other engines, one per file, each with the loop that its own users would write.

A module has

    TITLE      a description for people
    PACKAGES   the distributions whose versions are recorded
    INSTALL    how to get it
    OURS       id of our game for the comparison
    UNIT       the unit of the ratio: "decisions" or "card_plays"
    SAME       the work that is the same
    NOT_SAME   the differences
    VARIANTS   optional: names of variants, each a separate engine
    start      () or (variant) -> play, where play(seed, deals) plays the deals, checks them, and
               returns {"deals": …, "decisions": …, "card_plays": …}, as far as it can count them

Only the standard library is imported before `start`, so that a module can be read without its engine.
`worker.py` runs one in a separate process.
"""

NAMES = (
    "c", "open_spiel_cpp", "open_spiel_hearts", "open_spiel_spades", "open_spiel_skat",
    "open_spiel_bridge", "open_spiel_python", "jass_kit", "pyschieber", "pgx",
    "mahjax", "envpool", "rlcard",
)  # fmt: skip
