"""Players by rules of thumb, a folder for each game: the yardstick of learning.

`outlook` and `weights` are what they have in common, `worth` what Belote's and Jass's share besides.
A game's folder may use that game and nothing else of the games; numbers in it come from the fits in
experiments/.
"""
