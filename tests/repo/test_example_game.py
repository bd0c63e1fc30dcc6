"""The game of examples/hearts.py: one file outside of the package, checked and trained."""

import json
import re
from pathlib import Path

import pytest
from games.hearts.playout import random_deals
from games.playout import Dealt, check_same_play, long_suits
from support.examples import run_example

import jaxcards
from jaxcards import testing
from jaxcards.kit import TrickGame

FILE = Path(__file__).parents[2] / "examples" / "hearts.py"


@pytest.mark.slow  # docs/adding_a_game.md does it as well
@pytest.mark.parametrize("preset", ["standard", "plain"])
def test_it_passes_the_checks(hearts, preset):
    assert testing.check_game(jaxcards.make(f"plain_hearts/{preset}")) == ()


@pytest.mark.slow
def test_its_matches_pass_the_checks(hearts):
    testing.check_game(jaxcards.Match(jaxcards.make("plain_hearts", target=60)), num_deals=8)


@pytest.mark.slow_after(1)
@pytest.mark.usefixtures("hearts")
@pytest.mark.parametrize("preset", ["standard", "plain"])
def test_deals_are_those_of_the_package(preset):
    """In which the queen of spades does not break hearts, and no cards are passed."""
    rules = {"break_hearts": True, "queen_breaks": False, "moon": "add"} if preset == "standard" else {}
    games = jaxcards.make(f"plain_hearts/{preset}"), jaxcards.make("hearts/plain", **rules)
    deals = random_deals(games[1].rules, 64, seed=1)
    # Long suits: there are moons, and hands of hearts alone.
    deals.decks[:32] = long_suits(32)
    check_same_play(
        games, Dealt(deals.decks, deals.dealers), lambda game, *row: game.init_from_deck(*row)
    )


@pytest.mark.usefixtures("hearts")
def test_wrong_rules():
    with pytest.raises(jaxcards.UserError, match="target must be"):
        jaxcards.make("plain_hearts", target=0)


@pytest.mark.slow
def test_it_trains_from_the_command_line(tmp_path):
    """As the page says: the file is a command line. A few updates and a player come out of it."""
    small = "--updates 2 --deals-per-update 32 --minibatches 2 --evaluation-deals 4 --no-evaluate"
    simulate = "simulate plain_hearts --players run,random,random,random --deals 50 --json out.json"
    for line in (f"train plain_hearts --out run --devices 1 {small}", simulate):
        printed = run_example("hearts", line, tmp_path)
        if line.startswith("train"):
            assert "trained: 2 updates" in printed
            assert "jaxcards evaluate run random\n" in printed  # it has no heuristic
    assert (tmp_path / "run" / "player.msgpack").is_file()
    assert json.loads((tmp_path / "out.json").read_text())


def test_the_template_is_short():
    assert len(FILE.read_text().splitlines()) <= 200


PAGE = (FILE.parents[1] / "docs" / "adding_a_game.md").read_text(encoding="utf-8")


def members_named(heading):
    """Return the members that the items below a heading of the page begin with."""
    items = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    names = "".join(item.partition(": ")[0] for item in items.splitlines() if item.startswith("* "))
    return set(re.findall(r"`(\w+)(?:\(.*?\))?`", names))


def test_the_page_names_what_a_game_without_the_kit_writes():
    assert members_named("Work without the kit") >= jaxcards.Game.__abstractmethods__


def test_the_page_names_every_member_of_the_kit():
    members = {name for name in (*vars(TrickGame), *TrickGame.__annotations__) if name[0] != "_"}
    inherited = {"__dict__", "rules", "id"}
    assert {name for name in members - inherited if f"`{name}" not in PAGE} == set()


def test_the_page_quotes_the_examples():
    """Code that does not run by itself is in text blocks, and stands in an example line by line."""
    examples = [FILE, FILE.with_name("spades.py"), FILE.parents[1] / "tests/kit/test_whist.py"]
    lines = {line.strip() for file in examples for line in file.read_text("utf-8").splitlines()}
    quoted = re.findall(r"^```text\n(.*?)^```", PAGE, re.M | re.S)
    assert quoted
    assert [line for block in quoted for line in block.splitlines() if line.strip() not in lines] == []
