"""Settings: defaults, TOML files, overrides, and what is said about impossible values."""

import dataclasses
import tomllib
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxcards import settings
from jaxcards.errors import UserError
from jaxcards.settings import build, convert, describe, load, parse, setting, to_text, to_toml
from jaxcards.training.config import config_class

RUN = config_class()


@dataclass(frozen=True)
class Oven:
    degrees: int = setting(180, "temperature", minimum=50, maximum=250)
    minutes: float = setting(30.0, "time", above=0)
    fan: bool = setting(False, "with the fan on")
    mode: Literal["bake", "grill"] = setting("bake", "heat from where")
    trays: tuple[int, ...] = setting((1, 2), "trays in use", minimum=1)
    size: tuple[float, float] = setting((1.0, 2.0), "metres")
    note: str | None = setting(None, "a note")

    def __post_init__(self) -> None:
        settings.validate(self)
        if self.mode == "grill" and self.fan:
            raise ValueError("the grill has\nno fan")


def message(function, *args, **kwargs) -> str:
    with pytest.raises(UserError) as error:
        function(*args, **kwargs)
    text = str(error.value)
    assert "\n" not in text
    return text


def write(tmp_path, text):
    path = tmp_path / "oven.toml"
    path.write_text(text)
    return path


def test_the_last_layer_wins(tmp_path):
    path = write(tmp_path, 'degrees = 200\nminutes = 5\ntrays = [3]\nnote = "x"\n')
    oven = load(Oven, path, {"degrees": 220})
    assert oven == Oven(degrees=220, minutes=5.0, trays=(3,), note="x")
    assert isinstance(oven.minutes, float) and isinstance(oven.trays, tuple)
    assert load(Oven) == Oven()


@pytest.mark.parametrize(
    "text, words",
    [
        ("degres = 3", ["unknown setting 'degres'", "did you mean 'degrees'", "minutes, fan"]),
        ("degrees = 1.5", ["degrees must be a whole number, not 1.5"]),
        ("degrees = true", ["degrees must be a whole number, not True"]),
        ('degrees = "hot"', ["degrees must be a whole number, not 'hot'"]),
        ("degrees = 49", ["degrees must be from 50 to 250, not 49"]),
        ("degrees = 251", ["degrees must be from 50 to 250, not 251"]),
        ("minutes = 0", ["minutes must be above 0, not 0.0"]),
        ("minutes = nan", ["minutes must be finite, not nan"]),
        ("minutes = inf", ["minutes must be finite, not inf"]),
        ("fan = 1", ["fan must be true or false, not 1"]),
        ('mode = "gril"', ["unknown mode 'gril'", "'grill'", "bake, grill"]),
        ("trays = 1", ["trays must be a list of whole numbers, not 1"]),
        ("trays = [1, 0]", ["trays must be at least 1, not 0"]),
        ("trays = [1, true]", ["trays must be a whole number, not True"]),
        ("size = [1, 2, 3]", ["size must be a list of 2 numbers, not [1, 2, 3]"]),
        ("note = 3", ["note must be a text, not 3"]),
        ('mode = "grill"\nfan = true', ["the grill has no fan"]),
        ("degrees = ", ["is not valid TOML"]),
        ("[degrees]\n", ["degrees must be a whole number, not {}"]),
    ],
)
def test_a_wrong_file_is_named(tmp_path, text, words):
    path = write(tmp_path, text)
    said = message(load, Oven, path)
    assert said.startswith(f"{path}: ")
    assert all(word in said for word in words), said


