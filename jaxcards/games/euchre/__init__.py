"""Euchre, with partners or with a dummy hand. In the order of play:

    rules     what players differ on, and the presets
    seating   who sits where, who decides for whom
    play      the pack, the state of a deal, and the play of the cards
    calls     naming trumps, alone or not; whose turn it is; which calls were made
    score     what a deal brings, and the end of a match
    hidden    what a player sees, and other deals that fit it
    features  the same for a network: bits
    view      the same for people
    game      all of it as a `Game`

The rules are written in docs/euchre.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
