"""A game for people at one table, with players of any kind in the other seats.

`table` is a table on the host, for terminals and servers; `local` computes its moves at once. `saved`
keeps a game in a file, `results` counts wins, and `hints` says what is best and why. `events` tells
what has happened, `screen` draws for a terminal, `answers` reads what people type, and `conversation`
puts these together.
"""
