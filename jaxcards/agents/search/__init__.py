"""Search at the table: deals that fit what a player sees, played out to the end.

`analysis` values the actions of one decision, `agent` plays by these values. Knows `Game`, and no game.
"""
