"""Pictures one after the other, as a GIF."""

import sys

import pytest

from jaxcards.errors import UserError
from jaxcards.pictures import animation

RED, BLUE = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 69" width="96" height="69">'
    f'<rect width="96" height="69" fill="{colour}"/><text y="30" font-size="20">♥ a</text></svg>'
    for colour in ("#ff0000", "#0000ff")
)


def test_a_gif_has_a_frame_for_each_picture(tmp_path):
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "deal.gif"
    animation.write_gif(path, [RED, BLUE, RED], milliseconds=500)
    with image.open(path) as found:
        assert found.n_frames == 3 and found.width == animation.WIDTH and found.info["loop"] == 0
        shown = []
        for frame in range(3):
            found.seek(frame)
            shown.append((found.convert("RGB").getpixel((700, 500)), found.info["duration"]))
    assert [d for _, d in shown] == [500, 500, 4000]
    assert shown[0][0][0] > 200 > 50 > shown[0][0][2] and shown[1][0][2] > 200 > 50 > shown[1][0][0]


def test_without_the_extra_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(UserError, match=r"a GIF needs resvg_py: pip install .*\[pictures"):
        animation.write_gif(tmp_path / "deal.gif", [RED])
    assert not list(tmp_path.iterdir())
