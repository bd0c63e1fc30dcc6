"""Euchre: rules, deck, phases, score, and what its players see."""
