"""All cards as one sheet of SVG symbols, which a page loads once."""

import dataclasses
import functools
from pathlib import Path

from jaxcards.errors import unknown
from jaxcards.pictures import cards, words
from jaxcards.pictures.packs import PACKS
from jaxcards.view.structure import SUITS

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_BOX = f"0 0 {cards.WIDTH:g} {cards.HEIGHT:g}"
_ID = "s"
_COURTS = Path(__file__).parent / "page" / "courts.svg"  # symbols court-hearts-K and so on


@functools.cache
def sprite(name: str = "french") -> str:
    """Return the sheet of a pack: symbols `card-hearts-10`, `card-joker`, `s-back`, suits `s-hearts`.

    Raises:
      UserError: there is no such pack.
    """
    if name not in PACKS:
        raise unknown("pack", name, PACKS)
    pack, courts = PACKS[name], ""
    if name == "french":
        pack = dataclasses.replace(pack, courts=True)
        # Keep the symbols: drop the outer element, and the comment at its beginning.
        courts = _COURTS.read_text(encoding="utf-8").partition("-->")[2].removesuffix("</svg>\n")
    faces = {f"card-{words.SUIT_NAMES[suit]}-{rank}": suit + rank for suit in SUITS for rank in _RANKS}
    faces["card-joker"] = "JK"
    symbols = "".join(
        f'<symbol id="{symbol}" viewBox="{_BOX}">{cards.card(face, 0, 0, id=_ID, pack=pack)}</symbol>'
        for symbol, face in faces.items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{cards.sheet(_ID, pack)}{courts}{symbols}</svg>'
