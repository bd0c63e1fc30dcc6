"""Players and learners in four packages: networks, heuristics, search, learners.

`players` makes a player by its name. Only the heuristics and tables import specific games; all other
modules depend on `Game` alone. `jaxcards.agent` defines the interface of an agent.
"""
