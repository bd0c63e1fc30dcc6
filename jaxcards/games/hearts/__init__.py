"""Hearts: win no hearts and not the queen of spades. In the order of play:

    rules     what players differ on, and the presets
    play      the pack, the state of a deal, and the play of the cards
    calls     the passing of cards
    score     what a deal brings
    hidden    other deals that fit what a player knows
    features  what a player sees, for a network: bits
    view      the same for people
    game      all of it as a `Game`

The rules are written in docs/hearts.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`; everything else here may change.
"""
