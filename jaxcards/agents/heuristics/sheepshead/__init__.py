"""The Sheepshead heuristic. Begin with `player`; it decides in this order:

view (how the trick and the sides stand), bidding (pick, alone, crack), burying (call, unknown, bury),
playing (which card). The numbers come from experiments/sheepshead_heuristic.
"""
