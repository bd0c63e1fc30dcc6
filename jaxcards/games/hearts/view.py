"""Hearts as people read it: the view of a player for pictures and terminals, and a deal as text."""

from collections.abc import Sequence

from jaxcards.cards.seats import field
from jaxcards.cards.text import hand_lines, trick_lines
from jaxcards.games.hearts import hidden, play, score
from jaxcards.games.hearts.calls import num_passed_by
from jaxcards.games.hearts.play import DECK, POINTS_BITS, HeartsGame, Observation, State
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


def to_string(game: HeartsGame, state: State) -> str:
    public, places = state.public, int(state.public.direction)
    said = f"cards are passed {places} to the left" if places else "no cards are passed"
    lines = [f"dealer {int(public.dealer)}, {said}"]
    for seat, hand in enumerate(state.hands):
        dealt, left = hidden.dealt_blocks(game, state)[seat], hand - state.played
        lines += hand_lines(DECK, f"seat {seat}", dealt.to_list(), left.to_list())
        if passed := state.passed[seat].to_list():
            lines.append(f"  passed {DECK.pretty_names(passed)}")
    lines += trick_lines(DECK, public.history, public.num_played, state.hands, game.num_players)
    points = ", ".join(str(int(points)) for points in score.deal_points(game, state))
    over = f"penalty points by seat: {points}"
    return "\n".join([*lines, over if state.terminated else f"seat {state.current_player} is to act"])
