"""A command line without its work."""

import pytest

from jaxcards import registry
from jaxcards.cli import main
from jaxcards.opponents import names as opponents
from jaxcards.opponents.names import EngineEntry, PlayerEntry

COIN = ("support.fakes.coin_rules", "support.fakes.coin_game:Coin", "toss a coin")


@pytest.fixture
def ran(monkeypatch, tmp_path):
    """Commands that only note their arguments; an empty working folder; a made-up game."""
    calls = []

    def run(args):
        calls.append(args)
        return 0

    monkeypatch.setattr(registry, "GAMES", {})
    for name in ("coin", "jass"):
        registry.register(name, *COIN)
    for name in ("train", "evaluate", "exploit", "simulate", "bench"):
        monkeypatch.setattr(main.COMMANDS[name], "run", run)
    for name, module in (("there", "jaxcards"), ("none", "no_such_module")):
        player = PlayerEntry("anybody")
        entry = EngineEntry("nothing here", module, "", ("coin/long",), {"here": player})
        monkeypatch.setitem(opponents.ENGINES, name, entry)
    monkeypatch.chdir(tmp_path)
    return calls
