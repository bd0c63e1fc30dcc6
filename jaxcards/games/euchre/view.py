"""Euchre as a player sees it, for pictures and terminals: the up-card, makers, the dummy, choices."""

from collections.abc import Sequence

from jaxcards.cards import history
from jaxcards.games.euchre.calls import CALL, PASS, SAY_ALONE, SAY_TEAM
from jaxcards.games.euchre.deck import (
    COLOUR,
    HAND_SIZE,
    JACK,
    JOKER,
    NUM_SUITS,
    NUM_TRICKS,
    deck_of,
)
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.games.euchre.state import (
    ALONE,
    BID1,
    BID2,
    DEFEND,
    DISCARD,
    DONE,
    EXCHANGE,
    NAME_BLIND,
    PLAY,
    Observation,
)
from jaxcards.view import parts
from jaxcards.view.structure import MATCH_GOAL, Choice, Pile, Play, Score, Seat, View, list_words

_PHASES = {
    BID2: "Name another suit, or pass",
    NAME_BLIND: "Name a suit before you see your hand",
    DISCARD: "Discard a card",
    ALONE: "Say whether you play alone",
    EXCHANGE: "Lay down cards for the dummy's",
    DEFEND: "Say whether you defend alone",
    PLAY: "Play a card",
    DONE: "The deal is over",
}
_CARD_KINDS = {DISCARD: ("discard", "discard"), EXCHANGE: ("lay down", "lay down"), PLAY: ("play",) * 2}


def view_of(
    rules: EuchreRules, seen: Observation, legal: Sequence[int], points: Sequence[int] | None
) -> View:
    """See `Game.view_of`."""
    table = _Table(rules, seen)
    over = points is not None
    named = table.trump < NUM_SUITS
    symbol = table.deck.symbols[table.trump] if named else ""
    trick, last = table.tricks
    return View(
        game="euchre",
        faces=parts.faces(table.deck),
        player=int(seen.player),
        seats=tuple(table.seat(seat) for seat in range(table.seating.num_seats)),
        to_act=None if over else table.acting,
        dealer=table.dealer,
        phase=_PHASES.get(table.phase, f"Order {table.up_name} up, or pass"),
        trump=f"{symbol} trumps" if named else "",
        trump_suit=symbol,
        facts=((MATCH_GOAL, f"{rules.target} points"),),
        unit="tricks",
        trick=trick,
        last_trick=last,
        piles=table.piles(),
        scores=table.scores(points),
        choices=table.choices(legal),
        result=table.result() if points is not None else (),
    )


