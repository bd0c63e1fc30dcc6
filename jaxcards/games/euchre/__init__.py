"""Euchre, with partners or with a dummy hand. In the order of play:

    rules     what players differ on, and the presets
    deck      cards, suits and strength under a trump
    seating   who sits where, who decides for whom
    state     what is kept of a deal, and what a player sees of it
    calls     naming trumps, alone or not; whose turn it is
    play      discards and cards
    score     what a deal brings, and the end of a match
    features  what a player sees, as a network reads it
    hidden    dealing anew what a player cannot see
    text      for people
    game      all of it as a `Game`

The rules are in docs/euchre.md, whose sections docstrings cite. Others use the rules and the `Game`
alone; whatever else is here may change.
"""
