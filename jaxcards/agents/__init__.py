"""Players and learners, one concept a file. `agent.py` says what an agent is."""
