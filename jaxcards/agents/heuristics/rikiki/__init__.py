"""The Rikiki heuristic. Begin with `player`; it decides in this order:

view (how the round stands), hands (the chance of each card), aim (what tricks are worth), bidding
(how many), playing (which card). The numbers come from experiments/rikiki_heuristic.
"""
