"""Sheepshead as people read it: the view of a player, for pictures and terminals."""

import functools
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from jaxcards.cards import history
from jaxcards.games.sheepshead import calls, play, score
from jaxcards.games.sheepshead.play import DECK, Observation
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.view import parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import Choice, Pile, Play
from jaxcards.view.text import Text

_PHASES = {
    play.PICK: Text("ask.pick"), play.LONER: Text("ask.partner"), play.CALL: Text("ask.call"),
    play.UNKNOWN: Text("ask.unknown"), play.BURY: Text("ask.bury"), play.CRACK: Text("ask.crack"),
    play.RECRACK: Text("ask.crack_back"), play.PLAY: Text("ask.play"),
    play.DONE: Text("ask.over"),
}  # fmt: skip
_CARD_KINDS = {
    play.UNKNOWN: ("unknown card", "do.unknown"),
    play.BURY: ("bury", "do.bury"),
    play.PLAY: ("play", "do.play"),
}
_QUEENS = {play.QUEEN_OF_CLUBS, play.QUEEN_OF_SPADES}
_NOT_CRACKED = {play.CRACK: "do.no_crack", play.RECRACK: "do.no_crack_back"}
_CALLS = {
    calls.PICK_ACTION: ("pick", "do.pick"), calls.PARTNER_ACTION: ("partner", "do.partner"),
    calls.ALONE_ACTION: ("alone", "do.alone"), calls.CRACK_ACTION: ("crack", "do.crack"),
    calls.RECRACK_ACTION: ("crack", "do.crack_back"), calls.BLITZ_ACTION: ("crack", "do.blitz"),
}  # fmt: skip


