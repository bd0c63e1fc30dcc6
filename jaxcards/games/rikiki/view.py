"""Rikiki as people read it: the view of a player, for pictures and terminals."""

from collections.abc import Sequence

from jaxcards.games.rikiki import play
from jaxcards.games.rikiki.calls import BID
from jaxcards.games.rikiki.play import DECK, Observation
from jaxcards.games.rikiki.rules import NO_TRUMP, RikikiRules
from jaxcards.view import parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import Choice, Pile
from jaxcards.view.text import Text


class RikikiView(ViewBuilder):
    """Parts of a view that are special to Rikiki."""

    game, unit = "rikiki", "tricks"

    def __init__(self, rules: RikikiRules, seen: Observation) -> None:
        super().__init__(seen, DECK, rules.num_players)
        self.rules, public = rules, seen.public
        self.size, self.num_bids = int(public.hand_size), int(public.num_bids)
        players = self.num_seats
        self.bids = [int(play.bid_of(public.bids, seat, players)) for seat in range(players)]

    def has_bid(self, seat: int) -> bool:
        return (seat - self.dealer - 1) % self.num_seats < self.num_bids

    def asked(self) -> Text:
        return Text("ask.play" if self.num_bids == self.num_seats else "ask.bid")

    def trumps(self) -> tuple[Text | None, str]:
        trump = int(self.seen.public.trump)
        if trump == NO_TRUMP:
            never = self.rules.trump_mode == "none"
            return None if never else Text("mode.no_trump"), ""
        return parts.suit_mode(DECK.symbols[trump]), DECK.symbols[trump]

    def piles(self) -> list[Pile]:
        card = int(self.seen.public.turnup)
        lies = card != play.NO_CARD
        if self.size * self.num_seats == DECK.num_cards:  # the dealer holds it
            lies = lies and self.me != self.dealer and card not in self.played[self.dealer]
        return [Pile(Text("pile.turned_up"), (card,))] if lies else []

    def facts(self) -> tuple[Text, ...]:
        number, rounds = int(self.seen.public.round) + 1, len(self.rules.schedule)
        said = sum(bid for seat, bid in enumerate(self.bids) if self.has_bid(seat))
        return (
            Text("fact.round", round=number, rounds=rounds, number=self.size),
            Text("fact.bids", bids=said, tricks=self.size),
        )

    def num_cards(self, seat: int) -> int:
        return self.size - len(self.played[seat])

    def hand(self, seat: int) -> tuple[int, ...] | None:
        """Return the cards of a seat; a card on the forehead is hidden from its holder alone."""
        if self.seen.shown is None or self.size > 1:
            return super().hand(seat)
        if seat != self.me:
            return tuple(self.seen.shown[seat].to_list())
        own = super().hand(seat)
        # Without a visible card, the hand is covered, unless its card has been played.
        return own if own or self.played[seat] else None

    def bid(self, seat: int) -> Text | None:
        return Text("bid.tricks", number=self.bids[seat]) if self.has_bid(seat) else None

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        return parts.bid_results(self.bids, self.won, points)

    # ---- Choices --------------------------------------------------------------------------------

    def choices(self, legal: Sequence[int]) -> Sequence[Choice]:
        found = super().choices(legal)
        bidding = self.num_bids < self.num_seats
        return sorted(found, key=lambda choice: choice.action) if bidding else found

    def call(self, action: int) -> Choice:
        return Choice(action, Text("do.bid", number=action - BID), "bid")

    def reasons(self) -> dict[int, Text]:
        """Return every bid: the last bidder may not make the bids add up (docs/rikiki.md, 4.1)."""
        return {BID + tricks: Text("why.adds_up", tricks=self.size) for tricks in range(self.size + 1)}
