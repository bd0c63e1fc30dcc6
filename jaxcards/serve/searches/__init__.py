"""Searches in a process of their own, at a lower priority, so that moves without a search are quick.

`requests` has the messages between the server and that process. `process` is the server's end, and
`remote` asks it about one game. `child` is the other end, and `games` computes there. Only `games` and
`remote` import JAX.
"""
