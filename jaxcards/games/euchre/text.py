"""Euchre in words: names of actions, and a deal as people read it."""

import jax.numpy as jnp

from jaxcards.cards.seats import field
from jaxcards.cards.text import hand_lines, trick_lines, tricks_in
from jaxcards.games.euchre import score
from jaxcards.games.euchre.deck import DECK_WITH_JOKER, NUM_SUITS, deck_of
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import Seating, seating_of
from jaxcards.games.euchre.state import (
    ALONE,
    BID2,
    DEFEND,
    DISCARD,
    DONE,
    EXCHANGE,
    NAME_BLIND,
    NOBODY,
    PLAY,
    EuchreGame,
    State,
    hand_of,
    picked_up,
    took_dummy,
)

ACTION_NAMES = (
    *(DECK_WITH_JOKER.name(card) for card in range(DECK_WITH_JOKER.num_cards)),
    "pass",
    *(f"call {suit}" for suit in DECK_WITH_JOKER.suits),
    "alone",
    "team",
)
_DUE = {
    BID2: "may name another suit",
    NAME_BLIND: "must name a suit without looking at the hand",
    DISCARD: "must discard",
    ALONE: "says whether it plays alone",
    EXCHANGE: "lays down cards for the dummy's",
    DEFEND: "may defend alone",
    PLAY: "is to play",
}


def tricks_of(state: State) -> list[tuple[int, list[int]]]:
    """Return the tricks of an untraced state in order: the leader and the cards of each."""
    hands = list(state.hands)
    if state.dummy is not None:
        maker = int(state.calls.maker)
        hands[maker] = hands[maker] | state.dummy
    size = bin(int(state.calls.active)).count("1")
    return tricks_in(state.public.history, state.num_played, hands, size)


def to_string(game: EuchreGame, state: State) -> str:
    """Return a deal as text, all hands open."""
    rules, public = game.rules, state.public
    deck, seating = deck_of(rules), seating_of(rules)
    lines = [f"dealer {int(public.dealer)} turns up {deck.pretty(int(public.up_card))}"]
    for seat in range(seating.num_seats):
        hand = hand_of(state, jnp.uint32(seat)).to_list()
        dealt = [card for card in state.hands[seat].to_list() if card != int(public.up_card)]
        name = "the dummy" if seat == seating.dummy_seat else f"seat {seat}"
        lines += hand_lines(deck, name, dealt, hand, "now has")
    if state.dummy is not None:
        lines.append(f"the dummy is {deck.pretty_names(state.dummy.to_list())}")
    lines += _calls(rules, seating, state)
    table = public.tricks
    for number, line in enumerate(trick_lines(deck, tricks_of(state))):
        over = number < int(table.tricks)
        lines.append(line + (f", won by seat {int(field(table.winners, number, 2))}" if over else ""))
    lines.append(_outcome(rules, state))
    return "\n".join(lines)


def _calls(rules: EuchreRules, seating: Seating, state: State) -> list[str]:
    """Return who named which suit, and who sits out."""
    call = state.calls
    if int(call.trump) >= NUM_SUITS:
        passed = " and is turned down" if int(call.phase) in (BID2, DONE) else ""
        return [f"the card lies open{passed}"]
    symbol = deck_of(rules).symbols[int(call.trump)]
    how = "picked up" if bool(picked_up(state.public.up_card, call)) else "turned down"
    lines = [f"seat {int(call.maker)} makes {symbol} trumps; the card is {how}"]
    if bool(took_dummy(rules.mode, call)):
        lines.append(f"seat {int(call.maker)} takes the dummy")
    if int(call.alone):
        lines.append(f"seat {int(call.maker)} plays alone")
    if int(call.defender) != NOBODY:
        lines.append(f"seat {int(call.defender)} defends alone")
    return lines


def _outcome(rules: EuchreRules, state: State) -> str:
    call = state.calls
    phase = int(call.phase)
    if phase != DONE:
        suit = deck_of(rules).pretty(int(state.public.up_card))
        return f"seat {int(call.seat)} {_DUE.get(phase, f'may order {suit} up')}"
    if int(call.trump) >= NUM_SUITS:
        return "nobody named a suit: the deal is thrown in"
    points = score.by_agent(rules, state, *score.side_points(rules, state))
    return f"points by player: {', '.join(str(int(n)) for n in points)}"