class SheepsheadView(ViewBuilder):
    """Build the parts of a view that are special to Sheepshead."""

    game, deal_unit = "sheepshead", "chips"

    def __init__(self, rules: SheepsheadRules, seen: Observation) -> None:
        public = seen.public
        self.rules, self.players = rules, rules.num_players
        self.leader = (int(public.dealer) + 1) % self.players
        self.phase, self.picker = int(public.phase), int(public.picker)
        self.called = play.NO_CARD if public.called is None else int(public.called)
        self.unknown = play.NO_CARD if seen.unknown is None else int(seen.unknown)
        super().__init__(seen, DECK, self.players)

    def asked(self) -> Text:
        return _PHASES[self.phase]

    def trumps(self) -> tuple[Text | None, str]:
        symbol = DECK.symbols[self.rules.trump_suit]
        return Text("mode.sheepshead", suit=symbol), symbol

    def winner(self, trick: int) -> int:
        return int(self.seen.public.winners) >> (3 * trick) & 7

    def all_plays(self) -> list[Play]:
        """Return all cards played; the unknown lies face down for those who do not know it."""
        public, leader = self.seen.public, self.leader
        found = []
        for number, card in enumerate(history.to_list(public.history, int(public.num_played))):
            place = number % self.players
            if place == 0 and number:
                leader = self.winner(number // self.players - 1)
            known = self.unknown if card == play.NO_CARD else card
            seat = (leader + place) % self.players
            found.append(Play(seat, None if known == play.NO_CARD else known))
        return found

    @property
    def all_passed(self) -> bool:
        return self.rules.picks and self.picker == play.NO_SEAT and self.phase != play.PICK

    @property
    def partner(self) -> int:
        return _seat(self.seen.partner)

    def facts(self) -> Iterator[Text]:
        if self.all_passed and self.plays:
            yield Text("fact.leaster")
        if self.called != play.NO_CARD:
            yield Text("fact.called", card=self.called)
        if self.seen.has_unknown:
            known = None if self.unknown == play.NO_CARD else self.unknown
            yield Text("fact.unknown", card=known)
        stakes = int(self.seen.public.stakes) * self.crack_factor
        if stakes != 1:
            yield Text("fact.stakes", times=stakes)

    @property
    def crack_factor(self) -> int:
        """Factor of the stakes by a crack, its answer and a blitz."""
        public = self.seen.public
        answered = public.recracked is not None and bool(public.recracked)
        cracked = _seat(public.cracker) != play.NO_SEAT
        return 2 ** (cracked + answered + (_seat(public.blitzer) != play.NO_SEAT))

    def piles(self) -> tuple[Pile, ...]:
        blind = self.seen.blind.to_list()
        if self.phase == play.DONE and self.all_passed:
            return (Pile(Text("pile.blind"), tuple(blind)),)
        if self.picker == play.NO_SEAT:
            blind_size = self.rules.blind_size
            return (Pile(Text("pile.blind"), (None,) * blind_size),) if blind_size else ()
        number = int(self.seen.num_buried)
        cards = self.seen.buried.to_list()
        return (Pile(Text("pile.buried"), tuple(cards) or (None,) * number),) if number else ()

    @functools.cached_property
    def points(self) -> list[int]:
        return [int(points) for points in score.public_points(self.rules, self.seen)]

    def taken(self, number: int, side: Sequence[int]) -> int:
        return self.points[number]

    def lines(self, number: int, side: Sequence[int], points: Sequence[int] | None) -> tuple[Text, ...]:
        """Return the card points of a seat, with those that the picker has buried where known."""
        return parts.lines(
            cards=self.points[number], buried=self.buried if number == self.picker else 0
        )

    @property
    def buried(self) -> int:
        """Card points of the bury, as far as the player knows it."""
        return sum(play.POINTS[card % 8] for card in self.seen.buried.to_list())

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        if self.all_passed and not self.plays:
            return (Text("result.not_picked"),)
        counted = Text("result.leaster") if self.all_passed else self.picked()
        chips = tuple(Text("result.chip", seat=seat, chips=chip) for seat, chip in enumerate(points))
        return (counted, Text("result.chips", chips=chips))

    def outcome(self, points: Sequence[int]) -> str:
        chips = points[self.me]
        return "won" if chips > 0 else "lost" if chips < 0 else "level"

    def verdict(self, points: Sequence[int]) -> Text:
        return Text(f"outcome.{self.outcome(points)}")

    def picked(self) -> Text:
        """Return the card points of the picking side, its bury included."""
        side = self.side
        taken = self.buried + sum(self.points[seat] for seat in side)
        seats = tuple(sorted(side))
        return Text("result.picked", seats=seats, points=taken, buried=self.buried, need=score.NEEDED)

    # ---- Seats ----------------------------------------------------------------------------------

    def trump_cards(self) -> Collection[int]:
        return {
            card for card in range(play.NO_CARD) if play.trump_set(self.rules.trump_suit) >> card & 1
        }

    def strength(self, card: int) -> int:
        return play.strength_table(self.rules.trump_suit, self.rules.spitz)[card]

    def num_cards(self, seat: int) -> int:
        number = self.rules.hand_size - len(self.played[seat])
        if seat != self.picker:
            return number
        return number + self.rules.blind_size - int(self.seen.num_buried)

    @property
    def side(self) -> set[int]:
        """Seats that are known to be the picker, the partner, or holders of a black queen."""
        if self.rules.picks:
            return {self.picker, self.partner} - {play.NO_SEAT}
        cards = [{*played} for played in self.played]
        cards[self.me] |= {*self.seen.hand.to_list()}
        return {seat for seat, own in enumerate(cards) if own & _QUEENS}

    def roles(self, seat: int) -> Sequence[str]:
        if not self.rules.picks:
            return ("role.black_queen",) if seat in self.side else ()
        if self.picker == play.NO_SEAT:
            return ()
        alone = self.phase > play.CALL and self.called == play.NO_CARD and self.rules.partner != "none"
        if seat == self.picker:
            return ("role.picker_alone" if alone else "role.picker",)
        return ("role.partner",) if seat == self.partner else ()

    def calls(self, seat: int) -> tuple[Text, ...]:
        public, found = self.seen.public, []
        place = (seat - self.leader) % self.players
        if self.picker != play.NO_SEAT:
            turn = (self.picker - self.leader) % self.players
            found += ["said.pick"] if place == turn else ["said.pass"] if place < turn else []
        elif self.rules.picks and (
            self.all_passed or place < (self.acting - self.leader) % self.players
        ):
            found.append("said.pass")
        found += ["said.crack"] if seat == _seat(public.cracker) else []
        if public.recracked is not None and bool(public.recracked):
            answers = self.picker if public.recracker is None else int(public.recracker)
            found += ["said.crack_back"] if seat == answers else []
        found += ["said.blitz"] if seat == _seat(public.blitzer) else []
        return tuple(map(Text, found))

    # ---- Choices --------------------------------------------------------------------------------

    def choices(self, legal: Sequence[int]) -> Sequence[Choice]:
        if self.phase == play.CALL:
            return parts.card_choices(legal, legal, "call", "do.call", self.why_not)
        if self.phase in _CARD_KINDS:
            cards = [action for action in legal if action < play.NO_CARD]
            blitz = [self.call(action) for action in legal if action == calls.BLITZ_ACTION]
            return (*self.card_choices(cards, *_CARD_KINDS[self.phase]), *blitz)
        return super().choices(legal)

    def call(self, action: int) -> Choice:
        if action == calls.PASS_ACTION:
            return Choice(action, Text(_NOT_CRACKED.get(self.phase, "do.pass")), "pass")
        kind, key = _CALLS[action]
        return Choice(action, Text(key), kind)

    def reasons(self) -> dict[int, Text]:
        forbidden = {
            play.PICK: (calls.PASS_ACTION, "why.dealer_must_pick"),
            play.LONER: (calls.PARTNER_ACTION, self.why_alone),
            play.CRACK: (calls.CRACK_ACTION, "why.partner_cracks"),
            play.RECRACK: (calls.RECRACK_ACTION, "why.not_picking"),
        }
        action, reason = forbidden[self.phase]
        return {action: Text(reason)}

    @property
    def why_alone(self) -> str:
        if self.rules.partner == "jack_of_diamonds" and not self.rules.call_up:
            return "why.own_jack"
        return "why.no_call"

    def why_not(self, card: int) -> Text:
        """Return the rule that forbids a card (docs/sheepshead.md, 3.4, 3.5 and 4)."""
        plays = self.tricks[0].plays
        led = plays[0].card if plays else None
        trumps = play.trump_set(self.rules.trump_suit)
        if led is not None and self.phase == play.PLAY:
            if trumps >> led & 1:
                if not trumps >> card & 1:
                    return Text("why.follow_trumps")
            elif card // 8 != led // 8:
                return Text("why.follow", suit=DECK.symbols[led // 8])
        if self.phase == play.BURY and _seat(self.seen.public.blitzer) == self.me and card in _QUEENS:
            return Text("why.shown")
        return Text("why.owes_suit")


def _seat(seat: Any) -> int:
    """Return a seat of `Public`; `NO_SEAT` if the rules have no such seat."""
    return play.NO_SEAT if seat is None else int(seat)


def without_phase(name: str) -> str:
    """Return the name of an action without "call", "unknown", "bury" or "play" before a card."""
    first, _, card = name.strip().partition(" ")
    return card if card and first.lower() in ("call", "unknown", "bury", "play") else name
