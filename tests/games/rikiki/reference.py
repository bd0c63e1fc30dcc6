"""Slow reference of Rikiki in plain Python: lists, sets and loops, no arrays.

Written from docs/rikiki.md alone and meant to be read beside it; the section numbers in the
docstrings are those of the page. `rules` is any object with the fields of section 6.2. Cards are the
ints 13*suit + rank, suits c d h s, ranks 2 3 4 5 6 7 8 9 T J Q K A; seats are 0..n-1.
"""

SUITS = "CDHS"
RANKS = "23456789TJQKA"
NO_TRUMP = 4
BID = 52


def card(text: str) -> int:
    """Card of a text such as `TD`."""
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])


def cards(text: str) -> list[int]:
    """Cards of a text such as `TD 9C`."""
    return [card(word) for word in text.split()]


def suit(c: int) -> int:
    return c // 13


def rank(c: int) -> int:
    return c % 13


def legal_bids(rules, k: int, bids: list[int]) -> list[int]:
    """Section 4.1: the bids that are allowed after others, ascending."""
    allowed = list(range(k + 1))
    if rules.hook and k >= rules.hook_from and len(bids) == rules.num_players - 1:
        allowed = [b for b in allowed if b + sum(bids) != k]
    return allowed


def legal_cards(table: list[int], hand: list[int]) -> list[int]:
    """Section 4.3: what `hand` may play on `table`, ascending."""
    same = [c for c in hand if table and suit(c) == suit(table[0])]
    return sorted(same or hand)


def trick_winner(trump: int, trick: list[int]) -> int:
    """Section 5: position (0 = leader) of the card that wins."""
    trumps = [c for c in trick if suit(c) == trump]
    rivals = trumps or [c for c in trick if suit(c) == suit(trick[0])]
    return trick.index(max(rivals, key=rank))


def made_points(rules, b: int, k: int) -> int:
    """Section 6: points of an exact bid in a round of k cards."""
    base = rules.made_zero_base if b == 0 and rules.made_zero_base >= 0 else rules.made_base
    cards = rules.made_zero_cards * k if b == 0 else 0
    return base + cards + rules.made_linear * b + rules.made_square * b**2


def seat_points(rules, b: int, w: int, k: int) -> int:
    """Section 6: points of a bid and a number of tricks in a round of k cards."""
    d = abs(w - b)
    if not d:
        return made_points(rules, b, k)
    lost = rules.miss_base + rules.miss_diff * d + rules.miss_square * d**2
    if rules.miss_made:
        lost += made_points(rules, b, k)
    return rules.miss_trick * w - lost


class ReferenceDeal:
    """Sections 3 and 4: one deal from the given deck to its end."""

    def __init__(self, rules, deck, dealer, round=0):
        n, k = rules.num_players, rules.schedule[round]
        self.rules, self.n, self.k, self.dealer, self.round = rules, n, k, dealer, round
        self.hands = [sorted(deck[s * k : (s + 1) * k]) for s in range(n)]
        self.turnup, self.trump = None, NO_TRUMP
        if rules.trump_mode == "turnup" and n * k < 52:
            self.turnup = deck[n * k]
        elif rules.trump_mode == "turnup" and rules.all_dealt == "dealers_card":
            self.turnup = deck[(dealer + 1) * k - 1]  # it stays in the dealer's hand
        if self.turnup is not None:
            self.trump = suit(self.turnup)
        elif rules.trump_mode == "cycle":
            self.trump = rules.trump_cycle[round % len(rules.trump_cycle)]
        self.undealt = sorted(c for c in deck[n * k :] if c != self.turnup)
        self.bids: dict[int, int] = {}
        self.won = [0] * n
        self.table: list[int] = []
        self.tricks: list[tuple[int, list[int], int]] = []  # leader, cards, winner
        self.played: list[tuple[int, int]] = []  # seat, card
        self.voids: set[tuple[int, int]] = set()  # seat, suit
        self.current_player = (dealer + 1) % n

    @property
    def terminated(self) -> bool:
        return len(self.tricks) == self.k

    def visible(self, player: int) -> list[list[int]]:
        """Section 4.4: the held cards of each seat that a player sees."""
        if not (self.rules.forehead and self.k == 1):
            return [hand if seat == player else [] for seat, hand in enumerate(self.hands)]
        plays = len(self.bids) == self.n and self.current_player == player
        return [hand if seat != player or plays else [] for seat, hand in enumerate(self.hands)]

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end."""
        if self.terminated:
            return []
        if len(self.bids) < self.n:
            return [BID + b for b in legal_bids(self.rules, self.k, list(self.bids.values()))]
        return legal_cards(self.table, self.hands[self.current_player])

    def step(self, action: int) -> None:
        """Play one action of the player to move."""
        player = self.current_player
        if action >= BID:
            self.bids[player] = action - BID
            self.current_player = (player + 1) % self.n
            if len(self.bids) == self.n:
                self.current_player = (self.dealer + self.rules.lead_offset) % self.n
            return
        if self.table and suit(action) != suit(self.table[0]):
            self.voids.add((player, suit(self.table[0])))
        self.hands[player].remove(action)
        self.played.append((player, action))
        self.table.append(action)
        self.current_player = (player + 1) % self.n
        if len(self.table) == self.n:
            leader = self.current_player
            winner = (leader + trick_winner(self.trump, self.table)) % self.n
            self.won[winner] += 1
            self.tricks.append((leader, self.table, winner))
            self.table = []
            self.current_player = winner

    def progress(self) -> list[int]:
        """Return the tricks won by each seat."""
        return list(self.won)

    def points(self) -> list[int]:
        """Section 6, by seat."""
        return [seat_points(self.rules, self.bids[s], self.won[s], self.k) for s in range(self.n)]
