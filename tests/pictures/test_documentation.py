"""The pictures of README.md and docs/ are those that their script draws."""

import importlib.util
from pathlib import Path

import pytest
from support.marks import by_cost

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def _load_script():
    spec = importlib.util.spec_from_file_location("make_pictures", FOLDER / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = _load_script()


def test_there_is_a_picture_of_each_game():
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(script.MOMENTS)


@pytest.mark.parametrize("name", by_cost(script.MOMENTS, rare=set(script.MOMENTS) - {"euchre"}))
def test_pictures_are_up_to_date(name):
    drawn = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == script.picture(name), "run: python docs/pictures/make.py"
