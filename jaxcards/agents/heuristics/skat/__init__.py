"""The Skat heuristic."""
