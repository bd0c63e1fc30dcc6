"""Swiss Jass: Schieber, Slalom and Differenzler. In the order of play:

    rules                            what players differ on, and the presets
    deck                             cards, modes, strength and value
    state                            what is kept of a deal, and how it is packed
    play                             the phases: choosing a mode, predicting, cards
    weis                             Weis and Stöck
    score                            what a deal brings
    observation, features, swisslos  what a player sees, and as a network reads it
    hidden                           dealing anew what a player cannot see
    text                             for people
    game                             all of it as a `Game`

The rules are in docs/jass.md, whose sections docstrings cite. Others use the rules and the `Game`
alone; whatever else is here may change.
"""
