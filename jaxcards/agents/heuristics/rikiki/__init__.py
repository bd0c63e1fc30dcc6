"""The Rikiki heuristic. Begin with `player`.

In the order of a decision: view (state of the round), hands (the chance of each card), aim (the value
of tricks), bidding (bids), playing (cards). The numbers come from experiments/heuristics.
"""
