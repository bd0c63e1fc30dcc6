"""Jass as people read it: the view of a player, for pictures and terminals."""

from collections.abc import Collection, Iterator, Sequence

from jaxcards.cards.seats import field
from jaxcards.games.jass import play, score, weis
from jaxcards.games.jass.calls import CHOOSE, CHOOSE_SLALOM, PREDICT, PUSH
from jaxcards.games.jass.play import DECK, Observation
from jaxcards.games.jass.rules import JassRules
from jaxcards.view import melds, parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import MATCH_TARGET, UNNAMED, Choice, Meld
from jaxcards.view.text import Text

_MODES = (
    *map(parts.suit_mode, DECK.symbols),
    *(Text(f"mode.{name}") for name in ("undenufe", "obenabe", "slalom_top", "slalom_bottom")),
)


def _named(rules: JassRules, mode: int) -> Text:
    if rules.guschti and mode >= play.SLALOM_TOP:
        return Text(_MODES[mode].key.replace("slalom", "guschti"))
    return _MODES[mode]


def _explained(rules: JassRules, mode: int) -> Text:
    text = _named(rules, mode)
    return text if mode < play.NO_TRUMP else Text(f"{text.key}.explained")


class JassView(ViewBuilder):
    """Parts of a view that are special to Jass."""

    game = "jass"

    def __init__(self, rules: JassRules, seen: Observation) -> None:
        super().__init__(seen, DECK, play.NUM_SEATS)
        self.rules, self.mode = rules, int(seen.public.mode)
        self.num_calls, self.forehand = int(seen.public.num_calls), (self.dealer + 1) % play.NUM_SEATS
        self.alone = rules.game == "differenzler"

    @property
    def calling(self) -> bool:
        return self.num_calls < play.NUM_SEATS if self.alone else self.mode == play.UNDECIDED

    @property
    def declarer(self) -> int | None:
        if self.alone or self.mode == play.UNDECIDED:
            return None
        return (self.forehand + (2 if self.num_calls == 2 else 0)) % play.NUM_SEATS

    def asked(self) -> Text:
        if not self.calling:
            return Text("ask.play")
        if self.alone:
            return Text("ask.predict")
        may_push = self.rules.push and not self.num_calls
        return Text("ask.mode_or_push" if may_push else "ask.mode")

    def trumps(self) -> tuple[Text | None, str]:
        named = UNNAMED if self.mode == play.UNDECIDED else _explained(self.rules, self.mode)
        return named, DECK.symbols[self.mode] if self.mode < play.NO_TRUMP else ""

    def facts(self) -> Iterator[Text]:
        if self.mode != play.UNDECIDED and self.rules.multipliers[self.mode] != 1:
            yield Text("fact.multiplier", times=self.rules.multipliers[self.mode])
        if self.mode in (play.SLALOM_TOP, play.SLALOM_BOTTOM):
            low = bool(play.downward(self.rules, self.seen.public))
            yield Text("fact.trick", way=Text("way.low" if low else "way.high"))
        if self.rules.target:
            yield Text(MATCH_TARGET, points=self.rules.target)

    @property
    def deal_unit(self) -> str:
        return "penalty_points" if self.alone else super().deal_unit

    @property
    def teams(self) -> Sequence[int] | None:
        return None if self.alone else (0, 1, 0, 1)

    def taken(self, number: int, side: Sequence[int]) -> int:
        points = int(self.seen.public.points)
        return sum(points >> (play.POINTS_BITS * seat) & 255 for seat in side)

    def lines(self, number: int, side: Sequence[int], points: Sequence[int] | None) -> tuple[Text, ...]:
        taken, last = self.taken(number, side), self.last_trick(side, play.LAST_TRICK_POINTS)
        if self.alone:
            return ()
        rules, over = self.rules, not any(map(self.num_cards, range(play.NUM_SEATS)))
        factor = 1 if self.mode == play.UNDECIDED else rules.multipliers[self.mode]
        weis = sum(meld.points for seat in side for meld in self.open_weis(seat))
        stock = score.STOCK_POINTS * any(self.stock(seat) for seat in side)
        if points is not None and not over:  # Stöck may end a deal before they are seen
            stock = points[side[0]] // factor - taken - weis
        found = parts.lines(
            cards=taken - last, last_trick=last, weis=weis, stock=stock,
            match=rules.match_bonus if over and sum(self.won[seat] for seat in side) == 9 else 0,
        )  # fmt: skip
        return (*found, Text("line.times", number=factor)) if found and factor != 1 else found

    def result(self, points: Sequence[int]) -> Sequence[Text]:
        if not self.alone:
            return super().result(points)
        return [
            Text(
                "result.missed" if points[seat] >= 0 else "result.exact", seat=seat,
                bid=self.predicted(seat), won=self.taken(seat, (seat,)), points=abs(points[seat]),
            )
            for seat in range(play.NUM_SEATS)
        ]  # fmt: skip

    # ---- Seats ----------------------------------------------------------------------------------

    def strength(self, card: int) -> int:
        order = play.TRUMP_ORDER if card // 9 == self.mode else play.PLAIN_ORDER
        high = order.low_to_high.index(DECK.ranks[card % 9])
        return -high if self.mode in play.MODES_BOTTOM_UP else high

    def roles(self, seat: int) -> Sequence[str]:
        return ["role.declarer"] if seat == self.declarer else []

    def calls(self, seat: int) -> tuple[Text, ...]:
        if self.alone:
            hidden = self.has_predicted(seat) and self.bid(seat) is None
            return (Text("said.predicted"),) if hidden else ()
        pushed = self.num_calls == 2 or (self.num_calls == 1 and self.mode == play.UNDECIDED)
        if pushed and seat == self.forehand:
            return (Text("said.pushed"),)
        if seat != self.declarer:
            return ()
        return (Text("said.chose", mode=_named(self.rules, self.mode)),)

    def bid(self, seat: int) -> Text | None:
        """Return the prediction of a seat, if the player knows it."""
        public = self.rules.open_predictions or len(self.plays) == play.NUM_CARDS_PLAYED
        if not self.alone or not self.has_predicted(seat) or not (public or seat == self.me):
            return None
        return Text("bid.predicted", number=self.predicted(seat))

    def predicted(self, seat: int) -> int:
        return int(self.seen.predictions) >> (play.POINTS_BITS * seat) & 255

    def has_predicted(self, seat: int) -> bool:
        return self.num_calls > (seat - self.forehand) % play.NUM_SEATS

    # ---- Weis -----------------------------------------------------------------------------------

    def melds(self, seat: int) -> tuple[Meld, ...]:
        """Return the melds that a seat has shown; of the player's own hand all that will count."""
        if self.mode == play.UNDECIDED:
            return ()
        found: tuple[Meld, ...] = ()
        if self.rules.weis:
            found = self.weis(seat)
        if pair := self.stock(seat):
            found += (Meld(Text("meld.stock"), score.STOCK_POINTS, pair),)
        return found

    def stock(self, seat: int) -> tuple[int, ...]:
        """Return queen and king of trumps, if the seat is known to have been dealt both."""
        if not self.rules.stock or self.mode >= play.NO_TRUMP:
            return ()
        pair = 9 * self.mode + play.QUEEN, 9 * self.mode + play.KING
        cards = self.own_cards() if seat == self.me else self.played[seat]
        return pair if set(pair) <= set(cards) else ()

    def weis(self, seat: int) -> tuple[Meld, ...]:
        seen = self.seen
        assert seen.announced is not None
        if seat == self.me:
            return self.best_weis(self.own_cards())
        if found := self.open_weis(seat):
            return found
        best = int(field(seen.announced, seat, play.ANNOUNCED_BITS))
        return (Meld(Text("meld.best_weis"), 10 * best),) if best not in (0, play.NOT_ANNOUNCED) else ()

    def open_weis(self, seat: int) -> tuple[Meld, ...]:
        """Return the Weis of a seat that lie open, and so count."""
        shown = self.seen.shown
        return () if shown is None else self.best_weis(set(shown[seat].to_list()))

    def best_weis(self, cards: Collection[int]) -> tuple[Meld, ...]:
        runs, fours = weis.run_points(self.rules), weis.four_points(self.rules)
        return melds.best_melds(DECK, cards, runs, fours, share=self.rules.weis_share_cards)

    # ---- Choices --------------------------------------------------------------------------------

    def call(self, action: int) -> Choice:
        if self.alone:
            return Choice(action, Text("do.predict", number=action - PREDICT), "predict")
        if action == PUSH:
            return Choice(action, Text("do.push"), "push")
        # `PUSH` lies between the modes, so slalom actions are one too high.
        mode = action - CHOOSE - (1 if action >= CHOOSE_SLALOM else 0)
        text, times = _explained(self.rules, mode), self.rules.multipliers[mode]
        return Choice(action, Text("do.mode", mode=text, times=times) if times != 1 else text, "mode")

    def why_not(self, card: int) -> Text:
        """Return the rule of docs/jass.md, 4.1, that forbids a card."""
        led = self.led
        if card // 9 == self.mode and led // 9 != self.mode:
            return Text("why.undertrump")
        if led // 9 == self.mode:
            return Text("why.follow_trumps")
        key = "why.follow_or_trump" if self.mode < play.NO_TRUMP else "why.follow"
        return Text(key, suit=DECK.symbols[led // 9])
