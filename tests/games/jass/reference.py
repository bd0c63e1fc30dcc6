"""Slow reference of Swiss Jass in plain Python: lists, sets and loops, no arrays.

Written from docs/jass.md alone and meant to be read beside it; the section numbers in the
docstrings are those of the page. `rules` is any object with the fields of section 5. Cards are
the ints 9*suit + rank, suits d c h s, ranks 6 7 8 9 T J Q K A; seats are 0..3, teams seat % 2.
"""

from itertools import combinations
from typing import NamedTuple

SUITS = "dchs"
RANKS = "6789TJQKA"
JACK, QUEEN, KING = RANKS.index("J"), RANKS.index("Q"), RANKS.index("K")
UNDENUFE, OBENABE, SLALOM_TOP, SLALOM_BOTTOM = 4, 5, 6, 7
CHOOSE, PUSH, PREDICT = 36, 42, 36
LAST_TRICK_BONUS = 5

TRUMP_ORDER = "678TQKA9J"
PLAIN_POINTS = dict(zip(RANKS, (0, 0, 0, 0, 10, 2, 3, 4, 11), strict=True))
TRUMP_POINTS = dict(zip(RANKS, (0, 0, 0, 14, 10, 20, 3, 4, 11), strict=True))
OBENABE_POINTS = dict(zip(RANKS, (0, 0, 8, 0, 10, 2, 3, 4, 11), strict=True))
UNDENUFE_POINTS = dict(zip(RANKS, (11, 0, 8, 0, 10, 2, 3, 4, 0), strict=True))
RUN_POINTS = {3: 20, 4: 50, 5: 100, 6: 150, 7: 200, 8: 250, 9: 300}
FOUR_POINTS = dict.fromkeys(RANKS, 100) | {"J": 200, "9": 150}


def card(text: str) -> int:
    """Card of a text such as `Td`."""
    return 9 * SUITS.index(text[1]) + RANKS.index(text[0])


def cards(text: str) -> list[int]:
    """Cards of a text such as `Td 9c`."""
    return [card(word) for word in text.split()]


def suit(c: int) -> int:
    return c // 9


def rank(c: int) -> int:
    return c % 9


def swisslos_code(c: int) -> int:
    """Section 2.1: the code of the 72-vector, 0 being no card."""
    return c + 1


# --- 2.2, 2.3 modes -----------------------------------------------------------------------------


def mode_of_trick(mode: int, number: int, guschti: bool = False) -> int:
    """Section 2.3: the mode by which trick `number` (from 1) is played."""
    first_way = number <= 5 if guschti else number % 2 == 1
    if mode == SLALOM_TOP:
        return OBENABE if first_way else UNDENUFE
    if mode == SLALOM_BOTTOM:
        return UNDENUFE if first_way else OBENABE
    return mode


def mode_of_deal(mode: int) -> int:
    """Section 2.3: the mode whose points and Weis order hold for the whole deal."""
    return {SLALOM_TOP: OBENABE, SLALOM_BOTTOM: UNDENUFE}.get(mode, mode)


def strength(c: int, mode: int) -> int:
    """Section 2.2: strength among cards of the same suit; `mode` is that of the trick."""
    if suit(c) == mode:
        return TRUMP_ORDER.index(RANKS[rank(c)])
    return 8 - rank(c) if mode == UNDENUFE else rank(c)


def card_points(c: int, mode: int) -> int:
    """Section 2.2: points of a card; `mode` is that of the deal."""
    text = RANKS[rank(c)]
    if mode_of_deal(mode) == OBENABE:
        return OBENABE_POINTS[text]
    if mode_of_deal(mode) == UNDENUFE:
        return UNDENUFE_POINTS[text]
    return TRUMP_POINTS[text] if suit(c) == mode else PLAIN_POINTS[text]


# --- 4.1, 4.2 the trick -------------------------------------------------------------------------


