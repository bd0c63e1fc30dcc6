"""Proximal policy optimisation by self-play: `learner` is one compiled step.

`config` has every setting, `networks` are policy and critic, `rows` are the decisions that `loss`
judges. Knows `Game`, and no game.
"""
