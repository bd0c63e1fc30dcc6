"""What one player sees of a table, in plain values, for whatever shows it to people.

`structure` has the parts of a view, and `text` puts its texts into words. `builder` makes a view, with
`parts` and `melds`. `look` asks a game for the view of a state, and `plain` is for all other games.
`texts/` has the words of each language, for the page in the browser as well.
"""
