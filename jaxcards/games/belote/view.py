"""Belote as people read it: the view of a player, for pictures and terminals."""

from collections.abc import Iterator, Sequence
from typing import Any

from jaxcards.cards import history
from jaxcards.cards.seats import field
from jaxcards.games.belote import calls, play, score
from jaxcards.games.belote.calls import BID, BIDS_PER_LEVEL, NAME, PASS
from jaxcards.games.belote.play import DECK, Contract, Observation, Public
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.view import melds, parts
from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import MATCH_TARGET, UNNAMED, Choice, Meld, Pile
from jaxcards.view.text import Text

_NO_SUIT = Text("mode.no_trump"), Text("mode.all_trump")
_MODES = (*map(parts.suit_mode, DECK.symbols), *_NO_SUIT)
_SHORT_MODES = (*(Text("mode.short", suit=symbol) for symbol in DECK.symbols), *_NO_SUIT)
_BIDS = ("bid.contract", "bid.contract_doubled", "bid.contract_redoubled")
_LEVELS = {"capot": Text("level.capot"), "generale": Text("level.generale")}
_ALL_TRICKS = Text("need.all_tricks")
_BONUS = ("declarations", "belote")
_MADE, _FAILED, _LITIGE = "result.fulfilled", "result.failed", "result.level"


