"""Spades as people read it: the view of a player, for pictures and terminals."""

from collections.abc import Sequence

from jaxcards.games.spades import calls
from jaxcards.games.spades.play import DECK, SPADES, Observation
from jaxcards.games.spades.rules import SpadesRules
from jaxcards.view import parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import MATCH_BAGS, MATCH_TARGET, Choice
from jaxcards.view.text import Text


class SpadesView(ViewBuilder):
    """Parts of a view that are special to Spades."""

    game, unit = "spades", "tricks"

    def __init__(self, rules: SpadesRules, seen: Observation) -> None:
        super().__init__(seen, DECK, rules.num_players)
        self.rules, self.size, public = rules, DECK.num_cards // rules.num_players, seen.public
        self.bids = [int(public.bid_of(seat)) for seat in range(self.num_seats)]
        self.won = [int(public.won_by(seat)) for seat in range(self.num_seats)]
        self.covered = bool(calls.covered(rules, public, self.me))

    @property
    def teams(self) -> Sequence[int] | None:
        return (0, 1, 0, 1) if self.rules.partners else None

    def asked(self) -> Text:
        if self.bids[self.dealer] >= 0:
            return Text("ask.play")
        return Text("ask.blind" if self.covered and self.acting == self.me else "ask.bid")

    def trumps(self) -> tuple[Text | None, str]:
        symbol = DECK.symbols[SPADES]
        return parts.suit_mode(symbol), symbol

    def facts(self) -> tuple[Text, ...]:
        public, said = self.seen.public, sum(bid for bid in self.bids if bid > 0)
        bags = [int(public.totals[side]) % 10 for side in range(self.rules.num_sides)]
        return (
            Text("fact.bids", bids=said, tricks=self.size),
            Text(MATCH_BAGS, bags=" : ".join(map(str, bags))),
            Text(MATCH_TARGET, points=self.rules.target),
        )

    def hand(self, seat: int) -> tuple[int, ...] | None:
        """Return the cards of a seat; a player who may bid nil blind does not see its own."""
        return None if self.covered else super().hand(seat)

    def calls(self, seat: int) -> tuple[Text, ...]:
        """Return whether a seat has looked at its cards, until the first card is played."""
        looked = not self.plays and bool(calls.has_looked(self.seen.public, seat))
        return (Text("said.looked"),) if looked else ()

    def bid(self, seat: int) -> Text | None:
        if self.bids[seat] > 0:
            return Text("bid.tricks", number=self.bids[seat])
        if self.bids[seat] < 0:
            return None
        return Text("bid.blind_nil" if bool(calls.is_blind(self.seen.public, seat)) else "bid.nil")

    def lines(self, number: int, side: Sequence[int], points: Sequence[int] | None) -> Sequence[Text]:
        if points is None:
            return ()
        rules, nil = self.rules, 0
        bid, won, bags = self.contract(side)
        for seat in side:
            if self.bids[seat] == 0:
                worth = rules.blind_nil if calls.is_blind(self.seen.public, seat) else rules.nil
                nil += -worth if self.won[seat] else worth
        bags += max(won - bid, 0)
        tens = (int(self.seen.public.totals[number]) % 10 + bags) // 10
        contract, penalty = 10 * bid if won >= bid else -10 * bid, -rules.bag_penalty * tens
        return parts.lines(bid=contract, nil=nil, bags=bags, bag_penalty=penalty)

    def contract(self, side: Sequence[int]) -> tuple[int, int, int]:
        """Return the tricks that a side has bid, those that count for it, and those of failed nils."""
        bid = sum(max(self.bids[seat], 0) for seat in side)
        won = sum(self.won[seat] for seat in side)
        nils = sum(self.won[seat] for seat in side if self.bids[seat] == 0)
        return (bid, won - nils, nils) if self.rules.nil_tricks == "bags" else (bid, won, 0)

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        """Return whether each side made its bids and its nils, and the scores."""
        found, scores = [], []
        for side in parts.sides(self.teams, range(self.num_seats)):
            bid, won, _ = self.contract(side)
            if bid:
                found.append(Text("result.bid", seats=side, bid=bid, number=won))
            for seat in side:
                if self.bids[seat] == 0:
                    key = "result.nil_failed" if self.won[seat] else "result.nil_made"
                    found.append(Text(key, seat=seat, bid=self.bid(seat), number=self.won[seat]))
            scores.append(Text("result.score", seats=side, number=points[side[0]]))
        return (*found, *scores)

    # ---- Choices --------------------------------------------------------------------------------

    def call(self, action: int) -> Choice:
        """Return a call; only those that the rules allow are shown."""
        number = action - calls.BID
        special = {self.size + 1: "do.blind_nil", self.size + 2: "do.look"}
        if self.rules.num_players == 4:  # the page has a field for the 18 numbers of three players
            special[0] = "do.nil"
        text = Text(special[number]) if number in special else Text("do.bid", number=number)
        return Choice(action, text, "bid")

    def why_not(self, card: int) -> Text:
        """Return the rule of docs/spades.md, 4, that forbids a card."""
        if not self.tricks[0].plays:
            broken = self.rules.lead_spades == "broken"
            return Text("why.spades_closed" if broken else "why.spades_last")
        return super().why_not(card)
