"""A game for people at one table, with players of any kind in the other seats.

`table` is a table on the host, for terminals and servers; `local` computes its moves at once. `saved`
stores a game in a file, `results` counts wins, and `hints` explains the best choice. `events` describes
past actions, `screen` draws for a terminal, `answers` reads typed input, and `conversation` combines
them.
"""
