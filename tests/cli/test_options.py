"""The command line: every wrong call is one line and status 2, before JAX is imported."""

import argparse
import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli.calls import arguments, error
from support.marks import skip_without_engines

from jaxcards import settings
from jaxcards.agents.learners.registry import LEARNERS
from jaxcards.cli import main
from jaxcards.cli.options import add_value
from jaxcards.opponents.names import Opponent
from jaxcards.players import Player
from jaxcards.training.config import config_class

TESTS = Path(__file__).parents[1]

# A command line of its own process that knows the made-up game only, and tells whether JAX came.
PROCESS = """
import sys
from jaxcards import registry
from jaxcards.cli.main import main
registry.GAMES.clear()
registry.register("coin", "support.fakes.coin_rules", "support.fakes.coin_game:Coin", "toss a coin")
try:
    status = main(sys.argv[1:])
except SystemExit as exit:  # --help and --version
    status = exit.code
assert "jax" not in sys.modules, "imported JAX"
sys.exit(status)
"""


def run_folder(name: str, game: str = "coin/long", settings: str = "minutes = 3.0") -> str:
    Path(name).mkdir(parents=True)
    Path(name, "config.toml").write_text(f'game = "{game}"\n{settings}\n')
    return name


@pytest.mark.parametrize(
    "line, words",
    [
        (
            "",
            [
                "which command?",
                "train, evaluate, leaderboard, exploit, imitate, table, play, serve",
                "simulate, convert, review, bench, games",
            ],
        ),
        ("trian coin", ["unknown command 'trian'", "did you mean 'train'"]),
        ("--hepl", ["unknown option '--hepl'", "did you mean --help"]),
        ("bench", ["required: game"]),
        ("bench coni", ["unknown game 'coni'", "did you mean 'coin'"]),
        ("bench coin/lon", ["unknown preset of coin 'lon'", "'long'", "short, long"]),
        ("bench coin more", ["unknown game 'more'"]),
        ("bench coin --work rnadom", ["unknown work 'rnadom'", "did you mean 'random'", "all"]),
        ("bench coin --batches 4,x", ["--batches must be a list of whole numbers"]),
        ("bench coin --batches 4,0", ["--batches must be at least 1, not 0"]),
        ("bench coin --batches 4 --batch 4", ["not allowed with argument"]),
        ("bench coin --devices 0", ["--devices must be at least 1, not 0"]),
        ("bench coin --seconds -1", ["--seconds must be at least 0"]),
        ("bench coin --plot a.txt", ["a.txt must end in one of: .png, .svg, .pdf"]),
        ("bench coin --batch 0", ["--batch must be at least 1, not 0"]),
        ("bench coin --batch 1e3", ["--batch must be a whole number, not '1e3'"]),
        ("bench coin --bath 8", ["unknown option '--bath'", "did you mean --batch"]),
        ("bench coin --bat 8", ["unknown option '--bat'", "did you mean --batch"]),
        ("bench coin --batch", ["--batch: expected one argument"]),
        ("bench coin --json no/such/file", ["cannot write no/such/file", "folder no/such not found"]),
        ("bench coin --json .", [". is a folder"]),
        ("bench coin --seed -1", ["--seed must be from 0 to 4294967295, not -1"]),
        ("train", ["which game?", "coin"]),
        ("train coin --minuts=3", ["unknown option '--minuts'", "did you mean --minutes"]),
        ("train coin --minutes soon", ["--minutes must be a number, not 'soon'"]),
        ("train coin --minutes nan", ["--minutes must be finite, not nan"]),
        ("train coin --minutes 0", ["minutes or updates"]),
        ("train coin --hidden 64,x", ["--hidden must be a list of whole numbers"]),
        ("train coin --hidden 64,0", ["--hidden must be at least 1, not 0"]),
        ("train coin --precision float23", ["unknown --precision", "'float32'"]),
        ("train coin --config none.toml", ["none.toml: No such file"]),
        ("train coin --config a --resume b", ["not allowed with argument"]),
        ("train --resume run", ["unknown run folder 'run'", "train GAME --out run makes one"]),
        ("train --resume .", [". is not a run folder: missing config.toml"]),
        ("train coin --coordinator a:1", ["go together", "--num-processes and --process-id missing"]),
        ("train coin --process-id 0 --num-processes 2", ["go together: --coordinator missing"]),
        ("train coin --coordinator a --num-processes 2 --process-id 0", ["HOST:PORT", "not 'a'"]),
        ("train coin --coordinator a:0 --num-processes 2 --process-id 0", ["HOST:PORT", "not 'a:0'"]),
        (
            "train coin --coordinator a:1 --num-processes 2 --process-id 2",
            ["below --num-processes (2)"],
        ),
        ("train coin --distributed --process-id 1", ["--distributed asks the cluster: leave out"]),
        ("train coin --seeds 0", ["--seeds must be at least 1, not 0"]),
        ("train coin --seeds x", ["--seeds must be a whole number, not 'x'"]),
        ("train coin --seeds 2 --distributed", ["--seeds trains in one process: leave out --seeds"]),
        ("train coin --seeds 2 --variants 1", ["leave out --seeds or --variants"]),
        ("train coin --seeds 2 --learner imitation", ["imitation trains one seed at a time"]),
        ("train coin --seeds 2 --seed 4294967295", ["exceed 4294967295: lower --seed"]),
        ("train coin --grid clip", ["--grid needs NAME=VALUE,VALUE, not 'clip'"]),
        ("train coin --grid clap=1,2", ["unknown setting 'clap'; did you mean 'clip'?"]),
        ("train coin --grid hidden=8,16", ["hidden changes the compiled step", "(--grid takes learn"]),
        ("train coin --grid clip=0.1,x", ["clip must be a list of numbers, not '0.1,x'"]),
        ("train coin --grid clip=0.1,0", ["clip must be above 0, not 0"]),
        ("train coin --grid clip=0.1,0.10", ["--grid has clip = 0.1 twice"]),
        ("train coin --grid clip=", ["--grid has no value of clip"]),
        ("train coin --grid clip=0.1 clip=0.2", ["clip is set twice"]),
        ("train coin --grid clip=0.1 --clip 0.2", ["clip is set twice"]),
        ("train coin --grid clip=0.1,0.2 --distributed", ["--grid trains in one process"]),
        ("train coin --grid clip=1 --learner imitation", ["imitation trains one run at a time"]),
        ("exploit random --seeds 2", ["unknown option '--seeds'"]),
        ("evaluate", ["required: player"]),
        ("evaluate random", ["at least two players"]),
        ("evaluate random heuristc", ["unknown player 'heuristc'", "did you mean 'heuristic'"]),
        ("evaluate random runs/x", ["unknown run folder 'runs/x'"]),
        ("evaluate random pyschieber:chalenge", ["did you mean 'challenge'"]),
        ("evaluate random heuristic --calls colver:isdd:20", ["another engine cannot call for all"]),
        ("evaluate random heuristic --calls nobody", ["unknown player 'nobody'"]),
        ("evaluate random openspiel", ["unknown player of openspiel ''", "ismcts, random"]),
        ("evaluate random nobody:best", ["unknown engine 'nobody'", "openspiel, pyschieber, colver"]),
        ("evaluate random search:1", ["search plays out 2 to 10000 deals, not '1': write search:64"]),
        ("evaluate random search:many", ["not 'many'"]),
        ("evaluate random search:0ms", ["1 to 600000 ms for a decision, not '0ms'", "search:40ms"]),
        ("evaluate random search:8:7", ["0 to 5 cards in each hand, not '7'", "search:64:2"]),
        ("evaluate random search:8:2:1", ["not '2:1'"]),
        ("simulate coin --players double_dummy", ["double_dummy sees all hands", "evaluate alone"]),
        ("exploit double_dummy", ["double_dummy sees all hands", "evaluate alone"]),
        ("evaluate random none:here", ["none:here needs no_such_module: pip install"]),
        ("evaluate random there:here --game jass", ["there:here cannot play jass/short", "coin/long"]),
        ("simulate coin --players there:here", ["other engines: there:here is for evaluate"]),
        ("evaluate random heuristic --game con", ["unknown game 'con'", "'coin'"]),
        ("evaluate random heuristic --deals 0", ["--deals must be at least 1"]),
        ("evaluate random heuristic --plot a.txt", ["a.txt must end in one of: .png, .svg, .pdf"]),
        ("train coin --against heuristc", ["unknown player 'heuristc'", "did you mean 'heuristic'"]),
        ("train coin --against random --variants 1", ["against needs a single game"]),
        ("train coin --learner dqn --against random", ["against is a setting of ppo"]),
        ("exploit", ["which player?", "heuristic", "or a run folder"]),
        ("exploit openspiel:random", ["openspiel:random is a player of another engine"]),
        ("train coin --against openspiel:random", ["play only in evaluate"]),
        ("exploit heuristc", ["unknown player 'heuristc'", "did you mean 'heuristic'"]),
        ("exploit runs/x", ["unknown run folder 'runs/x'"]),
        ("exploit random --game con", ["unknown game 'con'", "'coin'"]),
        ("exploit random --against heuristic", ["unknown option '--against'"]),
        ("exploit random --replay 5", ["unknown option '--replay'"]),
        ("exploit random --deals 1", ["--deals must be at least 2, not 1"]),
        ("exploit random --start nobody", ["unknown player 'nobody'"]),
        ("train coin --start heuristic", ["heuristic is not a network: name champion, or the run"]),
        ("train coin --matches yes", ["unexpected argument 'yes'"]),
        ("simulate coin --players random,", ["unknown player ''"]),
        ("simulate coin --deals two", ["--deals must be a whole number"]),
        ("simulate coin --svg deal.png", ["deal.png must end in one of: .svg"]),
        ("simulate coin --gif nowhere/deal.gif", ["folder nowhere not found"]),
        ("simulate coin --deals 2 --svg deal.svg", ["draw a single deal: leave --deals out"]),
        ("simulate coin --at 3", ["--at selects the moment that --svg draws"]),
        ("simulate coin --seat 3", ["--seat selects the view that is drawn"]),
        ("games coni", ["unknown game 'coni'", "did you mean 'coin'"]),
        ("games coin/lon", ["unknown preset of coin 'lon'", "'long'", "short, long"]),
        ("games coin long", ["unexpected argument 'long'"]),
    ],
)
def test_wrong_calls(ran, capsys, line, words):
    skip_without_engines(line)
    text = error(capsys, *line.split())
    assert all(word in text for word in words), text
    assert not ran


