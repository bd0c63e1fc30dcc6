"""Players by rules of thumb, a folder for each game: the yardstick of learning.

`outlook` and `weights` are what they have in common. A game's folder may use that game and nothing
else of the games; numbers in it come from the fits in experiments/.
"""
