"""Sheepshead: a picker and a secret partner against the rest. In the order of play:

    rules     what players differ on, and the presets
    deck      cards, trumps and values
    state     what is kept of a deal, and what a player sees of it
    calls     pick, call, bury, crack; what a call obliges to
    play      the cards
    score     what a deal brings
    features  what a player sees, as a network reads it
    hidden    dealing anew what a player cannot see
    text      for people
    game      all of it as a `Game`

The rules are in docs/sheepshead.md, whose sections docstrings cite. Others use the rules and the `Game`
alone; whatever else is here may change.
"""
