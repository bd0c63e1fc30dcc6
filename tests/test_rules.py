"""What the rules of every game check in the same way."""

import dataclasses
from typing import Literal

import pytest

from jaxcards.errors import UserError
from jaxcards.settings import check_fields


@dataclasses.dataclass(frozen=True)
class _Rules:
    alone: bool = True
    rounding: Literal[1, 10] = 1
    finish: Literal["deal_end", "immediate"] = "deal_end"
    target: int = 1000
    sizes: tuple[int, ...] = (1, 2)

    def __post_init__(self):
        check_fields(self, {"target": (1, 30_000)})


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("alone", 1, "alone must be True or False, not 1"),
        ("alone", None, "alone must be True or False, not None"),
        ("rounding", True, "rounding must be one of 1, 10, not True"),
        ("rounding", 5, "rounding must be one of 1, 10, not 5"),
        ("finish", "now", "finish must be one of deal_end, immediate, not 'now'"),
        ("target", 0, "target must be an int from 1 to 30000, not 0"),
        ("target", 30_001, "target must be an int from 1 to 30000, not 30001"),
        ("target", 1.0, "target must be an int from 1 to 30000, not 1.0"),
        ("target", True, "target must be an int from 1 to 30000, not True"),
    ],
)
def test_wrong_values_are_refused_in_one_line(field, value, message):
    with pytest.raises(UserError) as raised:
        _Rules(**{field: value})
    assert str(raised.value) == message


def test_values_at_the_limits_are_taken():
    rules = _Rules(alone=False, rounding=10, finish="immediate", target=30_000)
    assert dataclasses.astuple(rules) == (False, 10, "immediate", 30_000, (1, 2))
    assert _Rules(target=1).target == 1
