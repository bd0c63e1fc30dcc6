"""Belote in words: names of actions, and a deal as people read it."""

from jaxcards.cards import history
from jaxcards.cards.text import hand_lines, trick_lines, tricks_in
from jaxcards.games.belote import calls, declarations, score
from jaxcards.games.belote.deck import DECK, UNDECIDED, VOID
from jaxcards.games.belote.rules import LEVELS, BeloteRules
from jaxcards.games.belote.state import (
    NUM_SEATS,
    BeloteGame,
    Public,
    State,
    bidder,
    turned_up,
    unpack_contract,
    visible_hands,
)

MODE_NAMES = ("♦ trumps", "♥ trumps", "♠ trumps", "♣ trumps", "no trump", "all trump")


def calls_of(public: Public) -> list[tuple[int, int]]:
    """Return the calls of an untraced deal in order: the seat and the action of each."""
    number = int(public.num_calls)
    if public.calls is not None:
        actions = [
            code + calls.PASS for code in history.to_list(public.calls, number, bits=calls.CALL_BITS)
        ]
    else:
        actions = [calls.PASS] * number
        if bool(public.playing):
            actions[-1] = calls.NAME + int(public.mode)
    return [((int(public.dealer) + 1 + i) % NUM_SEATS, action) for i, action in enumerate(actions)]


def to_string(game: BeloteGame, state: State) -> str:
    """Return a deal as text, all hands open."""
    rules, public = game.rules, state.public
    lines = [f"dealer {int(public.dealer)}, forehand {(int(public.dealer) + 1) % NUM_SEATS}"]
    if state.turn_up is not None:
        lines.append(f"turned up: {DECK.pretty(int(turned_up(state)))}")
    for seat, (hand, visible) in enumerate(zip(state.hands, visible_hands(state), strict=True)):
        dealt = hand if state.talon is None or bool(state.playing) else hand - state.talon
        lines += hand_lines(DECK, f"seat {seat}", dealt.to_list(), visible.to_list())
    lines += _call_lines(game, state)
    lines += _declaration_lines(rules, state)
    lines += trick_lines(DECK, tricks_in(public.history, public.num_played, state.hands, NUM_SEATS))
    return "\n".join(lines + _outcome(rules, state))


def _call_lines(game: BeloteGame, state: State) -> list[str]:
    public, names = state.public, game.action_names()
    lines = [f"seat {seat}: {names[action]}" for seat, action in calls_of(public)]
    mode = int(public.mode)
    if mode == UNDECIDED:
        return lines
    if mode == VOID:
        return [*lines, "everybody passed"]
    said = f"seat {int(bidder(public))} plays {MODE_NAMES[mode]}"
    if public.contract is not None:
        contract = unpack_contract(public.contract)
        said += f", {LEVELS[int(contract.level) - 1]}"
        said += ("", " doubled", " redoubled")[int(contract.doubled)]
    return [*lines, said]


def _declaration_lines(rules: BeloteRules, state: State) -> list[str]:
    public = state.public
    if not bool(state.playing):
        return []
    lines = []
    for seat, hand in enumerate(state.hands):
        if rules.declarations:
            found = declarations.find(rules, hand, public.mode)
            if int(found.total):
                cards = DECK.pretty_names(declarations.cards_of(found).to_list())
                lines.append(f"declarations of seat {seat}: {10 * int(found.total)} points ({cards})")
    for seat, hand in enumerate(state.hands):
        if rules.belote and (held := declarations.pairs(rules, hand, public.mode).to_list()):
            lines.append(f"belote of seat {seat}: {20 * len(held)} points")
    return lines


def _outcome(rules: BeloteRules, state: State) -> list[str]:
    if not bool(state.terminated):
        return [f"seat {int(state.current_player)} is to act"]
    found = score.outcome(rules, state)
    first, second = (int(points) for points in found.scores)
    lines = []
    if state.straights is not None and bool(score.straight_winner(state)[0]):
        lines.append("eight cards in a row win the match")
    elif bool(state.playing):
        kept = "made" if bool(found.made) else "failed" if bool(found.failed) else "litige"
        lines.append(f"outcome: {kept}")
    lines.append(f"score: seats 0 and 2 {first}, seats 1 and 3 {second}")
    if int(found.carry):
        lines.append(f"carried over: {int(found.carry)}")
    return lines
