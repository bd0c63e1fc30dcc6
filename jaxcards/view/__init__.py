"""What one player sees of a table, in plain values, for whatever shows it to people.

`structure` is what a view consists of, `parts` helps games to write one, `melds` finds melds as people
say them, `look` asks a game for the view of a state, `plain` is for a game that writes no view.
"""
