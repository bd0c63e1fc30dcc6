"""The host side of training: its configuration, run folders, checkpoints, metrics and progress.

`loop` drives any `HostLearner`. Everything a run leaves behind lies in its `folder`. Nothing here knows
a game, though `by_game` has settings for some by their names. Only `results` and `yardstick` know other
players.
"""
