"""The Bridge heuristic: `bidding` chooses calls, and `player` chooses cards."""
