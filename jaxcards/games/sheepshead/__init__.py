"""Sheepshead: a picker and a secret partner against the rest. In the order of play:

    rules     what players differ on, and the presets
    play      the pack, the state of a deal, and the play of the cards
    calls     pick, call, bury, crack; what a call obliges to
    score     what a deal brings
    known     what a player knows of the cards that it does not see
    hidden    what a player sees, and other deals that fit it; the past
    features  the same for a network: bits
    view      the same for people
    game      all of it as a `Game`

The rules are written in docs/sheepshead.md, and docstrings cite its sections. Other packages use only
the rules and the `Game`, the heuristic apart; everything else here may change.
"""
