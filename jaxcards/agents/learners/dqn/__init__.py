"""Deep Q-learning from replayed turns, by self-play: `learner` is one compiled step.

`config` has every setting, `turns` makes what is learned from out of deals, `replay` keeps it. Knows
`Game`, and no game.
"""
