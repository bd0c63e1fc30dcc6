"""Hearts: passes dangerous cards and ducks tricks."""
