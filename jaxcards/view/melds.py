"""Melds among the cards of a hand: runs and fours, with what each is worth."""

import itertools
from collections.abc import Collection, Sequence

from jaxcards.cards.sets import Deck
from jaxcards.view.structure import Meld
from jaxcards.view.text import Text


def best_melds(
    deck: Deck,
    cards: Collection[int],
    run_points: Sequence[int],
    four_points: Sequence[int],
    *,
    share: bool,
) -> tuple[Meld, ...]:
    """Return the melds of some cards that are worth most together, the dearest first.

    Args:
      deck: the pack.
      cards: the cards of one hand.
      run_points: what a run is worth in tens, by its length from 0.
      four_points: what four of each rank are worth in tens; 0 if they are not a meld.
      share: whether a card may serve in a run and in four of a kind.
    """
    worth = dict(zip(deck.ranks, four_points, strict=True))
    fours = [rank for rank in deck.ranks if worth[rank] and len(_of_rank(deck, cards, rank)) == 4]
    # A card of a four may be missing in a run, so without sharing try every choice of fours.
    ways = [fours]
    if not share:
        ways = [list(way) for n in range(len(fours) + 1) for way in itertools.combinations(fours, n)]
    found = []
    for way in ways:
        taken = {card for rank in way for card in _of_rank(deck, cards, rank)}
        free = set(cards) if share else set(cards) - taken
        melds = [
            Meld(Text(f"meld.four.{rank}"), 10 * worth[rank], tuple(_of_rank(deck, cards, rank)))
            for rank in way
        ]
        found.append(melds + _runs(deck, free, run_points))
    best = max(found, key=lambda melds: sum(meld.points for meld in melds))
    return tuple(sorted(best, key=lambda meld: -meld.points))


def _of_rank(deck: Deck, cards: Collection[int], rank: str) -> list[int]:
    place, size = deck.ranks.index(rank), deck.ranks_per_suit
    return [card for card in sorted(cards) if card % size == place]


def _runs(deck: Deck, cards: Collection[int], run_points: Sequence[int]) -> list[Meld]:
    """Return every block of at least three neighbours of a suit."""
    size, found = deck.ranks_per_suit, []
    for suit in range(len(deck.suits)):
        run: list[int] = []
        # One step beyond the suit ends a run of its highest cards.
        for card in range(suit * size, (suit + 1) * size + 1):
            if card in cards and card < (suit + 1) * size:
                run.append(card)
                continue
            if len(run) >= 3:
                text = Text("meld.run", number=len(run), card=run[-1])
                found.append(Meld(text, 10 * run_points[len(run)], tuple(run)))
            run = []
    return found
