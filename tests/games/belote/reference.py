"""Slow reference of Belote in plain Python: lists, sets and loops, no arrays.

Written from docs/belote.md alone and meant to be read beside it; the section numbers in the
docstrings are those of docs/belote.md. `rules` is any object with the fields of section 5. Cards are
the ints 8*suit + rank, suits d h s c, ranks 7 8 9 T J Q K A; seats are 0..3, teams seat % 2.
"""

from typing import NamedTuple

SUITS = "dhsc"
RANKS = "789TJQKA"
NT, AT = 4, 5
PASS, NAME, BID, COINCHE, SURCOINCHE = 32, 33, 37, 97, 98  # of bids up to 160, or capot

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


def _runs(rules, mode: int, hand: list[int]) -> list[Declaration]:
    found = []
    for s in range(4):
        block: list[int] = []
        for r in range(9):  # the ninth rank does not exist and closes the last block
            if r < 8 and 8 * s + r in hand:
                block.append(8 * s + r)
                continue
            if len(block) >= 3:
                points = {3: 20, 4: 50}.get(len(block), 100)
                trump = int(rules.decl_trump_first and s == mode and has_trumps(mode))
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
    return found + _runs(rules, mode, hand)


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
    """Section 4.5: suits whose king and queen are in a full hand and count."""
    if not rules.belote or mode == NT:
        return []
    suits = range(4) if mode == AT else [mode]
    return [s for s in suits if {8 * s + RANKS.index("Q"), 8 * s + RANKS.index("K")} <= set(hand)]


# --- 4.6 the score ------------------------------------------------------------------------------


def levels(rules) -> list[str]:
    """Section 3.3: the levels of a contract."""
    points = [str(bid) for bid in range(80, rules.max_bid + 10, 10)]
    return points + ["capot"] + ["generale"] * rules.generale


def verdict(rules, level, points):
    """Section 4.6: "made", "failed" or "litige"; `points` of the bidders and of the others."""
    mine, theirs = points
    if mine < theirs or (level and level.isdigit() and mine < int(level)):
        return "failed"
    if mine > theirs:
        return "made"
    return {"fail": "failed", "make": "made", "litige": "litige"}[rules.tie]


def deal_score(rules, bidder, level, m, c, w, d, b, carry, alone=False):
    """Section 4.6: (scores of the teams, "made", "failed" or "litige", carry).

    `bidder` is the bidding team; `level` the name of a contract's level, else None. `alone`: the
    bidder has won all tricks without the partner.
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
    score = [0, 0]
    counted = total if rules.bonus_makes else [c[t] + bonus[t] for t in (0, 1)]
    outcome = verdict(rules, level, (counted[B], counted[D]))
    if level == "capot":
        outcome = "made" if w[B] == 8 else "failed"
    elif level == "generale":
        outcome = "made" if alone else "failed"
    if outcome == "litige":
        score[D] = total[D]
        carry += total[B]
    elif rules.auction == "contract":
        value = {"capot": 250, "generale": 500}.get(level) or int(level)
        if rules.contract_only:
            score[B if outcome == "made" else D] = m * value
        elif outcome == "made" and m == 1:
            score[B], score[D] = total[B] + value, total[D]
        elif outcome == "made":
            base = 250 if w[B] == 8 else 160
            score[B], score[D] = (base + d[0] + d[1] + b[B] + value) * m, b[D]
        else:
            lost = 0 if rules.belote_safe else b[B]
            score[D] = (160 + d[0] + d[1] + b[D] + lost + value) * m
            score[B] = b[B] if rules.belote_safe else 0
    elif outcome == "made":
        score = list(total)
    else:
        keep = b[B] if rules.belote_safe else 0
        score[B], score[D] = keep, total[B] + total[D] - keep
    if outcome != "litige":
        score[B if outcome == "made" else D] += carry
        carry = 0
    return [(x + 5) // 10 * 10 if rules.rounding == 10 else x for x in score], outcome, carry
