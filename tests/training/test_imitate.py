"""`jaxcards imitate` from the command line: a run folder, its player, and PPO that begins with it."""

import json

import pytest
from records.swisslos_played import deals

from jaxcards import records
from jaxcards.cli.main import main
from jaxcards.records.swisslos_logs_writer import Writer
from jaxcards.training.metrics import read_metrics

TINY = ["--hidden", "16", "--evaluation-deals", "4", "--no-evaluate", "--devices", "1"]


@pytest.fixture
def said(capsys, tmp_path, monkeypatch):
    """Run a command line in an empty folder: its status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text("".join(records.to_line(deal) + "\n" for deal in deals(2)))

    def call(*line):
        status = main([str(word) for word in line])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.mark.parametrize(
    "line, words",
    [
        (["jass", "none.h5"], "none.h5: file not found"),
        (["jass", "text.txt"], "text.txt: is not a file of records; formats are"),
        (["jas", "a.jsonl"], "unknown game 'jas'; did you mean 'jass'"),
        (["jass", "a.jsonl", "--held-out", "0.9"], "must be above 0 and at most 0.5"),
        (["jass", "a.jsonl", "--epochs", "0"], "epochs must be above 0 and at most 10000, not 0"),
        (["jass", "a.jsonl", "--inputs", "pixels"], "unknown --inputs 'pixels' (allowed: "),
        (["jass", "a.jsonl", "--clip", "1"], "unknown option '--clip'"),
        (["jass"], "the following arguments are required: DATA"),
    ],
)
def test_a_wrong_command_line_is_one_line(said, tmp_path, line, words):
    (tmp_path / "text.txt").write_text("text")
    status, out, err = said("imitate", *line)
    assert (status, out) == (2, "") and words in err and err.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_data_of_another_game_are_refused_before_a_folder_is_made(said, tmp_path):
    status, _, err = said("imitate", "jass/slalom", "a.jsonl", "--devices", "1")
    assert status == 2 and "has no deals of jass/slalom; it has jass/swisslos (2 deals)" in err
    status, _, err = said("imitate", "jass/swisslos", "a.jsonl", "--inputs", "integers")
    assert status == 2 and "is not Swisslos data: convert it with jaxcards convert" in err
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_a_run_of_features_is_a_start_for_ppo(command):
    """The player is trained, continued and evaluated, and another learner starts from its network."""
    folder = command.folder / "of_features"
    folder.mkdir()
    text = "".join(records.to_line(deal) + "\n" for deal in deals(12))
    (folder / "a.jsonl").write_text(text, encoding="utf-8")

    def run(*line):
        process = command(*map(str, line))
        out, err = process.communicate(timeout=600)
        assert process.returncode == 0 and "Traceback" not in err, err
        return out

    run_folder = folder / "run"
    data = ["--deals-per-update", "4", *TINY]
    out = run("imitate", "jass/swisslos", folder / "a.jsonl", "--out", run_folder, *data)
    assert "12 deals of jass/swisslos, 11 to learn from and 1 held out" in out
    assert "held out  decisions  accuracy" in out
    found = json.loads((run_folder / "held_out.json").read_text())
    assert found["cards"]["decisions"] > 10 and found["times"] is None
    assert read_metrics(run_folder / "metrics.jsonl")[-1]["update"] == 8
    out = run("train", "--resume", run_folder, "--updates", "10", "--no-evaluate")
    assert "trained: 10 updates" in out
    ppo = ["--deals-per-update", "16", "--minibatches", "2", "--critic-hidden", "16"]
    start = ["--start", run_folder, "--updates", "1", "--out", folder / "ppo", *ppo, *TINY]
    assert "trained: 1 updates" in run("train", "jass/swisslos", *start)
    out = run("evaluate", run_folder, folder / "ppo", "random", "--deals", "8")
    assert "of_features" in out


@pytest.mark.slow
def test_the_chain_of_the_page(command):
    """Logs, data, network, table: as docs/imitation.md has it."""
    folder = command.folder / "chain"
    (folder / "logs").mkdir(parents=True)
    with Writer(folder / "logs") as writer:
        for number, deal in enumerate(deals(12)):
            source = {"log": f"S2500_{number // 3}"}
            writer.write([records.DealRecord(**{**vars(deal), "source": source})])

    def run(*line):
        process = command(*map(str, line))
        out, err = process.communicate(timeout=600)
        assert process.returncode == 0 and "Traceback" not in err, err
        return out

    data, run_folder = folder / "jass.swisslos.h5", folder / "run"
    assert "12 records read, 12 written (12 deals" in run("convert", folder / "logs", data)
    line = ["--inputs", "integers", "--out", run_folder, "--deals-per-update", "4", *TINY]
    out = run("imitate", "jass/swisslos", data, *line)
    assert "4 games, 3 with 324 rows to learn from and 1 with 108 rows held out" in out
    assert "seconds before 108 moves" in out
    out = run("evaluate", run_folder, "heuristic", "--game", "jass", "--deals", "8")
    assert "jass/schieber_1000: 8 deals" in out and "chain" in out
