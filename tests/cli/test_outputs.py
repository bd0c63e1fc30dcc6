"""Files that commands write: none is replaced or mixed up."""

from pathlib import Path

import pytest
from cli.calls import arguments, error

from jaxcards.cli import main


@pytest.mark.parametrize(
    "line",
    [
        "evaluate random heuristic --json {}",
        "evaluate random heuristic --plot {}.svg",
        "exploit random --json {}",
        "leaderboard jass random --by Ada --json {}",
        "simulate coin --json {}",
        "simulate coin --out {}.jsonl",
        "simulate coin --svg {}.svg",
        "simulate coin --gif {}.gif",
        "bench coin --json {}",
        "bench coin --plot {}.svg",
        "play coin --save {}",
        "convert in.jsonl {}.jsonl",
        "review in.jsonl --json {}",
        "review in.jsonl --html {}.html",
    ],
)
def test_no_command_replaces_a_file_without_force(ran, capsys, monkeypatch, line):
    if "--gif" in line:
        pytest.importorskip("resvg_py")
    for command in main.COMMANDS.values():
        monkeypatch.setattr(command, "run", ran.append)
    Path("in.jsonl").write_text('{"record": 1}\n')
    words = line.format("old").split()
    (path,) = [word for word in words if word.startswith("old")]
    Path(path).write_text("precious")
    text = error(capsys, *words)
    assert f"{path} exists: name another file, or replace it with --force" in text
    assert not ran and Path(path).read_text() == "precious"
    main.main([*words, "--force"])
    assert len(ran) == 1


@pytest.mark.parametrize(
    "line, twice",
    [
        ("evaluate random heuristic --json a.svg --plot ./a.svg", "a.svg"),
        ("bench coin --json a.svg --plot a.svg", "a.svg"),
        ("simulate coin --json a.svg --svg a.svg", "a.svg"),
        ("play coin --save a --results a", "a"),
        ("review in.jsonl --json a.html --html a.html", "a.html"),
        ("review in.jsonl --json in.jsonl --force", "in.jsonl"),
        ("convert in.jsonl in.jsonl --force", "in.jsonl"),
        ("convert out.jsonl.refused.jsonl out.jsonl --force", "out.jsonl.refused.jsonl"),
    ],
)
def test_every_output_needs_a_file_of_its_own(ran, capsys, line, twice):
    for name in ("in.jsonl", "out.jsonl.refused.jsonl"):
        Path(name).write_text('{"record": 1}\n')
    text = error(capsys, *line.split())
    assert f"{twice} is named twice: every output needs its own file" in text


def test_refused_records_of_an_earlier_run_are_kept(ran, capsys):
    Path("in.jsonl").write_text('{"record": 1}\n')
    Path("out.jsonl.refused.jsonl").write_text("precious")
    assert "out.jsonl.refused.jsonl exists" in error(capsys, "convert", "in.jsonl", "out.jsonl")


def test_an_output_is_a_file(ran, capsys):
    text = error(capsys, "bench", "coin", "--json", "/dev/null", "--force")
    assert "/dev/null is a pipe or a device, not a file" in text


def test_a_run_takes_no_folder_with_other_files(ran, capsys):
    Path("notes").mkdir()
    Path("notes", "README.txt").write_text("precious")
    assert "notes has other files" in error(capsys, "train", "coin", "--out", "notes")
    Path("runs", "coin").mkdir(parents=True)
    assert arguments(ran, "train", "coin").out == Path("runs/coin")
    Path("runs", "coin", "metrics.jsonl").touch()
    assert arguments(ran, "train", "coin").out == Path("runs/coin-2")
