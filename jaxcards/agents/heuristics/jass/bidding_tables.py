"""The worth of the parts of a Jass hand, in sixteenths of a point.

Each row is a part and its addend to the expected difference of the scores. The first column is for a
forehand that chooses. The second is for forehand's partner, who chooses after a push. Forehand leads in
both.

Linear regression found the numbers on about 400,000 deals of self-play for the six modes and 100,000
for the slaloms; `experiments/heuristics/jass.py bids`, `push`, `predict` repeat it. The residual has
a standard deviation of 60 to 85 points (slaloms 125). Weis count for each point, parts of plain suits
once for each suit that has them.
"""

Row = tuple[str, int, int]

TRUMP: tuple[Row, ...] = (
    ("constant", -1424, -1785),
    ("jack", 707, 944),
    ("nine", 338, 510),
    ("ace", 229, 263),
    ("king", 138, 138),
    ("queen", 105, 134),
    ("ten", 82, 81),
    ("jack and nine", 175, -70),
    ("jack and three more", 395, 152),
    ("nine and three more", -9, -19),
    ("1 or more", 205, 234),
    ("2 or more", 197, 275),
    ("3 or more", 282, 249),
    ("4 or more", 133, 291),
    ("5 or more", 275, 282),
    ("6 or more", 251, 271),
    ("7 or more", 147, 87),
    ("side: ace", 162, 156),
    ("side: ace and king", 83, 101),
    ("side: ace and three more", 4, -24),
    ("side: king guarded, no ace", 63, 34),
    ("side: ten", 29, 21),
    ("side: king and queen", 65, 69),
    ("side: none", 81, -5),
    ("side: single", 34, 6),
    ("Weis", 17, 17),
    ("Stöck", 270, 286),
)

BOTTOM: tuple[Row, ...] = (
    ("constant", -910, -1194),
    ("first", 470, 711),
    ("first two", 152, 124),
    ("first three", 229, 250),
    ("first four", 130, 173),
    ("cards beside the first", 35, -52),
    ("cards beside the first two", 206, 148),
    ("second guarded, not first", 117, 231),
    ("second and third, not first", 9, 162),
    ("none", 96, 237),
    ("ten", -39, 0),
    ("Weis", 18, 19),
)

TOP: tuple[Row, ...] = (
    ("constant", -921, -1570),
    ("first", 440, 703),
    ("first two", 218, 106),
    ("first three", 236, 173),
    ("first four", 196, 16),
    ("cards beside the first", 31, -11),
    ("cards beside the first two", 197, 168),
    ("second guarded, not first", 141, 262),
    ("second and third, not first", 38, 101),
    ("none", 28, 208),
    ("ten", -20, -20),
    ("Weis", 17, 17),
)

SLALOM_TOP: tuple[Row, ...] = (
    ("constant", -1251, -1788),
    ("top-down: first", 612, 639),
    ("top-down: first two", 94, 99),
    ("top-down: first three", 119, 204),
    ("top-down: first four", 249, -111),
    ("top-down: cards beside the first", 222, 34),
    ("top-down: cards beside the first two", 184, 31),
    ("top-down: second guarded, not first", 84, 71),
    ("top-down: second and third, not first", 59, 49),
    ("top-down: none", 88, 141),
    ("top-down: ten", -38, -60),
    ("bottom-up: first", 152, 309),
    ("bottom-up: first two", 2, 47),
    ("bottom-up: first three", -103, -55),
    ("bottom-up: first four", -5, 211),
    ("bottom-up: cards beside the first", 114, 19),
    ("bottom-up: cards beside the first two", 70, 125),
    ("bottom-up: second guarded, not first", 93, 91),
    ("bottom-up: second and third, not first", -31, 44),
    ("bottom-up: none", 88, 141),
    ("bottom-up: ten", -38, -60),
    ("Weis", 14, 18),
)

SLALOM_BOTTOM: tuple[Row, ...] = (
    ("constant", -1156, -1610),
    ("top-down: first", 151, 247),
    ("top-down: first two", 22, 2),
    ("top-down: first three", -91, 32),
    ("top-down: first four", -253, -91),
    ("top-down: cards beside the first", 152, 122),
    ("top-down: cards beside the first two", 52, 93),
    ("top-down: second guarded, not first", 130, 33),
    ("top-down: second and third, not first", -46, 224),
    ("top-down: none", 100, 55),
    ("top-down: ten", -60, -22),
    ("bottom-up: first", 520, 468),
    ("bottom-up: first two", 173, 25),
    ("bottom-up: first three", 77, 245),
    ("bottom-up: first four", 281, -137),
    ("bottom-up: cards beside the first", 216, 84),
    ("bottom-up: cards beside the first two", 145, 85),
    ("bottom-up: second guarded, not first", 119, 154),
    ("bottom-up: second and third, not first", -1, 234),
    ("bottom-up: none", 100, 55),
    ("bottom-up: ten", -60, -22),
    ("Weis", 16, 19),
)

PUSH = 680
"""Forehand pushes below this estimate, times the mean multiplier of the modes.

The best limits found were 660 in single rules (mean 1), 1420 in "swisslos" (mean 2) and, very flat,
1340 in "slalom" (2.25).
"""

PREDICTION: tuple[tuple[str, int], ...] = (
    ("constant", -62),
    ("jack", 446),
    ("nine", 492),
    ("ace", 304),
    ("king", 131),
    ("queen", 77),
    ("ten", 64),
    ("jack and nine", 47),
    ("jack and three more", -8),
    ("nine and three more", -97),
    ("1 or more", 93),
    ("2 or more", -5),
    ("3 or more", 23),
    ("4 or more", 122),
    ("5 or more", 85),
    ("6 or more", 109),
    ("7 or more", 151),
    ("side: ace", 208),
    ("side: ace and king", 79),
    ("side: ace and three more", 7),
    ("side: king guarded, no ace", 64),
    ("side: ten", -24),
    ("side: king and queen", 4),
    ("side: none", -37),
    ("side: single", 2),
    ("has the lead", 83),
)
"""The addends of the parts to the points that a player alone can expect (Differenzler)."""
