"""Players and learners, an algorithm a folder. What an agent is, is in `jaxcards.agent`.

`players` and `learners` are the tables of them by name. Learners share `self_play`, `advantages`,
`decisions`, `network`, `sight`, `masking`, `optimiser` and `sharing`. Agents know `Game` and no game;
only a heuristic player knows its own.
"""