def legal_cards(rules, mode: int, table: list[int], hand: list[int]) -> list[int]:
    """Section 4.1: what `hand` may play on `table`, ascending."""
    if not table:
        return sorted(hand)
    led = suit(table[0])
    same = [c for c in hand if suit(c) == led]
    if mode >= 4:
        return sorted(same or hand)
    trumps = [c for c in hand if suit(c) == mode]
    if led == mode:
        only_jack = [rank(c) for c in trumps] == [JACK]
        return sorted(hand if not trumps or only_jack else trumps)
    on_table = [strength(c, mode) for c in table if suit(c) == mode]
    over = [c for c in trumps if strength(c, mode) > max(on_table, default=-1)]
    if same:
        return sorted(same + over)
    if rules.undertrump == "void" or len(trumps) == len(hand):
        return sorted(hand)
    return sorted([c for c in hand if suit(c) != mode] + over)


def trick_winner(mode: int, trick: list[int], number: int = 1, guschti: bool = False) -> int:
    """Section 4.2: position (0 = leader) that wins trick `number` of a deal in `mode`."""
    now = mode_of_trick(mode, number, guschti)
    trumps = [c for c in trick if suit(c) == now]
    rivals = trumps or [c for c in trick if suit(c) == suit(trick[0])]
    return trick.index(max(rivals, key=lambda c: strength(c, now)))


def trick_points(mode: int, trick: list[int], number: int) -> int:
    """Section 4.2: points of trick `number`, with 5 for the ninth."""
    return sum(card_points(c, mode) for c in trick) + (LAST_TRICK_BONUS if number == 9 else 0)


# --- 4.3, 4.4 Weis and Stoeck -------------------------------------------------------------------


class Weis(NamedTuple):
    """One run or four of a kind."""

    points: int
    cards: tuple[int, ...]
    key: tuple[int, int, int, int]


def _runs(rules, mode: int, hand: list[int]) -> list[Weis]:
    found = []
    for s in range(4):
        block: list[int] = []
        for r in range(10):  # the tenth rank does not exist and closes the last block
            if r < 9 and 9 * s + r in hand:
                block.append(9 * s + r)
                continue
            if len(block) >= 3:
                points = RUN_POINTS[len(block)]
                if rules.weis_long_runs == "flat":
                    points = min(points, 100)
                reverse = mode_of_deal(mode) == UNDENUFE
                height = 8 - rank(block[0]) if reverse else rank(block[-1])
                height = height if rules.weis_height else 0
                key = (points, len(block), height, int(s == mode))
                found.append(Weis(points, tuple(block), key))
            block = []
    return found


def _fours(rules, mode: int, hand: list[int]) -> list[Weis]:
    found = []
    for r in range(9):
        four = tuple(9 * s + r for s in range(4))
        if not set(four) <= set(hand) or (RANKS[r] in "678" and not rules.weis_low_fours):
            continue
        points = FOUR_POINTS[RANKS[r]]
        height = 8 - r if mode_of_deal(mode) == UNDENUFE else r
        found.append(Weis(points, four, (points, 4, height if rules.weis_height else 0, 0)))
    return found


def weis_of_hand(rules, mode: int, hand: list[int]) -> list[Weis]:
    """Section 4.3: all Weis that a hand scores."""
    if not rules.weis:
        return []
    fours = _fours(rules, mode, hand)
    if rules.weis_share_cards:
        return fours + _runs(rules, mode, hand)
    choices = []
    for n in range(len(fours) + 1):
        for kept in combinations(fours, n):
            used = {c for w in kept for c in w.cards}
            weis = [*kept, *_runs(rules, mode, [c for c in hand if c not in used])]
            best = max((w.key for w in weis), default=(0, 0, 0, 0))
            choices.append(((sum(w.points for w in weis), best, n), weis))
    return max(choices, key=lambda choice: choice[0])[1]


def weis_contest(rules, mode: int, leader: int, hands: list[list[int]]):
    """Section 4.3: (team that scores or None, points of the two teams).

    `leader` leads the first trick; among equal keys the earlier seat in play wins.
    """
    weis = [weis_of_hand(rules, mode, hand) for hand in hands]
    best_key, best_seat = None, None
    for k in range(4):
        seat = (leader + k) % 4
        key = max((w.key for w in weis[seat]), default=None)
        if key is not None and (best_key is None or key > best_key):
            best_key, best_seat = key, seat
    if best_seat is None:
        return None, [0, 0]
    team = best_seat % 2
    points = [0, 0]
    points[team] = sum(w.points for seat in (team, team + 2) for w in weis[seat])
    return team, points


