"""Sheepshead: a picker and a secret partner against the rest. In the order of play:

    rules     the settings, and the presets
    play      cards, the state of a deal, and the play of the cards
    calls     pick, call, bury and crack, and the duties of a call
    score     the chips of a deal
    known     the cards that unseen hands can hold, for one player
    hidden    the observation, samples of hidden cards, and past actions
    features  the observation as bits for networks
    view      the observation for people
    game      all of it as a `Game`

docs/sheepshead.md has the rules, and docstrings cite its sections. Outside this package, only the
rules and the `Game` are used, except by the heuristic; everything else here may change.
"""
