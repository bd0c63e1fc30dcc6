"""Recorded deals of Euchre: how each begins, and what it comes to."""

from types import SimpleNamespace

from games.euchre.reference import card

_ROWS = """
three_handed             | 1    | 1 | 5 | 0 | 24 | H | 0 | no  | took dummy, discard AH      | 1 2 2   | 0 2 2
three_handed             | 132  | 0 | 4 | 0 | 22 | S | 0 | yes | -                           | 3 1 1   | 1 0 0
three_handed             | 263  | 0 | 2 | 0 | 15 | D | 1 | yes | -                           | 4 1 0   | 2 0 0
three_handed             | 394  | 0 | 7 | 1 | 18 | H | 1 | no  | discard QH                  | 2 3 0   | 0 1 1
three_handed_code        | 525  | 0 | 5 | 0 | 24 | S | 2 | no  | took dummy, discard QS      | 3 1 1   | 2 2 0
three_handed_code        | 656  | 0 | 2 | 0 | 20 | D | 1 | yes | -                           | 2 1 2   | 2 0 2
dummy_partner            | 787  | 1 | 5 | 0 | 24 | D | 0 | no  | discard AH                  | 0 3 0 2 | 0 2 2
dummy_partner            | 918  | 0 | 2 | 2 | 21 | H | 3 | yes | -                           | 3 0 0 2 | 2 0 0
standard                 | 1049 | 0 | 4 | 0 | 8  | - | - | -   | void                        | 0 0 0 0 | 0 0 0 0
standard                 | 1180 | 0 | 5 | 3 | 23 | D | 1 | no  | discard KD                  | 0 4 0 1 | 0 2 0 2
stick_the_dealer         | 1311 | 0 | 4 | 0 | 24 | H | 0 | yes | -                           | 4 0 0 1 | 1 0 1 0
open_spiel               | 1442 | 0 | 0 | 0 | 24 | C | 0 | yes | -                           | 5 0 0 0 | 4 0 4 0
open_spiel_lone_defender | 1573 | 0 | 5 | 0 | 20 | H | 2 | no  | lone defender 1, discard JC | 1 4 0 0 | 0 4 0 4
defend_alone             | 1704 | 0 | 2 | 0 | 18 | H | 2 | yes | lone defender 1             | 0 3 2 0 | 0 4 0 4
british                  | 1988 | 0 | 5 | 0 | 18 | C | 0 | yes | discard JK                  | 1 0 0 4 | 0 2 0 2
british                  | 1966 | 0 | 5 | 0 | 24 | D | 2 | no  | discard KH                  | 0 2 1 2 | 0 2 0 2
"""  # noqa: E501


def _golden(line: str) -> SimpleNamespace:
    cells = [cell.strip() for cell in line.split("|")]
    name, a, dealer, p, q, steps, trump, maker, alone, extra, won, points = cells
    number = 25 if name == "british" else 24
    discard = extra.split("discard ")[1] if "discard" in extra else None
    return SimpleNamespace(
        id=f"{name} {a}",
        variant=name,
        deck=sorted(range(number), key=lambda c: (c + int(a)) ** 3 % 10007),
        dealer=int(dealer),
        choose=lambda t, legal: legal[(int(p) * t + int(q)) % len(legal)],
        steps=int(steps),
        trump=None if trump == "-" else "CDHS".index(trump),
        maker=None if maker == "-" else int(maker),
        alone=alone == "yes",
        took_dummy="took dummy" in extra,
        lone_defender=int(extra[14]) if "lone defender" in extra else None,
        discard=None if discard is None else card(discard),
        won=[int(n) for n in won.split()],
        points=[int(n) for n in points.split()],
    )


GOLDEN = [_golden(line) for line in _ROWS.strip().splitlines()]
