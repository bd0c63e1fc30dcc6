"""Proximal policy optimisation by self-play: `learner` is one compiled step.

`config` has every setting, `networks` are policy and critic, `minibatch` has the decisions of a
gradient step, `loss` their loss. Depends on `Game`, but not on specific games.
"""
