"""The Sheepshead heuristic. Begin with `player`.

In the order of a decision: view (state of the trick and the sides), bidding (pick, alone, crack),
burying (call, unknown, bury), playing (cards). The numbers come from experiments/heuristics.
"""
