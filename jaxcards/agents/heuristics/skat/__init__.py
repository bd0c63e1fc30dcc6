"""The Skat heuristic. Begin with `player`, which has all of it."""
