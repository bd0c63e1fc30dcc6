"""Other engines, one a file, each with the loop that its own users would write.

A module has

    TITLE      what is measured, for people
    PACKAGES   the distributions whose versions are noted
    INSTALL    how to get it
    OURS       id of our game that it is compared with
    UNIT       what the ratio is made of: "decisions" or "card_plays"
    SAME       what is the same work
    NOT_SAME   what is not
    VARIANTS   optional: names, each of which is an engine of its own
    start      () or (variant) -> play, where play(seed, deals) plays so many deals, checks them, and
               returns {"deals": …, "decisions": …, "card_plays": …}, as far as it can count them

Only the standard library is imported before `start`: a module is read where its engine is missing.
`worker.py` runs one in a process of its own.
"""

NAMES = ("c", "open_spiel_cpp", "open_spiel_python", "jass_kit", "pyschieber", "pgx", "rlcard")
