"""Rikiki in words: names of actions, and a deal as people read it."""

from jaxcards.cards.text import hand_lines, trick_lines, tricks_in
from jaxcards.games.rikiki import score
from jaxcards.games.rikiki.deck import DECK, NO_CARD, NO_TRUMP
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.state import Public, RikikiGame, State, bid_of, has_bid, tricks_of


def to_string(game: RikikiGame, state: State) -> str:
    """Return a deal as text, all hands open."""
    rules, public = game.rules, state.public
    number, rounds = int(public.round) + 1, len(rules.schedule)
    lines = [f"round {number} of {rounds}, dealer {int(public.dealer)}, {_trump(public)}"]
    for seat, hand in enumerate(state.hands):
        left = (hand - state.played).to_list()
        lines += hand_lines(DECK, f"seat {seat}", hand.to_list(), left)
    lines.append(_bids(rules, public))
    tricks = tricks_in(public.history, public.num_played, state.hands, rules.num_players)
    lines += trick_lines(DECK, tricks)
    return "\n".join([*lines, *_outcome(rules, state)])


def _trump(public: Public) -> str:
    trump = int(public.trump)
    if trump == NO_TRUMP:
        return "no trump"
    turnup = int(public.turnup)
    shown = f" (turned up: {DECK.pretty(turnup)})" if turnup != NO_CARD else ""
    return f"{DECK.symbols[trump]} trumps{shown}"


def _bids(rules: RikikiRules, public: Public) -> str:
    players = rules.num_players
    said = [
        str(int(bid_of(public.bids, seat, players)))
        if bool(has_bid(seat, public.dealer, public.num_bids, players))
        else "–"
        for seat in range(players)
    ]
    return f"bids by seat: {', '.join(said)}"


def _outcome(rules: RikikiRules, state: State) -> list[str]:
    if not bool(state.terminated):
        return [f"seat {int(state.current_player)} is to act"]
    players = range(rules.num_players)
    won = [str(int(tricks_of(state.public.tricks_won, seat, rules.num_players))) for seat in players]
    points = [str(int(points)) for points in score.deal_points(rules, state)]
    return [f"tricks by seat: {', '.join(won)}", f"points by seat: {', '.join(points)}"]
