"""The Belote heuristic. Begin with `player`.

In the order of a decision: view (state of the trick), hands (features of a hand), bidding and
bidding_tables (calls), playing (cards). The numbers come from experiments/heuristics.
"""
