"""Euchre as people read it: the view of a player, for pictures and terminals."""

from collections.abc import Collection, Iterator, Sequence

from jaxcards.games.euchre import play
from jaxcards.games.euchre.calls import CALL, PASS, REDEAL, SAY_ALONE, SAY_TEAM
from jaxcards.games.euchre.play import Observation
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.view import parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import MATCH_TARGET, UNNAMED, Choice, Pile
from jaxcards.view.text import Text

_PHASES = {
    play.BID2: Text("ask.name_another"), play.NAME_BLIND: Text("ask.name_blind"),
    play.DISCARD: Text("ask.discard"), play.ALONE: Text("ask.alone"),
    play.EXCHANGE: Text("ask.exchange"), play.DEFEND: Text("ask.defend"),
    play.PLAY: Text("ask.play"), play.DONE: Text("ask.over"),
}  # fmt: skip
_CARD_KINDS = {
    play.DISCARD: ("discard", "do.discard"),
    play.EXCHANGE: ("lay down", "do.lay_down"),
    play.PLAY: ("play", "do.play"),
}
_PASSED = Text("said.pass")


class EuchreView(ViewBuilder):
    """Parts of a view that are special to Euchre."""

    game, unit = "euchre", "tricks"

    def __init__(self, rules: EuchreRules, seen: Observation) -> None:
        call = seen.public.calls
        self.rules, self.seating = rules, seating_of(rules)
        self.phase, self.trump, self.active = int(call.phase), int(call.trump), int(call.active)
        self.maker, self.alone, self.defender = int(call.maker), int(call.alone), int(call.defender)
        self.up_card, self.picked_up = int(seen.public.up_card), bool(seen.public.picked_up)
        size = self.active.bit_count()
        super().__init__(seen, play.deck_of(rules), self.seating.num_seats, size)

    @property
    def acting(self) -> int:
        return int(self.seen.public.calls.seat)

    @property
    def teams(self) -> Sequence[int] | None:
        return self.seating.teams

    def winner(self, trick: int) -> int:
        return int(self.seen.public.tricks.winners) >> (2 * trick) & 3

    def asked(self) -> Text:
        return _PHASES.get(self.phase, Text("ask.order_up", card=self.up_card))

    def trumps(self) -> tuple[Text | None, str]:
        if not self.has_trump:
            return UNNAMED, ""
        symbol = self.deck.symbols[self.trump]
        return parts.suit_mode(symbol), symbol

    def facts(self) -> list[Text]:
        return [Text(MATCH_TARGET, points=self.rules.target)]

    @property
    def has_trump(self) -> bool:
        return self.trump < play.NUM_SUITS

    @property
    def dealt_again(self) -> bool:
        """bool: a player with a farmer's hand has asked for a new deal."""
        return bool(self.alone) and not self.has_trump

    @property
    def first_round(self) -> bool:
        """bool: the card turned up is not turned down, as far as the calls go."""
        return self.phase in (play.BID1, play.NAME_BLIND) or self.dealt_again

    @property
    def settled(self) -> bool:
        """bool: all know who plays: one alone, or everyone."""
        return self.phase in (play.EXCHANGE, play.DEFEND, play.PLAY, play.DONE) and self.has_trump

    @property
    def may_take_dummy(self) -> bool:
        return self.seating.pool and (self.rules.mode != "dummy_pool" or self.maker == 0)

    @property
    def took_dummy(self) -> bool:
        return self.may_take_dummy and self.settled and not self.alone

    # ---- Seats ----------------------------------------------------------------------------------

    def player_of(self, seat: int) -> int:
        return self.seating.agents[seat]

    def name(self, seat: int) -> Text:
        return Text("seat.dummy") if seat == self.seating.dummy_seat else super().name(seat)

    def aside(self, seat: int) -> tuple[int, ...]:
        return tuple(self.seen.discards.to_list()) if seat == self.me else ()

    def hand(self, seat: int) -> tuple[int, ...] | None:
        if seat == self.me:
            blind = self.phase == play.NAME_BLIND and seat == self.dealer
            return None if blind else self.ordered(self.seen.hand.to_list())
        if seat == self.seating.dummy_seat:
            assert self.seen.dummy is not None
            return self.ordered(set(self.seen.dummy.to_list()) - set(self.played[seat]))
        return None

    def trump_cards(self) -> Collection[int]:
        bowers = {play.JOKER, 6 * (self.trump ^ play.COLOUR) + play.JACK} if self.has_trump else ()
        return {*super().trump_cards(), *bowers}

    def strength(self, card: int) -> int:
        suit, rank = divmod(card, self.deck.ranks_per_suit)
        if not self.has_trump:
            return card
        # Above the ranks from 0 to 5 are the left bower, the right bower and the joker.
        if card == play.JOKER:
            return 9
        if self.is_left_bower(card):
            return 7
        return 8 if rank == play.JACK and suit == self.trump else rank

    def num_cards(self, seat: int) -> int:
        number = play.HAND_SIZE - len(self.played[seat])
        if seat == self.dealer and self.phase == play.DISCARD:
            return number + 1
        if seat == self.maker and self.phase == play.EXCHANGE:
            assert self.seen.num_discarded is not None
            return number + play.HAND_SIZE - int(self.seen.num_discarded)
        return number

    def roles(self, seat: int) -> Iterator[str]:
        if self.has_trump:
            if seat == self.maker:
                yield "role.maker_alone" if self.alone else "role.maker"
            elif self.seating.partners[self.maker] == seat and not self.alone:
                yield "role.makers_partner"
            if seat == self.defender:
                yield "role.defends_alone"
            if self.settled and not self.active >> seat & 1:
                yield "role.sits_out"

    def calls(self, seat: int) -> tuple[Text, ...]:
        """Return the calls of a seat; only one seat names a suit, and the others have passed."""
        if seat not in self.seating.bidders:
            return ()
        named = Text("said.name", suit=self.deck.symbols[self.trump]) if self.has_trump else None
        if self.up_card == play.JOKER:
            return (named,) if named and seat == self.maker else ()
        speaker = self.maker if self.has_trump else self.acting
        passed = self.place(seat) < self.place(speaker)
        if named and seat == self.maker:
            if self.picked_up:
                key = "said.pick_up" if seat == self.dealer else "said.order_up"
                return (Text(key, card=self.up_card),)
            return (_PASSED, named)
        if self.dealt_again and seat == speaker:
            return (Text("said.redeal"),)
        first = self.first_round or self.picked_up
        everybody = self.phase == play.DONE and not self.has_trump and not self.dealt_again
        # A pass in the first round, and another one in the second.
        return (_PASSED,) * (int(passed or not first) + int((passed and not first) or everybody))

    def place(self, seat: int) -> int:
        """Return when a seat bids, counted from the left of the dealer."""
        return (seat - self.dealer - 1) % self.seating.num_seats

    def piles(self) -> Iterator[Pile]:
        if not self.picked_up:
            key = "pile.turned_up" if self.first_round else "pile.turned_down"
            yield Pile(Text(key), (self.up_card,))
        if self.seating.pool and not self.took_dummy:
            assert self.seen.dummy is not None
            yield Pile(Text("pile.dummy"), self.ordered(self.seen.dummy.to_list()))

    @property
    def soloist(self) -> tuple[int, str] | None:
        return (self.maker, "role.maker") if self.teams is None and self.has_trump else None

    # ---- Score ----------------------------------------------------------------------------------

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        if not self.has_trump:
            return (Text("result.redeal" if self.dealt_again else "result.thrown_in"),)
        makers = [self.maker]
        if (partner := self.seating.partners[self.maker]) is not None:
            makers.append(partner)
        won = sum(self.won[seat] for seat in makers)
        need = play.NUM_TRICKS // 2 + 1
        made = "result.made" if won >= need else "result.euchred"
        key = "result.march" if won == play.NUM_TRICKS else made
        return (Text(key, seats=tuple(sorted(makers)), number=won, need=need),)

    # ---- Choices --------------------------------------------------------------------------------

    def choices(self, legal: Sequence[int]) -> Sequence[Choice]:
        found = super().choices(legal)
        if self.phase in _CARD_KINDS:
            return found
        return sorted(found, key=lambda choice: (choice.kind != "trumps", choice.action))

    def card_kind(self) -> tuple[str, str]:
        return _CARD_KINDS[self.phase]

    def reasons(self) -> dict[int, Text]:
        if self.phase == play.ALONE:
            return {SAY_TEAM: Text("why.canadian_loner")}
        if self.phase != play.BID2:
            return {}
        turned = self.up_card // self.deck.ranks_per_suit
        reason = Text("why.turned_down", suit=self.deck.symbols[turned])
        return {CALL + turned: reason, PASS: Text("why.dealer_must_name")}

    def call(self, action: int) -> Choice:
        if action == PASS:
            return Choice(action, Text("do.pass"), "pass")
        if action == REDEAL:
            return Choice(action, Text("do.redeal"), "redeal")
        if action == SAY_ALONE:
            key = "do.defend_alone" if self.phase == play.DEFEND else "do.alone"
            return Choice(action, Text(key), "alone")
        if action == SAY_TEAM:
            return Choice(action, Text(self.together), "together")
        if self.phase == play.BID1:
            key = "do.pick_up" if self.acting == self.dealer else "do.order_up"
            return Choice(action, Text(key, card=self.up_card), "trumps")
        return Choice(action, Text("do.name", suit=self.deck.symbols[action - CALL]), "trumps")

    @property
    def together(self) -> str:
        if self.phase == play.DEFEND:
            return "do.defend_together"
        return "do.take_dummy" if self.may_take_dummy else "do.with_partner"

    def why_not(self, card: int) -> Text:
        """Return the rule of docs/euchre.md, 6.1 or 7.3, that forbids a card."""
        if self.phase == play.DISCARD:
            return Text("why.picked_up")
        led = self.led
        suit = self.trump if led == play.JOKER or self.is_left_bower(led) else led // 6
        return Text("why.follow", suit=self.deck.symbols[suit])

    def is_left_bower(self, card: int) -> bool:
        return card == 6 * (self.trump ^ play.COLOUR) + play.JACK


def action_names(rules: EuchreRules) -> tuple[str, ...]:
    deck = play.DECK_WITH_JOKER
    cards = [deck.name(card) for card in range(play.JOKER)]
    last = "redeal" if rules.farmers_hand else deck.name(play.JOKER)
    return (*cards, last, "pass", *(f"call {suit}" for suit in deck.suits), "alone", "team")
