"""A game move by move, from Python, for hosts of tables.

`rows` writes states as rows of words, and calls functions for many rows at once. `programs` has the
functions of a game: deal, look at a deal, play an action, close a deal of a match, and choose.
"""
