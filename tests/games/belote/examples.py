"""Worked examples of the rules in docs/belote.md, as tables; a comment names the section of each."""

from games.belote.reference import cards
from games.rows import rows

MODES = {name: mode for mode, name in enumerate(("d", "h", "s", "c", "NT", "AT"))}


def card_list(cell: str) -> list[int]:
    """Cards of a cell; a dash stands for none."""
    return [] if cell == "-" else cards(cell)


# 4.1  id | rules | mode | table | hand | legal
LEGAL = rows("""
B-L1  | BELA                                | s  | -        | 7h Jd As    | 7h Jd As
B-L2  | BELA                                | s  | Qh       | 7h Kh Th As | Kh Th
B-L3  | BELOT, BELOTE_CLASSIC, CONTREE      | s  | Qh       | 7h Kh Th As | 7h Kh Th
B-L4  | BELA, BELOT                         | s  | Qh 7s    | 7h Kh Th As | 7h Kh Th
B-L5  | BELA                                | s  | Kh 8h Th | 9h Jh 7s    | 9h Jh
B-L6  | BELA, BELOT                         | s  | Ah 7h    | 9s Qs Kd    | 9s Qs
B-L7  | BELOTE_CLASSIC, CONTREE             | s  | Ah 7h    | 9s Qs Kd    | 9s Qs Kd
B-L8  | BELA, BELOT, BELOTE_CLASSIC, CONTREE | s  | 7h Ts    | 9s Qs Kd    | 9s
B-L9  | BELA, BELOT, BELOTE_CLASSIC         | s  | 7h 9s    | Qs Ks Ad    | Qs Ks
B-L10 | CONTREE, COINCHE                    | s  | 7h 9s    | Qs Ks Ad    | Qs Ks Ad
B-L11 | CONTREE, COINCHE                    | s  | 7h 9s    | Qs Ks       | Qs Ks
B-L12 | BELA, BELOT, BELOTE_CLASSIC, CONTREE | s  | Ts 7s    | 9s Js Qs Ad | 9s Js
B-L13 | BELA, BELOT, BELOTE_CLASSIC, CONTREE | s  | Js       | 9s 7s Ah    | 9s 7s
B-L14 | BELA, BELOT, BELOTE_CLASSIC, CONTREE | s  | 7s 8s    | Ah Kd 7c    | Ah Kd 7c
B-L15 | BELA, BELOT                         | s  | 7h Ts 8h | 7s 9s Kd    | 9s
B-L16 | BELOTE_CLASSIC, CONTREE             | s  | 7h Ts 8h | 7s 9s Kd    | 7s 9s Kd
B-L17 | BELOTE_CLASSIC, CONTREE             | s  | 7h 8s 9h | 7s Jd       | 7s Jd
B-L18 | BELOTE_CLASSIC, CONTREE             | s  | Jh 8h Kc | Ts 7d       | Ts
B-L19 | COINCHE_NT_AT                       | NT | Th 7h    | Ah 9h Kd    | Ah 9h
B-L20 | COINCHE_NT_AT                       | AT | Th 7h    | 9h Qh Kd    | 9h
B-L21 | COINCHE_NT_AT                       | AT | Th Jd    | Qd Kd 7c    | Qd Kd 7c
B-L22 | BELA, BELOT, BELOTE_CLASSIC, CONTREE | h  | As 7h Qh | 8h Kh Tc    | Kh
""")

# 4.2  id | mode | trick | winner | points | 8 for the eighth trick
TRICKS = rows("""
B-W1 | s  | Ah 7s Th 8s | 3 | 21 | -
B-W2 | s  | 7h Ad 8h Ac | 2 | 22 | -
B-W3 | s  | Ts As 9s Js | 3 | 55 | -
B-W4 | s  | Ts As 9s Js | 3 | 65 | 8
B-W5 | d  | 9h Jh 8h Qc | 1 | 5  | -
B-W6 | NT | Jh Qh Kh 9s | 2 | 9  | -
B-W7 | AT | Ah 9h Js Th | 1 | 33 | -
B-W8 | s  | 7d 8d 9d 7c | 2 | 0  | -
B-W9 | s  | Qs Ks 8s 7s | 1 | 7  | -
""")

# 4.3  id | rules | mode | hand | declarations
DECLARATIONS = rows("""
B-D1  | BELA           | c  | 7d 8d 9d Th Jh Qh Kh As | 20: 7d 8d 9d; 50: Th Jh Qh Kh
B-D2  | BELA           | h  | 9h Th Jh Qh Jd Js Jc 7c | 200: Jd Jh Js Jc; 50: 9h Th Jh Qh
B-D3  | COINCHE        | h  | 9h Th Jh Qh Jd Js Jc 7c | 200: Jd Jh Js Jc
B-D4  | BELA           | c  | Ts Js Qs Ks As Kd Kh Kc | 100: Kd Kh Ks Kc; 100: Ts Js Qs Ks As
B-D5  | COINCHE        | c  | Ts Js Qs Ks As Kd Kh Kc | 100: Kd Kh Ks Kc; 20: Ts Js Qs
B-D6  | BELA           | c  | 7s 8s 9s Ts Js Qs Kd Ad | 100: 7s 8s 9s Ts Js Qs
B-D7  | BELA           | c  | 7d 7h 7s 7c 8d 8h 8s 8c | none
B-D8  | BELA           | c  | Qs Ks As Qd Kd 9c Tc 7h | 20: Qs Ks As
B-D9  | COINCHE_NT_AT  | NT | Ad Ah As Ac Td Th Ts Tc | 200: Ad Ah As Ac; 150: Td Th Ts Tc
B-D10 | BELOTE_CLASSIC | c  | Ts Js Qs Ks As Kd Kh Kc | none
""")

