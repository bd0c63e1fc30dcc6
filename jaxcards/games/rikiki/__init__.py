"""Rikiki, also called Oh Hell: say how many tricks you will win. In the order of play:

    rules     what players differ on, and the presets
    play      the pack, the state of a deal, and the play of the cards
    calls     the bids
    score     what a deal brings
    hidden    other deals that fit what a player knows
    features  what a player sees, for a network: bits
    view      the same for people
    game      all of it as a `Game`

The rules are written in docs/rikiki.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
