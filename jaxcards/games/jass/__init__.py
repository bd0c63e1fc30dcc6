"""Swiss Jass: Schieber, Slalom and Differenzler. In the order of play:

    rules     what players differ on, and the presets
    play      the pack, the state of a deal, and the play of the cards
    calls     choosing a mode, predicting
    weis      Weis and Stöck
    score     what a deal brings
    hidden    what a player sees, and other deals that fit it
    features  the same for a network: bits, or a row of the Swisslos data
    view      the same for people
    game      all of it as a `Game`

The rules are written in docs/jass.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
