"""Whole deals of Belote, written out trick by trick."""

from types import SimpleNamespace


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


# Tricks as `leader: cards > winner, points`.
GOLDEN = [
    SimpleNamespace(
        id="G-B1",  # declarations of both sides, belote, bidder fails
        variant="bela",
        dealer=1,
        carry=0,
        deck=numbers(
            """
            19 1 13 8 3 23 11 12 18 14 15 10 17 31 0 30 6 2 22 26 27 24 4 28 7 20 5
            25 29 21 9 16
            """
        ),
        actions=numbers(
            """
            32 32 36 20 18 21 22 27 1 25 31 30 28 19 14 9 13 15 29 6 4 3 5 8 11 2 26
            24 23 10 17 16 7 12 0
            """
        ),
        turn_up=None,
        bidder=0,
        mode=3,
        level=None,
        multiplier=1,
        hands=[
            "7d 9d Kd 8s Qs Qc Kc Ac",
            "Jd 8h 7s Ks 7c 9c Tc Jc",
            "8d Td Ad 7h Qh Ts Js As",
            "Qd 9h Th Jh Kh Ah 9s 8c",
        ],
        declarations=["0: 20 Qc Kc Ac", "1: 20 9c Tc Jc", "3: 20 9h Th Jh"],
        declaring_team=0,
        declared=[20, 0],
        belote=[20, 0],
        tricks=[
            "2: Js 9s Qs Ks > 1, 9",
            "1: Tc 8d 8c Ac > 0, 21",
            "0: Kc Jc Ts Kh > 1, 38",
            "1: 8h Qh Ah Qc > 0, 17",
            "0: Kd Jd Td Qd > 2, 19",
            "2: 7h Th 9d 9c > 1, 24",
            "1: 7c As 9h 8s > 1, 11",
            "1: 7s Ad Jh 7d > 1, 23",
        ],
        card_points=[57, 105],
        outcome="failed",
        score=[0, 202],
        carry_out=0,
    ),
    SimpleNamespace(
        id="G-B2",  # capot by the defenders
        variant="belot",
        dealer=2,
        carry=0,
        deck=numbers(
            """
            11 21 15 30 3 9 14 26 6 24 5 13 23 8 22 19 25 10 2 0 29 17 27 31 16 20 7
            28 18 1 12 4
            """
        ),
        actions=numbers(
            """
            36 9 14 8 12 24 25 31 30 2 3 7 1 5 23 4 20 28 18 29 16 13 10 27 11 17 21
            26 19 6 22 0 15
            """
        ),
        turn_up=None,
        bidder=3,
        mode=3,
        level=None,
        multiplier=1,
        hands=[
            "Qd Kd Ad Qh Kh 7c 9c Jc",
            "8d 7h 9h 9s Ts Ks As 8c",
            "7d 9d Jd Jh 8s Tc Qc Ac",
            "Td 8h Th Ah 7s Js Qs Kc",
        ],
        declarations=["0: 20 Qd Kd Ad"],
        declaring_team=0,
        declared=[20, 0],
        belote=[0, 0],
        tricks=[
            "3: 8h Kh 7h Jh > 0, 6",
            "0: 7c 8c Ac Kc > 2, 15",
            "2: 9d Td Ad 8d > 0, 21",
            "0: Qd As Jd Js > 0, 18",
            "0: Jc 9s Qc 7s > 0, 23",
            "0: Qh 9h Tc Th > 2, 23",
            "2: 8s Qs 9c Ts > 0, 27",
            "0: Kd Ks 7d Ah > 0, 29",
        ],
        card_points=[162, 0],
        outcome="failed",
        score=[272, 0],
        carry_out=0,
    ),
    SimpleNamespace(
        id="G-B3",  # second-round take, belote, litige
        variant="belote_classic",
        dealer=3,
        carry=0,
        deck=numbers(
            """
            10 14 26 16 22 20 1 31 12 11 4 15 0 9 19 6 28 8 30 7 29 2 3 13 27 24 21
            17 25 23 5 18
            """
        ),
        actions=numbers(
            """
            32 32 32 32 32 33 3 1 4 7 0 5 2 31 14 12 15 8 25 30 26 29 18 16 20 21 9
            6 13 11 23 22 27 17 28 10 24 19
            """
        ),
        turn_up="Qc",
        bidder=1,
        mode=0,
        level=None,
        multiplier=1,
        hands=[
            "9d Td 9h Qh Kh 7s Ks 9c",
            "8d Th Jh Js 7c Tc Qc Ac",
            "7d Jd 8h Ah 8s Ts Qs 8c",
            "Qd Kd Ad 7h 9s As Jc Kc",
        ],
        declarations=[],
        declaring_team=None,
        declared=[0, 0],
        belote=[0, 20],
        tricks=[
            "0: Td 8d Jd Ad > 2, 41",
            "2: 7d Qd 9d Ac > 0, 28",
            "0: Kh Jh Ah 7h > 2, 17",
            "2: 8c Kc 9c Qc > 3, 7",
            "3: 9s 7s Js Qs > 2, 5",
            "2: 8h Kd Qh Th > 3, 17",
            "3: As Ks Tc 8s > 3, 25",
            "3: Jc 9h 7c Ts > 3, 22",
        ],
        card_points=[91, 71],
        outcome="litige",
        score=[91, 0],
        carry_out=91,
    ),
    SimpleNamespace(
        id="G-B4",  # doubled contract made with capot, transferred declaration
        variant="coinche",
        dealer=0,
        carry=0,
        deck=numbers(
            """
            1 15 28 21 24 8 16 10 18 0 11 3 9 2 26 25 12 30 27 6 13 14 20 29 31 5 22
            19 17 4 23 7
            """
        ),
        actions=numbers(
            """
            32 85 97 32 32 32 1 3 6 4 22 21 18 20 7 10 2 12 0 29 5 16 19 28 25 30 31
            24 26 27 23 8 11 13 17 15 9 14
            """
        ),
        turn_up=None,
        bidder=2,
        mode=0,
        level="160",
        multiplier=2,
        hands=[
            "Jd Qd Ad 8s Ts Ks As Ac",
            "8d 7h 9h Ah 7s Qs 7c Jc",
            "7d 9d Td 8h Th 9s 8c 9c",
            "Kd Jh Qh Kh Js Tc Qc Kc",
        ],
        declarations=["3: 20 Jh Qh Kh"],
        declaring_team=1,
        declared=[0, 20],
        belote=[0, 0],
        tricks=[
            "1: 8d Td Kd Jd > 0, 34",
            "0: Ks Qs 9s Js > 0, 9",
            "0: Ad 9h 9d Jh > 2, 27",
            "2: 7d Qc Qd 7s > 0, 6",
            "0: Ts Jc 8c Kc > 0, 16",
            "0: Ac 7c 9c Tc > 0, 21",
            "0: As 7h Th Qh > 0, 24",
            "0: 8s Ah 8h Kh > 0, 25",
        ],
        card_points=[162, 0],
        outcome="made",
        score=[860, 0],
        carry_out=0,
    ),
]
