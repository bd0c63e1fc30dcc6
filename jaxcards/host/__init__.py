"""Game sessions for servers that host tables, played move by move from Python.

`rows` writes states as rows of words and calls functions for many rows at once. `programs` has the
functions of a game: deal, observe, play an action, close a deal of a match, and choose.
"""
