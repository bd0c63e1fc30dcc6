"""The host side of training: its configuration, run folders, checkpoints, metrics and progress.

`loop` drives any `learner`; everything a run leaves behind lies in its `folder`. Nothing here knows a
game, though `by_game` has settings for some by their names; only `results` and `yardstick` know other
players.
"""
