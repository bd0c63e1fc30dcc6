"""Tabular Q-learning by self-play: a table of what each kind of action is worth in each kind of state.

A module for each game describes its states and actions in a few features (`cards` has what all share),
`layout` numbers them, `learner` is one compiled step, `file` keeps the table in SQLite.
"""
