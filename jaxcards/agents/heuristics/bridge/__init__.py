"""The Bridge heuristic: `bidding` chooses calls, and `player` chooses cards.

It bids by high card points and the length of suits, without conventions.
"""
