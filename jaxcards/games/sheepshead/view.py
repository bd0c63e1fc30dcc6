"""Sheepshead as a player sees it, for pictures and terminals: picker, partner, blind, bury, choices."""

import dataclasses
import functools
from collections.abc import Collection, Sequence

from jaxcards.cards import history
from jaxcards.games.sheepshead import calls, score
from jaxcards.games.sheepshead.deck import DECK, NO_CARD, strength_table, trump_set
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.state import (
    BURY,
    CALL,
    CRACK,
    DONE,
    LONER,
    NO_SEAT,
    PICK,
    PLAY,
    RECRACK,
    UNKNOWN,
    Observation,
    seat_points,
)
from jaxcards.view import parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import Choice, Pile, Play
from jaxcards.view.text import Text

_PHASES = {
    PICK: Text("ask.pick"),
    LONER: Text("ask.partner"),
    CALL: Text("ask.call"),
    UNKNOWN: Text("ask.unknown"),
    BURY: Text("ask.bury"),
    CRACK: Text("ask.crack"),
    RECRACK: Text("ask.crack_back"),
    PLAY: Text("ask.play"),
    DONE: Text("ask.over"),
}
_CARD_KINDS = {
    UNKNOWN: ("unknown card", "do.unknown"),
    BURY: ("bury", "do.bury"),
    PLAY: ("play", "do.play"),
}
_NOT_CRACKED = {CRACK: "do.no_crack", RECRACK: "do.no_crack_back"}
_CALLS = {
    calls.PICK_ACTION: ("pick", "do.pick"),
    calls.PARTNER_ACTION: ("partner", "do.partner"),
    calls.ALONE_ACTION: ("alone", "do.alone"),
    calls.CRACK_ACTION: ("crack", "do.crack"),
    calls.RECRACK_ACTION: ("crack", "do.crack_back"),
}


