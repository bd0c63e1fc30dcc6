"""Players and learners, an algorithm a folder. What an agent is, is in `jaxcards.agent`.

`players` and `learners` are the tables of them by name. Learners share `self_play`, `advantages`,
`decisions`, `optimiser` and `sharing`; `networks` has what they train. Agents know `Game` and no game;
only a heuristic player knows its own.
"""
