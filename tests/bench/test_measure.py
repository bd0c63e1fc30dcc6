"""The method and the result, with work that costs nothing."""

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards.bench import cost, measure, report, timing
from jaxcards.bench.plot import plot
from jaxcards.bench.program import Done, Program, Subject
from jaxcards.bench.workloads import Workload
from jaxcards.errors import UserError

GAME = "jass/tournament"


class Fake:
    """A clock, and subjects that take a known time on it."""

    def __init__(self, monkeypatch):
        self.now, self.log = 0.0, []
        monkeypatch.setattr(timing.time, "perf_counter", lambda: self.now)

    def subject(self, name, seconds, most_rounds=1 << 20):
        def run(seed, rounds):
            self.now += seconds * rounds
            self.log.append((name, seed, rounds))
            return jnp.uint32(seed)

        def judge(result, rounds):
            self.now += 1000  # off the clock
            wrong = "odd" if name == "wrong" else ""
            return Done({"deals": 8.0 * rounds, "decisions": 80.0 * rounds}, {"seed": 1}, wrong)

        program = Program.of(jax.jit(lambda x: x + 1), jnp.uint32(0))
        return Subject(run, judge, program, most_rounds)


@pytest.fixture
def fake(monkeypatch):
    return Fake(monkeypatch)


def test_repeats_take_turns_with_new_seeds(fake):
    subjects = [fake.subject("a", 0.01), fake.subject("b", 0.5)]
    ready = [timing.warm_up(subject, seed=7, seconds=0.2) for subject in subjects]
    taken = timing.take_turns(ready, repeats=3, seed=7)
    timed = fake.log[-6:]
    assert [name for name, _, _ in timed] == ["a", "b"] * 3
    assert [seed for _, seed, _ in timed] == [7, 7, 8, 8, 9, 9]
    assert all(seed not in (7, 8, 9) for _, seed, _ in fake.log[:-6]), "the warm-up has others"
    for seconds, done in taken[0]:
        assert seconds >= 0.2 and done.amounts["deals"] / seconds == pytest.approx(800)
    assert [rounds for name, _, rounds in timed if name == "b"] == [1, 1, 1]


def test_rounds_are_limited(fake):
    warm = timing.warm_up(fake.subject("a", 1e-6, most_rounds=5), 0, 10.0)
    assert warm.rounds == 5 and warm.done.amounts["deals"] == 40


def test_summary():
    found = timing.summary([1.0, 2.0, 3.0, 4.0, 10.0])
    assert (found["median"], found["lowest"], found["highest"]) == (3, 1, 10)
    assert found["quartiles"][0] <= 3 <= found["quartiles"][1] and len(found["all"]) == 5
    assert timing.summary([2.0])["quartiles"] == [2.0, 2.0]


def plan(fake, **changes):
    def build(game, batch, devices):
        if batch == 13:
            raise UserError("13 is unlucky")
        return fake.subject("wrong" if batch == 66 else "a", 0.01 * batch / devices)

    work = Workload("toss", "deals", "toss a coin", build)
    values = {"games": [jaxcards.make(GAME)], "works": [work], "batches": [4, 64], "repeats": 2}
    return measure.Plan(**(values | changes))


def test_result(fake, tmp_path):
    seen = []
    result = measure.run(plan(fake, batches=[4, 13, 66, 2000], devices=[1, 2]), seen.append)
    assert result["figures"] == seen and [f["batch"] for f in seen] == [4, 4, 66, 66]
    why = {(row["batch"], row["devices"]): row["why"] for row in result["left_out"]}
    assert why[13, 1] == "13 is unlucky"
    # Eight deals a round of 0.01 s for each of the batch, shared by two devices.
    assert why[2000, 2] == why[2000, 1] and why[2000, 2].startswith("a batch would take 8")
    first, second = seen[:2]
    assert first["also_per_second"]["decisions"] == pytest.approx(10 * first["per_second"]["median"])
    assert second["to_one_device"]["median"] == pytest.approx(2, rel=0.2)
    assert first["program"]["hlo_instructions"] > 0 and first["jaxpr_equations"] == 1
    assert first["program"]["peak_bytes"] >= 8
    costs = result["games"][GAME]
    assert costs["state_bytes"] > 50 and costs["jaxpr_equations"]["step"] > 100
    assert result["process_peak_bytes"] > 1 << 20 and result["machine"]["jax"] == jax.__version__

    text = report.table(result)
    assert f"WRONG: {GAME} toss 66: odd" in text and f"left out: {GAME} toss 13: 13 is" in text
    assert "bytes of state" in text and result["machine"]["processor"] in text
    assert "WRONG: odd" in report.progress(seen[2]) and "on 2 devices" in report.progress(second)
    plot(result, tmp_path / "p.svg")
    assert "toss" in (tmp_path / "p.svg").read_text()


def test_batches_of_a_sweep_are_compared_with_the_usual_one(fake, monkeypatch):
    monkeypatch.setattr(measure, "_BATCH", {"cpu": 64})
    result = measure.run(plan(fake, batches=[4, 64, 128], devices=[1, 2]))
    found = {(f["batch"], f["devices"]): f.get("to_usual_batch") for f in result["figures"]}
    # A round is eight deals, and takes as much longer as the batch is larger.
    expected = {4: 16, 128: 0.5}
    for (batch, _), ratio in found.items():
        assert ratio is None if batch == 64 else ratio["median"] == pytest.approx(expected[batch])


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"devices": [0]}, "devices must be at least 1, not 0"),
        ({"batches": [0]}, "batches must be at least 1, not 0"),
        ({"devices": [64]}, "devices must be at most 2 here, not 64"),
        ({"repeats": 0}, "repeats must be at least 1, not 0"),
        ({"batches": [13]}, "13 is unlucky"),
    ],
)
def test_bad_numbers(fake, changes, words):
    with pytest.raises(UserError, match=words):
        measure.run(plan(fake, **changes))


def test_units_of_memory():
    assert [report.memory(n) for n in (10, 2048, 3 << 20, 5 << 30)] == [
        "10 B",
        "2 KiB",
        "3 MiB",
        "5 GiB",
    ]
    assert report.memory(None) == "?"


def test_size_of_a_tree():
    assert cost.size({"a": jnp.zeros((2, 3), jnp.int32), "b": jnp.zeros(5, bool)}) == 29
