"""Players and learners in four wings: networks, heuristics, search, learners.

`players` makes a player by its name. Only a heuristic and a table know a game by name; all others know
`Game` alone. `jaxcards.agent` says what an agent is.
"""
