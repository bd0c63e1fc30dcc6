"""Slow reference of Spades in plain Python: lists, sets and loops, no arrays.

Written from docs/spades.md alone and meant to be read beside it; the section numbers in the
docstrings are those of the page. `rules` is any object with the fields of section 6. Cards are the
ints 13*suit + rank, suits c d h s, ranks 2 3 4 5 6 7 8 9 T J Q K A; seats are 0..n-1.
"""

BID = 52


def suit(card: int) -> int:
    return card // 13


class ReferenceDeal:
    """Sections 2 to 5: one deal from the given deck to its end."""

    def __init__(self, rules, deck, dealer, totals):
        self.rules, self.n, self.totals = rules, rules.num_players, list(totals)
        left = [card for card in deck if self.n == 4 or card != 0]
        self.size = len(left) // self.n
        self.hands = [[] for _ in range(self.n)]
        for turn in range(self.n):
            seat = (dealer + 1 + turn) % self.n
            self.hands[seat] = sorted(left[turn * self.size : (turn + 1) * self.size])
        self.dealt = [list(hand) for hand in self.hands]
        self.current_player = (dealer + 1) % self.n
        self.bids: dict[int, int] = {}
        self.blind: set[int] = set()
        self.looked: set[int] = set()
        self.table: list[int] = []
        self.played: list[int] = []
        self.won = [0] * self.n

    # ---- Sections 2 and 3 ----

    def side(self, seat: int) -> int:
        return seat % 2 if self.rules.partners else seat

    @property
    def bidding(self) -> bool:
        return len(self.bids) < self.n

    def covered(self, seat: int) -> bool:
        """Return whether the seat may still bid nil blind (section 3)."""
        behind = max(self.totals) - self.totals[self.side(seat)]
        free = seat not in self.bids and seat not in self.looked
        return self.rules.blind_nil > 0 and behind >= self.rules.blind_behind and free

    def seen_hand(self, seat: int) -> list[int]:
        """Return the cards that a player sees of its own."""
        return [] if self.covered(seat) else self.hands[seat]

    def legal_bids(self, seat: int) -> list[int]:
        """Section 3."""
        rules, bids = self.rules, range(self.size + 1)
        partner = self.bids.get((seat + 2) % 4) if rules.partners else None
        if rules.joint_limit and partner is not None:
            bids = [bid for bid in bids if bid + partner <= 13]
        if rules.bidding == "suicide":
            if partner is None:
                return [bid for bid in bids if bid == 0 or bid >= 4]
            return [bid for bid in bids if bid >= 4] if partner == 0 else [0]
        if rules.bidding == "whiz":
            return sorted({0, sum(suit(card) == 3 for card in self.hands[seat])})
        return list(bids)

    # ---- Section 4 ----

    @property
    def terminated(self) -> bool:
        return not any(self.hands)

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end."""
        if self.terminated:
            return []
        seat = self.current_player
        if self.bidding:
            if self.covered(seat):
                return [BID + self.size + 1, BID + self.size + 2]
            return [BID + bid for bid in self.legal_bids(seat)]
        hand = self.hands[seat]
        if self.table:
            wanted = [card for card in hand if suit(card) == suit(self.table[0])]
        else:
            broken = any(suit(card) == 3 for card in self.played)
            free = {"broken": broken, "last": False, "any": True}[self.rules.lead_spades]
            wanted = [card for card in hand if free or suit(card) != 3]
        return list(wanted or hand)

    def step(self, action: int) -> None:
        """Take one action of the player to move."""
        seat, following = self.current_player, (self.current_player + 1) % self.n
        if action >= BID:
            number = action - BID
            if number == self.size + 2:
                self.looked.add(seat)
                return
            if number == self.size + 1:
                self.blind.add(seat)
            self.bids[seat] = 0 if number == self.size + 1 else number
            self.current_player = following
            return
        self.hands[seat].remove(action)
        self.played.append(action)
        self.table.append(action)
        self.current_player = following
        if len(self.table) == self.n:
            wins = 3 if any(suit(card) == 3 for card in self.table) else suit(self.table[0])
            best = max(card for card in self.table if suit(card) == wins)
            self.current_player = (following + self.table.index(best)) % self.n
            self.won[self.current_player] += 1
            self.table = []

    # ---- Section 5 ----

    def progress(self) -> list[int]:
        """Return the tricks of each player's side."""
        seats = range(self.n)
        return [sum(self.won[s] for s in seats if self.side(s) == self.side(p)) for p in seats]

    def points(self) -> list[int]:
        """Return the score of each player's side."""
        return [self.side_points(self.side(seat)) for seat in range(self.n)]

    def side_points(self, side: int) -> int:
        rules = self.rules
        seats = [seat for seat in range(self.n) if self.side(seat) == side]
        nils = [seat for seat in seats if self.bids[seat] == 0]
        points = 0
        for seat in nils:
            worth = rules.blind_nil if seat in self.blind else rules.nil
            points += -worth if self.won[seat] else worth
        contract = sum(self.bids[seat] for seat in seats)
        helping = [s for s in seats if s not in nils or rules.nil_tricks == "help"]
        useful = sum(self.won[seat] for seat in helping)
        bags = sum(self.won[seat] for seat in seats) - useful
        if useful >= contract:
            points += 10 * contract
            bags += useful - contract
        else:
            points -= 10 * contract
        points += bags
        carried = self.totals[side]
        while carried % 10:  # a bag is a point; everything else is worth tens
            carried, bags = carried - 1, bags + 1
        while bags >= 10:
            points, bags = points - rules.bag_penalty, bags - 10
        return points
