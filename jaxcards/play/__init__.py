"""A game for people at one table, with players of any kind in the other seats.

`table` plays it, `saved` keeps it in a file, `results` counts wins, `hints` says what is best and why.
`events` tells what has happened, `screen` draws for a terminal, `answers` reads what people type, and
`conversation` puts these together.
"""