# 4.4  id | rules | dealer | mode | seat 0 | seat 1 | seat 2 | seat 3 | team | points
CONTESTS = rows("""
B-C1  | BELA    | 3 | s | 7d 8d 9d          | Th Jh Qh Kh    | 9s Ts Js    | -        | 1    | 0, 50
B-C2  | BELA    | 3 | s | Jd Qd Kd          | Jh Qh Kh       | -           | 7c 8c 9c | 0    | 20, 0
B-C3  | BELA    | 3 | h | Jd Qd Kd          | Jh Qh Kh       | -           | 7c 8c 9c | 0    | 20, 0
B-C4  | BELA    | 0 | h | Td Jd Qd          | -              | -           | Tc Jc Qc | 1    | 0, 20
B-C5  | COINCHE | 0 | h | Td Jd Qd          | -              | -           | Tc Jc Qc | none | 0, 0
B-C6  | BELA    | 1 | h | 7s 8s 9s Ts Js    | Kd Kh Ks Kc    | -           | -        | 1    | 0, 100
B-C7  | BELA    | 1 | h | Td Jd Qd Kd Ad    | 9d 9h 9s 9c    | -           | -        | 1    | 0, 150
B-C8  | BELA    | 2 | h | 8s 9s Ts Js Qs Ks | Tc Jc Qc Kc Ac | -           | -        | 1    | 0, 100
B-C9  | BELA    | 2 | h | -                 | Kd Kh Ks Kc    | Td Th Ts Tc | 7c 8c 9c | 0    | 100, 0
B-C10 | COINCHE | 3 | c | Jd Qd Kd          | Jh Qh Kh       | Ac Kc Qc    | 7c 8c 9c | 0    | 40, 0
B-C11 | COINCHE | 3 | h | Jd Qd Kd          | Jh Qh Kh       | -           | 7c 8c 9c | 1    | 0, 40
""")

