"""Deals of given cards and actions by the compiled game, checked against the reference."""

import numpy as np

from games.sheepshead.playout import Deals, game_of, play, reference_seen, seen_by
from games.sheepshead.reference import cards
from games.sheepshead.reference_deal import ReferenceDeal
from games.sheepshead.variants import rules_of


class Line:
    """A deal by the compiled game, checked against the reference at every step."""

    def __init__(self, variant, deck, dealer, actions, stakes=1):
        deals = Deals(np.array([deck]), np.array([dealer]), np.array([stakes]))
        self.record = play(variant, deals, [actions])
        self.deals = [ReferenceDeal(rules_of(variant), deck, dealer, stakes)]
        for t, action in enumerate(actions):
            deal = ReferenceDeal(rules_of(variant), deck, dealer, stakes)
            for before in actions[: t + 1]:
                deal.step(before)
            self.deals.append(deal)
            assert int(self.record["action"][0, t]) == action
        for t, deal in enumerate(self.deals):
            for player in range(deal.n):
                assert seen_by(self.record, 0, t, player) == reference_seen(deal, player)
            if not deal.terminated:
                assert self.legal(t) == sorted(deal.legal())

    def legal(self, t: int) -> list[int]:
        """Return the legal actions of the compiled game before action t."""
        return np.flatnonzero(self.record["mask"][0, t]).tolist()

    def player(self, t: int) -> int:
        return int(self.record["player"][0, t])

    @property
    def chips(self) -> list[int]:
        return self.record["chips"][0, -1].tolist()


def line_of(variant, hands, blind, dealer, actions) -> Line:
    """Deal the given hands, and the remaining cards to the others."""
    given = {seat: cards(text) for seat, text in hands.items()}
    rules = game_of(variant).rules
    taken = [number for hand in given.values() for number in hand] + cards(blind)
    rest = [number for number in range(32) if number not in taken]
    deck = []
    for seat in range(rules.num_players):
        hand = list(given.get(seat, []))
        while len(hand) < rules.hand_size:
            hand.append(rest.pop(0))
        deck += hand
    return Line(variant, deck + cards(blind) + rest, dealer, actions)
