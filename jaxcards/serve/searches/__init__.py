"""Searches in a process of their own, at a lower priority, so that moves without a search are quick.

`requests` is what the server and that process say to each other, `process` the server's end,
`child` the other one, `games` what is computed there, and `remote` stands for it in the server.
What needs JAX is imported by none but `games` and `remote`.
"""
