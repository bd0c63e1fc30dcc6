"""`jaxcards review`, from the command line to files."""

import json

import pytest
from support import quick
from support.fakes.players import Lowest

import jaxcards
from jaxcards import records, xla
from jaxcards.agent import RandomAgent
from jaxcards.agents.search import Belief
from jaxcards.cli import main
from jaxcards.errors import UserError
from jaxcards.players import loading

GAME = jaxcards.make("rikiki", num_players=3, schedule=(3,))


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    """`heuristic` is a player that costs nothing to compile."""
    monkeypatch.setattr(xla, "jit", quick.jit)
    agents = {"random": RandomAgent(), "heuristic": Lowest()}
    monkeypatch.setattr(loading, "make_player", lambda name, game: agents[name])


@pytest.fixture(scope="module")
def lines():
    """Two records, and one that does not replay."""
    import jax

    found = [records.play_deal(GAME, RandomAgent(), (), jax.random.key(n)) for n in range(2)]
    text = [records.to_line(record) for record in found]
    return [*text, text[0].replace('"dealer"', '"deeler"')]


@pytest.fixture
def called(capsys, tmp_path, monkeypatch, lines):
    """Run a command line in a folder with `deals.jsonl`: its status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deals.jsonl").write_text("\n".join(lines) + "\n")

    def call(line: str) -> tuple[int, str, str]:
        status = main.main(line.split())
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.mark.parametrize(("player", "believed"), [("champion", Belief()), ("heuristic", None)])
def test_the_champion_believes(called, monkeypatch, player, believed):
    """In Rikiki, whose searches gain by it; a player without a network cannot."""
    given = []

    def review(record, agent, params, **settings):
        given.append(agent)
        raise UserError("enough")

    monkeypatch.setattr("jaxcards.review.review", review)
    assert called(f"review deals.jsonl --player {player}")[0] != 0
    assert [getattr(agent, "belief", None) for agent in given] == [believed]


def test_text_json_and_page(called, tmp_path, lines):
    status, out, err = called(
        "review deals.jsonl --number 1 --player heuristic --worlds 4 --json r.json --html r.html"
    )
    assert status == 0, err
    assert "this is number 1" in err and "reviewed by the club player: 4 deals" in out
    (deal,) = json.loads((tmp_path / "r.json").read_text())["deals"]
    record = records.from_line(lines[1])
    assert [move["played"] for move in deal["moves"]] == list(record.actions)
    assert deal["worlds"] == 4 and "<svg" in (tmp_path / "r.html").read_text()


@pytest.mark.parametrize(
    "line, words",
    [
        ("review none.jsonl", "none.jsonl: file not found"),
        ("review .", "is a folder, not a file"),
        ("review deals.jsonl --number 2", "deals.jsonl, line 3: "),
        ("review deals.jsonl --number 3", "3 records, counted from 0, but not number 3"),
        ("review deals.jsonl --worlds 1", "--worlds must be from 2 to 10000"),
        ("review deals.jsonl --endings 6", "--endings must be from 0 to 5"),
        ("review deals.jsonl --player search:8", "reviews add a search"),
        ("review deals.jsonl --player openspiel", "openspiel"),
        ("review deals.jsonl --html page.txt", "must end in one of: .html"),
        ("review page.txt", "is not a file of records"),
    ],
)
def test_bad_input_is_one_line(called, tmp_path, line, words):
    (tmp_path / "page.txt").write_text("nothing")
    status, out, err = called(line)
    assert (status, out) == (2, "") and err.count("\n") == 1 and words in err
