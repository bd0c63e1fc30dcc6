"""Hidden cards dealt at random, exactly uniformly over all deals consistent with an observation.

A game describes in a `Situation` which holder may have which card, and how many cards each has.
`sample_hidden` draws a deal, `sample_hands` the hands of all seats, and `count_deals` counts deals. The
three methods behind them (by class, by suit and by card) may change. For knowledge beyond a situation,
`sample_fitting` draws until a deal fits.
"""

from jaxcards.determinize.fitting import Claim, claim_of_melds, sample_fitting
from jaxcards.determinize.hands import claim_of_announced, sample_hands
from jaxcards.determinize.sampling import count_deals, sample_hidden
from jaxcards.determinize.situation import Situation

__all__ = [
    "Claim",
    "Situation",
    "claim_of_announced",
    "claim_of_melds",
    "count_deals",
    "sample_fitting",
    "sample_hands",
    "sample_hidden",
]
