"""Heuristics: players by rules of thumb, which learners are measured against. A folder for each game.

All heuristics share `outlook` and `weights`; those of Belote and Jass share `worth` besides. A game's
folder may import that game and no other; its numbers come from the fits in experiments/.
"""
