"""Swiss Jass: Schieber, Slalom and Differenzler. In the order of play:

    rules     what players differ on, and the presets
    deck      cards, modes, strength and value
    state     what is kept of a deal, and what a player sees of it
    calls     choosing a mode, predicting
    play      the cards
    weis      Weis and Stöck
    score     what a deal brings
    features  what a player sees, as a network reads it
    swisslos  the same as a row of the Swisslos data
    hidden    other deals that fit what a player knows
    text      for people
    view      what a player sees, for pictures and terminals
    game      all of it as a `Game`

The rules are written in docs/jass.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
