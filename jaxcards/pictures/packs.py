"""Packs of cards as printed in different countries: suits, letters, colours.

A game names its suits by French symbols. German packs have hearts, bells for diamonds, leaves for
spades and acorns for clubs. Swiss packs have roses for hearts, acorns for diamonds, shields for spades
and bells for clubs, as on the Swisslos platform: shields and bells count double where spades and clubs
do. Jack and queen are Under (U) and Ober (O), and the Swiss ten is a banner (B).
"""

import dataclasses
from collections.abc import Mapping

RED, BLACK = "#c4122f", "#1a1d26"

_INK = 'stroke="#2b2113" stroke-width="4" stroke-linejoin="round"'

_HEART = "M50 93C24 70 5 52 5 30A23 23 0 0 1 50 25A23 23 0 0 1 95 30C95 52 76 70 50 93Z"

_FRENCH = {
    "hearts": f'<path d="{_HEART}"/>',
    "diamonds": '<path d="M50 3Q66 30 87 50Q66 70 50 97Q34 70 13 50Q34 30 50 3Z"/>',
    "spades": '<path d="M50 4C61 25 95 42 95 66A21 21 0 0 1 56 72Q58 88 69 95H31Q42 88 44 72'
    'A21 21 0 0 1 5 66C5 42 39 25 50 4Z"/>',
    "clubs": '<path d="M50 4A21 21 0 0 1 66 39A21 21 0 1 1 56 69Q58 88 69 95H31Q42 88 44 69'
    'A21 21 0 1 1 34 39A21 21 0 0 1 50 4Z"/>',
}

# A bell with its band and slit; an acorn in its cup on a twig.
_BELLS = (
    f'<path d="M40 12A10 10 0 0 1 60 12L58 18H42Z" fill="#e8b21a" {_INK}/>'
    f'<circle cx="50" cy="56" r="39" fill="#f3c22b" {_INK}/>'
    f'<path d="M12 48Q50 60 88 48L88 60Q50 72 12 60Z" fill="#c4122f" {_INK}/>'
    '<circle cx="50" cy="76" r="6" fill="#2b2113"/><path d="M47 76H53V94H47Z" fill="#2b2113"/>'
)
_ACORNS = (
    f'<path d="M50 26Q48 12 60 4" fill="none" {_INK.replace("4", "7", 1)}/>'
    f'<path d="M24 50Q22 88 50 97Q78 88 76 50Z" fill="#d9a441" {_INK}/>'
    f'<path d="M16 52Q14 24 50 22Q86 24 84 52Q50 62 16 52Z" fill="#5c7f2a" {_INK}/>'
    '<path d="M30 32L38 54M46 25L54 57M62 27L68 53M26 46L74 34M24 38L62 56" '
    'stroke="#2b2113" stroke-width="2" fill="none"/>'
)
# Five petals and a yellow middle; a shield with a bend.
_ROSES = (
    '<g fill="#3f7d33" stroke="#2b2113" stroke-width="3">'
    + "".join(
        f'<path d="M50 50L42 14L50 2L58 14Z" transform="rotate({a} 50 50)"/>'
        for a in range(36, 360, 72)
    )
    + "</g>"
    + f'<g fill="#d81e3a" {_INK}>'
    + "".join(
        f'<circle cx="50" cy="25" r="20" transform="rotate({a} 50 50)"/>' for a in range(0, 360, 72)
    )
    + "</g>"
    + f'<circle cx="50" cy="50" r="15" fill="#f3c22b" {_INK}/>'
)
_SHIELDS = (
    f'<path d="M10 8Q50 18 90 8Q94 62 50 96Q6 62 10 8Z" fill="#f6f1e2" {_INK}/>'
    '<path d="M14 12L86 66Q78 78 66 86L12 42Z" fill="#1a1d26"/>'
    '<circle cx="70" cy="30" r="9" fill="#1a1d26"/><circle cx="32" cy="72" r="7" fill="#1a1d26"/>'
)
# A heart with a shine, and a leaf with its veins.
_RED_HEART = (
    f'<path d="{_HEART}" fill="#d81e3a" {_INK}/>'
    '<path d="M20 28Q24 16 36 16" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"/>'
)
_LEAVES = (
    '<path d="M50 4C70 26 96 40 88 66Q78 84 50 72Q22 84 12 66C4 40 30 26 50 4Z" fill="#4d8f33" '
    f'{_INK}/><path d="M50 14V97M50 60Q34 54 26 44M50 60Q66 54 74 44" fill="none" '
    'stroke="#2b2113" stroke-width="4" stroke-linecap="round"/>'
)


@dataclasses.dataclass(frozen=True)
class Pack:
    """The printed design of a pack.

    Attributes:
      suits: for each suit, hearts, diamonds, spades and clubs, an SVG drawing in a box of 100 by 100.
      letters: replacements for the names of ranks.
      colours: of the letters of each suit.
      over: whether an Ober has its suit above, and an Under below.
      courts: whether court cards are the symbols `court-hearts-K` and so on of a sheet.
    """

    suits: Mapping[str, str]
    letters: Mapping[str, str]
    colours: Mapping[str, str]
    over: bool = False
    courts: bool = False


FRENCH = Pack(_FRENCH, {}, {"hearts": RED, "diamonds": RED, "spades": BLACK, "clubs": BLACK})
SWISS = Pack(
    {"hearts": _ROSES, "diamonds": _ACORNS, "spades": _SHIELDS, "clubs": _BELLS},
    {"J": "U", "Q": "O", "10": "B"},
    {"hearts": RED, "diamonds": "#486621", "spades": BLACK, "clubs": "#94660b"},
    over=True,
)
GERMAN = Pack(
    {"hearts": _RED_HEART, "diamonds": _BELLS, "spades": _LEAVES, "clubs": _ACORNS},
    {"J": "U", "Q": "O"},
    {"hearts": RED, "diamonds": "#94660b", "spades": "#2f6a1d", "clubs": "#6d4c12"},
    over=True,
)

PACKS = {"french": FRENCH, "swiss": SWISS, "german": GERMAN}
"""Every pack by its name."""
