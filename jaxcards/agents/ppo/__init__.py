"""Proximal policy optimisation by self-play: `learner` is one compiled step.

`config` has every setting, `experience` plays the deals, `advantages` estimates the advantage of each
decision. Knows `Game`, and no game.
"""
