"""Jass in words: names of actions, and a deal as people read it."""

from jaxcards.cards.seats import field
from jaxcards.cards.text import hand_lines, trick_lines, tricks_in
from jaxcards.games.jass import score, weis
from jaxcards.games.jass.deck import DECK, UNDECIDED
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import NO_WINNER, NUM_SEATS, POINTS_BITS, JassGame, State

MODE_NAMES = (
    "♦ trumps", "♣ trumps", "♥ trumps", "♠ trumps", "undenufe", "obenabe",
    "slalom from the top", "slalom from the bottom",
)  # fmt: skip


def to_string(game: JassGame, state: State) -> str:
    """Return a deal as text, all hands open."""
    rules, public = game.rules, state.public
    lines = [f"dealer {int(public.dealer)}, forehand {(int(public.dealer) + 1) % NUM_SEATS}"]
    for seat, hand in enumerate(state.hands):
        left = (hand - state.played).to_list()
        lines += hand_lines(DECK, f"seat {seat}", hand.to_list(), left)
    lines.append(_calls(rules, state))
    lines += _weis_lines(rules, state)
    lines += trick_lines(DECK, tricks_in(public.history, public.num_played, state.hands, NUM_SEATS))
    lines += _outcome(rules, state)
    return "\n".join(lines)


def _calls(rules: JassRules, state: State) -> str:
    public = state.public
    mode = int(public.mode)
    if state.predictions is not None:
        said = [str(int(field(state.predictions, seat, POINTS_BITS))) for seat in range(NUM_SEATS)]
        return f"{MODE_NAMES[mode]}; predictions by seat: {', '.join(said)}"
    forehand = (int(public.dealer) + 1) % NUM_SEATS
    calls = int(public.num_calls)
    if mode == UNDECIDED:
        return f"seat {forehand} pushed" if calls else "no mode chosen yet"
    if calls == 2:
        return f"seat {forehand} pushed, seat {(forehand + 2) % NUM_SEATS} chose {MODE_NAMES[mode]}"
    return f"seat {forehand} chose {MODE_NAMES[mode]}"


def _weis_lines(rules: JassRules, state: State) -> list[str]:
    public = state.public
    if not rules.weis or int(public.mode) == UNDECIDED:
        return []
    lines = []
    for seat, hand in enumerate(state.hands):
        melds = weis.chosen(weis.find_melds(rules, hand), public.mode)
        if int(melds.total):
            cards = DECK.pretty_names(weis.meld_cards(melds).to_list())
            lines.append(f"Weis of seat {seat}: {10 * int(melds.total)} points ({cards})")
    for seat, hand in enumerate(state.hands):
        if rules.stock and bool(weis.has_stock(hand, public.mode)):
            lines.append(f"Stöck of seat {seat}: {score.STOCK_POINTS} points")
    return lines


def _outcome(rules: JassRules, state: State) -> list[str]:
    if not bool(state.terminated):
        return [f"seat {int(state.current_player)} is to act"]
    if rules.game == "differenzler":
        missed = ", ".join(str(int(points)) for points in score.differences(state))
        return [f"differences by seat: {missed}"]
    first, second = (int(points) for points in score.team_score(rules, state))
    lines = [f"score: seats 0 and 2 {first}, seats 1 and 3 {second}"]
    if state.match_winner is not None and int(state.match_winner) != NO_WINNER:
        lines.append(f"the match goes to team {int(state.match_winner)}")
    return lines
