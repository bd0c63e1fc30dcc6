"""The same keys give the same deals and the same play, in every preset, from version to version.

A change of play that is meant runs `python tests/repo/replays.py --write`, and stands in CHANGELOG.md.
"""

import jax
import pytest
from repo import budgets, replays

import jaxcards
from jaxcards import registry

QUICK = ("spades/standard-v1",)

# The heuristics compute in float32, which another compiler may round in another way.
pinned = pytest.mark.skipif(
    jax.__version__ != budgets.load()["jax"] or jax.default_backend() != "cpu",
    reason=f"recorded on a CPU with jax {budgets.load()['jax']}",
)


def test_every_preset_is_recorded():
    ids = [id for id in jaxcards.games() if "/" in id]
    assert list(replays.load()) == [registry.versioned_id(id) for id in ids]


@pinned
@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=[] if id in QUICK else pytest.mark.slow) for id in replays.load()]
)
def test_deals_are_those_that_were_recorded(id):
    found, recorded = replays.of_game(id), replays.load()[id]
    assert found == recorded, "if that is meant to be: python tests/repo/replays.py --write"


def test_another_deal_has_another_hash():
    assert replays._hash([1, 2]) != replays._hash([2, 1])
    assert replays._hash(["a"]) != replays._hash(["b"])
