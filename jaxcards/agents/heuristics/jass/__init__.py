"""The Jass heuristic. Begin with `player`; it decides in this order:

view (how the trick stands), bidding and bidding_tables (which mode, or what to predict), playing
(which card). The numbers come from experiments/jass_heuristic.
"""