def test_files_that_cannot_be_read(tmp_path):
    assert "No such file" in message(load, Oven, tmp_path / "none.toml")
    assert "directory" in message(load, Oven, tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    assert "UTF-8" in message(load, Oven, binary)


def test_the_one_to_blame_is_named(tmp_path):
    path = write(tmp_path, 'mode = "grill"')
    # The file stands by itself: the override is wrong, and no file is named.
    assert message(load, Oven, path, {"fan": True}) == "the grill has no fan"
    assert message(load, Oven, path, {"degrees": 1}).startswith("degrees must be from 50")
    # An override mends a file.
    bad = write(tmp_path, "degrees = 1")
    assert load(Oven, bad, {"degrees": 100}).degrees == 100


def test_ignored_keys(tmp_path):
    path = write(tmp_path, 'game = "jass"\ndegrees = 99')
    assert load(Oven, path, ignore=("game",)).degrees == 99
    assert "unknown setting 'game'" in message(load, Oven, path)


def test_build_from_python():
    assert build(Oven, {"trays": [4]}).trays == (4,)
    assert message(build, Oven, {"tray": 1}).startswith("unknown setting 'tray'")
    assert message(build, Oven, {"degrees": 0}, "here").startswith("here: degrees")


@pytest.mark.parametrize("field", dataclasses.fields(RUN), ids=lambda f: f.name)
def test_every_training_setting_has_help_and_a_text(field):
    assert field.metadata["help"]
    annotation = settings.annotations(RUN)[field.name]
    assert parse(field.name, annotation, to_text(field.default)) == field.default


def test_parse():
    assert parse("x", tuple[int, ...], "256, 128") == (256, 128)
    assert parse("x", tuple[int, ...], "") == ()
    assert parse("x", tuple[str, ...], "a (b=1, c=2),d") == ("a (b=1, c=2)", "d")
    assert parse("x", bool, "True") is True
    assert parse("x", Literal[1, 2], "2") == 2
    assert parse("x", float, "1e-3") == 0.001
    for annotation, text in [(int, "1.0"), (float, "one"), (bool, "1"), (tuple[int, ...], "1,,2")]:
        message(parse, "x", annotation, text)


def test_convert_keeps_types_apart():
    assert convert("x", Literal[1, 2], 2) == 2
    message(convert, "x", Literal[1, 2], True)
    assert convert("x", dict[str, int], {"any": 1}) == {"any": 1}


@pytest.mark.parametrize(
    "annotation, value, wanted",
    [
        (int, np.int64(1500), 1500),
        (float, np.float32(0.5), 0.5),
        (bool, np.bool_(True), True),
        (str, np.str_("fail"), "fail"),
        (Literal[1, 10], np.int8(10), 10),
        (tuple[int, ...], list(np.arange(3)), (0, 1, 2)),
    ],
)
def test_scalars_of_numpy_are_values(annotation, value, wanted):
    found = convert("field", annotation, value)
    assert found == wanted and type(found) is type(wanted)
    with pytest.raises(UserError, match="field must be a whole number, not True"):
        convert("field", int, np.bool_(True))


def test_describe_names_every_value():
    assert describe(Oven(note='say "hi"'))[:5] == [
        "degrees = 180",
        "minutes = 30.0",
        "fan = false",
        'mode = "bake"',
        "trays = [1, 2]",
    ]
    names = [line.partition(" = ")[0] for line in describe(RUN())]
    assert names == [field.name for field in dataclasses.fields(RUN)]


positive = st.floats(min_value=1e-300, allow_nan=False, allow_infinity=False)


@given(
    st.integers(50, 250),
    positive,
    st.lists(st.integers(1, 10**12)),
    st.none() | st.text(st.characters(exclude_categories=["Cs"])),
)
def test_toml_round_trip(tmp_path_factory, degrees, minutes, trays, note):
    oven = Oven(degrees=degrees, minutes=minutes, trays=tuple(trays), note=note)
    path = tmp_path_factory.getbasetemp() / "round.toml"
    path.write_text(to_toml(oven, game="jass"), encoding="utf-8", newline="")
    assert load(Oven, path, ignore=("game",)) == oven
    assert tomllib.loads(path.read_text(encoding="utf-8"))["game"] == "jass"


@pytest.mark.parametrize(
    "values, words",
    [
        ({"minutes": 0.0}, "minutes or updates must be above 0"),
        ({"deals_per_update": 100, "minibatches": 8}, "must be a multiple of minibatches"),
        ({"learning_rate": 0.0}, "learning_rate must be above 0"),
        ({"discount": 1.01}, "discount must be from 0 to 1, not 1.01"),
        ({"hidden": (256, 0)}, "hidden must be at least 1"),
        ({"precision": "float16"}, "did you mean 'bfloat16'"),
        ({"seed": 2**32}, "seed must be from 0 to 4294967295"),
        ({"seed": -1}, "seed must be from 0 to 4294967295, not -1"),
    ],
)
def test_impossible_training(values, words):
    assert words in message(RUN, **values)


def test_training_by_updates_alone():
    assert RUN(minutes=0, updates=3).updates == 3
