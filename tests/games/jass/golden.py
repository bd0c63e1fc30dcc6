"""Whole deals of Jass, written out trick by trick."""

from types import SimpleNamespace

from games.jass.deals import numbers

# Weis as `seat: points cards`; tricks as `leader: cards > winner, points`.
GOLDEN = [
    SimpleNamespace(
        id="G-J1",  # two Weis of 50; the higher one counts
        variant="schieber_2500",
        dealer=1,
        arguments={"totals": (0, 0)},
        deck=numbers(
            """
            10 28 29 21 0 12 23 4 26 1 15 9 2 17 24 35 16 3 27 19 30 7 11 5 13 6 8 18 33 31 14 25
            22 32 20 34
            """
        ),
        actions=numbers(
            """
            42 39 10 9 13 34 20 21 24 19 16 27 32 12 33 28 35 30 5 31 4 2 25 23 1 6 14 29 17 11 26
            15 8 22 0 3 7 18
            """
        ),
        mode=3,
        pushed=True,
        declarer=0,
        hands=[
            "Jd Qd Kd Ad 8c Tc 7h 6s 9s",
            "Jc 6h 8h Th Kh Ts Js Qs Ks",
            "6d Td 7c 9c 9h Jh Ah 7s 8s",
            "7d 8d 9d 6c Qc Kc Ac Qh As",
        ],
        weis=["0: 50 Jd Qd Kd Ad", "1: 50 Ts Js Qs Ks", "3: 20 7d 8d 9d", "3: 20 Qc Kc Ac"],
        weis_team=0,
        weis_points=[50, 0],
        stock=1,
        tricks=[
            "2: 7c 6c Tc Ks > 1, 14",
            "1: 8h 9h Qh 7h > 3, 3",
            "3: Kc 6s Js 9c > 1, 24",
            "1: Qs 7s As 9s > 0, 28",
            "0: Jd Ts Td 8d > 1, 22",
            "1: Kh Jh 7d Qd > 1, 9",
            "1: Jc 8s Ac 8c > 2, 13",
            "2: Ah Qc Ad Th > 2, 35",
            "2: 6d 9d Kd 6h > 0, 9",
        ],
        card_points=[85, 72],
        points=[270, 184, 270, 184],
        match_winner=None,
        predictions=None,
    ),
    SimpleNamespace(
        id="G-J2",
        variant="swisslos",
        dealer=1,
        arguments={"totals": (2300, 2250)},
        deck=numbers(
            """
            34 22 2 30 19 27 23 17 33 10 11 18 5 1 9 32 35 29 21 13 26 0 28 3 6 25 12 20 15 14 24
            31 7 16 4 8
            """
        ),
        actions=numbers(
            """
            40 22 18 25 20 29 28 31 34 6 4 2 1
            """
        ),
        mode=4,
        pushed=False,
        declarer=2,
        hands=[
            "6d 9d Qd 9c Tc 9h Kh Ah 7s",
            "Td Kd Ad Jc Qc Kc 8h Qh Ts",
            "8d Ac 7h Th Jh 6s 9s Qs Ks",
            "7d Jd 6c 7c 8c 6h 8s Js As",
        ],
        weis=["1: 20 Jc Qc Kc", "3: 20 6c 7c 8c"],
        weis_team=1,
        weis_points=[0, 40],
        stock=None,
        tricks=[
            "2: Th 6h Kh 8h > 3, 33",
            "3: 8s 7s Ts Ks > 0, 22",
            "0: Qd Td 8d 7d > 3, 21",
        ],
        card_points=[22, 54],
        points=[66, 282, 66, 282],
        match_winner=1,
        predictions=None,
    ),
    SimpleNamespace(
        id="G-J3",
        variant="schieber_1000",
        dealer=2,
        arguments={"totals": (0, 0)},
        deck=numbers(
            """
            9 4 12 18 31 13 1 29 33 35 25 2 15 17 26 0 22 21 10 30 23 8 16 24 14 3 11 6 27 28 5 19
            34 20 7 32
            """
        ),
        actions=numbers(
            """
            42 41 9 15 11 27 0 3 5 1 20 18 26 23 35 30 34 29 22 24 19 31 8 6 4 2 14 28 12 17 21 10
            32 13 25 16 7 33
            """
        ),
        mode=5,
        pushed=True,
        declarer=1,
        hands=[
            "6d 8d Qc Ac 9h Th Kh Ah As",
            "9d Ad 7c 8c Jc Kc Jh Qh 9s",
            "Jd Qd Kd 7h 8h 6s 7s Js Ks",
            "7d Td 6c 9c Tc 6h 8s Ts Qs",
        ],
        weis=["2: 20 Jd Qd Kd"],
        weis_team=0,
        weis_points=[20, 0],
        stock=None,
        tricks=[
            "3: 6c Qc 8c 6s > 0, 11",
            "0: 6d 9d Jd 7d > 2, 2",
            "2: 8h 6h Ah Jh > 0, 21",
            "0: As 9s Ks 8s > 0, 23",
            "0: Th Qh 7h Ts > 1, 23",
            "1: Ad Qd Td 8d > 1, 32",
            "1: Jc 7s 9c Ac > 0, 13",
            "0: 9h 7c Js Tc > 0, 12",
            "0: Kh Kc Kd Qs > 0, 20",
        ],
        card_points=[102, 55],
        points=[122, 55, 122, 55],
        match_winner=None,
        predictions=None,
    ),
    SimpleNamespace(
        id="G-J4",
        variant="differenzler",
        dealer=0,
        arguments={"mode": 3},
        deck=numbers(
            """
            0 19 14 21 22 17 33 30 7 5 10 13 35 1 28 23 8 3 20 27 4 32 6 18 11 15 9 34 25 29 12 31
            16 2 26 24
            """
        ),
        actions=numbers(
            """
            169 102 51 176 0 1 32 2 27 31 30 35 22 23 18 34 16 14 10 15 26 19 3 20 29 33 28 9 21 5
            11 25 12 17 13 4 7 8 6 24
            """
        ),
        mode=3,
        pushed=False,
        declarer=None,
        hands=[
            "8d 9c Kc Qh Kh Ah 8s Ts Ks",
            "6d Kd Jc Ac 7h 9h Th 9s Qs",
            "7d 9d Jd Ad 7c Tc Jh 7s As",
            "Td Qd 6c 8c Qc 6h 8h 6s Js",
        ],
        weis=[],
        weis_team=None,
        weis_points=[0, 0],
        stock=None,
        tricks=[
            "1: 6d 7d Js 8d > 3, 20",
            "3: 6s Ts 9s As > 1, 35",
            "1: Th Jh 6h Ks > 0, 16",
            "0: Kc Jc 7c Qc > 0, 9",
            "0: Ah 7h 9d 8h > 0, 11",
            "0: 8s Qs 7s 6c > 1, 3",
            "1: 9h Jd 8c Kh > 0, 6",
            "0: 9c Ac Tc Td > 1, 31",
            "1: Kd Ad Qd Qh > 2, 26",
        ],
        card_points=[42, 69, 26, 20],
        points=[98, 64, 40, 5],
        match_winner=None,
        predictions=[140, 133, 66, 15],
    ),
]
