"""Swiss Jass: Schieber, Slalom and Differenzler. In the order of play:

    rules     the settings and the presets
    play      the pack, the state of a deal, and the play of the cards
    calls     choosing a mode, predicting
    weis      Weis and Stöck
    score     the score of a deal
    hidden    the observation of a player, and samples of hidden cards
    features  the observation for a network: bits, or a row of the Swisslos data
    view      the observation for people
    game      all of it as a `Game`

The rules are written in docs/jass.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
