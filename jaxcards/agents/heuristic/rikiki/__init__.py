"""The Rikiki player by rules of thumb. Begin with `player`; the order of its thoughts is:

view (how the round stands), hands (the chance of each card), aim (what tricks are worth), bidding
(how many), playing (which card). The numbers come from experiments/rikiki_heuristic.
"""