def stock_seat(rules, mode: int, hands: list[list[int]]) -> int | None:
    """Section 4.4: the seat that holds king and queen of trump."""
    if not rules.stock or mode >= 4:
        return None
    pair = {9 * mode + KING, 9 * mode + QUEEN}
    return next((seat for seat in range(4) if pair <= set(hands[seat])), None)


# --- 4.5, 4.6 scores ----------------------------------------------------------------------------


def deal_score(rules, mode, card_points, tricks, weis, stock) -> list[int]:
    """Section 4.5: score of the two teams; `tricks` are the numbers of tricks won."""
    return [
        rules.multipliers[mode]
        * (card_points[t] + weis[t] + stock[t] + (rules.match_bonus if tricks[t] == 9 else 0))
        for t in (0, 1)
    ]


def counting(rules, mode, totals, weis, stock, tricks) -> int | None:
    """Section 4.6: the team that first reaches the target, or None.

    `totals` are those before the deal, `tricks` a list of (team, points) in order.
    """
    factor = rules.multipliers[mode]
    melds, tricks = [(t, weis[t]) for t in (0, 1)], list(tricks)
    before = 1 if rules.target_order == "stock_trick_weis" else 0
    items = [(t, stock[t]) for t in (0, 1)] + tricks[:before] + melds + tricks[before:]
    winners = {team for team, _ in tricks}
    if len(tricks) == 9 and len(winners) == 1:
        items.append((winners.pop(), rules.match_bonus))
    running = list(totals)
    for team, points in items:
        running[team] += factor * points
        if points and running[team] >= rules.target:
            return team
    return None


# --- 3 the deal ---------------------------------------------------------------------------------


