"""The rule functions of two other Jass engines, called with our cards and modes.

Only cards, modes and seats are translated here; nothing is corrected. Each peer answers
`legal(mode, table, hand)`, `winner(mode, trick)` (position) and `points(mode, trick, last)`. jass-kit
also plays whole deals: `play(deck, dealer, actions)`.
"""

from functools import cache
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest

from games.jass.reference import CHOOSE, OBENABE, PUSH, UNDENUFE, rank, suit

MODULES = {"jass-kit": "jass", "pyschieber": "pyschieber"}

KIT_SUITS = {0: 0, 1: 3, 2: 1, 3: 2}  # diamonds, clubs, hearts, spades in jass-kit
KIT_MODES = KIT_SUITS | {OBENABE: 4, UNDENUFE: 5}


def peer_param(name: str):
    """Return the test parameter of a peer; its test is skipped if the package is not installed."""
    missing = pytest.mark.skipif(
        find_spec(MODULES[name]) is None, reason=f"the package {name} is not installed"
    )
    return pytest.param(name, marks=[pytest.mark.differential, missing])


def to_kit(card: int) -> int:
    """Card number in jass-kit."""
    return 9 * KIT_SUITS[suit(card)] + 8 - rank(card)


def from_kit(card: int) -> int:
    """Card of a number in jass-kit."""
    suits = {kit: ours for ours, kit in KIT_SUITS.items()}
    return 9 * suits[card // 9] + 8 - card % 9


def from_kit_mode(mode: int) -> int:
    return {kit: ours for ours, kit in KIT_MODES.items()}[mode]


def from_kit_seat(seat: int) -> int:
    """Seats of jass-kit run the other way; teams stay what they are."""
    return -seat % 4


to_kit_seat = from_kit_seat  # the mapping is its own inverse


def to_kit_action(action: int) -> int:
    """Return the number of a card, a mode or the push among the full actions of jass-kit."""
    if action < CHOOSE:
        return to_kit(action)
    return action if action == PUSH else CHOOSE + KIT_MODES[action - CHOOSE]


class JassKit:
    """jass-kit (HSLU)."""

    name = "jass-kit"

    def __init__(self):
        from jass.game.game_sim import GameSim
        from jass.game.rule_schieber import RuleSchieber

        self._rule, self._simulator = RuleSchieber(), GameSim

    def legal(self, mode: int, table: list[int], hand: list[int]) -> list[int]:
        held = np.zeros(36, np.int32)
        held[[to_kit(c) for c in hand]] = 1
        trick = [to_kit(c) for c in table]
        valid = self._rule.get_valid_cards(held, trick, len(trick), KIT_MODES[mode])
        return sorted(from_kit(c) for c in np.flatnonzero(valid).tolist())

    def winner(self, mode: int, trick: list[int]) -> int:
        kit = np.array([to_kit(c) for c in trick])
        return -int(self._rule.calc_winner(kit, 0, KIT_MODES[mode])) % 4

    def points(self, mode: int, trick: list[int], last: bool) -> int:
        kit = np.array([to_kit(c) for c in trick])
        return self._rule.calc_points(kit, last, KIT_MODES[mode])

    def play(self, deck: list[int], dealer: int, actions: list[int]) -> SimpleNamespace:
        """Play a whole deal in the simulator of jass-kit and return its outcome in our seats.

        The simulator accepts any action. `refused` lists the actions that jass-kit calls illegal.
        """
        hands = np.zeros((4, 36), np.int32)
        for k in range(4):
            held = [to_kit(c) for c in deck[9 * k : 9 * k + 9]]
            hands[to_kit_seat(dealer + 1 + k), held] = 1
        simulator = self._simulator(self._rule)
        simulator.init_from_cards(hands, to_kit_seat(dealer))
        refused = []
        for action in actions:
            if not self._rule.get_valid_actions_from_state(simulator.state)[to_kit_action(action)]:
                refused.append(action)
            simulator.action(to_kit_action(action))
        assert simulator.is_done()
        state = simulator.state
        return SimpleNamespace(
            refused=refused,
            declarer=from_kit_seat(state.declared_trump),
            winners=[from_kit_seat(seat) for seat in state.trick_winner.tolist()],
            trick_points=state.trick_points.tolist(),
            score=state.points.tolist(),
        )


class Pyschieber:
    """pyschieber."""

    name = "pyschieber"

    def __init__(self):
        from pyschieber.rules import count_rules, stich_rules

        from jaxcards.opponents import pyschieber

        self._stich, self._count = stich_rules, count_rules
        self._cards, self._modes = pyschieber.CARDS, pyschieber.MODES
        self._numbers = {id(card): c for c, card in enumerate(self._cards)}

    def _translated(self, cards: list[int]) -> list:
        return [self._cards[c] for c in cards]

    def legal(self, mode: int, table: list[int], hand: list[int]) -> list[int]:
        on_table, held = self._translated(table), self._translated(hand)
        found = self._stich.allowed_cards(held, on_table, self._modes[mode])
        return sorted(self._numbers[id(card)] for card in found)

    def winner(self, mode: int, trick: list[int]) -> int:
        played = [
            SimpleNamespace(player=k, card=card) for k, card in enumerate(self._translated(trick))
        ]
        return self._stich.stich_rules[self._modes[mode]](played_cards=played).player

    def points(self, mode: int, trick: list[int], last: bool) -> int:
        return self._count.count_stich(self._translated(trick), self._modes[mode], last=last)


@cache
def peer(name: str):
    return {"jass-kit": JassKit, "pyschieber": Pyschieber}[name]()
