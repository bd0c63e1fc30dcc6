"""README.md, CHANGELOG.md, CONTRIBUTING.md and docs/: their code runs, and what they name exists."""

import contextlib
import importlib.util
import io
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from jaxcards import registry
from jaxcards.cli.main import build_parser
from jaxcards.evaluation import intervals, result

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
EVALUATION = "experiments/some_ppo/evaluation.json"
# Code of blocks that take long to compile or to run.
LONG = (
    r"Belief\(|endgame|review\(|WithRolloutPolicy|policy_vocabulary\(|check_game\("
    r"|BATCHES = 8192, 1221|def log_probabilities|SearchAgent\(|champion, RandomAgent|check=True"
)

pages = pytest.mark.parametrize("name", TEXTS)


def _load_script():
    spec = importlib.util.spec_from_file_location("readme_script", ROOT / "benchmarks" / "readme.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = _load_script()
tables, strengths = script.from_results, script.from_players


def fences(text: str) -> list[tuple[str, str]]:
    """(language, content) of every fenced block of a page, in order."""
    parts = re.split(r"^```(\w*)\n", text, flags=re.MULTILINE)
    opened = zip(parts[1::2], parts[2::2], strict=True)
    # Every second fence closes a block; what follows it is text.
    return [(language, content) for i, (language, content) in enumerate(opened) if i % 2 == 0]


def python_blocks() -> list:
    """Every Python block, and the text block right behind it, which is what it prints."""
    found = []
    for name, text in TEXTS.items():
        for match in re.finditer(
            r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", text, re.M | re.S
        ):
            line = text[: match.start()].count("\n") + 2
            marks = [pytest.mark.slow] if re.search(LONG, match[1]) else []
            found.append(pytest.param(name, line, match[1], match[2], id=f"{name}:{line}", marks=marks))
    return found


@pytest.mark.parametrize(("name", "line", "code", "printed"), python_blocks())
def test_python_block_runs_as_printed(name, line, code, printed, monkeypatch):
    # Blocks run from the root of the project, and games that they register go away with them.
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(registry, "GAMES", {**registry.GAMES})
    for example in ("hearts", "spades"):
        monkeypatch.delitem(sys.modules, example, raising=False)
    out = io.StringIO()
    source = "\n" * (line - 1) + code  # so that a traceback shows the line of the page
    with contextlib.redirect_stdout(out):
        exec(compile(source, name, "exec"), {"__name__": "__main__"})
    assert out.getvalue().strip()
    if printed is not None:
        assert out.getvalue() == printed


def test_no_python_block_is_missed():
    found = [lang for text in TEXTS.values() for lang, _ in fences(text)]
    assert set(found) <= {"python", "console", "text"}, "each block says what it is"
    assert found.count("python") == len(python_blocks()) >= 6


def commands() -> list[str]:
    lines = [
        line.removeprefix("$ ").split("  #")[0]
        for text in TEXTS.values()
        for language, content in fences(text)
        if language == "console"
        for line in content.splitlines()
    ]
    inline = [code for text in TEXTS.values() for code in re.findall(r"`([^`\n]+)`", text)]
    return sorted({c.strip() for c in [*lines, *inline] if re.match(r"(jaxcards|make) ", c)})


@pytest.mark.parametrize("command", commands())
def test_command_is_known(command):
    program, name, *arguments = shlex.split(command)
    if program == "make":
        assert re.search(rf"^{name}:.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
        for variable in arguments:
            assert f"$({variable.partition('=')[0]})" in (ROOT / "Makefile").read_text()
        return
    parser = build_parser()[1][name]
    if arguments == ["--help"]:
        assert parser.format_help()
    else:
        _, unknown = parser.parse_known_intermixed_args(arguments)
        assert not unknown


def test_every_command_of_the_program_is_shown():
    shown = {shlex.split(command)[1] for command in commands() if command.startswith("jaxcards ")}
    assert shown == set(build_parser()[1])


@pages
def test_options_exist(name):
    known = {
        option for parser in build_parser()[1].values() for option in parser._option_string_actions
    }
    named = re.findall(r"`(--[a-z-]+)", TEXTS[name])
    assert set(named) <= known


@pages
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)#]+)\)", TEXTS[name]):
        if "://" not in target:
            assert (ROOT / Path(name).parent / target).exists(), target


@pages
def test_named_files_exist(name):
    for path in re.findall(r"`((?:jaxcards|tests|benchmarks|docs)/[\w./]+)`", TEXTS[name]):
        assert (ROOT / path).exists(), path


def test_the_readme_is_short():
    lines = TEXTS["README.md"].splitlines()
    assert len(lines) <= 150
    assert TEXTS["README.md"].count("](") <= 17, "at most seventeen links and pictures"
    assert max(line.count(" | ") for line in lines if line.startswith("| ")) < 6, "at most six columns"


def test_the_readme_has_every_game_at_a_glance():
    table = TEXTS["README.md"].split("<!-- glance -->")[1]
    assert [id for id in registry.defaults() if f"| `{id}` |" not in table] == []


@pytest.mark.parametrize("page", script.pages(), ids=str)
def test_marked_blocks_are_up_to_date(page):
    assert script.filled(page) == (ROOT / page).read_text(encoding="utf-8"), (
        "run: python benchmarks/readme.py"
    )


def test_no_marked_block_is_left_out():
    others = ("benchmarks/README.md",)
    texts = TEXTS | {page: (ROOT / page).read_text() for page in others}
    marked = {name: re.findall(r"^<!-- (\w+) -->$", text, re.M) for name, text in texts.items()}
    filled = {page.as_posix(): sorted(blocks) for page, blocks in script.pages().items()}
    assert {name: sorted(blocks) for name, blocks in marked.items() if blocks} == filled


def suite_result():
    """Return a result of benchmarks/suite.py: three batches, two devices, a network, an engine."""

    def figure(work, batch, rate, devices=1, **more):
        quartiles = [rate - 100_123.4, rate + 99_876.6]
        also = {"decisions": 9000.4, "card_plays": 36 * rate}
        return {
            "game": "jass/schieber_1000",
            "work": work,
            "batch": batch,
            "devices": devices,
            "unit": "deals",
            "per_second": {"median": rate, "quartiles": quartiles},
            "also_per_second": also,
            **more,
        }

    figures = [
        figure("random", 64, 9e6, core=1, to_usual_batch={"median": 2.05}),
        figure("random", 4096, 4_400_123.4, core=1),
        figure("random", 1 << 18, 4.1e6, core=1, to_usual_batch={"median": 0.9345}),
        figure("random", 8192, 4.2e6),
        figure("random", 8192, 8e6, devices=2, to_one_device={"median": 1.9149}),
        figure("network", 4096, 250.0, core=1),
    ]
    ratio = {"median": 2500.4, "quartiles": [2400.0, 2600.0]}
    peer = {"title": "pgx chess", "unit": "decisions", "ours": "coin/long", "ratio": ratio}
    peer |= {"per_second": {"median": 2000.0}, "ours_per_second": {"median": 5e6}}
    machine = {"processor": "Some CPU", "device": "cpu: cpu", "jax": "0.10.2"}
    return {
        "games": {"jass/schieber_1000": {}},
        "figures": figures,
        "peers": [peer, peer | {"title": "some engine"}],
        "machine": machine,
    }


def test_blocks_are_filled_from_results(tmp_path):
    results, evaluation = tmp_path / tables.RESULTS, tmp_path / EVALUATION
    assert tables.speed(tmp_path) == {} and strengths.of_eight_minutes(tmp_path) is None
    assert strengths.strength_by_preset(tmp_path) is None
    assert strengths.glance(tmp_path) is None
    assert tables.training(tmp_path) is tables.devices(tmp_path) is None
    assert tables.work(tmp_path) is tables.random_play(tmp_path) is tables.peers(tmp_path) is None
    assert tables.habits(tmp_path) is None
    results.mkdir(parents=True)
    evaluation.parent.mkdir(parents=True)
    (results / "some-cpu-suite.json").write_text(json.dumps(suite_result()))
    share = {"mean": 0.625, "low": 0.6, "high": 0.65}
    pair = {"a": "runs/ppo", "b": "heuristic", "won": share}
    pair["difference"] = {"mean": 12.345, "low": 11.0, "high": 13.456}
    other = {"a": "heuristic", "b": "random", "won": share}
    other["difference"] = {"mean": 0.1, "low": -0.1, "high": 0.3}
    met = {"game": "g", "num_deals": 2000, "num_seatings": 2, "seed": 3, "pairs": [pair, other]}
    evaluation.write_text(json.dumps(met))
    assert tables.speed(tmp_path) == {"jass/schieber_1000": "4.4 M"}
    machine = "[Some CPU, one core, jax 0.10.2]("
    work = tables.work(tmp_path)
    assert work.startswith(f"{machine}../benchmarks/results/some-cpu-suite.json):\n\n| game |")
    assert "| `jass/schieber_1000` | – | 9.0 k | – | – | – |" in work
    row = "| `jass/schieber_1000` | 4.40 M | 158 M |"
    random_play = tables.random_play(tmp_path)
    assert row in random_play
    row = "| pgx chess | 2.0 k decisions/s | `coin/long` | 2,500 x |"
    assert row in tables.peers(tmp_path)
    row = "| `g` | +12.3 ±1.2 |"
    assert row in strengths.of_eight_minutes(tmp_path)
    shares = {"acting": 0.2, "judging": 0.05, "learning": 0.6, "engine": 0.101, "rest": 0.049}
    learned = {
        "game": "jass/schieber_1000",
        "decisions_per_second": {"median": 250_123.4},
        "shares": {name: {"median": share} for name, share in shares.items()},
    }
    learned = {"devices": 2, "games": [learned, learned | {"game": "euchre/standard"}]}
    learned["machine"] = {"processor": "Some CPU", "device": "cpu: cpu", "jax": "0.10.2"}
    (results / "some-cpu-training.json").write_text(json.dumps(learned))
    assert tables.training(tmp_path).startswith("[Some CPU, 2 devices, jax 0.10.2](../benchmarks/")
    on_gpu = {"devices": 1, "machine": learned["machine"] | {"device": "gpu: Some GPU"}}
    (results / "some-gpu-training.json").write_text(json.dumps(learned | on_gpu))
    assert "[Some GPU, 1 device, jax 0.10.2](../benchmarks/" in tables.training(tmp_path)
    for id in ("jass/schieber_1000", "euchre/standard"):
        row = f"| `{id}` | 250 k | 20.0 | 5.0 | 60.0 | 10.1 | 4.9 |"
        assert row in tables.training(tmp_path)
    rate = {"per_second": {"median": 1234.5}, "to_one_device": {"median": 1.234}}
    shared = {
        "simulated": ["8 devices"],
        "training_decisions": {"8 devices": rate},
        "random_play_deals": {"8 devices": rate},
        "machine": {"processor": "Some CPU", "cores_usable": 2, "jax": "0.10.2"},
    }
    (results / "some-cpu-devices.json").write_text(json.dumps(shared))
    assert tables.devices(tmp_path).startswith("[Some CPU, 2 cores, jax 0.10.2](../benchmarks/")
    assert "| 8 devices, simulated | 1.2 k | 1.23 x | 1.2 k | 1.23 x |" in tables.devices(tmp_path)
    habit = {"text": "a `habit`", "per_second": {"median": 1234.5}}
    habit["random_play_is_faster"] = {"median": 12.345, "quartiles": [1.0, 23.45]}
    habit = {"game": "g", "habits": [habit], "machine": learned["machine"]}
    (results / "some-cpu-habits.json").write_text(json.dumps(habit))
    row = "| a `habit` | 1.2 k | 12.3 x |\n\n[`g`, Some CPU, one core, jax 0.10.2]("
    assert row in tables.habits(tmp_path)
    text = script.fill("a\n<!-- work -->\nold\n<!-- /work -->\nb\n", "work", work)
    assert text == f"a\n<!-- work -->\n{work}\n<!-- /work -->\nb\n"


@pytest.mark.parametrize(
    "text", ["", "<!-- x -->", "<!-- /x --><!-- x -->", "<!-- x --><!-- x --><!-- /x -->"]
)
def test_missing_marks_are_reported(text):
    with pytest.raises(ValueError, match="<!-- x -->"):
        script.fill(text, "x", "")


@pytest.mark.parametrize(
    ("number", "written"),
    [(0, "0"), (42.4, "42"), (994, "990"), (996, "1.0 k"), (9949, "9.9 k"), (9951, "10 k")]
    + [(448_100, "450 k"), (999_500, "1.0 M"), (9_175_502, "9.2 M"), (65_853_326, "66 M")],
)
def test_rounded(number, written):
    assert tables.rounded(number) == written


def test_an_evaluation_has_the_fields_that_the_readme_shows(tmp_path):
    interval = intervals.Interval(1.0, 0.5, 1.5)
    won = intervals.Interval(0.5, 0.4, 0.6)
    pair = result.Pair("runs/a", "heuristic", interval, 1.0, 0.1, won, 0.0, 80.0, 70.0)
    row = result.Standing("runs/a", interval)
    made = result.Evaluation("jass", ("runs/a", "heuristic"), 100, 2, 0, (pair,), (row,))
    (tmp_path / EVALUATION).parent.mkdir(parents=True)
    (tmp_path / EVALUATION).write_text(made.to_json(), encoding="utf-8")
    table = strengths.of_eight_minutes(tmp_path)
    assert "| `jass` | +1.00 ±0.50 |" in table


def test_tables_of_shipped_players_come_from_their_cards(tmp_path):
    folder = tmp_path / strengths.CHAMPIONS[0]
    folder.mkdir(parents=True)
    share = {"mean": 0.5, "low": 0.4, "high": 0.6}

    def pair(a, b, mean):
        return {"a": a, "b": b, "won": share} | {"difference": {"mean": mean, "low": 1, "high": 3}}

    first = {"game": "jass/schieber_1000", "num_deals": 2000, "num_seatings": 2}
    champion = pair("champion", "heuristic", 2.0)
    second = {"game": "jass/swisslos", "pairs": [champion]}
    card = {"matches": False}
    card["evaluations"] = [first | {"pairs": [champion]}, second]
    (folder / "some.json").write_text(json.dumps(card))
    width = "±1.0"
    assert strengths.glance(tmp_path) is None, "without a speed"
    (tmp_path / tables.RESULTS).mkdir(parents=True)
    (tmp_path / tables.RESULTS / "some-cpu-suite.json").write_text(json.dumps(suite_result()))
    glance = strengths.glance(tmp_path)
    assert f"| `jass/schieber_1000` | 4.4 M | +2.0 {width} |" in glance
    assert "| `bridge/duplicate` | – | – |" in glance, "without figures"
    by_preset = strengths.strength_by_preset(tmp_path)
    assert f"| `jass/swisslos` | +2.0 {width} |" in by_preset
    assert "schieber_1000" not in by_preset, "a default preset"
    # Players of matches have a table of their own.
    assert strengths.strength_in_matches(tmp_path) is None
    paired = {"difference": {"mean": 0.1, "low": 0.06, "high": 0.15}}
    of_matches = [pair("champion", other, 0) | paired for other in ("deals", "heuristic")]
    match = {"game": "jass/slalom match", "num_deals": 30_000, "pairs": of_matches}
    (folder / "b.json").write_text(json.dumps(card | {"matches": True, "evaluations": [match]}))
    assert strengths.strength_by_preset(tmp_path) == by_preset
    won = "55.0 % ±2.2"
    for other in ("the player of deals", "the heuristic"):
        row = f"| `jass/slalom` | `b` | {other} | {won} | 30,000 |"
        assert row in strengths.strength_in_matches(tmp_path)
    # What exploiters gain is in a file of its own.
    assert strengths.exploiters(tmp_path) is None
    gain = {"mean": 0.031, "low": 0.0101, "high": 0.0519}
    found = {"game": "jass/slalom", "symmetric": True, "gain": gain}
    (tmp_path / strengths.EXPLOITERS).parent.mkdir(parents=True)
    of_matches = found | {"game": "jass/slalom match"}
    rows = {"some": found, "some, one answer": found | {"symmetric": False}, "b": of_matches}
    rows |= {"weak": found | {"gain": gain | {"low": -0.01}}}
    (tmp_path / strengths.EXPLOITERS).write_text(json.dumps(rows))
    row = "| `some` | `jass/slalom` | the mean | +0.03 ±0.02 |"
    assert row in strengths.exploiters(tmp_path)
    assert row.replace("the mean", "one") in strengths.exploiters(tmp_path)
    row = "| `b` | `jass/slalom match` | the mean | +1.6 % ±1.0 of the matches |"
    assert row in strengths.exploiters(tmp_path)
    assert "weak" not in strengths.exploiters(tmp_path)
    assert "The 1 [others](" in strengths.exploiters(tmp_path)
