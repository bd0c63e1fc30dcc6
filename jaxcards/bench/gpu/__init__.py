"""Random play as a single kernel of a GPU: `scalarize` turns a game into scalar code, `kernel` runs it.

Only measurements use this; games and rollouts do without.
"""
