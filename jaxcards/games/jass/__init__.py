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
    hidden    dealing anew what a player cannot see
    text      for people
    game      all of it as a `Game`

The rules are in docs/jass.md, whose sections docstrings cite. Others use the rules and the `Game`
alone; whatever else is here may change.
"""