class SheepsheadView(ViewBuilder):
    """Parts of a view that are special to Sheepshead."""

    game, winner_bits = "sheepshead", 3

    def __init__(self, rules: SheepsheadRules, seen: Observation) -> None:
        public = seen.public
        self.rules, self.players = rules, rules.num_players
        self.leader = (int(public.dealer) + 1) % self.players
        self.phase, self.picker = int(public.phase), int(public.picker)
        self.called = NO_CARD if public.called is None else int(public.called)
        self.unknown = NO_CARD if seen.unknown is None else int(seen.unknown)
        super().__init__(seen, DECK, self.players)

    def asked(self) -> Text:
        return _PHASES[self.phase]

    def trumps(self) -> tuple[Text | None, str]:
        symbol = DECK.symbols[self.rules.trump_suit]
        return Text("mode.sheepshead", suit=symbol), symbol

    def all_plays(self) -> list[Play]:
        """Return all cards played; the unknown lies face down for those who do not know it."""
        public, leader = self.seen.public, self.leader
        found = []
        for number, card in enumerate(history.to_list(public.history, int(public.num_played))):
            place = number % self.players
            if place == 0 and number:
                leader = self.winner(number // self.players - 1)
            known = self.unknown if card == NO_CARD else card
            seat = (leader + place) % self.players
            found.append(Play(seat, None if known == NO_CARD else known))
        return found

    @property
    def nobody_picked(self) -> bool:
        return self.picker == NO_SEAT and self.phase != PICK

    @property
    def partner(self) -> int:
        return NO_SEAT if self.seen.partner is None else int(self.seen.partner)

    def facts(self) -> tuple[Text, ...]:
        """Return the called card, the unknown card as far as known, and the stakes."""
        public, found = self.seen.public, []
        if self.nobody_picked and self.plays:
            found.append(Text("fact.leaster"))
        if self.called != NO_CARD:
            found.append(Text("fact.called", card=self.called))
        if self.seen.has_unknown is not None and bool(self.seen.has_unknown):
            known = None if self.unknown == NO_CARD else self.unknown
            found.append(Text("fact.unknown", card=known))
        stakes = int(public.stakes) * self.crack_factor
        if stakes != 1:
            found.append(Text("fact.stakes", times=stakes))
        return tuple(found)

    @property
    def crack_factor(self) -> int:
        public = self.seen.public
        if public.cracker is None or int(public.cracker) == NO_SEAT:
            return 1
        return 4 if public.recracked is not None and bool(public.recracked) else 2

    def piles(self) -> tuple[Pile, ...]:
        blind = self.seen.blind.to_list()
        if self.phase == DONE and self.nobody_picked:
            return (Pile(Text("pile.blind"), tuple(blind)),)
        if self.picker == NO_SEAT:
            return (Pile(Text("pile.blind"), (None,) * self.rules.blind_size),)
        number = int(self.seen.num_buried)
        cards = self.seen.buried.to_list()
        return (Pile(Text("pile.buried"), tuple(cards) or (None,) * number),) if number else ()

    @functools.cached_property
    def points(self) -> list[int]:
        words = score.public_points(self.rules, self.seen)
        return [int(seat_points(words, seat)) for seat in range(self.players)]

    def taken(self, number: int, side: Sequence[int]) -> int:
        return self.points[number]

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        if self.nobody_picked and not self.plays:
            return (Text("result.not_picked"),)
        counted = Text("result.leaster") if self.nobody_picked else self.picked()
        chips = tuple(Text("result.chip", seat=seat, chips=chip) for seat, chip in enumerate(points))
        return (counted, Text("result.chips", chips=chips))

    def picked(self) -> Text:
        """Return the card points of the picking side, its bury included."""
        side = {self.picker, self.partner} - {NO_SEAT}
        taken = sum(self.points[seat] for seat in side)
        buried = sum(_points(card) for card in self.seen.buried.to_list())
        return Text("result.picked", seats=tuple(sorted(side)), points=taken + buried)

    # ---- Seats ----------------------------------------------------------------------------------

    def ordered(self, cards: Collection[int]) -> tuple[int, ...]:
        strengths = strength_table(self.rules.trump_suit, self.rules.spitz)
        trumps = {card for card in range(NO_CARD) if trump_set(self.rules.trump_suit) >> card & 1}
        return parts.in_order(DECK, cards, strengths.__getitem__, trumps)

    def num_cards(self, seat: int) -> int:
        number = self.rules.hand_size - len(self.played[seat])
        if seat != self.picker:
            return number
        return number + self.rules.blind_size - int(self.seen.num_buried)

    def roles(self, seat: int) -> Sequence[str]:
        if self.picker == NO_SEAT:
            return ()
        alone = self.phase > CALL and self.called == NO_CARD and self.rules.partner != "none"
        if seat == self.picker:
            return ("role.picker_alone" if alone else "role.picker",)
        return ("role.partner",) if seat == self.partner else ()

    def calls(self, seat: int) -> tuple[Text, ...]:
        place = (seat - self.leader) % self.players
        found = []
        if self.picker != NO_SEAT:
            turn = (self.picker - self.leader) % self.players
            found += ["said.pick"] if place == turn else ["said.pass"] if place < turn else []
        elif self.phase != PICK or place < (self.acting - self.leader) % self.players:
            found.append("said.pass")
        public = self.seen.public
        if public.cracker is not None and int(public.cracker) == seat:
            found.append("said.crack")
        if seat == self.picker and self.crack_factor == 4:
            found.append("said.crack_back")
        return tuple(map(Text, found))

    # ---- Choices --------------------------------------------------------------------------------

    def choices(self, legal: Sequence[int]) -> tuple[Choice, ...]:
        if self.phase == CALL:
            return parts.card_choices(legal, legal, "call", "do.call", self.why_not)
        if self.phase in _CARD_KINDS:
            return self.card_choices(legal, *_CARD_KINDS[self.phase])
        found = [self.call(action) for action in legal]
        return (*found, *self.refused(legal))

    def call(self, action: int) -> Choice:
        if action == calls.PASS_ACTION:
            return Choice(action, Text(_NOT_CRACKED.get(self.phase, "do.pass")), "pass")
        kind, key = _CALLS[action]
        return Choice(action, Text(key), kind)

    def refused(self, legal: Sequence[int]) -> list[Choice]:
        """Return the choices of this phase that are not allowed, with the reason."""
        reasons = {
            PICK: (calls.PASS_ACTION, "why.dealer_must_pick"),
            LONER: (calls.PARTNER_ACTION, self.why_alone),
            CRACK: (calls.CRACK_ACTION, "why.partner_cracks"),
        }
        if self.phase not in reasons:
            return []
        action, reason = reasons[self.phase]
        if action in legal:
            return []
        return [dataclasses.replace(self.call(action), forbidden=Text(reason))]

    @property
    def why_alone(self) -> str:
        if self.rules.partner == "jack_of_diamonds":
            return "why.own_jack"
        return "why.no_call"

    def why_not(self, card: int) -> Text:
        """Return the rule of docs/sheepshead.md, 6.4, 6.5 or 7, that forbids a card."""
        plays = self.tricks[0].plays
        led = plays[0].card if plays else None
        trumps = trump_set(self.rules.trump_suit)
        if led is not None and self.phase == PLAY:
            if trumps >> led & 1:
                if not trumps >> card & 1:
                    return Text("why.follow_trumps")
            elif card // 8 != led // 8:
                return Text("why.follow", suit=DECK.symbols[led // 8])
        return Text("why.owes_suit")


def _points(card: int) -> int:
    return {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(DECK.ranks[card % 8], 0)