@pytest.mark.parametrize(
    "line, status",
    [("--help", 0), ("train --help", 0), ("evaluate --help", 0), ("--version", 0), ("games", 0)]
    + [("games coin", 0)]
    + [("train coin --minutes x", 2), ("evaluate random heuristic --game x", 2), ("bench x", 2)],
)
def test_answers_without_jax(line, status):
    done = subprocess.run(
        [sys.executable, "-c", PROCESS, *line.split()],
        env=os.environ | {"PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stderr
    assert (done.stdout == "") == (status == 2)
    assert done.stderr.count("\n") == (status == 2)


@pytest.mark.parametrize("learner", LEARNERS)
def test_help_has_the_settings_of_the_chosen_learner_alone(learner, capsys):
    with pytest.raises(SystemExit) as exit:
        main.main(["train", "--help", "--learner", learner])
    assert exit.value.code == 0
    text = capsys.readouterr().out.partition("settings of the run:")[2]
    shown = re.findall(r"^  --([a-z-]+)", text, re.MULTILINE)
    fields = dataclasses.fields(config_class(learner))
    assert sorted(shown) == sorted(field.name.replace("_", "-") for field in fields)
    for field in fields:
        if not isinstance(field.default, bool):
            default = re.escape(settings.to_text(field.default) or "none")
            assert re.search(rf"\(default: {default}[;)]", " ".join(text.split()))  # games follow


def test_a_flag_is_set_and_unset(ran):
    Path("c.toml").write_text("symmetric = true\n")
    assert arguments(ran, "train", "coin", "--symmetric").config.symmetric
    assert arguments(ran, "train", "coin", "--config", "c.toml").config.symmetric
    assert not arguments(ran, "train", "coin", "--config", "c.toml", "--no-symmetric").config.symmetric


def test_train_defaults(ran):
    args = arguments(ran, "train", "coin")
    assert args.game == "coin/short" and args.config == config_class()()
    assert args.out == Path("runs/coin") and args.resume is None and args.evaluate is True
    assert not hasattr(args, "minutes")


def test_train_layers(ran):
    Path("c.toml").write_text('game = "coin/long"\nminutes = 2\nepochs = 5\n')
    args = arguments(ran, "train", "--config", "c.toml", "--minutes", "1.5", "--hidden", "64,32")
    assert args.game == "coin/long" and args.out == Path("runs/coin-long")
    assert args.config == config_class()(minutes=1.5, epochs=5, hidden=(64, 32))
    args = arguments(ran, "train", "coin", "--config", "c.toml", "--no-evaluate", "--out", "here")
    assert args.game == "coin/short" and args.out == Path("here") and args.evaluate is False


def test_train_blames_the_file(ran, capsys):
    Path("c.toml").write_text("epoch = 5\n")
    assert "c.toml: unknown setting 'epoch'; did you mean 'epochs'" in error(
        capsys, "train", "coin", "--config", "c.toml"
    )
    Path("c.toml").write_text('game = "coni"\n')
    assert "c.toml: unknown game 'coni'" in error(capsys, "train", "--config", "c.toml")
    Path("c.toml").write_text("game = 3\n")
    assert "c.toml: an id is a text" in error(capsys, "train", "--config", "c.toml")


def test_train_names_its_learner(ran, capsys):
    assert arguments(ran, "train", "coin", "--learner", "ppo").config == config_class("ppo")()
    assert "did you mean 'ppo'" in error(capsys, "train", "coin", "--learner", "ppp")
    Path("c.toml").write_text('game = "coin/long"\nlearner = "dpn"\n')
    assert "c.toml: unknown learner 'dpn'" in error(capsys, "train", "--config", "c.toml")


def test_a_new_run_never_overwrites_one(ran, capsys):
    run_folder("runs/coin")
    assert arguments(ran, "train", "coin").out == Path("runs/coin-2")
    run_folder("runs/coin-2")
    assert arguments(ran, "train", "coin").out == Path("runs/coin-3")
    text = error(capsys, "train", "coin", "--out", "runs/coin")
    assert "runs/coin already has a run" in text and "--resume" in text
    Path("file").touch()
    assert "file is a file" in error(capsys, "train", "coin", "--out", "file")


def test_resume(ran, capsys):
    folder = run_folder("runs/a")
    args = arguments(ran, "train", "--resume", folder, "--minutes", "9")
    made = config_class()
    # The file is of an earlier version: it leaves settings out.
    assert args.game == "coin/long" and args.config == made(minutes=9, **made.earlier)
    assert args.out == args.resume == Path(folder)
    assert arguments(ran, "train", "coin/long", "--resume", folder).config.minutes == 3
    assert "was trained on coin/long" in error(capsys, "train", "coin", "--resume", folder)
    assert "--out needs" in error(capsys, "train", "--resume", folder, "--out", "x")
    grid = ("--grid", "clip=0.1,0.2")
    assert "--grid needs a new run" in error(capsys, "train", "--resume", folder, *grid)
    assert "--seeds needs a new run" in error(capsys, "train", "--resume", folder, "--seeds", "2")
    assert "did you mean 'runs/a'" in error(capsys, "train", "--resume", "runs/b")
    Path(folder, "config.toml").write_text("minutes = 1\n")
    assert "names no game" in error(capsys, "train", "coin", "--resume", folder)


def test_evaluate(ran, capsys):
    args = arguments(ran, "evaluate", "random", "--deals", "10", "heuristic", "--json", "r.json")
    assert args.players == [Player("random"), Player("heuristic")]
    assert (args.game, args.deals, args.seed) == ("jass/short", 10, 0)
    assert args.json == Path("r.json") and args.plot is None
    folder = run_folder("runs/a")
    args = arguments(ran, "evaluate", "random", folder, "--plot", "p.PNG")
    assert args.players[1] == Player(folder, Path(folder))
    assert args.game == "coin/long" and args.deals == 2000 and args.plot == Path("p.PNG")
    # Another preset of its game is another table, not another game.
    assert arguments(ran, "evaluate", "random", folder, "--game", "coin").game == "coin/short"
    args = arguments(ran, "evaluate", "random", "there:here", "--game", "coin/long")
    assert args.players[1] == Player("there:here", opponent=Opponent("there", "here"))
    text = error(capsys, "evaluate", "random", folder, "--game", "jass")
    assert "runs/a was trained on coin/long and cannot play jass/short" in text


def test_exploit(ran, capsys):
    args = arguments(ran, "exploit", "heuristic", "--game", "coin", "--epochs", "2", "--json", "r.json")
    assert (args.game, args.player) == ("coin/short", Player("heuristic"))
    assert args.config == config_class()(against="heuristic", epochs=2)
    assert (args.out, args.json) == (Path("runs/exploiter-of-heuristic"), Path("r.json"))
    folder = run_folder("runs/a")
    args = arguments(ran, "exploit", folder, "--minutes", "10", "--deals", "50")
    assert args.game == "coin/long" and args.deals == 50 and args.evaluate is False
    assert args.config == config_class()(against="runs/a", minutes=10)
    assert args.out == Path("runs/exploiter-of-a") and args.resume is None
    assert "was trained on coin/long" in error(capsys, "exploit", folder, "--game", "jass")
    assert "was trained on coin/long" in error(capsys, "train", "jass", "--against", folder)


def test_exploit_goes_on(ran, capsys):
    begun = run_folder("runs/e", settings='against = "random"\nepochs = 3')
    args = arguments(ran, "exploit", "--resume", begun)
    made = config_class()
    assert args.config == made(against="random", epochs=3, **made.earlier)
    assert (args.game, args.player) == ("coin/long", Player("random"))
    assert args.out == args.resume == Path(begun)
    assert "--out needs" in error(capsys, "exploit", "--resume", begun, "--out", "x")
    assert "trained on coin/long" in error(capsys, "exploit", "--resume", begun, "--game", "coin")
    plain = run_folder("runs/plain")
    assert "runs/plain is not an exploiter" in error(capsys, "exploit", "--resume", plain)


def test_simulate_and_bench(ran):
    args = arguments(ran, "simulate", "coin/long", "--players", "heuristic,random", "--seed", "7")
    assert args.players == [Player("heuristic"), Player("random")]
    assert (args.game, args.deals, args.seed, args.json) == ("coin/long", 1, 7, None)
    assert arguments(ran, "simulate", "coin").players == [Player("random")]
    args = arguments(ran, "bench", "coin")
    assert (args.games, args.batches, args.repeats, args.seed) == (["coin/short"], (), 10, 0)
    assert [work.name for work in args.works] == ["random"] and args.devices == (1,)
    assert arguments(ran, "bench", "coin", "--batch", "64").batches == (64,)
    line = "bench coin jass coin/short --work matches,random --batches 1,64 --devices 1,2 --seconds 0.5"
    args = arguments(ran, *line.split())
    assert args.games == ["coin/short", "jass/short"] and args.batches == (1, 64)
    assert [work.name for work in args.works] == ["matches", "random"] and args.devices == (1, 2)
    assert (args.seconds, args.plot) == (0.5, None)


@pytest.mark.parametrize(
    "raised, status, words",
    [
        (KeyboardInterrupt(), 130, "jaxcards: interrupted"),
        (FileNotFoundError(2, "No such file or directory", "x"), 2, "error: x: No such file"),
        (main.UserError("no"), 2, "jaxcards: error: no"),
        (ModuleNotFoundError("No", name="orbax.checkpoint"), 2, "bench needs orbax.checkpoint: pip "),
    ],
)
def test_what_a_command_raises(ran, capsys, monkeypatch, raised, status, words):
    def run(args):
        raise raised

    monkeypatch.setattr(main.COMMANDS["bench"], "run", run)
    assert main.main(["bench", "coin"]) == status
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1


def test_an_error_of_our_own_is_not_hidden(ran, monkeypatch):
    def run(args):
        raise ModuleNotFoundError("No", name="jaxcards.cards.tricks")

    monkeypatch.setattr(main.COMMANDS["bench"], "run", run)
    with pytest.raises(ModuleNotFoundError):
        main.main(["bench", "coin"])


def test_a_reader_that_goes_away():
    process = subprocess.Popen(
        [sys.executable, "-c", PROCESS, "games"],
        env=os.environ | {"PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0
    process.stderr.close()


def test_a_per_cent_sign_in_the_help_of_a_flag():
    parser = argparse.ArgumentParser()
    add_value(parser, "half", bool, "50 % of it", False)
    assert "50 % of it (default: False)" in parser.format_help()
