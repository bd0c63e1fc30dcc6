"""The host side of training: its configuration, run folders, checkpoints, metrics and progress."""
