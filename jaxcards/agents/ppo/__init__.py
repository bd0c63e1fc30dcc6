"""Proximal policy optimisation by self-play: `learner` is one compiled step.

`config` has every number of it, `experience` plays the deals, `advantages` says what each decision
was worth. Knows `Game`, and no game.
"""
