"""Slow reference of Belote in plain Python: lists, sets and loops, no arrays.

Written from the rules contract alone and meant to be read beside it; the section numbers in the
docstrings are the contract's. `rules` is any object with the fields of section 1.1. Cards are
the ints 8*suit + rank, suits d h s c, ranks 7 8 9 T J Q K A; seats are 0..3, teams seat % 2.
"""

from typing import NamedTuple

SUITS = "dhsc"
RANKS = "789TJQKA"
NT, AT = 4, 5
PASS, NAME, BID, COINCHE, SURCOINCHE = 32, 33, 37, 97, 98
LEVELS = (80, 90, 100, 110, 120, 130, 140, 150, 160, 250)  # the last is capot
CAPOT = 9

PLAIN_ORDER = "789JQKTA"
TRUMP_ORDER = "78QKTA9J"
PLAIN_POINTS = dict(zip(RANKS, (0, 0, 0, 10, 2, 3, 4, 11), strict=True))
TRUMP_POINTS = dict(zip(RANKS, (0, 0, 14, 10, 20, 3, 4, 11), strict=True))
NT_POINTS = dict(zip(RANKS, (0, 0, 0, 10, 2, 3, 4, 19), strict=True))
AT_POINTS = dict(zip(RANKS, (0, 0, 9, 5, 13, 2, 3, 6), strict=True))
FOUR_POINTS = {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100}
NT_FOUR_POINTS = {"A": 200, "T": 150, "K": 100, "Q": 100, "J": 100, "9": 100}


def card(text: str) -> int:
    """Card of a text such as `Td`."""
    return 8 * SUITS.index(text[1]) + RANKS.index(text[0])


def cards(text: str) -> list[int]:
    """Cards of a text such as `Td 9c`."""
    return [card(word) for word in text.split()]


