"""Slow reference of Bridge in plain Python: lists, sets and loops, no arrays.

Written from docs/bridge.md alone and meant to be read beside it; the section numbers in the
docstrings are those of the page. `rules` is any object with the fields of section 8. Cards are the
ints 13*suit + rank, suits c d h s, ranks 2 3 4 5 6 7 8 9 T J Q K A; seats are 0..3.
"""

PASS, DOUBLE, REDOUBLE, BID = 52, 53, 54, 55
NO_TRUMP = 4
TINY_BIDS = [2, 3, 4, 7, 8, 9]  # section 7.2: 1H 1S 1NT 2H 2S 2NT
TINY_CARDS = [35, 36, 37, 38, 48, 49, 50, 51]  # section 7.2: J Q K A of hearts and spades


class ReferenceDeal:
    """Sections 2 to 6: one deal from the given deck to its end."""

    n = 4

    def __init__(self, rules, deck, dealer, fact):
        self.rules = rules
        self.hands = [[] for _ in range(4)]
        self.size = 2 if rules.tiny else 13
        for turn in range(4):
            hand = deck[self.size * turn : self.size * (turn + 1)]
            self.hands[(dealer + 1 + turn) % 4] = sorted(hand)
        self.dealt = [list(hand) for hand in self.hands]
        self.dealer = self.turn = dealer
        self.calls: list[tuple[int, int]] = []
        self.declarer = None
        self.over = False
        self.table: list[tuple[int, int]] = []
        self.played: list[int] = []
        self.won = [0, 0]
        self.below = [0, 0]
        if rules.vulnerability == "rubber":
            fact, self.below = fact
        self.vulnerable = self.sides_vulnerable(fact)

    # ---- Sections 2 and 7 ----

    def sides_vulnerable(self, fact: int) -> set[int]:
        kind = self.rules.vulnerability
        if kind in ("drawn", "rubber"):
            return {side for side in (0, 1) if fact & 1 << side}
        if kind == "chicago":
            return [set(), {self.dealer % 2}, {self.dealer % 2}, {0, 1}][fact]
        return {0, 1} if kind == "both" else set()

    # ---- Section 3 ----

    @property
    def bids(self) -> list[tuple[int, int]]:
        return [(seat, call - BID) for seat, call in self.calls if call >= BID]

    def doubled(self) -> int:
        """Return 1 if the last bid is doubled, 2 if it is redoubled."""
        found = 0
        for _, call in self.calls:
            if call >= BID:
                found = 0
            elif call > PASS:
                found += 1
        return found

    def legal_calls(self) -> list[int]:
        found, bids = [PASS], self.bids
        if bids:
            theirs = (bids[-1][0] - self.turn) % 2 == 1
            if theirs and self.doubled() == 0:
                found.append(DOUBLE)
            if not theirs and self.doubled() == 1:
                found.append(REDOUBLE)
        lowest = bids[-1][1] + 1 if bids else 0
        every = TINY_BIDS if self.rules.tiny else range(35)
        return found + [BID + number for number in every if number >= lowest]

    def call(self, action: int) -> None:
        self.calls.append((self.turn, action))
        self.turn = (self.turn + 1) % 4
        ends = [call for _, call in self.calls][-4:]
        if ends == [PASS] * 4 and len(self.calls) == 4:
            self.over = True
        elif self.bids and ends[-3:] == [PASS] * 3:
            last, bid = self.bids[-1]
            # The first of the side to name the strain.
            named = [s for s, other in self.bids if other % 5 == bid % 5 and (s - last) % 2 == 0]
            self.declarer = named[0]
            self.turn = (self.declarer + 1) % 4

    # ---- Section 4 ----

    @property
    def dummy(self) -> int:
        return (self.declarer + 2) % 4

    @property
    def current_player(self) -> int:
        if self.declarer is not None and not self.over and self.turn == self.dummy:
            return self.declarer
        return self.turn

    def open_cards(self) -> list[int]:
        """Return the cards of the dummy if they lie open."""
        if self.declarer is None or not self.played or self.over:
            return []
        return self.hands[self.dummy]

    def legal(self) -> list[int]:
        if self.over:
            return []
        if self.declarer is None:
            return self.legal_calls()
        hand = self.hands[self.turn]
        led = self.table[0][1] // 13 if self.table else None
        follow = [card for card in hand if card // 13 == led]
        return follow or list(hand)

    def step(self, action: int) -> None:
        if self.over:
            return
        if self.declarer is None:
            self.call(action)
            return
        self.hands[self.turn].remove(action)
        self.table.append((self.turn, action))
        self.played.append(action)
        self.turn = (self.turn + 1) % 4
        if len(self.table) == 4:
            self.turn = self.winner()
            self.won[self.turn % 2] += 1
            self.table = []
            self.over = len(self.played) == 4 * self.size

    def winner(self) -> int:
        trump, led = self.bids[-1][1] % 5, self.table[0][1] // 13

        def strength(play: tuple[int, int]) -> int:
            suit, rank = divmod(play[1], 13)
            return rank + 100 * (suit == trump) if suit in (trump, led) else -1

        return max(self.table, key=strength)[0]

    # ---- Sections 5 and 6 ----

    def points(self) -> list[int]:
        if self.declarer is None:
            return [0] * 4
        side, rubber = self.declarer % 2, self.rules.vulnerability == "rubber"
        vulnerable = side in self.vulnerable
        if self.rules.tiny:
            score = tiny_score(*self.contract(), self.won[side])
        else:
            score = contract_score(*self.contract(), vulnerable, self.won[side], rubber)
        scores = [0, 0]
        scores[side if score > 0 else 1 - side] = abs(score)
        if rubber:
            for seat, hand in enumerate(self.dealt):
                scores[seat % 2] += honours(hand, self.contract()[1])
            games, _, winner = self.after()
            if winner is not None:
                scores[winner] += 500 if len(games) == 2 else 700
        return scores * 2

    def contract(self) -> tuple[int, int, int]:
        """Return the level, the strain and the doubles."""
        level, strain = divmod(self.bids[-1][1], 5)
        return level + 1, strain, self.doubled()

    # ---- Section 7.1 ----

    def after(self) -> tuple[set[int], list[int], int | None]:
        """Return the sides with a game, the part scores, and the side with a second game."""
        games, below = set(self.vulnerable), list(self.below)
        if self.declarer is None:
            return games, below, None
        level, strain, doubled = self.contract()
        side = self.declarer % 2
        if self.won[side] >= 6 + level:
            below[side] += trick_score(level, strain, doubled)
        if below[side] < 100:
            return games, below, None
        return games | {side}, [0, 0], side if side in games else None

    @property
    def terminated(self) -> bool:
        return self.over

    def progress(self) -> list[int]:
        return self.won * 2


class ReferenceRubber:
    """Section 7.1: a rubber from its first dealer to its end."""

    def __init__(self, rules, dealer):
        self.rules, self.dealer = rules, dealer
        self.games: set[int] = set()
        self.below, self.totals, self.number = [0, 0], [0, 0], 0
        self.ended = self.over = False

    def deal(self, deck) -> ReferenceDeal:
        sides = sum(1 << side for side in self.games)
        return ReferenceDeal(self.rules, deck, self.dealer, (sides, self.below))

    def add(self, deal: ReferenceDeal) -> None:
        self.games, self.below, winner = deal.after()
        self.totals = [a + b for a, b in zip(self.totals, deal.points()[:2], strict=True)]
        self.number, self.dealer = self.number + 1, (self.dealer + 1) % 4
        self.ended = winner is not None
        self.over = self.ended or self.number == self.rules.num_deals

    def winners(self) -> list[int]:
        """Return the players with the most points; equal points are a draw."""
        first, second = self.totals
        return [] if first == second else [0, 2] if first > second else [1, 3]


def honours(hand: list[int], strain: int) -> int:
    """Section 7.1: the score of a hand as dealt."""
    if strain == NO_TRUMP:
        return 150 if {12, 25, 38, 51} <= set(hand) else 0
    number = sum(card // 13 == strain and card % 13 >= 8 for card in hand)
    return {4: 100, 5: 150}.get(number, 0)


def trick_score(level: int, strain: int, doubled: int) -> int:
    """Section 6: the score of the tricks of a contract."""
    return ((20 if strain < 2 else 30) * level + (10 if strain == NO_TRUMP else 0)) * 2**doubled


def contract_score(
    level: int, strain: int, doubled: int, vulnerable: bool, tricks: int, rubber: bool = False
) -> int:
    """Section 6: the score of the declarer's side; in a rubber a part score and a game add nothing."""
    missing = 6 + level - tricks
    if missing > 0:
        if not doubled:
            return -missing * (100 if vulnerable else 50)
        first, others = (200, [300] * 12) if vulnerable else (100, [200, 200, *[300] * 10])
        return -doubled * (first + sum(others[: missing - 1]))
    each = 20 if strain < 2 else 30
    contract = score = trick_score(level, strain, doubled)
    if not rubber:
        score += (500 if vulnerable else 300) if contract >= 100 else 50
    score += {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    score += 50 * doubled
    extra = each if not doubled else 100 * doubled * (2 if vulnerable else 1)
    return score - missing * extra


def tiny_score(level: int, strain: int, doubled: int, tricks: int) -> int:
    """Section 7.2: the score of the declarer's side in the tiny game."""
    if tricks < level:
        return -20 * (level - tricks) * 2**doubled
    bonus = {1: 0, 2: 15 if strain == NO_TRUMP else 10}[level]
    return (10 * tricks + bonus) * 2**doubled
