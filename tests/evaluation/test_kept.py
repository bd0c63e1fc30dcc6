"""An interrupted evaluation goes on, and never with another one's pairs."""

import numpy as np
import pytest

import jaxcards
from jaxcards.errors import UserError
from jaxcards.evaluation import duplicate
from jaxcards.evaluation.kept import KeptPairs

SUBJECT = {"game": "coin/short", "names": ["a", "b"], "num_deals": 3, "seed": 0}
PARAMS = [{"w": np.arange(3.0)}, ()]
RESULTS = np.arange(9.0).reshape(3, 3)


def test_pairs_are_kept(tmp_path):
    file = tmp_path / "pairs.npz"
    kept = KeptPairs(file, SUBJECT, PARAMS)
    assert len(kept) == 0 and kept.get(0, 1) is None and not file.exists()
    kept.put(0, 1, RESULTS, 4)
    again = KeptPairs(file, SUBJECT, PARAMS)
    results, ended = again.get(0, 1)
    assert len(again) == 1 and ended == 4 and again.get(0, 2) is None
    np.testing.assert_array_equal(results, RESULTS)
    again.remove()
    assert not file.exists()


@pytest.mark.parametrize(
    "subject, params", [(SUBJECT | {"seed": 1}, PARAMS), (SUBJECT, [{"w": np.arange(3.0) + 1}, ()])]
)
def test_pairs_of_another_evaluation_are_refused(tmp_path, subject, params):
    file = tmp_path / "pairs.npz"
    KeptPairs(file, SUBJECT, PARAMS).put(0, 1, RESULTS, 0)
    with pytest.raises(UserError, match="holds pairs of another evaluation.*delete the file"):
        KeptPairs(file, subject, params)


def test_a_damaged_file_is_refused(tmp_path):
    file = tmp_path / "pairs.npz"
    file.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(UserError, match="cannot be read .*delete it"):
        KeptPairs(file, SUBJECT, PARAMS)


def test_an_interrupted_evaluation_goes_on(tmp_path, monkeypatch):
    file, played = tmp_path / "pairs.npz", []

    def play(game, agents, params, num_deals, seed, batch, title):
        played.append(title)
        if len(played) == 2:
            raise KeyboardInterrupt
        return np.random.default_rng(sum(map(ord, title))).normal(size=(num_deals, 3)), 1

    monkeypatch.setattr(duplicate, "_play", play)
    table = (["x", "y", "z"], [(), (), ()], ["a", "b", "c"], 10)
    with pytest.raises(KeyboardInterrupt):
        evaluate(*table, file)
    assert file.exists()
    found = evaluate(*table, file)
    assert played == ["a - b", "a - c", "a - c", "b - c"] and not file.exists()
    assert found == evaluate(*table, None)
    assert found.ended_at_bound == 3


def evaluate(agents, params, names, num_deals, keep):
    return duplicate.evaluate(jaxcards.make("euchre"), agents, params, names, num_deals, keep=keep)
