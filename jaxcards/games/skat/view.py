"""Skat as people read it: the view of a player, for pictures and terminals."""

from collections.abc import Collection, Iterator, Sequence

from jaxcards.games.skat import calls, play
from jaxcards.games.skat.play import DECK, SEATS, Observation
from jaxcards.games.skat.rules import VALUES, SkatRules
from jaxcards.view import parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import Choice, Pile
from jaxcards.view.text import Text

_ASKED = {
    play.DECLARE: "ask.skat", play.FIRST_DISCARD: "ask.bury_two",
    play.SECOND_DISCARD: "ask.bury_another", play.ANNOUNCE: "ask.announce",
    play.LEVEL: "ask.announce_more", play.KONTRA: "ask.kontra", play.RE: "ask.re",
    play.PLAY: "ask.play", play.DONE: "ask.over",
}  # fmt: skip
_MODES = {
    play.GRAND: Text("mode.grand"),
    play.NULL: Text("mode.null"),
    play.RAMSCH: Text("mode.ramsch"),
}
_LEVELS = ("do.announce_nothing", "do.schneider", "do.schwarz", "do.ouvert")
_SAID = ("", "said.schneider", "said.schwarz", "said.ouvert")
_NULL_RANKS = play.NULL_ORDER.low_to_high


class SkatView(ViewBuilder):
    """Parts of a view that are special to Skat."""

    game = "skat"
    deal_unit = "points_ahead"  # of the mean of all three

    def __init__(self, rules: SkatRules, seen: Observation) -> None:
        public = seen.public
        self.rules, self.phase, self.declarer = rules, int(public.phase), int(public.declarer)
        self.kind, self.taken_up = int(public.game), bool(public.taken)
        # The fields of `calls.Auction` in order: 0 is the level, 3 whether a bid is to be answered.
        self.auction = [int(value) for value in calls.auction_of(public)]
        super().__init__(seen, DECK, SEATS)
        self.bids = tuple(self.said())

    def value(self, more: int = 0) -> int:
        """Return the highest bid, or the one after it; 0 before the first."""
        return (0, *VALUES)[self.auction[0] + more]

    @property
    def answers(self) -> bool:
        return self.auction[3] == 1

    def asked(self) -> Text:
        if self.phase != play.BID:
            return Text(_ASKED[self.phase])
        if self.answers:
            return Text("ask.hold", value=self.value())
        return Text("ask.bid_value", value=self.value(self.auction[0] < len(VALUES)))

    def trumps(self) -> tuple[Text | None, str]:
        if self.kind < play.GRAND:
            symbol = DECK.symbols[self.kind]
            return parts.suit_mode(symbol), symbol
        return _MODES.get(self.kind, Text("trump.none")), ""

    def facts(self) -> Iterator[Text]:
        if self.auction[0]:
            yield Text("fact.value", value=self.value())
        if self.phase in (play.FIRST_DISCARD, play.SECOND_DISCARD) and self.me == self.declarer:
            yield Text("fact.received", cards=tuple(self.seen.skat.to_list()))
        if doubled := int(self.seen.public.doubled):
            yield Text("fact.stakes", times=2**doubled)

    def piles(self) -> tuple[Pile, ...]:
        number = int(self.seen.public.num_discarded) if self.taken_up else play.SKAT
        cards = tuple(self.seen.buried.to_list()) or (None,) * number
        return (Pile(Text("pile.skat"), cards),) if number else ()

    # ---- Seats ----------------------------------------------------------------------------------

    def hand(self, seat: int) -> tuple[int, ...] | None:
        """Return the cards of a seat; those of an open game lie open to all."""
        if seat == self.declarer != self.me and bool(self.seen.public.is_open):
            return self.ordered(self.seen.open.to_list())
        return super().hand(seat)

    def trump_cards(self) -> Collection[int]:
        jacks = [] if self.kind == play.NULL else range(play.JACK, DECK.num_cards, 8)
        suit = range(8 * self.kind, 8 * self.kind + 8) if self.kind < play.GRAND else ()
        return {*jacks, *suit}

    def strength(self, card: int) -> int:
        suit, rank = divmod(card, 8)
        if self.kind == play.NULL:
            return _NULL_RANKS.index(DECK.ranks[rank])
        return rank + suit if rank == play.JACK else rank

    def num_cards(self, seat: int) -> int:
        number = play.HAND - len(self.played[seat])
        if self.taken_up and seat == self.declarer:
            number += play.SKAT - int(self.seen.public.num_discarded)
        return number

    def roles(self, seat: int) -> Sequence[str]:
        if seat != self.declarer:
            return ()
        return ("role.soloist", *["said.skat"] * self.taken_up, *self.announced())

    def announced(self) -> list[str]:
        """Return the announcements of the declarer besides its game."""
        hand, level = bool(self.seen.public.hand), int(self.seen.public.level)
        return ["said.hand"] * hand + [_SAID[level]] * (level > 0)

    def calls(self, seat: int) -> tuple[Text, ...]:
        public, found = self.seen.public, [text for by, text in self.bids if by == seat]
        if seat == self.declarer:
            found += [Text("said.skat")] * self.taken_up
            found += [Text("said.chose", mode=self.trumps()[0])] * (self.kind < play.RAMSCH)
            said = [*self.announced(), *["said.re"] * (int(public.doubled) == 2)]
            found += map(Text, said)
        elif int(public.doubled):
            doubler = (self.declarer + 1 + int(public.second_doubled)) % SEATS
            found += [Text("said.kontra")] * (seat == doubler)
        return tuple(found)

    def said(self) -> Iterator[tuple[int, Text]]:
        """Yield the seat and the text of each call of the auction."""
        level = 0
        for duel in calls.bids_made(self.rules, self.seen.public):
            for turn in range(int(duel.length)):
                # Bids and answers have the same action: odd turns of a duel answer.
                answers = turn % 2 == 1 and self.rules.auction == "values"
                if (passes := int(duel.actions[turn]) == calls.PASS_ACTION) or answers:
                    text = Text("said.pass") if passes else Text("said.hold", value=VALUES[level - 1])
                else:
                    level += 1
                    text = Text("said.bid_value", value=VALUES[level - 1])
                yield int(duel.players[turn]), text

    @property
    def soloist(self) -> tuple[int, str] | None:
        return None if self.declarer == play.NO_SEAT else (self.declarer, "role.soloist")

    def taken(self, number: int, side: Sequence[int]) -> int:
        """Return the card points that the side of a seat has in tricks."""
        own = [int(self.seen.public.points_of(seat)) for seat in range(SEATS)]
        if self.declarer in (play.NO_SEAT, number):
            return own[number]
        return sum(own) - own[self.declarer]

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        if self.kind == play.NO_GAME:
            return (Text("result.thrown_in"),)
        scores = (Text("result.score", seats=(seat,), number=n) for seat, n in enumerate(points))
        skat = Text("result.skat", cards=tuple(self.seen.buried.to_list()))
        if self.kind == play.RAMSCH:
            return (Text("result.ramsch"), skat, *scores)
        won = points[self.declarer] > 0
        key = "result.won_game" if won else "result.lost_game"
        return (
            Text(key, seats=(self.declarer,), mode=self.trumps()[0]), *self.reason(won), skat, *scores
        )

    def reason(self, won: bool) -> list[Text]:
        """Return the card points of the declarer, and whether its game was worth too little."""
        level = int(self.seen.public.level)
        if self.kind == play.NULL or level > play.SCHNEIDER:
            return []
        skat = sum(play.POINTS[card % 8] for card in self.seen.buried.to_list())
        # The level is plain or Schneider here.
        need, points = (61, 90)[level], self.taken(self.declarer, ()) + skat
        found = [Text("result.card_points", points=points, need=need)]
        return found + [Text("result.overbid", value=self.value())] * (not won and points >= need)

    # ---- Choices --------------------------------------------------------------------------------

    def card_kind(self) -> tuple[str, str]:
        return super().card_kind() if self.phase == play.PLAY else ("bury", "do.bury")

    def call(self, action: int) -> Choice:
        if action == calls.PASS_ACTION:
            keys = {play.KONTRA: "do.no_kontra", play.RE: "do.no_re"}
            return Choice(action, Text(keys.get(self.phase, "do.pass")), "pass")
        if action == calls.BID_ACTION:
            key = "do.hold" if self.answers else "do.bid_value"
            return Choice(action, Text(key, value=self.value(not self.answers)), "bid")
        if calls.GAME_ACTION <= action < calls.LEVEL_ACTION:
            kind = action - calls.GAME_ACTION
            mode = _MODES.get(kind) or Text("mode.short", suit=DECK.symbols[kind])
            key = "do.hand" if self.phase == play.DECLARE else "do.announce"
            return Choice(action, Text(key, mode=mode), "announce")
        if calls.LEVEL_ACTION <= action < calls.KONTRA_ACTION:
            return Choice(action, Text(_LEVELS[action - calls.LEVEL_ACTION]), "announce")
        keys = {
            calls.TAKE_ACTION: "do.skat",
            calls.KONTRA_ACTION: "do.kontra",
            calls.RE_ACTION: "do.re",
        }
        return Choice(action, Text(keys[action]), "double" if action > calls.TAKE_ACTION else "skat")

    def why_not(self, card: int) -> Text:
        """Return the rule of docs/skat.md, 5, that forbids a card."""
        if self.led in self.trump_cards():
            return Text("why.follow_trumps")
        return super().why_not(card)
