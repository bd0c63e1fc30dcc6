"""Deep Q-learning from replayed turns, by self-play: `learner` is one compiled step.

`config` has every setting, `turns` turns deals into training data, `replay` stores it. Depends on
`Game`, but not on specific games.
"""
