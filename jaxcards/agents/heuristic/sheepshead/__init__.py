"""The Sheepshead player by rules of thumb. Begin with `player`; the order of its thoughts is:

view (how the trick and the sides stand), bidding (pick, alone, crack), burying (call, unknown, bury),
playing (which card). The numbers come from experiments/sheepshead_heuristic.
"""
