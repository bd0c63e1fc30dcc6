"""Belote as a player sees it, for pictures and terminals: auction, contract, declarations, choices."""

from collections.abc import Sequence

from jaxcards.cards import history
from jaxcards.cards.seats import field
from jaxcards.games.belote.calls import (
    BID,
    BIDS_PER_LEVEL,
    COINCHE,
    NAME,
    PASS,
    SURCOINCHE,
)
from jaxcards.games.belote.deck import (
    ALL_TRUMP,
    BELOTE_POINTS,
    CONTRACT_VALUES,
    DECK,
    FOUR_POINTS,
    HAND_SIZE,
    KING,
    NO_TRUMP,
    NO_TRUMP_FOUR_POINTS,
    PLAIN_ORDER,
    QUEEN,
    RUN_POINTS,
    TRUMP_ORDER,
    UNDECIDED,
    VOID,
)
from jaxcards.games.belote.rules import LEVELS, BeloteRules
from jaxcards.games.belote.state import (
    ANNOUNCED_BITS,
    NO_SEAT,
    NOT_ANNOUNCED,
    NUM_SEATS,
    POINTS_BITS,
    Observation,
    unpack_contract,
)
from jaxcards.games.belote.text import MODE_NAMES, calls_of
from jaxcards.view import melds, parts
from jaxcards.view.structure import MATCH_GOAL, Choice, Meld, Pile, Play, Score, Seat, View

_SEATS = range(NUM_SEATS)
_SHORT_MODES = (*DECK.symbols, "no trump", "all trump")
_DOUBLED = ("", ", doubled (coinche)", ", redoubled (surcoinche)")


def view_of(
    rules: BeloteRules, seen: Observation, legal: Sequence[int], points: Sequence[int] | None
) -> View:
    """See `Game.view_of`."""
    table = _Table(rules, seen)
    over = points is not None
    trick, last = table.tricks
    return View(
        game="belote",
        faces=parts.faces(DECK),
        player=table.me,
        seats=tuple(table.seat(seat) for seat in _SEATS),
        to_act=None if over else int(seen.public.current_player),
        dealer=table.dealer,
        phase="The deal is over" if over else table.phase,
        trump=MODE_NAMES[table.mode] if table.playing else "",
        trump_suit=DECK.symbols[table.mode] if table.mode < NO_TRUMP else "",
        facts=table.facts(),
        unit="card points",
        trick=trick,
        last_trick=last,
        piles=table.piles(),
        scores=table.scores(points),
        choices=table.choices(legal),
        result=table.result(points) if points is not None else (),
    )


