"""Euchre, with partners or with a dummy hand. In the order of play:

    rules                  what players differ on, and the presets
    deck                   cards, suits and strength under a trump
    seating                who sits where, who decides for whom
    state                  what is kept of a deal, and how it is packed
    play                   the phases: calls, discards, cards
    score                  what a deal brings, and the end of a match
    observation, features  what a player sees, and as a network reads it
    hidden                 dealing anew what a player cannot see
    text                   for people
    game                   all of it as a `Game`

The rules are in docs/euchre.md, whose sections docstrings cite. Others use the rules and the `Game`
alone; whatever else is here may change.
"""
