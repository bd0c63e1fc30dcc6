"""What one player sees of a table, in plain values, for whatever shows it to people.

`structure` is what a view consists of, `text` puts its texts into words, `parts` and `melds` help games
to write one, `look` asks a game for the view of a state, `plain` is for a game that writes no view.
`texts/` has the words of each language, of the page in the browser as well.
"""
