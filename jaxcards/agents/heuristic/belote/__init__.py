"""The Belote player by rules of thumb. Begin with `player`; the order of its thoughts is:

view (how the trick stands), hands (what a hand holds), bidding and bidding_tables (what to call),
playing (which card). The numbers come from experiments/belote_heuristic.
"""
