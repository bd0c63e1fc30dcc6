"""The host side of training: its configuration, run folders, checkpoints, metrics and progress.

`loop` drives any `learner`; everything a run leaves behind lies in its `folder`. Nothing here knows a
game, and only `results` and `yardstick` know other players.
"""
