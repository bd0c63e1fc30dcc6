"""Worked examples of the rules in docs/jass.md, as tables; a comment names the section of each."""

from games.jass.reference import cards
from games.rows import rows

MODES = {
    name: mode
    for mode, name in enumerate(("d", "c", "h", "s", "unde", "obe", "slalom_top", "slalom_bottom"))
}


def card_list(cell: str) -> list[int]:
    """Cards of a cell; a dash stands for none."""
    return [] if cell == "-" else cards(cell)


# 4.1  id | rules | mode | table | hand | legal
LEGAL = rows("""
J-L1  | SCHIEBER_1000 | c    | -        | 6d Jc As                   | 6d Jc As
J-L2  | SCHIEBER_1000 | c    | 7c       | Jc Ad 6h                   | Jc Ad 6h
J-L3  | SCHIEBER_1000 | c    | 7c       | Jc 6c Ad                   | 6c Jc
J-L4  | SCHIEBER_1000 | c    | 7c Ac    | 6c 8c Ad                   | 6c 8c
J-L5  | SCHIEBER_1000 | c    | 7c       | Ad 6h Ts                   | Ad 6h Ts
J-L6  | SCHIEBER_1000 | c    | 8h       | 6h Ah 7c Td                | 7c 6h Ah
J-L7  | SCHIEBER_1000 | c    | 8h Qc    | 6h 7c Kc Td                | Kc 6h
J-L8  | SCHIEBER_1000 | c    | 8h Qc    | 7c 9c Td As                | 9c Td As
J-L9  | SCHIEBER_1000 | c    | 8h Qc    | 7c Tc Ad                   | Ad
J-L10 | SCHIEBER_1000 | c    | 8h Qc    | 7c Kc                      | 7c Kc
J-L11 | SCHIEBER_1000 | c    | Th 7c Jc | 9d Jd 8c Ac 6h Kh Ts       | 6h Kh
J-L12 | SCHIEBER_1000 | c    | 8h 9c    | Jc Ac 7d                   | Jc 7d
J-L13 | SCHIEBER_1000 | d    | Th Ah Ad | Kd Ac                      | Ac
J-L14 | SCHIEBER_1000 | obe  | 8h       | 6h Ac 9h                   | 6h 9h
J-L15 | SCHIEBER_1000 | unde | 8h       | Ac Jd                      | Ac Jd
J-L16 | DIFFERENZLER  | c    | 8h Qc    | 7c Kc Td                   | 7c Kc Td
J-L17 | DIFFERENZLER  | c    | 8h Qc    | 6h 7c Kc Td                | Kc 6h
""")

# 4.2  id | mode | trick number | trick | winner | points
TRICKS = rows("""
J-W1  | c             | 1 | Ah 7c Th 6c | 1 | 21
J-W2  | c             | 1 | Ac Jc 9c Kc | 1 | 49
J-W3  | c             | 1 | 7h Ad 8h As | 2 | 22
J-W4  | obe           | 1 | 8h Kh 6s Ah | 3 | 23
J-W5  | unde          | 1 | 8h 6h As 7h | 1 | 19
J-W6  | unde          | 1 | 8h 9h 6s Ad | 0 | 19
J-W7  | slalom_top    | 1 | 8h Kh 6h Ah | 3 | 23
J-W8  | slalom_top    | 2 | 8h Kh 6h Ah | 2 | 23
J-W9  | slalom_bottom | 2 | 8h Kh 6h Ah | 3 | 23
J-W10 | d             | 9 | 6d 7d 8d Td | 3 | 15
""")

# 4.3  id | rules | mode | hand | Weis
WEIS = rows("""
J-F1 | SCHIEBER_1000 | c    | 6d 7d 8d Jh Qh Kh Ah 9s Tc | 20: 6d 7d 8d; 50: Jh Qh Kh Ah
J-F2 | SCHIEBER_1000 | c    | Js Qs Ks As Kd Kc Kh 6d 8d | 100: Kd Kc Kh Ks; 50: Js Qs Ks As
J-F3 | noshare       | c    | Js Qs Ks As Kd Kc Kh 6d 8d | 100: Kd Kc Kh Ks
J-F4 | SCHIEBER_1000 | c    | 6s 7s 8s 9s Ts Js Qs Ks As | 300: 6s 7s 8s 9s Ts Js Qs Ks As
J-F5 | flat          | c    | 6s 7s 8s 9s Ts Js Qd Kd Ad | 100: 6s 7s 8s 9s Ts Js; 20: Qd Kd Ad
J-F6 | SCHIEBER_1000 | obe  | 6d 6c 6h 6s 9d 9c 9h 9s Ad | 100: 6d 6c 6h 6s; 150: 9d 9c 9h 9s
J-F7 | nolow         | obe  | 6d 6c 6h 6s 9d 9c 9h 9s Ad | 150: 9d 9c 9h 9s
J-F8 | SCHIEBER_1000 | unde | Jd Jc Jh Js Ts 9s 6d 7c 8h | 200: Jd Jc Jh Js; 20: 9s Ts Js
""")

