"""The Jass heuristic. Begin with `player`.

In the order of a decision: view (state of the trick), bidding and bidding_tables (mode, or prediction),
playing (cards). The numbers come from experiments/heuristics.
"""
