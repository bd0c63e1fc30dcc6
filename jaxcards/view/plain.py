"""The view of a game that writes none of its own: hands, tricks, and the names of actions."""

from collections.abc import Sequence
from typing import Any, Protocol

from jaxcards.cards import history
from jaxcards.cards.sets import Deck
from jaxcards.errors import UserError
from jaxcards.view import parts
from jaxcards.view.structure import Choice, Play, Score, Seat, View
from jaxcards.view.text import Text


class Nameable(Protocol):
    """What a plain view needs of a game; every `Game` has it."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def deck(self) -> Deck: ...
    @property
    def num_players(self) -> int: ...
    @property
    def teams(self) -> tuple[int, ...] | None: ...
    def action_to_string(self, action: int) -> str: ...
    def history(self, observation: Any) -> history.History: ...


def plain_view(
    game: Nameable, observation: Any, legal: Sequence[int], points: Sequence[int] | None
) -> View:
    """Return the view of a game that writes none of its own.

    A game with a suit that is trumps in every deal names it by its number in `fixed_trumps`.

    The view needs `hand`, `played_by` and `public.current_player` of an observation. It shows the
    tricks if `public` has `history` and `num_played`; the winner of a trick is taken to lead to the
    next one. It shows the calls if the game writes `history`.

    Raises:
      UserError: the observation lacks one of the three.
    """
    public: Any = getattr(observation, "public", None)
    # An observation may be of any class; these are the parts that a view shows.
    known = all(hasattr(observation, name) for name in ("hand", "played_by", "player"))
    if not known or not hasattr(public, "current_player"):
        raise UserError(f"{game.name} has no view: its class must write view_of(observation, legal)")
    deck, me = game.deck, int(observation.player)
    played = [cards.to_list() for cards in observation.played_by]
    # Without the order of play the table stays empty.
    order: list[int] = []
    if hasattr(public, "history") and hasattr(public, "num_played"):
        order = history.to_list(public.history, int(public.num_played))
    owner, number = parts.owners(played), len(played)

    def winner(trick: int) -> int:
        """Return the seat that won a complete trick: the one that leads to the next trick."""
        following = number * (trick + 1)
        return owner[order[following]] if following < len(order) else int(public.current_player)

    plays = [Play(owner[card], card) for card in order]
    trick, last = parts.tricks_of(plays, number, winner)
    won = parts.count_tricks(len(order) // number, winner, number)
    said = _calls(game, observation, number)
    hand = parts.in_order(deck, observation.hand.to_list())
    size = len(hand) + len(played[me])  # of a hand as it was dealt
    seats = tuple(
        Seat(
            seat=seat,
            player=seat,
            name=parts.seat_name(seat),
            num_cards=len(hand) if seat == me else max(size - len(cards), 0),
            hand=hand if seat == me else None,
            calls=said[seat],
            tricks=won[seat],
        )
        for seat, cards in enumerate(played)
    )
    cards = parts.card_choices(hand, legal, "play", "do.play", lambda card: Text("why.rules"))
    calls = [
        Choice(action, Text("do.named", name=game.action_to_string(action)), "say")
        for action in legal
        if action >= deck.num_cards
    ]
    fixed, over = getattr(game, "fixed_trumps", None), points is not None
    symbol = "" if fixed is None else deck.symbols[fixed]
    outcome = parts.outcome(points, me, game.teams) if points else ""
    return View(
        game=game.id or game.name,
        faces=parts.faces(deck),
        player=me,
        seats=seats,
        to_act=None if over else int(public.current_player),
        dealer=None,
        phase=Text("ask.over" if over else "ask.action"),
        trump=Text("mode.fixed", suit=symbol) if symbol else None,
        trump_suit=symbol,
        deal_unit="points" if game.teams is None else "points_ahead",
        trick=trick,
        last_trick=last,
        scores=tuple(
            Score(side, result=None if points is None else points[side[0]])
            for side in parts.sides(game.teams, range(game.num_players))
        ),
        # If a card is to be played, the whole hand is shown, with the forbidden cards.
        choices=(*calls, *(cards if legal and min(legal) < deck.num_cards else ())),
        result=(Text("ask.over"),) if over else (),
        outcome=outcome,
        verdict=parts.verdict(outcome, points, me, game.teams) if points else None,
    )


def _calls(game: Nameable, observation: Any, num_seats: int) -> list[tuple[Text, ...]]:
    """Return the calls of each seat, in order; none if the game does not write `history`."""
    said: list[list[Text]] = [[] for _ in range(num_seats)]
    try:
        past = game.history(observation)
    except UserError:
        return [()] * num_seats
    for action, player in zip(past.actions.tolist(), past.players.tolist(), strict=True):
        # Skip cards, and the entries of -1 behind the last action.
        if action >= game.deck.num_cards:
            said[player].append(Text("do.named", name=game.action_to_string(action)))
    return [tuple(texts) for texts in said]
