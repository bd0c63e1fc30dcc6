"""Heuristics: rule-of-thumb players that serve as baselines for learners. One folder for each game.

All heuristics share `outlook` and `weights`; those of Belote and Jass also share `worth`. A game's
folder imports that game only. Its numbers come from the fits in experiments/.
"""
