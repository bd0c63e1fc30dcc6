"""A sequence of pictures as a GIF. Needs the extra `pictures`: resvg_py and Pillow."""

import functools
import io
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jaxcards.errors import require
from jaxcards.files import replacing

WIDTH = 720  # pixels
_COLOURS = 256
_LAST = 4_000  # milliseconds, of the last picture


def write_gif(path: str | Path, pictures: Sequence[str], milliseconds: int = 900) -> None:
    """Write pictures as a GIF that loops.

    Args:
      path: of the file; see `files.replacing`.
      pictures: SVG documents of one size, at least one.
      milliseconds: how long each is shown; the last one is shown for four seconds.

    Raises:
      UserError: if the extra `pictures` is not installed.
    """
    frames = _frames(pictures)
    times = [milliseconds] * (len(frames) - 1) + [_LAST]
    with replacing(path) as temporary:
        frames[0].save(
            temporary, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0,
            optimize=False,
        )  # fmt: skip


def _frames(pictures: Sequence[str]) -> list[Any]:
    """Return a Pillow image for each picture, all with the same few colours."""
    require("pictures", "a GIF", "resvg_py", "PIL")
    import resvg_py
    from PIL import Image, ImageFont

    with tempfile.TemporaryDirectory() as folder:
        # Pillow's own font is the fallback on a machine without fonts.
        fallback = Path(folder, "fallback.ttf")
        font = ImageFont.load_default(12)
        fallback.write_bytes(getattr(font, "font_bytes", b""))
        drawn = [
            Image.open(
                io.BytesIO(
                    resvg_py.svg_to_bytes(
                        svg_string=picture, width=WIDTH, background="white",
                        font_files=[str(fallback)], sans_serif_family="Aileron",
                    )
                )
            ).convert("RGB")
            for picture in pictures
        ]  # fmt: skip
    # List each colour of any picture once; otherwise the felt would take most of the palette.
    colours = functools.reduce(np.union1d, [np.unique(_packed(image)) for image in drawn])
    every = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1).astype(np.uint8)
    palette = Image.fromarray(every[None]).quantize(_COLOURS, method=Image.Quantize.MEDIANCUT)
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in drawn]


def _packed(image: Any) -> np.ndarray:
    """Return the colours of an image as one number each."""
    pixels = np.asarray(image, np.uint32)
    return pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]
