"""Bridge as people read it: the view of a player, for pictures and terminals."""

from collections.abc import Iterator, Sequence

from jaxcards.games.bridge import calls, play, score
from jaxcards.games.bridge.play import DECK, SEATS, Observation
from jaxcards.games.bridge.rules import BridgeRules
from jaxcards.view import parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import Choice
from jaxcards.view.text import Text

_NO_TRUMP = 4
_CONTRACTS = ("bid.contract", "bid.doubled", "bid.redoubled")
# As a choice, as a call made, and the kind of the choice.
_CALLS = {
    calls.PASS_ACTION: ("do.pass", "said.pass", "pass"),
    calls.DOUBLE_ACTION: ("do.double_bid", "said.double_bid", "double"),
    calls.REDOUBLE_ACTION: ("do.redouble_bid", "said.redouble_bid", "double"),
}


def _mode(strain: int) -> Text:
    """Return a strain in a bid: the symbol of a suit, or "NT"."""
    if strain == _NO_TRUMP:
        return Text("mode.short_no_trump")
    return Text("mode.short", suit=DECK.symbols[strain])


def _bid(key: str, action: int) -> Text:
    """Return a call: as a choice with the key "do.contract", as a call made with "said.contract"."""
    if action < calls.BID_ACTION:
        return Text(_CALLS[action][key == "said.contract"])
    level, strain = divmod(action - calls.BID_ACTION, 5)
    return Text(key, level=level + 1, mode=_mode(strain))


class BridgeView(ViewBuilder):
    """Parts of a view that are special to Bridge."""

    game, unit = "bridge", "tricks"
    teams = (0, 1, 0, 1)

    def __init__(self, rules: BridgeRules, seen: Observation) -> None:
        self.rules, public = rules, seen.public
        self.phase, self.level, self.strain = map(int, (public.phase, public.level, public.strain))
        self.declarer = int(public.declarer) if self.phase > play.BID and self.level else -1
        self.said = calls.auction_of(public)
        super().__init__(seen, DECK, SEATS)

    @property
    def dummy(self) -> int:
        """The seat of the dummy; -1 before the end of the auction."""
        return (self.declarer + 2) % SEATS if self.declarer >= 0 else -1

    def asked(self) -> Text:
        if self.phase == play.BID:
            return Text("ask.contract")
        return Text("ask.play_dummy" if self.acting == self.dummy else "ask.play")

    def trumps(self) -> tuple[Text | None, str]:
        if self.declarer < 0:
            return Text("trump.none"), ""
        if self.strain == _NO_TRUMP:
            return Text("mode.no_trump"), ""
        symbol = DECK.symbols[self.strain]
        return parts.suit_mode(symbol), symbol

    def contract(self) -> Text:
        key = _CONTRACTS[int(self.seen.public.doubled)]
        return Text(key, level=self.level, mode=_mode(self.strain))

    def facts(self) -> Iterator[Text]:
        sides = int(self.seen.public.vulnerability)
        seats = tuple(seat for seat in range(SEATS) if sides >> seat % 2 & 1)
        if self.level:
            key = "fact.contract" if self.declarer >= 0 else "fact.last_bid"
            yield Text(key, bid=self.contract())
        if self.rules.vulnerability == "rubber":
            tens = enumerate(score.below_the_line(self.seen.public)[0])
            below = [Text("below.side", seats=(n, n + 2), points=10 * int(one)) for n, one in tens]
            yield Text("fact.below_line", sides=tuple(below))
        if seats:
            everybody = len(seats) == SEATS
            yield Text("fact.all_vulnerable") if everybody else Text("fact.vulnerable", seats=seats)

    # ---- Seats ----------------------------------------------------------------------------------

    def hand(self, seat: int) -> tuple[int, ...] | None:
        """Return the cards of a seat; all see those of the dummy after the first lead."""
        if seat == self.dummy != self.me and self.plays:
            return self.ordered(self.seen.dummy.to_list())
        return super().hand(seat)

    def num_cards(self, seat: int) -> int:
        return (2 if self.rules.tiny else play.HAND) - len(self.played[seat])

    def roles(self, seat: int) -> Sequence[str]:
        if self.declarer < 0:
            return ()
        return {self.declarer: ("role.declarer",), self.dummy: ("role.dummy",)}.get(seat, ())

    def calls(self, seat: int) -> tuple[Text, ...]:
        return tuple(_bid("said.contract", call) for by, call in self.said if by == seat)

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        if self.declarer < 0:
            return (Text("result.thrown_in"),)
        tricks = self.won[self.declarer] + self.won[self.dummy]
        short = self.rules.book + self.level - tricks
        key, number = ("result.contract_down", short) if short > 0 else ("result.contract_made", tricks)
        first = Text(key, bid=self.contract(), seat=self.declarer, number=number)
        held = enumerate(score.honours(self.seen.public.strain, self.seen.played_by))
        honours = [Text("result.honours", seat=seat, number=int(one)) for seat, one in held if one]
        honours = honours if self.rules.vulnerability == "rubber" else []
        return (first, *honours, *parts.side_results(points))

    # ---- Choices --------------------------------------------------------------------------------

    def call(self, action: int) -> Choice:
        kind = _CALLS[action][2] if action in _CALLS else "bid"
        return Choice(action, _bid("do.contract", action), kind)
