"""Tabular Q-learning by self-play: a table with a value for each kind of state and action.

One module for each game describes its states and actions in a few features; `cards` has the shared
features. `layout` numbers them, `learner` is one compiled step, `file` stores the table in SQLite.
"""