# 4.3  id | rules | leader | mode | seat 0 | seat 1 | seat 2 | seat 3 | team | points
CONTESTS = rows("""
J-C1 | SCHIEBER_1000 | 1 | c    | 6d 7d 8d       | Th Jh Qh    | 9s Ts Js Qs | Kd Qd Jd | 0 | 70, 0
J-C2 | SCHIEBER_1000 | 1 | c    | Td Jd Qd Kd Ad | 6d 6c 6h 6s | -           | -        | 0 | 100, 0
J-C3 | SCHIEBER_1000 | 1 | obe  | Ad Ac Ah As    | 6d 6c 6h 6s | -           | -        | 0 | 100, 0
J-C4 | SCHIEBER_1000 | 1 | unde | Ad Ac Ah As    | 6d 6c 6h 6s | -           | -        | 1 | 0, 100
J-C5 | SCHIEBER_1000 | 0 | unde | 9d Td Jd       | 7c 8c 9c    | -           | -        | 1 | 0, 20
J-C6 | SCHIEBER_1000 | 0 | obe  | 9d Td Jd       | 7c 8c 9c    | -           | -        | 0 | 20, 0
J-C7 | SCHIEBER_1000 | 0 | h    | 9d Td Jd       | 9h Th Jh    | -           | -        | 1 | 0, 20
J-C8 | SCHIEBER_1000 | 3 | s    | 9d Td Jd       | 9h Th Jh    | -           | -        | 0 | 20, 0
J-C9 | SCHIEBER_1000 | 1 | s    | 9d Td Jd       | 9h Th Jh    | -           | -        | 1 | 0, 20
J-C10 | noheight    | 0 | s    | 6d 7d 8d       | Qh Kh Ah    | -           | -        | 0 | 20, 0
J-C11 | noheight    | 0 | h    | 6d 7d 8d       | Qh Kh Ah    | -           | -        | 1 | 0, 20
""")

# 4.5  id | rules | mode | card points | tricks | Weis | Stoeck | score
SCORES = rows("""
J-S1 | SCHIEBER_1000 | s    | 100, 57 | 6, 3 | 0, 0   | 0, 0  | 100, 57
J-S2 | SWISSLOS      | s    | 100, 57 | 6, 3 | 0, 70  | 20, 0 | 240, 254
J-S3 | SWISSLOS      | h    | 100, 57 | 6, 3 | 0, 70  | 20, 0 | 120, 127
J-S4 | SWISSLOS      | obe  | 157, 0  | 9, 0 | 50, 0  | 0, 0  | 921, 0
J-S5 | SCHIEBER_1000 | d    | 0, 157  | 0, 9 | 0, 0   | 20, 0 | 20, 257
J-S6 | SCHIEBER_1000 | d    | 0, 157  | 0, 9 | 100, 0 | 0, 20 | 100, 277
J-S7 | SWISSLOS      | c    | 157, 0  | 8, 1 | 0, 0   | 0, 0  | 314, 0
J-S8 | TOURNAMENT    | unde | 120, 37 | 7, 2 | 0, 0   | 0, 0  | 120, 37
""")

# 4.6  id | totals before | target | mode | Weis | Stoeck | tricks so far | match winner
TARGETS = rows("""
J-N1 | 2450, 2440 | 2500 | s | 0, 0  | 0, 20 | 0:30           | 0
J-N2 | 2450, 2460 | 2500 | s | 0, 0  | 0, 20 | 0:30           | 1
J-N3 | 2470, 2460 | 2500 | h | 0, 50 | 0, 0  | 0:40           | 1
J-N4 | 2490, 2460 | 2500 | h | 0, 50 | 20, 0 | 1:40           | 0
J-N5 | 2300, 2300 | 2500 | h | 0, 0  | 0, 0  | 0:40 1:30      | nobody
J-N6 | 2480, 2490 | 2500 | d | 0, 0  | 0, 0  | 0:10 1:15 0:20 | 1
""")


def weis_list(cell: str) -> list[tuple[int, list[int]]]:
    """Weis of a cell such as `20: 6d 7d 8d; 50: Jh Qh Kh Ah`, sorted."""
    pairs = [part.split(":") for part in cell.split(";")]
    return sorted((int(points), sorted(cards(text))) for points, text in pairs)


def trick_list(cell: str) -> list[tuple[int, int]]:
    """(team, points) of a cell such as `0:40 1:30`."""
    return [(int(word[0]), int(word[2:])) for word in cell.split()]


def winner(cell: str) -> int | None:
    return None if cell == "nobody" else int(cell)
