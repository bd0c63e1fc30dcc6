"""Players of your own code: from a file, or registered by an installed package."""

import textwrap
from importlib.metadata import EntryPoint
from pathlib import Path

import jax
import pytest
from support.fakes.players import Lowest

import jaxcards
from jaxcards import players
from jaxcards.agents.heuristics.jass.player import JassHeuristicAgent
from jaxcards.errors import UserError
from jaxcards.players import code

AGENT = """
import dataclasses
import jax.numpy as jnp
import neighbour

@dataclasses.dataclass(frozen=True)
class Mine:
    id: str = ""

    def init(self, key, game):
        return jnp.uint32(7)

    def act(self, params, observation, legal, key):
        return legal.nth(jnp.uint32(0))

def make(game):
    return Mine(game.id), neighbour.PARAMETERS

def without_parameters(game):
    return Mine()

def fails(game):
    return 1 / 0

def of_nothing(game):
    return 3

def without_game():
    return Mine()

class Branching(Mine):
    def act(self, params, observation, legal, key):
        return 0 if legal.mask()[0] else 1

def branches(game):
    return Branching()
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Return a file of code in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(AGENT)
    Path("neighbour.py").write_text("PARAMETERS = 5")
    return "mine.py"


@pytest.fixture
def registered(monkeypatch):
    """Return a package that registers a player."""
    point = EntryPoint("lowest", "support.fakes.players:lowest_of", code.GROUP)
    monkeypatch.setattr(code, "_registered", lambda: [point])


def test_a_function_gets_the_game_and_returns_agent_and_parameters(mine):
    agent, params = jaxcards.load_player("mine.py:make", "jass/slalom")
    assert (agent.id, params) == ("jass/slalom", 5)
    again, _ = jaxcards.load_player(Path("mine.py:make"), jaxcards.make("jass/slalom"))
    assert again == agent and hash(again) == hash(agent)  # compiled functions are found again


def test_a_class_and_an_agent_without_parameters_will_do(mine):
    assert jaxcards.load_player("mine.py:without_parameters", "jass")[1] == 7
    assert jaxcards.load_player("mine.py:Mine", "jass")[0].id == jaxcards.make("jass")


@pytest.mark.parametrize(
    "name, words",
    [
        ("none.py:make", "none.py:make: file none.py not found"),
        ("mine.py:mak", "unknown function of mine.py 'mak'; did you mean 'make'?"),
        ("mine.py:", "name the function that makes the player, mine.py:make"),
        ("mine.py", "mine.py is a file: name the function that makes the player, mine.py:make"),
        ("mine.py:fails", "fails in mine.py, line 23: ZeroDivisionError: division by zero"),
        ("mine.py:of_nothing", "mine.py:of_nothing returns 3: it must return an agent"),
        ("mine.py:branches", "fails in mine.py, line 33: TracerBoolConversionError: "),
        ("mine.py:branches", "Write jnp.where instead of `if`, see docs/howto.md"),
        ("mine.py:without_game", "mine.py:without_game must be a function of one argument, the game"),
        ("mine.py:__name__", "mine.py:__name__ must be a function of one argument, the game"),
        ("broken.py:make", "fails in broken.py, line 2: SyntaxError"),
        ("lost.py:make", "fails in lost.py, line 1: ModuleNotFoundError: No module named 'nowhere'"),
        ("changing.py:make", "is not hashable: make its class a @dataclass(frozen=True)"),
    ],
)
def test_mistakes_are_one_line(mine, name, words):
    Path("broken.py").write_text("x = 1\nx = = 2\n")
    Path("lost.py").write_text("import nowhere\n")
    Path("changing.py").write_text(
        textwrap.dedent("""
        import dataclasses, mine
        @dataclasses.dataclass
        class Changing:
            size: int = 3
            init = mine.Mine.init
            act = mine.Mine.act
        def make(game):
            return Changing()
        """)
    )
    with pytest.raises(UserError) as raised:
        jaxcards.load_player(name, "jass")
    assert words in str(raised.value)


def test_the_code_of_a_file_runs_only_if_the_name_was_typed(mine):
    with pytest.raises(UserError, match="runs only if you name it on the command line"):
        players.player("mine.py:make")
    assert players.player("mine.py:make", typed=True).code is not None


def test_a_name_alone_runs_no_code(mine):
    Path("mine.py").write_text("raise SystemExit('it ran')")
    assert players.player("mine.py:make", typed=True).name == "mine.py:make"


def test_a_package_registers_a_player(registered):
    assert jaxcards.load_player("lowest", "jass")[0] == Lowest()
    with pytest.raises(UserError, match="did you mean 'lowest'.*double_dummy, lowest, a run folder"):
        players.player("lowes")


def test_one_function_loads_every_kind_of_player(tmp_path):
    game = jaxcards.make("jass")
    assert isinstance(jaxcards.load_player("heuristic", game)[0], JassHeuristicAgent)
    champion, params = jaxcards.load_player("champion", "jass")
    own, expected = jaxcards.load_agent("jass")
    assert champion == own and jax.tree.all(jax.tree.map(lambda a, b: (a == b).all(), params, expected))
    assert jaxcards.load_player("search:16", "jass")[0].worlds == 16
    with pytest.raises(UserError, match="unknown player 'heuristc'; did you mean 'heuristic'"):
        jaxcards.load_player("heuristc", game)
    with pytest.raises(UserError, match="unknown run folder"):
        jaxcards.load_player(tmp_path / "run", game)
    with pytest.raises(UserError, match="unknown game 'jas'"):
        jaxcards.load_player("random", "jas")
