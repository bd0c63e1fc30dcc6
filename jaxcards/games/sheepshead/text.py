"""Sheepshead in words: names of actions, and a deal as people read it."""

from jaxcards.cards import history
from jaxcards.cards.sets import CardSet
from jaxcards.cards.text import hand_lines
from jaxcards.games.sheepshead import score
from jaxcards.games.sheepshead.deck import DECK, NO_CARD
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.state import (
    NO_SEAT,
    PHASE_NAMES,
    SheepsheadGame,
    State,
    hand_of,
    owned,
    seat_points,
    trick_winner,
)


def without_phase(name: str) -> str:
    """Return the name of an action without "call", "unknown", "bury" or "play" before a card."""
    first, _, card = name.strip().partition(" ")
    return card if card and first.lower() in ("call", "unknown", "bury", "play") else name


def tricks_of(rules: SheepsheadRules, state: State) -> list[tuple[int, list[int]]]:
    """Return the tricks of an untraced state in order: the leader and the cards of each."""
    public = state.public
    n = rules.num_players
    played = history.to_list(public.history, public.num_played)
    leader = (int(public.dealer) + 1) % n
    found = []
    for trick, start in enumerate(range(0, len(played), n)):
        shown = played[start : start + n]
        if state.unknown is not None:
            shown = [int(state.unknown) if card == NO_CARD else card for card in shown]
        found.append((leader, shown))
        leader = int(trick_winner(public.winners, trick))
    return found


def to_string(game: SheepsheadGame, state: State) -> str:
    """Return a deal as text, all hands open."""
    rules, public = game.rules, state.public
    lines = [f"dealer {int(public.dealer)}, stakes {int(public.stakes)}"]
    for seat, hand in enumerate(state.hands):
        left = CardSet(DECK, [hand_of(state, state.current_player * 0 + seat)]).to_list()
        lines += hand_lines(DECK, f"seat {seat}", hand.to_list(), left, "now has")
    lines.append(f"blind: {DECK.pretty_names(state.blind.to_list())}")
    lines += _calls(rules, state)
    for number, (leader, shown) in enumerate(tricks_of(rules, state), start=1):
        names = " ".join(_pretty(state, card) for card in shown)
        lines.append(f"trick {number}: seat {leader} leads  {names}")
    lines += _outcome(rules, state)
    return "\n".join(lines)


def _pretty(state: State, card: int) -> str:
    is_unknown = state.unknown is not None and card == int(state.unknown)
    return DECK.pretty(card) + ("(unknown)" if is_unknown else "")


def _calls(rules: SheepsheadRules, state: State) -> list[str]:
    public = state.public
    if int(public.picker) == NO_SEAT:
        return ["nobody has picked"]
    lines = [f"seat {int(public.picker)} picked"]
    if public.called is not None and int(public.called) != NO_CARD:
        card = int(public.called)
        holders = [seat for seat, cards in enumerate(owned(state)) if card in cards.to_list()]
        where = f"held by seat {holders[0]}" if holders else "in the blind"
        lines.append(f"partner card {DECK.pretty(card)}, {where}")
    if state.unknown is not None and int(state.unknown) != NO_CARD:
        lines.append(f"unknown card {DECK.pretty(int(state.unknown))}")
    if state.buried.to_list():
        lines.append(f"buried: {DECK.pretty_names(state.buried.to_list())}")
    if public.cracker is not None and int(public.cracker) != NO_SEAT:
        answer = public.recracked is not None and bool(public.recracked)
        more = ", and the picker re-cracked" if answer else ""
        lines.append(f"seat {int(public.cracker)} cracked{more}")
    return lines


def _outcome(rules: SheepsheadRules, state: State) -> list[str]:
    if not bool(state.terminated):
        return [f"seat {int(state.current_player)} is to act ({PHASE_NAMES[int(state.public.phase)]})"]
    words = score.public_points(rules, state)
    points = [str(int(seat_points(words, seat))) for seat in range(rules.num_players)]
    chips = [f"{int(chip):+d}" if int(chip) else "0" for chip in score.chips(rules, state)]
    return [f"card points by seat: {', '.join(points)}", f"chips by seat: {', '.join(chips)}"]
