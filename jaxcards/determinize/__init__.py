"""Hidden cards dealt at random, exactly uniformly over all deals that fit what a player knows.

A game says in a `Situation` which holder may have which card, and how many cards each has;
`sample_hidden` draws a deal, `count_deals` counts them. Three methods are behind them, by class, by
suit and by card, which may change. Knows no game.
"""

from jaxcards.determinize.sampling import count_deals, sample_hidden
from jaxcards.determinize.situation import Situation

__all__ = ["Situation", "count_deals", "sample_hidden"]
