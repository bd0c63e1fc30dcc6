"""More players of jaxcards, for rules that fewer people play.

Each is a network and a card, as in `jaxcards.champions`, which finds them if this package is installed.
"""
