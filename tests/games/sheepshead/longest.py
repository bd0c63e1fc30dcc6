"""Deals with the largest number of decisions that the rules allow, which random play rarely finds."""

import jax.numpy as jnp
import numpy as np

from games.sheepshead.reference import (
    BLACK_QUEENS,
    BLITZ,
    CRACK,
    PARTNER,
    PASS,
    PICK,
    RECRACK,
    fail_aces,
    is_trump,
    sizes,
)
from games.sheepshead.reference_deal import ReferenceDeal
from jaxcards.testing.deals import quick_jit


def longest_actions(rules) -> tuple[list[int], int, list[int]]:
    """Deck, dealer and actions: the last possible seat picks and calls with an unknown, all others are
    asked to crack, and the last of them does."""
    n, (h, b) = rules.num_players, sizes(rules)
    # The picker has nothing but trumps and two of the fail aces, so that a call takes an unknown; the
    # ace that it calls, or the jack of diamonds, is with the seat to its left.
    *own_aces, missing = fail_aces(rules)
    jack = 8 * 1 + 4
    trumps = [number for number in range(32) if is_trump(rules, number) and number != jack]
    trumps.sort(key=lambda number: number not in BLACK_QUEENS)
    # Without an unknown it needs a card of the suit: the king.
    near = [] if rules.allow_unknown else [missing - 1]
    pool = (near + own_aces + trumps)[: h + b]
    # Who is asked for the blind is not asked to crack: one before the dealer leaves one to ask.
    picker = n - 2 if rules.crack and rules.crack_who == "unasked" else n - 1
    partner = (picker - 2) % n  # different from the picker and the last seat to be asked
    theirs = [missing, jack][:h]
    rest = [number for number in range(32) if number not in pool + theirs]
    hands = {picker: pool[:h], partner: theirs}
    deck: list[int] = []
    for seat in range(n):
        hand = list(hands.get(seat, []))
        while len(hand) < h:
            hand.append(rest.pop(0))
        deck += hand
    deck += pool[h:] + rest
    deal = ReferenceDeal(rules, deck, n - 1)
    actions = []
    while not deal.terminated:
        action = _choose(deal, picker)
        actions.append(action)
        deal.step(action)
    return deck, n - 1, actions


def _choose(deal: ReferenceDeal, picker: int) -> int:
    legal = deal.legal()
    seat = deal.current_player
    if deal.phase == "pick":
        return PICK if seat == picker else PASS
    if deal.phase == "loner":
        return PARTNER if PARTNER in legal else legal[0]
    if deal.phase == "crack":
        last = seat == deal.asked()[-1]
        return CRACK if last and CRACK in legal and deal.rules.recrack else PASS
    if deal.phase == "recrack":
        return PASS if deal.rules.partner_recracks else RECRACK
    return BLITZ if BLITZ in legal else legal[0]


def longest_deal(game) -> list:
    """Return the states of such a deal, from the first to the last: for `check_length`."""
    deck, dealer, actions = longest_actions(game.rules)
    step = quick_jit(game.step)
    states = [game.init_from_deck(np.array(deck), dealer)]
    for action in actions:
        states.append(step(states[-1], jnp.int32(action)))
    return states
