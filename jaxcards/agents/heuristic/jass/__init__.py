"""The Jass player by rules of thumb. Begin with `player`; the order of its thoughts is:

view (how the trick stands), bidding and bidding_tables (which mode, or what to predict), playing
(which card). The numbers come from experiments/jass_heuristic.
"""
