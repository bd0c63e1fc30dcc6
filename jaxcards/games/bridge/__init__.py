"""Bridge: bid for a contract, then play the partner's open hand too. In the order of play:

    rules     the settings and the presets
    play      the pack, the state of a deal, and the play of a card
    calls     passes, bids and doubles
    score     the score of a deal
    imps      International Match Points and matchpoints
    hidden    the observation of a player, and samples of hidden cards
    features  the observation for a network: bits
    view      the observation for people
    game      all of it as a `Game`

The rules are written in docs/bridge.md, and docstrings cite its sections. Other packages use only the
rules, `imps` and the `Game`; everything else here may change.
"""
