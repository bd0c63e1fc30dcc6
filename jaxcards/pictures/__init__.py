"""Pictures of a table as SVG, drawn from a view alone, without external files or fonts.

`svg` draws a table, `layout` places its parts, `cards` draws a card, `words` a line of text, and
`animation` makes a GIF of pictures.
"""
