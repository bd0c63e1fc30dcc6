"""Rikiki, also called Oh Hell: say how many tricks you will win. In the order of play:

    rules     what players differ on, and the presets
    deck      the 52 cards
    state     what is kept of a deal, and what a player sees of it
    calls     the bids
    play      the cards
    score     what a deal brings
    features  what a player sees, as a network reads it
    hidden    other deals that fit what a player knows
    text      for people
    view      what a player sees, for pictures and terminals
    game      all of it as a `Game`

The rules are written in docs/rikiki.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