# Rows from B-S27 on follow contree.net (points annoncés), IsCool (contracts by card points), FFB 10.1.3
# (81 or 91 points wait) and ContrAI (a sweep at a bid of 100 pays 350).
# 4.6  id | rules | bidders | level | factor | card points | tricks | declarations | belote | carry in |
#      score | outcome | carry out
SCORES = rows("""
B-S1  | BELA           | 0 | -     | 1 | 82, 80  | 4, 4 | 0, 0  | 0, 0  | 0  | 82, 80   | made   | 0
B-S2  | BELA           | 0 | -     | 1 | 81, 81  | 4, 4 | 0, 0  | 0, 0  | 0  | 0, 162   | failed | 0
B-S3  | BELA           | 0 | -     | 1 | 90, 72  | 5, 3 | 0, 20 | 0, 0  | 0  | 0, 182   | failed | 0
B-S4  | BELA           | 1 | -     | 1 | 100, 62 | 5, 3 | 0, 50 | 0, 20 | 0  | 100, 132 | made   | 0
B-S5  | BELA           | 0 | -     | 1 | 92, 70  | 5, 3 | 0, 0  | 0, 20 | 0  | 92, 90   | made   | 0
B-S6  | BELA           | 0 | -     | 1 | 91, 71  | 5, 3 | 0, 0  | 0, 20 | 0  | 0, 182   | failed | 0
B-S7  | BELA           | 0 | -     | 1 | 162, 0  | 8, 0 | 0, 50 | 0, 0  | 0  | 252, 0   | made   | 0
B-S8  | BELA           | 0 | -     | 1 | 0, 162  | 0, 8 | 0, 0  | 20, 0 | 0  | 0, 252   | failed | 0
B-S9  | BELOTE_CLASSIC | 0 | -     | 1 | 0, 162  | 0, 8 | 0, 0  | 20, 0 | 0  | 20, 252  | failed | 0
B-S10 | BELOTE_CLASSIC | 0 | -     | 1 | 81, 81  | 4, 4 | 0, 0  | 0, 0  | 0  | 0, 81    | litige | 81
B-S11 | BELOTE_CLASSIC | 1 | -     | 1 | 62, 100 | 3, 5 | 0, 0  | 0, 0  | 81 | 62, 181  | made   | 0
B-S12 | BELOTE_CLASSIC | 1 | -     | 1 | 102, 60 | 5, 3 | 0, 0  | 0, 0  | 81 | 243, 0   | failed | 0
B-S13 | BELOTE_CLASSIC | 0 | -     | 1 | 71, 91  | 4, 4 | 0, 0  | 20, 0 | 0  | 0, 91    | litige | 91
B-S14 | BELOTE_CLASSIC | 0 | -     | 1 | 60, 102 | 3, 5 | 0, 0  | 20, 0 | 0  | 20, 162  | failed | 0
B-S15 | BELOTE_501     | 0 | -     | 1 | 60, 102 | 3, 5 | 50, 0 | 0, 20 | 0  | 0, 232   | failed | 0
B-S16 | COINCHE        | 0 | 100   | 1 | 95, 67  | 5, 3 | 20, 0 | 0, 0  | 0  | 220, 70  | made   | 0
B-S17 | COINCHE        | 0 | 120   | 1 | 95, 67  | 5, 3 | 20, 0 | 0, 0  | 0  | 0, 300   | failed | 0
B-S18 | CONTREE        | 0 | 90    | 2 | 100, 62 | 5, 3 | 0, 0  | 0, 20 | 0  | 500, 20  | made   | 0
B-S19 | CONTREE        | 0 | 90    | 4 | 80, 82  | 5, 3 | 0, 0  | 0, 20 | 0  | 0, 1080  | failed | 0
B-S20 | CONTREE        | 1 | capot | 1 | 0, 162  | 0, 8 | 0, 0  | 0, 0  | 0  | 0, 500   | made   | 0
B-S21 | CONTREE        | 1 | capot | 1 | 10, 152 | 1, 7 | 0, 0  | 0, 20 | 0  | 410, 20  | failed | 0
B-S22 | CONTREE        | 0 | 80    | 1 | 81, 81  | 4, 4 | 0, 0  | 0, 0  | 0  | 0, 240   | failed | 0
B-S23 | CONTREE        | 0 | 80    | 1 | 82, 80  | 4, 4 | 0, 0  | 0, 0  | 0  | 160, 80  | made   | 0
B-S24 | CONTREE        | 0 | 100   | 1 | 84, 78  | 4, 4 | 0, 0  | 20, 0 | 0  | 200, 80  | made   | 0
B-S25 | BELOT          | 0 | -     | 1 | 162, 0  | 8, 0 | 0, 50 | 0, 0  | 0  | 302, 0   | made   | 0
B-S26 | BELOT          | 0 | -     | 1 | 0, 162  | 0, 8 | 0, 0  | 20, 0 | 0  | 0, 272   | failed | 0
B-S27 | CONTRACT_ONLY  | 0 | 100   | 1 | 110, 52 | 5, 3 | 0, 0  | 20, 0 | 0  | 100, 0   | made   | 0
B-S28 | CONTRACT_ONLY  | 0 | 100   | 2 | 70, 92  | 3, 5 | 0, 0  | 20, 0 | 0  | 0, 200   | failed | 0
B-S29 | CONTRACT_ONLY  | 1 | 180   | 1 | 0, 162  | 0, 8 | 0, 0  | 0, 20 | 0  | 0, 180   | made   | 0
B-S30 | GENERALE       | 0 | 90    | 1 | 85, 77  | 4, 4 | 20, 0 | 20, 0 | 0  | 20, 270  | failed | 0
B-S31 | GENERALE       | 0 | 90    | 1 | 92, 70  | 4, 4 | 0, 50 | 20, 0 | 0  | 200, 120 | made   | 0
B-S32 | CARDS_MAKE     | 0 | -     | 1 | 82, 80  | 4, 4 | 0, 50 | 0, 20 | 0  | 82, 150  | made   | 0
B-S33 | BIDS_TO_210    | 0 | 80    | 1 | 81, 81  | 4, 4 | 0, 0  | 0, 0  | 0  | 0, 80    | litige | 81
B-S34 | BIDS_TO_210    | 0 | 90    | 2 | 71, 91  | 4, 4 | 0, 0  | 20, 0 | 30 | 0, 90    | litige | 121
B-S35 | BIDS_TO_210    | 0 | 100   | 1 | 81, 81  | 4, 4 | 0, 0  | 0, 0  | 0  | 0, 260   | failed | 0
B-S36 | BIDS_TO_210    | 0 | 90    | 1 | 100, 62 | 5, 3 | 0, 0  | 0, 0  | 81 | 270, 60  | made   | 0
B-S37 | BIDS_TO_210    | 1 | 100   | 1 | 62, 100 | 3, 5 | 0, 0  | 0, 0  | 81 | 60, 280  | made   | 0
B-S38 | BIDS_TO_210    | 0 | 180   | 1 | 162, 0  | 8, 0 | 0, 0  | 20, 0 | 0  | 450, 0   | made   | 0
B-S39 | BIDS_TO_210    | 0 | 100   | 1 | 162, 0  | 8, 0 | 0, 0  | 0, 0  | 0  | 350, 0   | made   | 0
""")


def declaration_list(cell: str) -> list[tuple[int, list[int]]]:
    """Return the declarations of a cell such as `20: 6d 7d 8d; 50: Jh Qh Kh Ah`, sorted."""
    if cell == "none":
        return []
    pairs = [part.split(":") for part in cell.split(";")]
    return sorted((int(points), sorted(cards(text))) for points, text in pairs)
