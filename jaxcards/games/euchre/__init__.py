"""Euchre, with partners or with a dummy hand. In the order of play:

    rules     what players differ on, and the presets
    deck      cards, suits and strength under a trump
    seating   who sits where, who decides for whom
    state     what is kept of a deal, and what a player sees of it
    calls     naming trumps, alone or not; whose turn it is
    play      discards and cards
    score     what a deal brings, and the end of a match
    features  what a player sees, as a network reads it
    hidden    other deals that fit what a player knows
    past      which action was taken at a moment of a deal that went on
    text      for people
    view      what a player sees, for pictures and terminals
    game      all of it as a `Game`

The rules are written in docs/euchre.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