def name(c: int) -> str:
    return RANKS[c % 8] + SUITS[c // 8]


def suit(c: int) -> int:
    return c // 8


def rank(c: int) -> str:
    return RANKS[c % 8]


def has_trumps(mode: int) -> bool:
    return mode < NT


def strength(c: int, mode: int) -> int:
    """Section 2: strength among cards of the same suit."""
    high = suit(c) == mode or mode == AT
    return (TRUMP_ORDER if high else PLAIN_ORDER).index(rank(c))


def card_points(c: int, mode: int) -> int:
    """Section 2: points of a card."""
    if mode == NT:
        return NT_POINTS[rank(c)]
    if mode == AT:
        return AT_POINTS[rank(c)]
    return (TRUMP_POINTS if suit(c) == mode else PLAIN_POINTS)[rank(c)]


# --- 4.1, 4.2 the trick -------------------------------------------------------------------------


def stronger(held: list[int], table: list[int], mode: int) -> list[int]:
    """Those of `held` stronger than every card of `table`; all of one suit."""
    return [c for c in held if all(strength(c, mode) > strength(t, mode) for t in table)]


def legal_cards(rules, mode: int, table: list[int], hand: list[int]) -> list[int]:
    """Section 4.1, step by step: what `hand` may play on `table`, ascending."""
    if not table:
        return sorted(hand)
    led = suit(table[0])
    same = [c for c in hand if suit(c) == led]
    on_led = [c for c in table if suit(c) == led]
    if mode == NT:
        return sorted(same or hand)
    if mode == AT:
        return sorted(stronger(same, on_led, mode) or same or hand)
    ruffs = [c for c in table if suit(c) == mode]
    if same:
        if led == mode:
            return sorted(stronger(same, ruffs, mode) or same)
        if rules.overtake_plain and not ruffs:
            return sorted(stronger(same, on_led, mode) or same)
        return sorted(same)
    trumps = [c for c in hand if suit(c) == mode]
    if not trumps:
        return sorted(hand)
    if rules.partner_exempt and len(table) >= 2 and trick_winner(mode, table) == len(table) - 2:
        return sorted(hand)
    if not ruffs:
        return sorted(trumps)
    over = stronger(trumps, ruffs, mode)
    if over:
        return sorted(over)
    return sorted(trumps if rules.undertrump == "forced" else hand)


def trick_winner(mode: int, trick: list[int]) -> int:
    """Section 4.2: position (0 = leader) that wins, also of an unfinished trick."""
    trumps = [c for c in trick if suit(c) == mode]
    rivals = trumps or [c for c in trick if suit(c) == suit(trick[0])]
    return trick.index(max(rivals, key=lambda c: strength(c, mode)))


def trick_points(mode: int, trick: list[int], number: int) -> int:
    """Section 4.2: points of trick `number` (from 1), with 10 for the eighth."""
    return sum(card_points(c, mode) for c in trick) + (10 if number == 8 else 0)


# --- 4.3 to 4.5 declarations and belote ---------------------------------------------------------


class Declaration(NamedTuple):
    """One run or four of a kind."""

    points: int
    cards: tuple[int, ...]
    key: tuple[int, int, int, int]


def _runs(mode: int, hand: list[int]) -> list[Declaration]:
    found = []
    for s in range(4):
        block: list[int] = []
        for r in range(9):  # the ninth rank does not exist and closes the last block
            if r < 8 and 8 * s + r in hand:
                block.append(8 * s + r)
                continue
            if len(block) >= 3:
                points = {3: 20, 4: 50}.get(len(block), 100)
                trump = int(s == mode and has_trumps(mode))
                found.append(Declaration(points, tuple(block), (points, 0, block[-1] % 8, trump)))
            block = []
    return found


def declarations_of(rules, mode: int, hand: list[int]) -> list[Declaration]:
    """Section 4.3: all declarations of a full hand."""
    if not rules.declarations:
        return []
    found = []
    for text, points in (NT_FOUR_POINTS if mode == NT else FOUR_POINTS).items():
        four = tuple(8 * s + RANKS.index(text) for s in range(4))
        if set(four) <= set(hand):
            found.append(Declaration(points, four, (points, 1, PLAIN_ORDER.index(text), 0)))
    if not rules.decl_share_cards:
        used = {c for d in found for c in d.cards}
        hand = [c for c in hand if c not in used]
    return found + _runs(mode, hand)


def contest(rules, mode: int, dealer: int, hands: list[list[int]]):
    """Section 4.4: (team that scores or None, points of the two teams)."""
    found = [declarations_of(rules, mode, hand) for hand in hands]
    best = [max((d.key for d in of_seat), default=None) for of_seat in found]
    keys = [key for key in best if key]
    if not keys:
        return None, [0, 0]
    order = [(dealer + 1 + k) % 4 for k in range(4)]
    holders = [seat for seat in order if best[seat] == max(keys)]
    if len({seat % 2 for seat in holders}) == 2 and rules.decl_tie == "none":
        return None, [0, 0]
    team = holders[0] % 2
    points = [0, 0]
    points[team] = sum(d.points for seat in (team, team + 2) for d in found[seat])
    return team, points


def belote_suits(rules, mode: int, hand: list[int]) -> list[int]:
    """Section 4.5: suits of which a full hand has a king and queen that count."""
    if not rules.belote or mode == NT:
        return []
    suits = range(4) if mode == AT else [mode]
    return [s for s in suits if {8 * s + RANKS.index("Q"), 8 * s + RANKS.index("K")} <= set(hand)]


# --- 4.6 the score ------------------------------------------------------------------------------


def deal_score(rules, bidder, level, m, c, w, d, b, carry):
    """Section 4.6: (scores of the teams, "made", "failed" or "litige", carry).

    `bidder` is the bidding team; `level` the number of a contract's level, else None.
    """
    B, D = bidder, 1 - bidder
    c, d, b, bonus = list(c), list(d), list(b), [0, 0]
    for X, Y in ((0, 1), (1, 0)):
        if w[X] == 8:
            bonus[X] = rules.capot_bonus
            transfer = rules.capot_declarations == "transfer"
            if transfer:
                d[X] += d[Y]
            d[Y] = 0
            if not rules.belote_safe:
                if transfer:
                    b[X] += b[Y]
                b[Y] = 0
    total = [c[t] + bonus[t] + d[t] + b[t] for t in (0, 1)]
    makes = total[B] > total[D] or (total[B] == total[D] and rules.tie == "make")
    score = [0, 0]
    if rules.auction == "contract":
        value = LEVELS[level]
        outcome = "made" if (w[B] == 8 if level == CAPOT else total[B] >= value and makes) else "failed"
        if outcome == "made" and m == 1:
            score[B], score[D] = total[B] + value, total[D]
        elif outcome == "made":
            base = 250 if w[B] == 8 else 160
            score[B], score[D] = (base + d[0] + d[1] + b[B] + value) * m, b[D]
        else:
            lost = 0 if rules.belote_safe else b[B]
            score[D] = (160 + d[0] + d[1] + b[D] + lost + value) * m
            score[B] = b[B] if rules.belote_safe else 0
    elif makes:
        outcome, score = "made", list(total)
    elif total[B] == total[D] and rules.tie == "litige":
        outcome = "litige"
        score[D] = total[D]
        carry += total[B]
    else:
        outcome = "failed"
        keep = b[B] if rules.belote_safe else 0
        score[B], score[D] = keep, total[B] + total[D] - keep
    if outcome != "litige":
        score[B if outcome == "made" else D] += carry
        carry = 0
    return [(x + 5) // 10 * 10 if rules.rounding == 10 else x for x in score], outcome, carry


# --- 3 the deal ---------------------------------------------------------------------------------


class ReferenceDeal:
    """Section 3: one deal from the given deck to its end."""

    def __init__(self, rules, deck, dealer, totals=(0, 0), carry=0):
        self.rules, self.dealer, self.totals, self.carry_in = rules, dealer, list(totals), carry
        self.forehand = (dealer + 1) % 4
        self.order = [(self.forehand + k) % 4 for k in range(4)]
        self.deck = list(deck)
        size = {"bela": 6, "turnup": 5, "contract": 8}[rules.auction]
        self.hands: list[list[int]] = [[] for _ in range(4)]
        for k, seat in enumerate(self.order):
            self.hands[seat] = sorted(self.deck[size * k : size * (k + 1)])
        self.turn_up = self.deck[20] if rules.auction == "turnup" else None
        self.dealt = None  # the hands of eight cards, once there are
        self.calls: list[tuple[int, int]] = []  # seat, action
        self.bidder: int | None = None
        self.mode: int | None = None
        self.level: int | None = None
        self.multiplier = 1
        self.current_player = self.forehand
        self.table: list[int] = []
        self.tricks: list[tuple[int, list[int], int, int]] = []  # leader, cards, winner, points
        self.played: list[tuple[int, int]] = []  # seat, card
        self.terminated = self.void = False
        self.straight_team: int | None = None
        self.excluded: list[set[int]] = [set() for _ in range(4)]
        self._bid: tuple[int, int, int] | None = None  # seat, level, mode

    # --- the auction ----------------------------------------------------------------------------

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end (section 5.1)."""
        if self.terminated:
            return []
        if self.mode is not None:
            hand = self.hands[self.current_player]
            return legal_cards(self.rules, self.mode, self.table, hand)
        return sorted(getattr(self, f"_legal_{self.rules.auction}")())

    def _legal_bela(self) -> list[int]:
        names = list(range(NAME, NAME + 4))
        number = len(self.calls)
        forced = {"dealer_must": number == 3, "forehand_must": number == 4, "void": False}
        return names if forced[self.rules.all_pass] else [PASS, *names]

    def _legal_turnup(self) -> list[int]:
        turned = NAME + suit(self.turn_up)
        if len(self.calls) < 4:
            return [PASS, turned]
        others = [NAME + s for s in range(4) if NAME + s != turned]
        forced = self.rules.all_pass == "dealer_must" and len(self.calls) == 7
        return others if forced else [PASS, *others]

    def _legal_contract(self) -> list[int]:
        modes = range(6 if self.rules.modes_nt_at else 4)
        legal = [PASS]
        lowest = self._bid[1] + 1 if self._bid else 0
        if self.multiplier == 1:
            legal += [BID + 6 * level + m for level in range(lowest, 10) for m in modes]
        if self._bid:
            own = self._bid[0] % 2 == self.current_player % 2
            if not own and self.multiplier == 1:
                legal.append(COINCHE)
            if own and self.multiplier == 2:
                legal.append(SURCOINCHE)
        return legal

    def step(self, action: int) -> None:
        """Plays one action of the player to move."""
        if self.mode is not None:
            self._play(action)
            return
        seat = self.current_player
        self.calls.append((seat, action))
        self.current_player = (seat + 1) % 4
        if self.rules.auction == "contract":
            self._contract_call(seat, action)
        elif action != PASS:
            self._settle(seat, action - NAME)
        elif self.rules.all_pass == "void":
            self._void_after({"bela": 4, "turnup": 8}[self.rules.auction])

    def _contract_call(self, seat: int, action: int) -> None:
        if BID <= action < COINCHE:
            self._bid = (seat, (action - BID) // 6, (action - BID) % 6)
        elif action in (COINCHE, SURCOINCHE):
            self.multiplier *= 2
        last = [call for _, call in self.calls[-3:]]
        if self._bid and (action == SURCOINCHE or last == [PASS] * 3):
            self.level = self._bid[1]
            self._settle(self._bid[0], self._bid[2])
        elif not self._bid:
            self._void_after(4)

    def _void_after(self, number: int) -> None:
        if len(self.calls) == number:
            self.terminated = self.void = True

    def _settle(self, bidder: int, mode: int) -> None:
        """The auction is over: the last cards are dealt, and the play begins."""
        self.bidder, self.mode, self.current_player = bidder, mode, self.forehand
        if self.rules.auction == "bela":
            for k, seat in enumerate(self.order):
                self.hands[seat] += self.deck[24 + 2 * k : 26 + 2 * k]
        elif self.rules.auction == "turnup":
            self.hands[bidder].append(self.turn_up)
            at = 21
            for seat in self.order:
                number = 2 if seat == bidder else 3
                self.hands[seat] += self.deck[at : at + number]
                at += number
        self.hands = [sorted(hand) for hand in self.hands]
        self.dealt = [list(hand) for hand in self.hands]
        self.declarations = [declarations_of(self.rules, mode, hand) for hand in self.dealt]
        self.decl_team, self.decl_points = contest(self.rules, mode, self.dealer, self.dealt)
        self.belote = [belote_suits(self.rules, mode, hand) for hand in self.dealt]
        self._check_straight()

    def _check_straight(self) -> None:
        if not self.rules.declarations or self.rules.straight8 != "match":
            return
        found = [seat for seat in self.order if len({suit(c) for c in self.dealt[seat]}) == 1]
        if found:
            trumps = [seat for seat in found if suit(self.dealt[seat][0]) == self.mode]
            self.straight_team = (trumps or found)[0] % 2
            self.terminated = True

    # --- the play -------------------------------------------------------------------------------

    def _play(self, c: int) -> None:
        player = self.current_player
        self.excluded[player] |= self._shown_by(player, c)
        self.hands[player].remove(c)
        self.played.append((player, c))
        self.table.append(c)
        self.current_player = (player + 1) % 4
        if len(self.table) < 4:
            return
        leader, number = self.current_player, len(self.tricks) + 1
        winner = (leader + trick_winner(self.mode, self.table)) % 4
        points = trick_points(self.mode, self.table, number)
        self.tricks.append((leader, self.table, winner, points))
        self.table = []
        self.current_player = winner
        self.terminated = number == 8

    def _shown_by(self, seat: int, c: int) -> set[int]:
        """Cards that a seat cannot hold, since it plays this one.

        Section 4.1, turned round: a card is excluded if, held beside the one played, it would have
        made that one illegal; and a king or queen of trumps that is not announced is single.
        """
        found = {
            other
            for other in range(32)
            if other != c and c not in legal_cards(self.rules, self.mode, self.table, [c, other])
        }
        if self.rules.belote and rank(c) in "QK" and self.mode in (suit(c), AT):
            other = 8 * suit(c) + RANKS.index("Q" if rank(c) == "K" else "K")
            if other not in self.dealt[seat]:
                found.add(other)
        return found

    def progress(self) -> list[int]:
        """Card points of each seat's side so far."""
        return [sum(p for _, _, w, p in self.tricks if w % 2 == s % 2) for s in range(4)]

    def tricks_won(self) -> list[int]:
        return [sum(w % 2 == t for _, _, w, _ in self.tricks) for t in (0, 1)]

    def belote_points(self) -> list[int]:
        return [20 * sum(len(self.belote[s]) for s in (t, t + 2)) for t in (0, 1)]

    def outcome(self):
        """(scores of the teams, outcome, carry) of a finished deal."""
        if self.void:
            return [0, 0], "void", self.carry_in
        if self.straight_team is not None:
            scores = [0, 0]
            scores[self.straight_team] = self.rules.target
            return scores, "straight", 0
        return deal_score(
            self.rules,
            self.bidder % 2,
            self.level,
            self.multiplier,
            self.progress()[:2],
            self.tricks_won(),
            self.decl_points,
            self.belote_points(),
            self.carry_in,
        )

    # --- 3.4 the match --------------------------------------------------------------------------

    def match_over(self, totals: list[int]) -> tuple[bool, list[int]]:
        """Whether the match is over, and the teams that have won it; `totals` with this deal."""
        if self.void:
            return False, []
        if self.straight_team is not None:
            return True, [self.straight_team]
        if max(totals) < self.rules.target:
            return False, []
        if totals[0] != totals[1]:
            return True, [totals.index(max(totals))]
        tie = self.rules.match_tie
        return tie != "play_on", [self.bidder % 2] if tie == "bidder" else []

    # --- 5.2, 5.3 what is seen ------------------------------------------------------------------

    def announced(self) -> list[int]:
        """Section 5.2: points of each seat's best declaration, 0 = none, -1 = not yet public."""
        if self.mode is None:
            return [-1] * 4
        best = [max((d.points for d in found), default=0) for found in self.declarations]
        if self.rules.decl_reveal == "before_play":
            return best
        out = {seat for seat, _ in self.played}
        return [best[seat] if seat in out else -1 for seat in range(4)]

    def shown(self) -> list[set[int]]:
        """Section 5.2: cards of all declarations of the scoring team, once they are laid open."""
        early = self.rules.decl_reveal == "before_play"
        if self.mode is None or self.decl_team is None or not (early or self.tricks):
            return [set() for _ in range(4)]
        found: list[set[int]] = [set() for _ in range(4)]
        for seat in (self.decl_team, self.decl_team + 2):
            found[seat] = {c for d in self.declarations[seat] for c in d.cards}
        return found

    def belote_shown(self) -> list[set[int]]:
        """Section 5.2: kings and queens of which a seat has announced that it has both."""
        if self.mode is None:
            return [set() for _ in range(4)]
        found: list[set[int]] = [set() for _ in range(4)]
        for seat in range(4):
            for s in self.belote[seat]:
                pair = {8 * s + RANKS.index("Q"), 8 * s + RANKS.index("K")}
                if pair & {c for _, c in self.played}:
                    found[seat] |= pair
        return found

    def seed_observation(self, player: int):
        """Section 5.3: nested lists [4][3][32] in thirds, trump and bidder one-hot."""
        gone = {c for _, c in self.played}
        complete = {(w, c) for w, c in self.played[: len(self.played) // 4 * 4]}
        current = set(self.played[len(self.played) // 4 * 4 :])
        shown = [cards - gone for cards in self.shown()]
        known = gone | set(self.hands[player]) | set().union(*shown)
        rows = []
        for seat in ((player + 2) % 4, (player - 1) % 4, (player + 1) % 4):
            available = [3 if c in shown[seat] else 0 if c in known else 1 for c in range(32)]
            unavailable = [3 * ((seat, c) in complete) for c in range(32)]
            rows.append([available, unavailable, [3 * ((seat, c) in current) for c in range(32)]])
        own = [3 * (c in self.hands[player]) for c in range(32)]
        rows.append([own, [3 * ((player, c) in complete) for c in range(32)], [0] * 32])
        trump = [int(self.mode == s) for s in range(4)]
        bidder = [0] * 4
        if self.bidder is not None:
            bidder[(self.bidder - player) % 4] = 1
        return rows, trump, bidder
