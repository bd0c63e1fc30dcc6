"""Policy gradient without a critic: `learner` is one compiled step.

`config` has every setting, `loss` the loss. Depends on `Game`, but not on specific games.
"""
