"""Double-dummy results and par of deals of Bridge, by DDS, the solver of Bo Haglund.

The package endplay holds DDS. Seats 0 to 3 are North, East, South and West. Strains 0 to 4 are clubs,
diamonds, hearts, spades and no trump.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from jaxcards.errors import UserError
from jaxcards.interop.extras import require

_dds = require("endplay.dds", "bridge", "endplay")
_types = require("endplay.types", "bridge", "endplay")

_SEATS, _STRAINS = 4, 5
_DENOMS = (3, 2, 1, 0, 4)  # numbers of our strains in DDS
_VULNERABLE = (0, 2, 3, 1)  # numbers of our vulnerable sides in DDS
_RANKS = "23456789TJQKA"


class Par(NamedTuple):
    """The result of a deal if both sides call and play as well as they can with open hands.

    Attributes:
      score: of North and South, less that of East and West.
      contracts: each contract with its declarer and result, such as "2♠E=" or "4♠Ex-1".
    """

    score: int
    contracts: tuple[str, ...]


def solve(state: Any) -> tuple[np.ndarray, Par]:
    """Return the `table` and the `par` of a deal, which DDS solves once for both."""
    public = state.public
    found = _dds.calc_dd_table(to_deal(_hands(state)))
    players, strains = map(_types.Player, range(_SEATS)), range(_STRAINS)
    tricks = [[found[_denom(strain), player] for strain in strains] for player in players]
    sides = _types.Vul(_VULNERABLE[int(public.vulnerability)])
    best = _dds.par(found, sides, _types.Player(int(public.dealer)))
    return np.array(tricks), Par(best.score, tuple(map(str, best)))


def table(state: Any) -> np.ndarray:
    """Return the tricks that each declarer wins in each strain: int[seats, strains].

    Args:
      state: a `State` of Bridge at any moment; the table is of its cards before the first trick.
    """
    return solve(state)[0]


def par(state: Any) -> Par:
    """Return the par of a deal, with its dealer and vulnerable sides; see `table`."""
    return solve(state)[1]


def to_deal(hands: Sequence[Iterable[int]], strain: int = _STRAINS - 1, leader: int = 0) -> Any:
    """Return an `endplay.types.Deal` at the beginning of a trick.

    Args:
      hands: the cards of each seat, of equal number.
      strain: 0 to 4.
      leader: the seat that leads.
    """
    texts = []
    for hand in hands:
        # Suits from spades down to clubs, as texts of deals list them.
        suits = [[card % 13 for card in hand if card // 13 == suit] for suit in (3, 2, 1, 0)]
        texts.append(".".join("".join(_RANKS[rank] for rank in suit) for suit in suits))
    return _types.Deal(f"N:{' '.join(texts)}", _types.Player(leader), _denom(strain))


def best_tricks(deal: Any) -> int:
    """Return the tricks that the side to lead wins with best play of both sides; see `to_deal`."""
    # Any best card, with its tricks.
    ((_, tricks), *_) = _dds.solve_board(deal, _dds.solve.SolveMode.OptimalOne)
    return int(tricks)


def _hands(state: Any) -> list[list[int]]:
    """Return the cards dealt to each seat."""
    hands = [np.flatnonzero(np.asarray(hand.mask())).tolist() for hand in state.hands]
    if len(hands[0]) < len(_RANKS):
        raise UserError("DDS solves deals of 52 cards, which bridge/tiny does not have")
    return hands


def _denom(strain: int) -> Any:
    return _types.Denom(_DENOMS[strain])
