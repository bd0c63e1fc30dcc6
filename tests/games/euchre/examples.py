"""Worked examples of the rules in docs/euchre.md: those that are tables, and deals of the others."""

from types import SimpleNamespace

from games.euchre.reference import CALL, SUITS, TEAM, cards
from games.rows import rows

# id | trump | cards from the strongest
ORDERS = rows("""
E1  | H | JH JD AH KH QH TH 9H
E18 | H | JK JH JD AH KH QH TH 9H
""")

# id | rules | trump | table | hand | legal
LEGAL = rows("""
E2  | stick_the_dealer | H | QH | JD AS KS 9C TC | JD
E3a | stick_the_dealer | H | QD | JD AS KS 9C TC | JD AS KS 9C TC
E3b | stick_the_dealer | H | QD | JD 9D AS KS TC | 9D
E18a | british         | H | QH | JK AS 9C TD KS | JK
E18b | british         | H | QS | JK AS 9C TD TC | AS
""")

# id | rules | trump | trick | place of the winner
TRICKS = rows("""
E4a | stick_the_dealer | H | JD AH 9H JH | 4
E4b | stick_the_dealer | H | JD AH 9H AD | 1
E5a | stick_the_dealer | H | 9C AS TC AD | 3
E5b | stick_the_dealer | H | AC KC 9H TC | 3
E6  | stick_the_dealer | H | TC JC QC 9C | 3
E18 | british          | H | JH JK JD AH | 2
""")

# The points of E10: tricks of the makers | alone | lone defender | makers' and defenders' points
POINTS = rows("""
5 | yes | no  | 4 0
4 | yes | no  | 1 0
5 | no  | no  | 2 0
2 | yes | no  | 0 2
2 | no  | yes | 0 4
0 | no  | no  | 0 2
""")

# E23, the laws of 1888, and E24, three players: rules | tricks | alone | makers' and defenders' points
MORE_POINTS = rows("""
lone euchre | 5 | yes | 4 0
lone euchre | 3 | yes | 1 0
lone euchre | 2 | yes | 0 4
lone euchre | 2 | no  | 0 2
cutthroat   | 5 | no  | 3 0
cutthroat   | 4 | no  | 1 0
cutthroat   | 2 | no  | 0 2
""")


def deal(dealer: int, hands: str, up_card: str, dummy: str = "") -> SimpleNamespace:
    """Return a deal of hands separated by bars; the rest of the pack lies behind the up-card."""
    blocks = [cards(hand) for hand in hands.split("|")] + ([cards(dummy)] if dummy else [])
    known = sum(blocks, []) + cards(up_card)
    number = 25 if 24 in known else 24
    free = [c for c in range(number) if c not in known]
    for block in blocks:
        while len(block) < 5:
            block.append(free.pop())
    while len(blocks) < 4:
        blocks.append([free.pop() for _ in range(5)])
    return SimpleNamespace(deck=sum(blocks, []) + cards(up_card) + free, dealer=dealer)


def reach(trump: str, table: list[int], hand: list[int]) -> SimpleNamespace:
    """Return a deal and actions in which seat 0 makes `trump` and leads `table`, and `hand` is to play.

    The cards on the table are held by those who play them, but need not be legal.
    """
    number = 25 if 24 in table + hand else 24
    free = [c for c in range(number) if c not in table and c not in hand]
    up_card = next(c for c in free if c // 6 == SUITS.index(trump))
    free.remove(up_card)
    seats = [[c] for c in table]
    seats += [hand] * (len(table) < 4)
    seats += [[] for _ in range(4 - len(seats))]
    for seat in seats:
        while len(seat) < 5:
            seat.append(free.pop())
    discard = next(c for c in seats[3] if c not in table)
    actions = [CALL + SUITS.index(trump), discard, TEAM, *table]
    deck = sum(seats, []) + [up_card] + free
    return SimpleNamespace(deck=deck, dealer=3, actions=actions)


# The deal of E11 to E15.
E11 = "9C TC JH AH KH | 9D TD QD KD AD | 9S TS JS QS KS"
E11_DUMMY = "JD TH 9H AC AS"
E11_UP_CARD = "QH"
