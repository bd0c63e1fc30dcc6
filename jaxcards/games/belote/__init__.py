"""Belote: Bela, French belote, contrée and coinche. In the order of play:

    rules         what players differ on, and the presets
    deck          cards, modes, strength and value
    state         what is kept of a deal, and what a player sees of it
    calls         the three auctions
    play          which cards are legal, and what a card does
    declarations  declarations and belote
    score         what a deal brings
    features      what a player sees, as a network reads it
    planes        the same as a tensor of cards by seats
    hidden        other deals that fit what a player knows
    text          for people
    game          all of it as a `Game`

The rules are written in docs/belote.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
