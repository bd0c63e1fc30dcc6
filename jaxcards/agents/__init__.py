"""Players and learners, an algorithm a folder. What an agent is, is in `jaxcards.agent`.

`players` is the table of players by name; `network` and `masking` are shared by all that learn.
Agents know `Game` and no game; only a heuristic player knows its own.
"""
