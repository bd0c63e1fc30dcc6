"""Several pictures of tables side by side, as one SVG document."""

import math
import re
from collections.abc import Sequence

from jaxcards.pictures.layout import HEIGHT, WIDTH
from jaxcards.pictures.svg import Svg

_GAP = 20.0


def grid(pictures: Sequence[str], scale: float = 1.0) -> Svg:
    """Return one document with all pictures, in rows; a single picture stays as it is at scale 1.

    Args:
      pictures: documents of `svg.draw`, at least one.
      scale: size of a picture; 1 is 960 by 690 pixels.
    """
    if len(pictures) == 1 and scale == 1:
        return Svg(pictures[0])
    columns = math.ceil(math.sqrt(len(pictures)))
    rows = math.ceil(len(pictures) / columns)
    wide, high = columns * (WIDTH + _GAP) - _GAP, rows * (HEIGHT + _GAP) - _GAP
    parts = []
    for number, picture in enumerate(pictures):
        left, top = number % columns * (WIDTH + _GAP), number // columns * (HEIGHT + _GAP)
        # Ids come from the content of a picture, and two tables may look alike.
        own = re.sub(r'(\bid="|#|-labelledby="| )(t[0-9a-f]{8})(?=[-"])', rf"\1\2g{number}", picture)
        parts.append(own.replace("<svg ", f'<svg x="{left:g}" y="{top:g}" ', 1))
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" '
        f'width="{wide * scale:g}" height="{high * scale:g}">{"".join(parts)}</svg>\n'
    )
