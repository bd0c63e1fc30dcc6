"""Slow reference of Hearts in plain Python: lists, sets and loops, no arrays.

Written from docs/hearts.md alone and meant to be read beside it; the section numbers in the
docstrings are those of the page. `rules` is any object with the fields of section 6. Cards are the
ints 13*suit + rank, suits c d h s, ranks 2 3 4 5 6 7 8 9 T J Q K A; seats are 0..n-1.
"""

SUITS = "CDHS"
RANKS = "23456789TJQKA"
REMOVED = {3: "2D", 4: "", 5: "2C 2D", 6: "2C 3C 2D 3D"}


def card(text: str) -> int:
    """Card of a text such as `TD`."""
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])


def suit(c: int) -> int:
    return c // 13


QUEEN, JACK = card("QS"), card("JD")


def is_penalty(c: int) -> bool:
    """Section 5: hearts and the queen of spades."""
    return suit(c) == 2 or c == QUEEN


def points_of(c: int) -> int:
    return 13 if c == QUEEN else int(suit(c) == 2)


class ReferenceDeal:
    """Sections 2 to 5: one deal from the given deck to its end."""

    def __init__(self, rules, deck, dealer, round=0):
        self.rules, self.n, self.dealer = rules, rules.num_players, dealer
        self.removed = [card(text) for text in REMOVED[self.n].split()]
        k = (52 - len(self.removed)) // self.n
        left = [c for c in deck if c not in self.removed]
        first = [(dealer + 1 + turn) % self.n for turn in range(self.n)]
        self.hands = [[] for _ in range(self.n)]
        for turn, seat in enumerate(first):
            self.hands[seat] = sorted(left[turn * k : (turn + 1) * k])
        self.direction = rules.directions[round]
        self.passed: list[list[int]] = [[] for _ in range(self.n)]
        self.received: list[list[int]] = [[] for _ in range(self.n)]
        self.passing = self.direction != 0
        self.current_player = first[0]
        self.table: list[int] = []
        self.tricks: list[tuple[int, list[int], int]] = []  # leader, cards, winner
        self.played: list[int] = []
        if not self.passing:
            self.start()

    def start(self) -> None:
        """Section 4: the holder of the lowest club leads."""
        self.passing = False
        self.lowest = min(c for hand in self.hands for c in hand)
        self.current_player = next(s for s in range(self.n) if self.lowest in self.hands[s])

    @property
    def terminated(self) -> bool:
        return not self.passing and not any(self.hands)

    @property
    def broken(self) -> bool:
        """Section 4: hearts may be led."""
        breaks = [c for c in self.played if suit(c) == 2 or (self.rules.queen_breaks and c == QUEEN)]
        return not self.rules.break_hearts or bool(breaks)

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end."""
        if self.terminated:
            return []
        hand = self.hands[self.current_player]
        if self.passing:
            return list(hand)
        if not self.played:
            return [c for c in hand if c == self.lowest or (self.rules.any_club and suit(c) == 0)]
        if self.table:
            same = [c for c in hand if suit(c) == suit(self.table[0])]
            first = len(self.played) < self.n and not self.rules.points_in_first
            harmless = [c for c in hand if not is_penalty(c)] if first else []
            return same or harmless or list(hand)
        others = [c for c in hand if suit(c) != 2]
        if self.broken or not others or (self.rules.spare_queen and others == [QUEEN]):
            return list(hand)
        return others

    def step(self, action: int) -> None:
        """Play or pass one card of the player to move."""
        seat = self.current_player
        self.hands[seat].remove(action)
        if self.passing:
            self.pass_card(seat, action)
            return
        self.played.append(action)
        self.table.append(action)
        self.current_player = (seat + 1) % self.n
        if len(self.table) == self.n:
            leader = self.current_player
            best = max(c for c in self.table if suit(c) == suit(self.table[0]))
            winner = (leader + self.table.index(best)) % self.n
            self.tricks.append((leader, self.table, winner))
            self.table, self.current_player = [], winner

    def pass_card(self, seat: int, action: int) -> None:
        """Section 3."""
        self.passed[seat].append(action)
        if len(self.passed[seat]) < 3:
            return
        self.current_player = (seat + 1) % self.n
        if all(len(cards) == 3 for cards in self.passed):
            for giver, cards in enumerate(self.passed):
                receiver = (giver + self.direction) % self.n
                self.received[receiver] = sorted(cards)
                self.hands[receiver] = sorted(self.hands[receiver] + cards)
            self.start()

    def progress(self) -> list[int]:
        """Section 5: points of hearts and the queen of spades by seat."""
        found = [0] * self.n
        for _, cards, winner in self.tricks:
            found[winner] += sum(map(points_of, cards))
        return found

    def points(self) -> list[int]:
        """Section 5: penalty points by seat."""
        taken, rules = self.progress(), self.rules
        shot = rules.moon != "none" and 26 in taken
        found = list(taken)
        if shot and rules.moon == "add":
            found = [0 if own == 26 else 26 for own in taken]
        if shot and rules.moon == "subtract":
            found = [-26 if own == 26 else 0 for own in taken]
        for _, cards, winner in self.tricks:
            if JACK in cards:
                found[winner] += rules.jack
        winners = {winner for _, _, winner in self.tricks}
        for seat in range(self.n):
            if seat not in winners and not shot:
                found[seat] += rules.no_trick
        return found