class _Table:
    """An observation in Python's numbers."""

    def __init__(self, rules: BeloteRules, seen: Observation) -> None:
        self.rules, self.seen, public = rules, seen, seen.public
        self.me, self.mode, self.dealer = int(seen.player), int(public.mode), int(public.dealer)
        self.bidder = int(seen.bidder)
        self.said = calls_of(public)
        self.played = [cards.to_list() for cards in seen.played_by]
        owner = parts.owners(self.played)
        order = history.to_list(public.history, int(public.num_played))
        self.plays = [Play(owner[card], card) for card in order]
        self.tricks = parts.tricks_of(self.plays, NUM_SEATS, self.winner)
        self.won = parts.count_tricks(len(order) // NUM_SEATS, self.winner, NUM_SEATS)

    def winner(self, trick: int) -> int:
        """Returns who won a complete trick."""
        return int(self.seen.public.winners) >> (2 * trick) & 3

    @property
    def playing(self) -> bool:
        return self.mode < UNDECIDED

    @property
    def phase(self) -> str:
        if self.playing:
            return "Play a card"
        if self.rules.auction == "contract":
            return "Bid, pass, or double"
        if self.rules.auction == "turnup" and len(self.said) < NUM_SEATS:
            return "Take the card turned up, or pass"
        return "Name a trump suit, or pass"

    def facts(self) -> tuple[tuple[str, str], ...]:
        """Returns the contract, what waits for the winner, and the target."""
        public, found = self.seen.public, []
        if public.contract is not None:
            contract = unpack_contract(public.contract)
            if int(contract.level):
                mode = _SHORT_MODES[int(contract.mode)]
                text = f"{LEVELS[int(contract.level) - 1]} {mode}{_DOUBLED[int(contract.doubled)]}"
                found.append(("contract" if self.playing else "last bid", text))
        if public.carry is not None and int(public.carry):
            found.append(("waits for the winner", f"{int(public.carry)} points"))
        return (*found, (MATCH_GOAL, f"{self.rules.target} points"))

    def piles(self) -> tuple[Pile, ...]:
        if self.seen.turn_up is None or self.playing:
            return ()
        return (Pile("turned up", (int(self.seen.turn_up),)),)

    def scores(self, points: Sequence[int] | None) -> tuple[Score, ...]:
        public = self.seen.public
        return tuple(
            Score(
                (team, team + 2),
                int(public.points) >> (POINTS_BITS * team) & 255,
                int(public.totals[team]),
                None if points is None else points[team],
            )
            for team in (0, 1)
        )

    def result(self, points: Sequence[int]) -> tuple[str, ...]:
        """Returns who scores what; the rules of the outcome are those of docs/belote.md, 4.6."""
        if self.mode == VOID:
            return ("everybody passed: the deal is void",)
        score = f"seat 0 and seat 2 score {points[0]}, seat 1 and seat 3 score {points[1]}"
        return (f"seat {self.bidder} played {MODE_NAMES[self.mode]}", score)

    # ---- Seats ----------------------------------------------------------------------------------

    def seat(self, seat: int) -> Seat:
        hand = self.hand()
        # Before trumps are named everybody holds as many cards.
        number = HAND_SIZE - len(self.played[seat]) if self.playing else len(hand)
        return Seat(
            seat=seat,
            player=seat,
            name=parts.seat_name(seat),
            num_cards=number,
            hand=hand if seat == self.me else None,
            roles=("declarer",) if seat == self.bidder != NO_SEAT else (),
            calls=tuple(self.call(action).text for caller, action in self.said if caller == seat),
            tricks=self.won[seat],
            melds=self.melds(seat),
        )

    def hand(self) -> tuple[int, ...]:
        trumps = range(8 * self.mode, 8 * self.mode + 8) if self.mode < NO_TRUMP else ()

        def strength(card: int) -> int:
            high = card in trumps or self.mode == ALL_TRUMP
            order = TRUMP_ORDER if high else PLAIN_ORDER
            return order.low_to_high.index(DECK.ranks[card % 8])

        return parts.in_order(DECK, self.seen.hand.to_list(), strength, trumps)

    # ---- Declarations ---------------------------------------------------------------------------

    def melds(self, seat: int) -> tuple[Meld, ...]:
        """Returns what a seat has declared; of the player's own hand all that may count."""
        if not self.playing:
            return ()
        found: tuple[Meld, ...] = ()
        if self.seen.shown is not None:
            found = self.declarations(seat)
        return found + self.belote(seat)

    def declarations(self, seat: int) -> tuple[Meld, ...]:
        seen = self.seen
        assert seen.shown is not None and seen.announced is not None
        cards = self.own_cards() if seat == self.me else set(seen.shown[seat].to_list())
        if not cards:
            best = int(field(seen.announced, seat, ANNOUNCED_BITS))
            announced = best not in (0, NOT_ANNOUNCED)
            return (Meld("best declaration", 10 * best),) if announced else ()
        tens = NO_TRUMP_FOUR_POINTS if self.mode == NO_TRUMP else FOUR_POINTS
        fours = {rank: 10 * points for rank, points in zip(DECK.ranks, tens, strict=True) if points}
        runs = (*(10 * points for points in RUN_POINTS),)
        return melds.best_melds(DECK, cards, runs, fours, share=self.rules.decl_share_cards)

    def belote(self, seat: int) -> tuple[Meld, ...]:
        if self.seen.belote is None:
            return ()
        shown = set(self.seen.belote[seat].to_list())
        if seat == self.me:
            suits = range(4) if self.mode == ALL_TRUMP else [self.mode] if self.mode < NO_TRUMP else []
            pairs = [{8 * suit + QUEEN, 8 * suit + KING} for suit in suits]
            shown.update(*(pair for pair in pairs if pair <= self.own_cards()))
        by_suit: dict[int, list[int]] = {}
        for card in sorted(shown):
            by_suit.setdefault(card // 8, []).append(card)
        return tuple(Meld("belote", BELOTE_POINTS, tuple(cards)) for cards in by_suit.values())

    def own_cards(self) -> set[int]:
        return {*self.seen.hand.to_list(), *self.played[self.me]}

    # ---- Choices --------------------------------------------------------------------------------

    def choices(self, legal: Sequence[int]) -> tuple[Choice, ...]:
        if not legal:
            return ()
        if self.playing:
            hand = self.hand()
            return tuple(parts.card_choices(DECK, hand, legal, "play", "play", self.why_not))
        found = [self.call(action) for action in legal]
        if self.rules.auction != "contract" and PASS not in legal:
            reason = "all have passed: you must name a suit"
            found.append(Choice(PASS, "pass", "pass", forbidden=reason))
        return tuple(found)

    def call(self, action: int) -> Choice:
        if action == PASS:
            return Choice(action, "pass", "pass")
        if action == COINCHE:
            return Choice(action, "coinche (double)", "double")
        if action == SURCOINCHE:
            return Choice(action, "surcoinche (redouble)", "double")
        if action < BID:
            verb = "take" if self.seen.turn_up is not None else "name"
            return Choice(action, f"{verb} {DECK.symbols[action - NAME]} trumps", "trumps")
        level, mode = divmod(action - BID, BIDS_PER_LEVEL)
        worth = "capot" if LEVELS[level] == "capot" else str(CONTRACT_VALUES[level])
        return Choice(action, f"bid {worth} {_SHORT_MODES[mode]}", "bid")

    def why_not(self, card: int) -> str:
        """Returns the rule of docs/belote.md, 4.1, that forbids a card."""
        led = self.tricks[0].plays[0].card
        assert led is not None
        suit = led // 8
        hand = [held // 8 for held in self.seen.hand.to_list()]
        if suit in hand and card // 8 != suit:
            return parts.must_follow(DECK.symbols[suit])
        if suit in hand:
            return f"you can beat the highest {DECK.symbols[suit]} on the table, and must"
        if card // 8 == self.mode:
            return "you can beat the trump on the table, and must"
        return f"you have no {DECK.symbols[suit]}, and must play a trump"
