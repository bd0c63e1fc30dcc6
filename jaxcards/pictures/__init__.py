"""Pictures of a table as SVG, drawn from a view alone. No files or fonts from elsewhere.

`svg` draws a table, `layout` says where its parts are, `cards` draws a card, `words` a line of text,
and `animation` makes a GIF of pictures.
"""
