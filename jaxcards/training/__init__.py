"""The host side of training: its configuration, run folders, checkpoints, metrics and progress.

`loop` drives any `HostLearner`. All files of a run lie in its `folder`. The package is independent of
games, except that `by_game` has settings for some games by name. Only `results` and `yardstick` load
other players.
"""
