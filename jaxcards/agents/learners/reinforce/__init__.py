"""Policy gradient without a critic: `learner` is one compiled step.

`config` has every setting, `loss` is what a gradient step makes small. Knows `Game`, and no game.
"""
