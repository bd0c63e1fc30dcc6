"""Skat: bid for the right to play alone against two. In the order of play:

    rules     the settings and the presets
    play      the pack, the state of a deal, and the play of a card
    calls     bids, discards and announcements
    score     the value of a game, and the score of a deal
    hidden    the observation of a player, and samples of hidden cards
    features  the observation for a network: bits
    view      the observation for people
    game      all of it as a `Game`

The rules are written in docs/skat.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`; everything else here may change.
"""
