"""Belote: Bela, French belote, contrée and coinche. In the order of play:

    rules         what players differ on, and the presets
    play          the pack, the state of a deal, and the play of the cards
    calls         the three auctions
    declarations  declarations and belote
    score         what a deal brings
    hidden        what a player sees, and other deals that fit it
    features      the same for a network: bits, or a tensor of cards by seats
    view          the same for people
    game          all of it as a `Game`

The rules are written in docs/belote.md, and docstrings cite its sections. Other packages use only the
rules and the `Game`, the heuristic apart; everything else here may change.
"""
