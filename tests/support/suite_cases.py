"""Arguments of the check suite for each game: actions to begin with, longest deals, budgets."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.bridge.longest import longest_deal as longest_bridge
from games.sheepshead.longest import longest_deal
from games.skat.longest import longest_deal as longest_skat
from games.spades.longest import longest_deal as longest_spades

import jaxcards


def random_round(id: str) -> Callable[[Any], dict[str, Any]]:
    """Draw the round of a given deal of Rikiki."""
    rounds = len(jaxcards.make(id).rules.schedule)
    return lambda rng: {"round": rng.integers(rounds)}


_PASS, _BID, _COINCHE, _SURCOINCHE = 32, 37, 97, 98  # actions of Belote; a pass of Sheepshead, too

# Calls of the longest deals of Belote, which random play seldom makes, by the kind of auction.
_CALLS = {
    "bela": [_PASS] * 3,
    "turnup": [_PASS] * 7 + [33],
    "contract": [
        _PASS,
        *(call for level in range(10) for call in (_PASS, _PASS, _BID + 6 * level)),
        *(_PASS, _PASS, _COINCHE, _PASS, _PASS, _SURCOINCHE),
    ],
}


@dataclasses.dataclass(frozen=True)
class Case:
    """The presets of a game that the tests check, and arguments of `check_game`.

    Attributes:
      quick: the preset whose play the fast tests check; the slow ones put every preset through the
        whole suite.
      matches: presets whose matches are checked.
      budget: largest numbers of jaxpr equations, where they are above the defaults.
      more: from an id to the argument `more` of `check_game`.
      first: from the rules to the actions with which some deals begin.
      longest: plays a deal of `max_steps` decisions, where random play hardly ever does.
    """

    quick: str = ""
    matches: tuple[str, ...] = ()
    budget: Mapping[str, int] | None = None
    more: Callable[[str], Any] = lambda id: None
    first: Callable[[Any], Sequence[int]] = lambda rules: ()
    longest: Callable[[Any], Any] | None = None


def _mode(id: str) -> Callable[[Any], dict[str, Any]] | None:
    """Draw the trump suit of a given deal of Differenzler."""
    return (lambda rng: {"mode": rng.integers(4)}) if id == "jass/differenzler" else None


CASES = {
    "jass": Case(
        quick="tournament_207",
        matches=("swisslos", "differenzler"),
        more=_mode,
    ),
    "belote": Case(
        matches=("belote_classic",),
        # The score finds the declarations of four hands; it is needed once a deal.
        budget={"points": 1_100},
        first=lambda rules: _CALLS[rules.auction],
    ),
    "euchre": Case(
        quick="dummy_partner",
        matches=("three_handed_code",),
    ),
    "rikiki": Case(
        quick="open_spiel",
        matches=("plain",),
        more=random_round,
    ),
    "sheepshead": Case(
        matches=("six_jd",),
        budget={"points": 600},  # the chips of up to six seats
        first=lambda rules: [_PASS] * rules.num_players,  # a leaster or a void deal
        longest=longest_deal,
    ),
    "hearts": Case(
        quick="plain",
        matches=("omnibus",),
    ),
    "spades": Case(
        quick="whiz",
        matches=("blind_nil",),
        longest=longest_spades,
    ),
    "skat": Case(
        matches=("ramsch",),
        budget={"points": 550},  # the values of games, and Ramsch
        first=lambda rules: [_PASS] * 3,
        longest=longest_skat,
    ),
    "bridge": Case(
        quick="tiny",
        matches=("chicago", "rubber (num_deals=4)"),
        budget={"points": 400},  # honours, and games of a rubber
        first=lambda rules: [52] * 4,  # the deal that all pass
        longest=longest_bridge,
    ),
}


def ids() -> list[str]:
    """Every id but the bare names, which mean one of their presets."""
    return [id for id in jaxcards.games() if "/" in id]


def case(id: str) -> Case:
    return CASES[id.partition("/")[0]]


def arguments(id: str) -> dict[str, Any]:
    """Return what `check_game` needs besides the game of an id."""
    found = case(id)
    rules = jaxcards.make(id).rules
    return {
        "jaxpr_budget": found.budget,
        "more": found.more(id),
        "first": found.first(rules),
        "longest": found.longest,
    }
