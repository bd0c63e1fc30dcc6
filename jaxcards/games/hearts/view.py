"""Hearts as people read it: the view of a player, for pictures and terminals."""

from collections.abc import Sequence

from jaxcards.cards.seats import field
from jaxcards.games.hearts import play
from jaxcards.games.hearts.calls import num_passed_by
from jaxcards.games.hearts.play import DECK, POINTS_BITS, Observation
from jaxcards.games.hearts.rules import HeartsRules
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.text import Text


class HeartsView(ViewBuilder):
    """Parts of a view that are special to Hearts."""

    game, unit, deal_unit = "hearts", "points", "penalty_points"

    def __init__(self, rules: HeartsRules, seen: Observation) -> None:
        super().__init__(seen, DECK, rules.num_players)
        self.rules, self.passing = rules, not bool(play.all_passed(seen.public, rules.num_players))

    def asked(self) -> Text:
        return Text("ask.pass" if self.passing else "ask.play")

    def trumps(self) -> tuple[Text | None, str]:
        return None, ""

    def facts(self) -> tuple[Text, ...]:
        found = [Text("fact.passing", to=self.direction_text())]
        received = self.seen.received.to_list()
        if received and len(self.plays) < self.num_seats:
            found.append(Text("fact.received", cards=self.ordered(received)))
        return (*found, Text("fact.target", points=self.rules.target))

    def direction_text(self) -> Text:
        """Return to whom cards are passed."""
        places = int(self.seen.public.direction)
        name = {0: "hold", 1: "left", self.num_seats - 1: "right"}.get(places)
        return Text(f"passing.{name}") if name else Text("passing.places", number=places)

    def num_cards(self, seat: int) -> int:
        return super().num_cards(seat) - (self.num_passed(seat) if self.passing else 0)

    def num_passed(self, seat: int) -> int:
        """Return the number of cards that a seat has passed."""
        return int(num_passed_by(self.seen.public, seat, self.num_seats))

    def calls(self, seat: int) -> tuple[Text, ...]:
        """Return a text for each card that a seat has passed, until the first card is played."""
        return () if self.plays else (Text("said.passes_card"),) * self.num_passed(seat)

    def aside(self, seat: int) -> tuple[int, ...]:
        return self.ordered(self.seen.passed.to_list()) if self.passing and seat == self.me else ()

    def taken(self, number: int, side: Sequence[int]) -> int:
        return int(field(self.seen.public.taken, number, POINTS_BITS))

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        said = enumerate(points)
        return tuple(Text("result.penalty", seat=seat, number=number) for seat, number in said)

    # ---- Choices --------------------------------------------------------------------------------

    def card_kind(self) -> tuple[str, str]:
        return ("pass", "do.pass_card") if self.passing else super().card_kind()

    def why_not(self, card: int) -> Text:
        """Return the rule of docs/hearts.md, 4, that forbids a card."""
        if not self.plays:
            return Text("why.lowest_club", card=play.lowest_club(self.rules))
        if not self.tricks[0].plays:
            return Text("why.hearts_closed")
        suit = self.led // DECK.ranks_per_suit
        if any(other // DECK.ranks_per_suit == suit for other in self.seen.hand.to_list()):
            return super().why_not(card)
        return Text("why.first_trick")
