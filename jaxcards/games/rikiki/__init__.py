"""Rikiki, also called Oh Hell: say how many tricks you will win. In the order of play:

    rules     what players differ on, and the presets
    deck      the 52 cards
    state     what is kept of a deal, and what a player sees of it
    calls     the bids
    play      the cards
    score     what a deal brings
    features  what a player sees, as a network reads it
    hidden    dealing anew what a player cannot see
    text      for people
    game      all of it as a `Game`

The rules are in docs/rikiki.md, whose sections docstrings cite. Others use the rules and the `Game`
alone; whatever else is here may change.
"""
