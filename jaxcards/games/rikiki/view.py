"""Rikiki as a player sees it, for pictures and terminals: bids, tricks won, and the forbidden bid."""

from collections.abc import Sequence

from jaxcards.cards import history
from jaxcards.games.rikiki.calls import BID
from jaxcards.games.rikiki.deck import DECK, NO_CARD, NO_TRUMP
from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.state import Observation, count_bits
from jaxcards.view import parts
from jaxcards.view.structure import Choice, Pile, Play, Score, Seat, View
from jaxcards.view.text import Text


def view_of(
    rules: RikikiRules, seen: Observation, legal: Sequence[int], points: Sequence[int] | None
) -> View:
    """See `Game.view_of`."""
    table = _Table(rules, seen)
    public, over = seen.public, points is not None
    trump, turnup = int(public.trump), int(public.turnup)
    trick, last = table.tricks
    return View(
        game="rikiki",
        faces=parts.faces(DECK),
        player=table.me,
        seats=tuple(table.seat(seat) for seat in range(table.players)),
        to_act=None if over else int(public.current_player),
        dealer=int(public.dealer),
        phase=Text("ask.over") if over else table.phase,
        trump=Text("mode.no_trump") if trump == NO_TRUMP else parts.suit_mode(DECK.symbols[trump]),
        trump_suit="" if trump == NO_TRUMP else DECK.symbols[trump],
        facts=table.facts(),
        unit="tricks",
        trick=trick,
        last_trick=last,
        piles=(Pile(Text("pile.turned_up"), (turnup,)),) if turnup != NO_CARD else (),
        scores=table.scores(points),
        choices=table.choices(legal),
        result=table.result(points) if points is not None else (),
    )


class _Table:
    """An observation in Python's numbers."""

    def __init__(self, rules: RikikiRules, seen: Observation) -> None:
        self.rules, self.seen, public = rules, seen, seen.public
        self.players, self.me = rules.num_players, int(seen.player)
        self.size, self.dealer = int(public.hand_size), int(public.dealer)
        self.num_bids = int(public.num_bids)
        bits = count_bits(self.players)
        seats = range(self.players)
        self.bids = [int(public.bids) >> (bits * seat) & ((1 << bits) - 1) for seat in seats]
        self.won = [int(public.tricks_won) >> (bits * seat) & ((1 << bits) - 1) for seat in seats]
        played = [cards.to_list() for cards in seen.played_by]
        owner = parts.owners(played)
        order = history.to_list(public.history, int(public.num_played))
        self.plays = [Play(owner[card], card) for card in order]
        self.tricks = parts.tricks_of(self.plays, self.players, self.winner)
        self.left = [self.size - len(cards) for cards in played]

    def winner(self, trick: int) -> int:
        """Return who won a complete trick: whoever leads to the next one, or is to."""
        following = self.players * (trick + 1)
        if following < len(self.plays):
            return self.plays[following].seat
        return int(self.seen.public.current_player)

    def has_bid(self, seat: int) -> bool:
        return (seat - self.dealer - 1) % self.players < self.num_bids

    @property
    def phase(self) -> Text:
        return Text("ask.play" if self.num_bids == self.players else "ask.bid")

    def facts(self) -> tuple[Text, ...]:
        number, rounds = int(self.seen.public.round) + 1, len(self.rules.schedule)
        said = sum(bid for seat, bid in enumerate(self.bids) if self.has_bid(seat))
        return (
            Text("fact.round", round=number, rounds=rounds, number=self.size),
            Text("fact.bids", bids=said, tricks=self.size),
        )

    def seat(self, seat: int) -> Seat:
        own = seat == self.me
        return Seat(
            seat=seat,
            player=seat,
            name=parts.seat_name(seat),
            num_cards=self.left[seat],
            hand=self.hand() if own else None,
            bid=Text("bid.tricks", number=self.bids[seat]) if self.has_bid(seat) else None,
            tricks=self.won[seat],
        )

    def hand(self) -> tuple[int, ...]:
        trump = int(self.seen.public.trump)
        trumps = range(13 * trump, 13 * trump + 13) if trump != NO_TRUMP else ()
        return parts.in_order(DECK, self.seen.hand.to_list(), trumps=trumps)

    def scores(self, points: Sequence[int] | None) -> tuple[Score, ...]:
        totals = self.seen.public.totals
        return tuple(
            Score(
                (seat,),
                self.won[seat],
                None if totals is None else int(totals[seat]),
                None if points is None else points[seat],
            )
            for seat in range(self.players)
        )

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        return tuple(
            Text(
                "result.as_bid" if bid == won else "result.not_as_bid",
                **{"seat": seat, "won": won, "bid": bid, "points": points[seat]},
            )
            for seat, (bid, won) in enumerate(zip(self.bids, self.won, strict=True))
        )

    # ---- Choices --------------------------------------------------------------------------------

    def choices(self, legal: Sequence[int]) -> tuple[Choice, ...]:
        if not legal:
            return ()
        if self.num_bids == self.players:
            return parts.card_choices(self.hand(), legal, "play", "do.play", self.why_not)
        return tuple(self.bid(tricks, BID + tricks in legal) for tricks in range(self.size + 1))

    def bid(self, tricks: int, allowed: bool) -> Choice:
        """Return a bid; the last bidder may not make the bids add up (docs/rikiki.md, 5.1)."""
        reason = None if allowed else Text("why.adds_up", tricks=self.size)
        return Choice(BID + tricks, Text("do.bid", number=tricks), "bid", forbidden=reason)

    def why_not(self, card: int) -> Text:
        """Return the rule of docs/rikiki.md, 5.3, that forbids a card."""
        led = self.tricks[0].plays[0].card
        assert led is not None
        return Text("why.follow", suit=DECK.symbols[led // 13])
