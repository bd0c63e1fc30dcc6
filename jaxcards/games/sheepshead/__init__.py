"""Sheepshead: a picker and a secret partner against the rest. In the order of play:

    rules     what players differ on, and the presets
    deck      cards, trumps and values
    state     what is kept of a deal, and what a player sees of it
    calls     pick, call, bury, crack; what a call obliges to
    play      the cards
    score     what a deal brings
    features  what a player sees, as a network reads it
    known     what a player knows of the cards that it does not see
    hidden    other deals that fit that
    past      which action was taken at a moment of a deal that went on
    text      for people
    view      what a player sees, for pictures and terminals
    game      all of it as a `Game`

The rules are written in docs/sheepshead.md, and docstrings cite its sections. Other packages use only
the rules and the `Game`, the heuristic apart; everything else here may change.
"""