class ReferenceDeal:
    """Section 3: one deal from the given deck to its end."""

    def __init__(self, rules, deck, dealer, totals=(0, 0), mode=None):
        self.rules, self.dealer, self.totals = rules, dealer, list(totals)
        self.forehand = (dealer + 1) % 4
        self.dealt: list[list[int]] = [[] for _ in range(4)]
        for k in range(4):
            self.dealt[(self.forehand + k) % 4] = sorted(deck[9 * k : 9 * k + 9])
        self.hands = [list(hand) for hand in self.dealt]
        self.differenzler = rules.game == "differenzler"
        self.mode: int | None = mode if self.differenzler else None
        self.declarer: int | None = None
        self.pushed = False
        self.predictions: list[int] = []
        self.current_player = self.forehand
        self.table: list[int] = []
        self.tricks: list[tuple[int, list[int], int, int]] = []  # leader, cards, winner, points
        self.played: list[tuple[int, int]] = []  # seat, card
        self.terminated = False
        self.match_winner: int | None = None
        self.weis: list[list[Weis]] = [[] for _ in range(4)]
        self.weis_team, self.weis_points, self.stock_points = None, [0, 0], [0, 0]

    @property
    def choosing(self) -> bool:
        return self.mode is None or (self.differenzler and len(self.predictions) < 4)

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end (section 7.2)."""
        if self.terminated:
            return []
        if not self.choosing:
            hand = self.hands[self.current_player]
            return legal_cards(self.rules, self.mode, self.table, hand)
        if self.differenzler:
            return list(range(PREDICT, PREDICT + 158))
        push = [PUSH] if self.rules.push and not self.pushed else []
        modes = range(CHOOSE, CHOOSE + (6 if self.rules.obenabe_undenufe else 4))
        return [*modes, *push, *([43, 44] if self.rules.slalom else [])]

    def step(self, action: int) -> None:
        """Play one action of the player to move."""
        if self.choosing and self.differenzler:
            self.predictions.append(action - PREDICT)
            self.current_player = (self.current_player + 1) % 4
        elif self.choosing and action == PUSH:
            self.pushed = True
            self.current_player = (self.forehand + 2) % 4
        elif self.choosing:
            self._choose(action - CHOOSE if action < PUSH else action - 43 + SLALOM_TOP)
        else:
            self._play(action)

    def _choose(self, mode: int) -> None:
        self.mode, self.declarer = mode, self.current_player
        who = self.rules.pushed_leader
        declarer_leads = who == "declarer" or (who == "by_mode" and mode >= SLALOM_TOP)
        leader = self.declarer if declarer_leads else self.forehand
        self.current_player = leader
        self.weis = [weis_of_hand(self.rules, mode, hand) for hand in self.dealt]
        contest = weis_contest(self.rules, mode, leader, self.dealt)
        self.weis_team, self.weis_points = contest
        seat = stock_seat(self.rules, mode, self.dealt)
        self.stock_points = [20 if seat is not None and seat % 2 == t else 0 for t in (0, 1)]

    def _play(self, c: int) -> None:
        player = self.current_player
        self.hands[player].remove(c)
        self.played.append((player, c))
        self.table.append(c)
        self.current_player = (player + 1) % 4
        if len(self.table) < 4:
            return
        leader, number = self.current_player, len(self.tricks) + 1
        winner = (leader + trick_winner(self.mode, self.table, number, self.rules.guschti)) % 4
        points = trick_points(self.mode, self.table, number)
        self.tricks.append((leader, self.table, winner, points))
        self.table = []
        self.current_player = winner
        if (
            not self.differenzler
            and self.rules.target
            and (number == 9 or self.rules.finish == "immediate")
        ):
            taken = [(w % 2, p) for _, _, w, p in self.tricks]
            self.match_winner = counting(
                self.rules, self.mode, self.totals, self.weis_points, self.stock_points, taken
            )
        self.terminated = number == 9 or self.match_winner is not None

    # --- what it comes to -----------------------------------------------------------------------

    def taken(self) -> list[int]:
        """Card points so far, by seat."""
        return [sum(p for _, _, w, p in self.tricks if w == seat) for seat in range(4)]

    def progress(self) -> list[int]:
        """Card points so far of each seat's side."""
        own = self.taken()
        return own if self.differenzler else [own[s] + own[(s + 2) % 4] for s in range(4)]

    def predictions_by_seat(self) -> list[int]:
        return [self.predictions[(seat - self.forehand) % 4] for seat in range(4)]

    def score(self) -> list[int]:
        """Section 4.5: score of the two teams of the tricks so far."""
        won = [sum(w % 2 == t for _, _, w, _ in self.tricks) for t in (0, 1)]
        progress = self.progress()
        return deal_score(self.rules, self.mode, progress[:2], won, self.weis_points, self.stock_points)

    def points(self) -> list[int]:
        """By seat: score of its team, or in Differenzler its difference."""
        if self.differenzler:
            return [
                -self.rules.exact_bonus if p == t > 0 else abs(p - t)
                for p, t in zip(self.predictions_by_seat(), self.taken(), strict=True)
            ]
        return self.score() * 2

    # --- 4.3, 7.5 what is seen ------------------------------------------------------------------

    def announced(self) -> list[int]:
        """Section 4.3: points of each seat's best Weis, 0 = none, -1 = not yet public."""
        out = {seat for seat, _ in self.played}
        best = [max((w.points for w in self.weis[seat]), default=0) for seat in range(4)]
        return [best[seat] if seat in out else -1 for seat in range(4)]

    def shown(self) -> list[set[int]]:
        """Section 4.3: cards of all Weis of the scoring team, from the end of the first trick."""
        if not self.tricks or self.weis_team is None:
            return [set() for _ in range(4)]
        return [
            {c for w in self.weis[seat] for c in w.cards} if seat % 2 == self.weis_team else set()
            for seat in range(4)
        ]

    def swisslos_row(self, player: int) -> list[int]:
        """Section 7.5: the 72 integers."""

        def padded(found, length: int) -> list[int]:
            codes = [swisslos_code(c) for c in found][:length]
            return codes + [0] * (length - len(codes))

        gone = {c for _, c in self.played}
        complete = [c for _, trick, _, _ in self.tricks for c in trick]
        vector = padded(complete, 32) + padded(self.table, 3) + padded(self.hands[player], 9)
        for k in (1, 2, 3):
            vector += padded(sorted(self.shown()[(player + k) % 4] - gone), 9)
        return [*vector, 0 if self.mode is None else self.mode + 1]
