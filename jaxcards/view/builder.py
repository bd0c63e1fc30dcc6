"""Builds the view of a trick-taking game from an observation; a game adds what is its own."""

import abc
import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from jaxcards.cards import history
from jaxcards.cards.sets import Deck
from jaxcards.view import parts
from jaxcards.view.structure import Choice, Meld, Pile, Play, Score, Seat, View
from jaxcards.view.text import Text


class ViewBuilder(abc.ABC):
    """An observation in Python's numbers, and the parts of its view.

    A game overrides the methods whose defaults are not true for it.

    Attributes:
      game: the id of the game.
      unit: see `View.unit`.
      seen: the observation.
      deck: the pack.
      me: the seat of the player who looks.
      dealer: the seat that has dealt.
      acting: the seat whose turn it is.
      plays: all cards played, in order.
      played: the cards that each seat has played.
      tricks: the trick on the table, and the one before.
      won: how many tricks each seat has won.
      trick_size: cards of a trick.
    """

    game: ClassVar[str]
    unit: ClassVar[str] = "card_points"

    def __init__(self, seen: Any, deck: Deck, num_seats: int, size: int | None = None) -> None:
        """Read an observation.

        Args:
          seen: the untraced observation.
          deck: the pack.
          num_seats: how many seats there are.
          size: cards of a trick; as many as there are seats if None.
        """
        self.trick_size = size or num_seats
        self.seen, self.deck, self.num_seats = seen, deck, num_seats
        players = [self.player_of(seat) for seat in range(num_seats)]
        # A player of two seats looks from the first of them.
        self.me, self.dealer = players.index(int(seen.player)), int(seen.public.dealer)
        # The order matters: each of these attributes needs earlier ones.
        self.plays = self.all_plays()
        self.played = [[p.card for p in self.plays if p.seat == seat] for seat in range(num_seats)]
        self.tricks = parts.tricks_of(self.plays, self.trick_size, self.winner)
        self.won = parts.count_tricks(len(self.plays) // self.trick_size, self.winner, num_seats)

    def view(self, legal: Sequence[int], points: Sequence[int] | None) -> View:
        """Return the view; see `Game.view_of`."""
        # `points` is None before the end of the deal, and decides which parts are filled in.
        trump, trump_suit = self.trumps()
        trick, last_trick = self.tricks
        return View(
            game=self.game,
            faces=parts.faces(self.deck),
            player=int(self.seen.player),
            seats=tuple(map(self.seat, range(self.num_seats))),
            to_act=None if points is not None else self.acting,
            dealer=self.dealer,
            phase=self.asked() if points is None else Text("ask.over"),
            trump=trump,
            trump_suit=trump_suit,
            facts=tuple(self.facts()),
            unit=self.unit,
            deal_unit=self.deal_unit,
            trick=trick,
            last_trick=last_trick,
            piles=tuple(self.piles()),
            scores=tuple(self.scores(points)),
            choices=tuple(self.choices(legal)) if legal else (),
            result=tuple(self.result(points)) if points is not None else (),
            outcome=self.outcome(points) if points is not None else "",
            verdict=self.verdict(points) if points is not None else None,
        )

    # ---- The table ------------------------------------------------------------------------------

    @property
    def acting(self) -> int:
        return int(self.seen.public.current_player)

    def all_plays(self) -> list[Play]:
        """Return all cards played, in order."""
        owner = parts.owners([cards.to_list() for cards in self.seen.played_by])
        # Every card played has an owner, so their number is the length of the history.
        order = history.to_list(self.seen.public.history, len(owner))
        return [Play(owner[card], card) for card in order]

    def winner(self, trick: int) -> int:
        """Return the seat that has won a complete trick: the leader of the next one."""
        following = self.trick_size * (trick + 1)
        return self.plays[following].seat if following < len(self.plays) else self.acting

    @property
    def led(self) -> int:
        """The card that the trick on the table was led with."""
        card = self.tricks[0].plays[0].card
        assert card is not None
        return card

    @abc.abstractmethod
    def asked(self) -> Text:
        """Return the decision that is asked for."""

    @abc.abstractmethod
    def trumps(self) -> tuple[Text | None, str]:
        """Return `View.trump`, and the symbol of the suit."""

    def facts(self) -> Iterable[Text]:
        """Return the other facts on the score sheet or the table."""
        return ()

    def piles(self) -> Iterable[Pile]:
        """Return the cards that lie on the table and belong to no trick."""
        return ()

    # ---- Seats ----------------------------------------------------------------------------------

    def seat(self, seat: int) -> Seat:
        """Return a seat as far as the player knows it."""
        hand = self.hand(seat)
        return Seat(
            seat=seat,
            player=self.player_of(seat),
            name=self.name(seat),
            num_cards=self.num_cards(seat) if hand is None else len(hand),
            hand=hand,
            roles=tuple(map(Text, self.roles(seat))),
            calls=tuple(self.calls(seat)),
            bid=self.bid(seat),
            tricks=self.won[seat],
            melds=tuple(self.melds(seat)),
            aside=self.aside(seat),
        )

    def player_of(self, seat: int) -> int:
        """Return the player that decides for a seat."""
        return seat

    def name(self, seat: int) -> Text:
        """Return the name of a seat whose player has none."""
        return parts.seat_name(seat)

    def hand(self, seat: int) -> tuple[int, ...] | None:
        """Return the cards of a seat, or None if the player does not see them."""
        return self.ordered(self.seen.hand.to_list()) if seat == self.me else None

    def ordered(self, cards: Collection[int]) -> tuple[int, ...]:
        """Return cards as people hold them."""
        return parts.in_order(self.deck, cards, self.strength, self.trump_cards())

    def trump_cards(self) -> Collection[int]:
        """Return all trumps: by default the cards of the suit that `trumps` names."""
        symbol, size = self.trumps()[1], self.deck.ranks_per_suit
        first = size * self.deck.symbols.index(symbol) if symbol else 0
        return range(first, first + size) if symbol else ()

    def strength(self, card: int) -> int:
        """Return the strength by which cards of a suit are compared."""
        return card

    def num_cards(self, seat: int) -> int:
        """Return the number of cards that another seat holds; by default all cards are dealt."""
        return self.deck.num_cards // self.num_seats - len(self.played[seat])

    def roles(self, seat: int) -> Iterable[str]:
        """Return the keys of the roles of a seat."""
        return ()

    def calls(self, seat: int) -> Sequence[Text]:
        """Return the calls of a seat, in order."""
        return ()

    def bid(self, seat: int) -> Text | None:
        """Return the bid or prediction of a seat, if the player knows it."""
        return None

    def melds(self, seat: int) -> Sequence[Meld]:
        """Return the announced melds of a seat; of the player's own hand all melds that may count."""
        return ()

    def aside(self, seat: int) -> tuple[int, ...]:
        """Return the cards that a seat has laid aside."""
        return ()

    def own_cards(self) -> set[int]:
        """Return the cards that the player holds or has played."""
        return {*self.seen.hand.to_list(), *self.played[self.me]}

    # ---- Scores and choices ---------------------------------------------------------------------

    @property
    def deal_unit(self) -> str:
        """See `View.deal_unit`."""
        return "points" if self.teams is None else "points_ahead"

    @property
    def teams(self) -> Sequence[int] | None:
        """The side of each player; None if all play alone."""
        return None

    def scores(self, points: Sequence[int] | None) -> list[Score]:
        """Return the score of each side."""
        players = [self.player_of(seat) for seat in range(self.num_seats)]
        totals, found = self.seen.public.totals, []
        for number, side in enumerate(parts.sides(self.teams, players)):
            # All players of a side have the same points.
            result = None if points is None else points[players[side[0]]]
            # The totals of an observation are those before the deal.
            total = None if totals is None else int(totals[number]) + (result or 0)
            lines = tuple(self.lines(number, side, points))
            found.append(Score(side, self.taken(number, side), total, result, lines))
        return found

    def lines(self, number: int, side: Sequence[int], points: Sequence[int] | None) -> Sequence[Text]:
        """Return the points of a side so far, line by line; see `Score.lines`.

        Args:
          number: of the side.
          side: its seats.
          points: of each player in the finished deal; None before.
        """
        return ()

    def last_trick(self, side: Sequence[int], points: int) -> int:
        """Return `points` if the side has won the last trick of the deal, else 0."""
        trick = self.tricks[1]
        # The deal is over once every hand is empty.
        over = trick is not None and not any(map(self.num_cards, range(self.num_seats)))
        return points if over and trick is not None and trick.winner in side else 0

    def taken(self, number: int, side: Sequence[int]) -> int:
        """Return the points or tricks that a side has taken so far.

        Args:
          number: of the side.
          side: its seats.
        """
        return sum(self.won[seat] for seat in side)

    def result(self, points: Sequence[int]) -> Sequence[Text]:
        """Return the lines about the end of the deal."""
        return parts.side_results(points)

    def ranked(self, points: Sequence[int]) -> Sequence[int]:
        """Return the points of each player such that the most win."""
        return [-number for number in points] if self.deal_unit == "penalty_points" else points

    def outcome(self, points: Sequence[int]) -> str:
        """Return the outcome of the deal for the player; see `View.outcome`."""
        return parts.outcome(self.ranked(points), int(self.seen.player), self.teams)

    @property
    def soloist(self) -> tuple[int, str] | None:
        """The seat that has played alone against all others, and the key of its role."""
        return None

    def verdict(self, points: Sequence[int]) -> Text:
        """Return the outcome of the deal in words; see `View.verdict`."""
        outcome = self.outcome(points)
        if self.soloist is None:
            return parts.verdict(outcome, self.ranked(points), int(self.seen.player), self.teams)
        seat, role = self.soloist
        if seat == self.me:
            return Text(f"outcome.{outcome}")
        # The others read whether they have defeated the soloist or were beaten.
        return Text("outcome.defeated" if outcome == "won" else "outcome.beaten", role=Text(role))

    def choices(self, legal: Sequence[int]) -> Sequence[Choice]:
        """Return the choices of the player, who is to act: the cards of its hand, or calls."""
        # The lowest actions are the cards: with one of them legal, the decision is about cards.
        if min(legal) < self.deck.num_cards:
            return self.card_choices(legal, *self.card_kind())
        calls = [self.call(action) for action in legal]
        for action, reason in self.reasons().items():
            if action not in legal:
                calls.append(dataclasses.replace(self.call(action), forbidden=reason))
        return calls

    def card_kind(self) -> tuple[str, str]:
        """Return the kind of the choices of cards, and the key of their texts."""
        return "play", "do.play"

    def call(self, action: int) -> Choice:
        """Return the choice of a call; every game with calls defines it."""
        raise NotImplementedError(f"{type(self).__name__} must define `call`, for action {action}")

    def reasons(self) -> Mapping[int, Text]:
        """Return calls that are shown even if they are not legal, and the rules that forbid them."""
        return {}

    def card_choices(self, legal: Collection[int], kind: str, key: str) -> tuple[Choice, ...]:
        """Return a choice for each card of the hand that acts; see `parts.card_choices`."""
        return parts.card_choices(self.hand(self.acting) or (), legal, kind, key, self.why_not)

    def why_not(self, card: int) -> Text:
        """Return the rule that forbids a card: by default, the suit led must be followed."""
        return Text("why.follow", suit=self.deck.symbols[self.led // self.deck.ranks_per_suit])