class BeloteView(ViewBuilder):
    """Parts of a view that are special to Belote."""

    game = "belote"
    teams = (0, 1, 0, 1)

    def __init__(self, rules: BeloteRules, seen: Observation) -> None:
        super().__init__(seen, DECK, play.NUM_SEATS)
        self.rules, self.mode, self.bidder = rules, int(seen.public.mode), int(seen.bidder)
        self.said, self.contract = calls_of(seen.public), contract_of(seen.public)

    @property
    def playing(self) -> bool:
        return self.mode < play.UNDECIDED

    def asked(self) -> Text:
        if self.playing:
            return Text("ask.play")
        if self.rules.auction == "contract":
            return Text("ask.contract")
        if self.rules.auction == "turnup" and len(self.said) < play.NUM_SEATS:
            return Text("ask.take")
        return Text("ask.name_trumps")

    def trumps(self) -> tuple[Text | None, str]:
        suit = DECK.symbols[self.mode] if self.mode < play.NO_TRUMP else ""
        return _MODES[self.mode] if self.playing else UNNAMED, suit

    def facts(self) -> Iterator[Text]:
        carry = self.seen.public.carry
        if self.contract and self.contract.level:
            level, mode = self.level(self.contract.level - 1), _SHORT_MODES[self.contract.mode]
            bid = Text(_BIDS[self.contract.doubled], level=level, mode=mode)
            yield Text("fact.contract" if self.playing else "fact.last_bid", bid=bid)
        if carry is not None and int(carry):
            yield Text("fact.carry", points=int(carry))
        yield Text(MATCH_TARGET, points=self.rules.target)

    def piles(self) -> tuple[Pile, ...]:
        if self.seen.turn_up is None or self.playing:
            return ()
        return (Pile(Text("pile.turned_up"), (int(self.seen.turn_up),)),)

    def taken(self, number: int, side: Sequence[int]) -> int:
        return int(self.seen.public.points) >> (play.POINTS_BITS * number) & 255

    def lines(self, number: int, side: Sequence[int], points: Sequence[int] | None) -> tuple[Text, ...]:
        if not self.playing:
            return ()
        sides = [self.counted(0), self.counted(1)] if points is None else self.settled(points)
        factor = sides[number].pop("times", 1)
        found = parts.lines(**sides[number])
        return (*found, Text("line.times", number=factor)) if found and factor > 1 else found

    def counted(self, team: int) -> dict[str, int]:
        """Return the points that a team has taken, as far as all know: by source."""
        seats = team, team + 2
        taken, last = self.taken(team, seats), self.last_trick(seats, play.LAST_TRICK_POINTS)
        declared, belote = self.seen.declared, self.seen.belote
        tens = 0 if declared is None else int(field(declared, team, play.DECLARED_BITS))
        pairs = 0 if belote is None else sum(len(belote[seat].to_list()) // 2 for seat in seats)
        return {
            "cards": taken - last,
            "last_trick": last,
            "capot": self.rules.capot_bonus if self.has_capot(team) else 0,
            "declarations": 10 * tens,
            "belote": play.BELOTE_POINTS * pairs,
        }

    def has_capot(self, team: int) -> bool:
        return self.won[team] + self.won[team + 2] == play.HAND_SIZE

    def totals(self) -> list[dict[str, int]]:
        """Return the points by source of the bidding side and the other one, after a capot."""
        rules, counted = self.rules, [self.counted(team) for team in (0, 1)]
        for team in (0, 1):
            if self.has_capot(1 - team):
                # A safe belote, the second bonus, stays with its team.
                for name in _BONUS[: 1 if rules.belote_safe else 2]:
                    lost, counted[team][name] = counted[team][name], 0
                    counted[1 - team][name] += lost * (rules.capot_declarations == "transfer")
        return counted if self.bidder & 1 == 0 else counted[::-1]

    def contract_end(self) -> str:
        """Return the key of the result: made, failed or a litige (docs/belote.md, 4.6)."""
        (mine, theirs), need = self.reached(), self.need()
        if isinstance(need, Text):
            capot, alone = self.has_capot(self.bidder & 1), self.won[self.bidder] == play.NUM_TRICKS
            return _MADE if (capot if need == _ALL_TRICKS else alone) else _FAILED
        if mine == theirs and self.rules.tie == "litige" and mine >= self.value:
            return _LITIGE
        return _MADE if mine >= need else _FAILED

    @property
    def value(self) -> int:
        """The points of the contract; 0 without one."""
        return self.rules.values[self.contract.level - 1] if self.contract else 0

    def reached(self) -> tuple[int, int]:
        """Return the points that count for the bid: of the bidding side and of the other one."""
        without = () if self.rules.bonus_makes else _BONUS
        mine, theirs = (
            sum(number for name, number in found.items() if name not in without)
            for found in self.totals()
        )
        return mine, theirs

    def need(self) -> int | Text:
        """Return the points that the bidding side needs: its bid or more than half; or all tricks."""
        rules = self.rules
        if self.contract and self.contract.level > rules.capot:
            alone = self.contract.level > rules.capot + 1
            return Text("need.all_alone") if alone else _ALL_TRICKS
        capot = rules.capot_bonus if self.has_capot(0) or self.has_capot(1) else 0
        whole = sum(self.reached()) - capot
        return max(self.value, (whole + 1) // 2 if rules.tie == "make" else whole // 2 + 1)

    def settled(self, points: Sequence[int]) -> list[dict[str, int]]:
        """Return the points by source as docs/belote.md, 4.6, gives them to the teams at the end."""
        if len(self.plays) < play.NUM_CARDS_PLAYED:  # a run of eight cards has won the match
            return [{"straight": points[0]}, {"straight": points[1]}]
        rules, end, (bidders, others) = self.rules, self.contract_end(), self.totals()
        if end == _LITIGE:
            bidders = {}
        elif self.contract:
            bidders, others = self.contract_lines(bidders, others, end == _MADE)
        elif end == _FAILED:
            kept = bidders["belote"] if rules.belote_safe else 0
            others = {name: number + bidders[name] for name, number in others.items()}
            others["belote"] -= kept
            bidders = {"belote": kept}
        if self.seen.public.carry is not None and end != _LITIGE:
            winner = bidders if end == _MADE else others
            factor = winner.pop("times", 1)  # does not apply to what was carried over
            winner.update({name: factor * number for name, number in winner.items()})
            winner["carry"] = int(self.seen.public.carry)
        return [bidders, others] if self.bidder & 1 == 0 else [others, bidders]

    def contract_lines(
        self, bidders: dict[str, int], others: dict[str, int], made: bool
    ) -> tuple[dict[str, int], dict[str, int]]:
        """Return the points by source of the bidding side and the other one, of a contract."""
        value, factor = self.value, 1 << self.contract.doubled
        if self.rules.contract_only:
            paid = {"contract": value, "times": factor}
            return (paid, {}) if made else ({}, paid)
        if made and factor == 1:
            return bidders | {"contract": value}, others
        whole = made and self.has_capot(self.bidder & 1)
        paid = {
            "all_cards": score.DOUBLED_CAPOT if whole else score.DOUBLED_BASE,
            "contract": value,
            "declarations": bidders["declarations"] + others["declarations"],
        }
        if made:
            return paid | {"belote": bidders["belote"], "times": factor}, {"belote": others["belote"]}
        safe = self.rules.belote_safe
        lost = others["belote"] + (0 if safe else bidders["belote"])
        return {"belote": bidders["belote"] if safe else 0}, paid | {"belote": lost, "times": factor}

    def result(self, points: Sequence[int]) -> tuple[Text, ...]:
        """Return whether the declarer's side made what it played, and the scores."""
        if self.mode == play.VOID:
            return (Text("result.void"),)
        if len(self.plays) < play.NUM_CARDS_PLAYED:  # a run of eight cards has won the match
            return parts.side_results(points)
        side = self.bidder & 1
        facts = [fact for fact in self.facts() if fact.key == "fact.contract"]
        what = facts[0].args["bid"] if facts else _MODES[self.mode]
        found = {"seats": (side, side + 2), "points": self.reached()[0], "need": self.need()}
        return (Text(self.contract_end(), what=what, **found), *parts.side_results(points))

    # ---- Seats ----------------------------------------------------------------------------------

    def num_cards(self, seat: int) -> int:
        if not self.playing:  # all hands have the same size until trumps are named
            return len(self.seen.hand.to_list())
        return super().num_cards(seat)

    def strength(self, card: int) -> int:
        order = play.TRUMP_ORDER if self.mode in (card // 8, play.ALL_TRUMP) else play.PLAIN_ORDER
        return order.low_to_high.index(DECK.ranks[card % 8])

    def roles(self, seat: int) -> Sequence[str]:
        return ["role.declarer"] if seat == self.bidder != play.NO_SEAT else []

    def calls(self, seat: int) -> list[Text]:
        return [self.said_of(action) for caller, action in self.said if caller == seat]

    # ---- Declarations ---------------------------------------------------------------------------

    def melds(self, seat: int) -> tuple[Meld, ...]:
        """Return the declarations of a seat; of the player's own hand all that may count."""
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
            best = int(field(seen.announced, seat, play.ANNOUNCED_BITS))
            announced = best not in (0, play.NOT_ANNOUNCED)
            return (Meld(Text("meld.best_declaration"), 10 * best),) if announced else ()
        fours = play.NO_TRUMP_FOUR_POINTS if self.mode == play.NO_TRUMP else play.FOUR_POINTS
        share = self.rules.decl_share_cards
        return melds.best_melds(DECK, cards, play.RUN_POINTS, fours, share=share)

    def belote(self, seat: int) -> tuple[Meld, ...]:
        if self.seen.belote is None:
            return ()
        cards = self.own_cards() if seat == self.me else set(self.seen.belote[seat].to_list())
        pairs = [
            (8 * suit + play.QUEEN, 8 * suit + play.KING)
            for suit in range(4)
            if self.mode in (suit, play.ALL_TRUMP)
        ]
        name = Text("meld.belote")
        return tuple(Meld(name, play.BELOTE_POINTS, pair) for pair in pairs if cards.issuperset(pair))

    # ---- Choices --------------------------------------------------------------------------------

    def reasons(self) -> dict[int, Text]:
        return {} if self.rules.auction == "contract" else {PASS: Text("why.must_name")}

    def call(self, action: int) -> Choice:
        if action == PASS:
            return Choice(action, Text("do.pass"), "pass")
        double = calls.coinche(self.rules)
        if action >= double:
            key = "do.double" if action == double else "do.redouble"
            return Choice(action, Text(key), "double")
        if action < BID:
            key = "do.take" if self.seen.turn_up is not None else "do.name"
            return Choice(action, Text(key, suit=DECK.symbols[action - NAME]), "trumps")
        level, mode = divmod(action - BID, BIDS_PER_LEVEL)
        bid = Text("do.contract", level=self.level(level), mode=_SHORT_MODES[mode])
        return Choice(action, bid, "bid")

    def level(self, level: int) -> Text | int:
        return _LEVELS.get(self.rules.levels[level], self.rules.values[level])

    def said_of(self, action: int) -> Text:
        """Return a call as others hear it."""
        heard = self.call(action).text
        return Text(heard.key.replace("do.", "said."), **heard.args)

    def why_not(self, card: int) -> Text:
        """Return the rule of docs/belote.md, 4.1, that forbids a card."""
        suit = self.led // 8
        hand = [held // 8 for held in self.seen.hand.to_list()]
        if suit in hand:
            return Text("why.beat" if card // 8 == suit else "why.follow", suit=DECK.symbols[suit])
        if card // 8 == self.mode:
            return Text("why.overtrump")
        return Text("why.trump", suit=DECK.symbols[suit])


def calls_of(public: Public) -> list[tuple[int, int]]:
    """Return the calls of an untraced deal in order: the seat and the action of each."""
    number = int(public.num_calls)
    if public.calls is not None:
        actions = [
            code + calls.PASS for code in history.to_list(public.calls, number, bits=calls.CALL_BITS)
        ]
    else:
        actions = [calls.PASS] * number
        if bool(public.playing):
            actions[-1] = calls.NAME + int(public.mode)
    return [((int(public.dealer) + 1 + i) % play.NUM_SEATS, action) for i, action in enumerate(actions)]


def contract_of(public: Public) -> Any:
    """Return the `Contract` of an untraced deal in Python's numbers; None without contracts."""
    if public.contract is None:
        return None
    return Contract._make(map(int, play.CONTRACT_WORD.unpack(public.contract)))
