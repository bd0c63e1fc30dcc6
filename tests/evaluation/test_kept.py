"""An interrupted evaluation goes on, and never with another one's pairs."""

import jax.numpy as jnp
import numpy as np
import pytest
from support.fakes.players import Lowest

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.evaluation import duplicate
from jaxcards.evaluation import kept as kept_module
from jaxcards.evaluation.kept import KeptPairs

SUBJECT = {"game": "coin/short", "names": ["a", "b"], "num_deals": 3, "seed": 0}
PARAMS = [{"w": np.arange(3.0)}, ()]
LOW = jnp.uint32(0)
RESULTS = np.arange(9.0).reshape(3, 3)


def test_pairs_are_kept(tmp_path):
    file = tmp_path / "pairs.npz"
    kept = KeptPairs(file, SUBJECT, PARAMS)
    assert len(kept) == 0 and len(kept.get(0, 1)[0]) == 0 and not file.exists()
    kept.put(0, 1, RESULTS, 4)
    again = KeptPairs(file, SUBJECT, PARAMS)
    results, ended = again.get(0, 1)
    assert len(again) == 1 and ended == 4 and len(again.get(0, 2)[0]) == 0
    np.testing.assert_array_equal(results, RESULTS)
    again.remove()
    assert not file.exists()


def test_parts_are_written_now_and_then(tmp_path, monkeypatch):
    file, now = tmp_path / "pairs.npz", [100.0]
    monkeypatch.setattr(kept_module.time, "monotonic", lambda: now[0])
    kept = KeptPairs(file, SUBJECT, PARAMS)
    for seconds, number, written in ((9, 1, 0), (2, 2, 2), (9, 3, 2), (2, 3, 3)):
        now[0] += seconds
        kept.put_part(0, 1, RESULTS[:number], 0)
        assert len(KeptPairs(file, SUBJECT, PARAMS).get(0, 1)[0]) == written


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

    def play(game, agents, params, num_deals, seed, batch, title, begun, keep):
        played.append(title)
        if len(played) == 2:
            raise KeyboardInterrupt
        return np.random.default_rng(sum(map(ord, title))).normal(size=(num_deals, 3)), 1

    monkeypatch.setattr(duplicate, "_play", play)
    table = ([RandomAgent()] * 3, [(), (), ()], ["a", "b", "c"], 10)
    with pytest.raises(KeyboardInterrupt):
        evaluate(*table, file)
    assert file.exists()
    found = evaluate(*table, file)
    assert played == ["a - b", "a - c", "a - c", "b - c"] and not file.exists()
    assert found == evaluate(*table, None)
    assert found.ended_at_bound == 3


@pytest.mark.slow
def test_an_interrupted_pair_goes_on_behind_its_last_deal(tmp_path, monkeypatch):
    """Stop an evaluation of three batches of four deals after the second one."""
    file, played = tmp_path / "pairs.npz", []
    monkeypatch.setattr(kept_module, "_PART_SECONDS", 0)
    sides = duplicate.points_of_both

    def stopped(game, points):
        played.append(len(points))
        if len(played) == 3:
            raise KeyboardInterrupt
        return sides(game, points)

    monkeypatch.setattr(duplicate, "points_of_both", stopped)
    table = ([Lowest(), RandomAgent()], [LOW, ()], ["low", "random"], 10)
    with pytest.raises(KeyboardInterrupt):
        evaluate(*table, file, batch=4)
    with np.load(file) as kept:
        assert kept["0-1"].shape == (8, 3)
    found = evaluate(*table, file, batch=4)
    assert len(played) == 4 and not file.exists()
    assert found == evaluate(*table, None, batch=4)


def evaluate(agents, params, names, num_deals, keep, **settings):
    game = jaxcards.make("euchre")
    return duplicate.evaluate(game, agents, params, names, num_deals, keep=keep, **settings)
