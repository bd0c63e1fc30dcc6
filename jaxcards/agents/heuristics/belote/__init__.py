"""The Belote heuristic. Begin with `player`; it decides in this order:

view (how the trick stands), hands (what a hand holds), bidding and bidding_tables (what to call),
playing (which card). The numbers come from experiments/belote_heuristic.
"""
