"""Hidden cards dealt at random, exactly uniformly over all deals that fit what a player knows.

Games use `sample_hidden`, or `by_suit` where the classes of cards are known beforehand; both count
the ways to fill the holders and sample backwards from the counts. Knows no game.
"""

from jaxcards.determinize.by_class import count_deals, sample_hidden

__all__ = ["count_deals", "sample_hidden"]
