"""Rikiki, also called Oh Hell: say how many tricks you will win, and win exactly as many."""