class _Table:
    """An observation in Python's numbers."""

    def __init__(self, rules: EuchreRules, seen: Observation) -> None:
        self.rules, self.seen, public = rules, seen, seen.public
        self.seating, self.deck = seating_of(rules), deck_of(rules)
        call = public.calls
        self.phase, self.acting, self.trump = int(call.phase), int(call.seat), int(call.trump)
        self.maker, self.alone, self.defender = int(call.maker), int(call.alone), int(call.defender)
        self.active, self.dealer = int(call.active), int(public.dealer)
        self.up_card, self.picked_up = int(public.up_card), bool(public.picked_up)
        self.up_name = self.deck.pretty(self.up_card)
        self.me = int(self.seating.seat_of(seen.player))
        self.played = [cards.to_list() for cards in seen.played_by]
        owner = parts.owners(self.played)
        number = sum(map(len, self.played))
        order = history.to_list(public.history, number)
        self.size = bin(self.active).count("1")
        self.winners, complete = int(public.tricks.winners), int(public.tricks.tricks)
        self.tricks = parts.tricks_of(
            [Play(owner[card], card) for card in order], self.size, self.winner
        )
        self.won = parts.count_tricks(complete, self.winner, self.seating.num_seats)

    def winner(self, trick: int) -> int:
        """Returns who won a complete trick."""
        return self.winners >> (2 * trick) & 3

    @property
    def has_trump(self) -> bool:
        return self.trump < NUM_SUITS

    @property
    def settled(self) -> bool:
        """Whether it is known who plays: alone, or all."""
        return self.phase in (EXCHANGE, DEFEND, PLAY, DONE) and self.has_trump

    @property
    def took_dummy(self) -> bool:
        may = self.seating.pool and self.settled and not self.alone and self.phase != DEFEND
        return may and (self.rules.mode != "dummy_pool" or self.maker == 0)

    # ---- Seats ----------------------------------------------------------------------------------

    def seat(self, seat: int) -> Seat:
        hand = self.hand(seat)
        return Seat(
            seat=seat,
            player=self.seating.agents[seat],
            name="the dummy" if seat == self.seating.dummy_seat else parts.seat_name(seat),
            num_cards=self.num_cards(seat) if hand is None else len(hand),
            hand=hand,
            roles=self.roles(seat),
            calls=self.calls(seat),
            tricks=self.won[seat],
            aside=tuple(self.seen.discards.to_list()) if seat == self.me else (),
        )

    def hand(self, seat: int) -> tuple[int, ...] | None:
        if seat == self.me:
            blind = self.phase == NAME_BLIND and seat == self.dealer
            return None if blind else self.ordered(self.seen.hand.to_list())
        if seat == self.seating.dummy_seat:
            assert self.seen.dummy is not None
            return self.ordered(set(self.seen.dummy.to_list()) - set(self.played[seat]))
        return None

    def ordered(self, cards: Sequence[int] | set[int]) -> tuple[int, ...]:
        if not self.has_trump:
            return parts.in_order(self.deck, cards)
        size = self.deck.ranks_per_suit
        trumps = {*range(size * self.trump, size * self.trump + size), JOKER}
        trumps.add(size * (self.trump ^ COLOUR) + JACK)
        return parts.in_order(self.deck, cards, self.strength, trumps)

    def strength(self, card: int) -> int:
        """Returns what cards of a suit are sorted by: the bowers are above the ace."""
        suit, rank = divmod(card, self.deck.ranks_per_suit)
        if card == JOKER:
            return 9
        if self.is_left_bower(card):
            return 7
        return 8 if rank == JACK and suit == self.trump else rank

    def num_cards(self, seat: int) -> int:
        number = HAND_SIZE - len(self.played[seat])
        if seat == self.dealer and self.phase == DISCARD:
            return number + 1
        if seat == self.maker and self.phase == EXCHANGE:
            assert self.seen.num_discarded is not None
            return number + HAND_SIZE - int(self.seen.num_discarded)
        return number

    def roles(self, seat: int) -> tuple[str, ...]:
        found = []
        if self.has_trump:
            if seat == self.maker:
                found.append("maker, alone" if self.alone else "maker")
            elif self.seating.partners[self.maker] == seat and not self.alone:
                found.append("maker's partner")
            if seat == self.defender:
                found.append("defends alone")
            if self.settled and not self.active >> seat & 1:
                found.append("sits out")
        return tuple(found)

    def calls(self, seat: int) -> tuple[str, ...]:
        """Returns what a seat has said; only one ever names a suit, so that the others have passed."""
        if seat not in self.seating.bidders:
            return ()
        if self.up_card == JOKER:
            symbol = self.deck.symbols[self.trump] if self.has_trump else ""
            return (f"named {symbol}",) if symbol and seat == self.maker else ()
        speaker = self.maker if self.has_trump else self.acting
        passed = self.place(seat) < self.place(speaker)
        if self.has_trump and seat == self.maker:
            if self.picked_up:
                return (f"picked up {self.up_name}" if seat == self.dealer else "ordered up",)
            return ("passed", f"named {self.deck.symbols[self.trump]}")
        first = self.phase == BID1 or self.picked_up
        everybody = self.phase == DONE and not self.has_trump
        return ("passed",) * (int(passed or not first) + int((passed and not first) or everybody))

    def place(self, seat: int) -> int:
        """Returns when a seat bids, counted from the left of the dealer."""
        return (seat - self.dealer - 1) % self.seating.num_seats

    def piles(self) -> tuple[Pile, ...]:
        found = []
        if not self.picked_up:
            turned_down = self.phase not in (BID1, NAME_BLIND)
            found.append(Pile("turned down" if turned_down else "turned up", (self.up_card,)))
        if self.seating.pool and not self.took_dummy:
            assert self.seen.dummy is not None
            found.append(Pile("dummy", self.ordered(self.seen.dummy.to_list())))
        return tuple(found)

    # ---- Score ----------------------------------------------------------------------------------

    def scores(self, points: Sequence[int] | None) -> tuple[Score, ...]:
        totals = self.seen.public.totals
        seats = [self.seat(seat) for seat in range(self.seating.num_seats)]
        return tuple(
            Score(
                side,
                sum(self.won[seat] for seat in side),
                int(totals[number]),
                None if points is None else points[seats[side[0]].player],
            )
            for number, side in enumerate(parts.sides(self.seating.teams, seats))
        )

    def result(self) -> tuple[str, ...]:
        if not self.has_trump:
            return ("nobody named a suit: the deal is thrown in",)
        makers = [self.maker]
        if (partner := self.seating.partners[self.maker]) is not None:
            makers.append(partner)
        won = sum(self.won[seat] for seat in makers)
        who = list_words([self.seat(seat).name for seat in sorted(makers)])
        how = "march" if won == NUM_TRICKS else "make it" if won > NUM_TRICKS // 2 else "are euchred"
        return (f"{who} {how} with {won} tricks",)

    # ---- Choices --------------------------------------------------------------------------------

    def choices(self, legal: Sequence[int]) -> tuple[Choice, ...]:
        if not legal:
            return ()
        if self.phase in _CARD_KINDS:
            kind, verb = _CARD_KINDS[self.phase]
            hand = self.hand(self.acting) or ()
            return tuple(parts.card_choices(self.deck, hand, legal, kind, verb, self.why_not))
        said = [self.call(action) for action in legal]
        turned = self.up_card // self.deck.ranks_per_suit
        if self.phase == BID2:
            symbol = self.deck.symbols[turned]
            reason = f"{symbol} was turned down"
            said.append(Choice(CALL + turned, f"name {symbol} trumps", "trumps", forbidden=reason))
            if PASS not in legal:
                reason = "all have passed: the dealer must name a suit"
                said.append(Choice(PASS, "pass", "pass", forbidden=reason))
        return tuple(sorted(said, key=lambda choice: (choice.kind != "trumps", choice.action)))

    def call(self, action: int) -> Choice:
        if action == PASS:
            return Choice(action, "pass", "pass")
        if action == SAY_ALONE:
            return Choice(action, "defend alone" if self.phase == DEFEND else "play alone", "alone")
        if action == SAY_TEAM:
            return Choice(action, self.together, "together")
        if self.phase == BID1:
            verb = "pick up" if self.acting == self.dealer else "order up"
            return Choice(action, f"{verb} {self.up_name}", "trumps")
        return Choice(action, f"name {self.deck.symbols[action - CALL]} trumps", "trumps")

    @property
    def together(self) -> str:
        if self.phase == DEFEND:
            return "defend together"
        takes = self.rules.mode == "dummy_cutthroat" or (
            self.rules.mode == "dummy_pool" and self.maker == 0
        )
        return "take the dummy and discard five" if takes else "play with your partner"

    def why_not(self, card: int) -> str:
        """Returns the rule of docs/euchre.md, 6.1 or 7.3, that forbids a card."""
        if self.phase == DISCARD:
            return "the card that you picked up may not be discarded"
        led = self.tricks[0].plays[0].card
        assert led is not None
        suit = self.trump if led == JOKER or self.is_left_bower(led) else led // 6
        return parts.must_follow(self.deck.symbols[suit])

    def is_left_bower(self, card: int) -> bool:
        return card == 6 * (self.trump ^ COLOUR) + JACK
