"""The registry: ids, presets, overrides, and games from outside of the package."""

import subprocess
import sys

import pytest
from support.fakes import coin_rules

import jaxcards
from jaxcards import registry
from jaxcards.errors import UserError, nearest, quote, unknown
from jaxcards.registry import GAMES, canonical_id, make, register, resolve


@pytest.fixture
def games(monkeypatch):
    """Return a registry that knows one made-up game and nothing else."""
    monkeypatch.setattr(registry, "GAMES", {})
    register("coin", "support.fakes.coin_rules", "support.fakes.coin_game:Coin", "toss a coin")
    return registry.GAMES


def message(function, *args, **kwargs) -> str:
    with pytest.raises(UserError) as error:
        function(*args, **kwargs)
    text = str(error.value)
    assert "\n" not in text
    return text


def test_bare_name_is_the_default_preset(games):
    assert make("coin").rules == coin_rules.PRESETS["short"]
    assert canonical_id("coin") == "coin/short"


def test_preset_and_overrides(games):
    assert make("coin/long").rules.tosses == 100
    assert make("coin/long").id == "coin/long"
    assert make("coin/long", fair=False).id == "coin/long (fair=False)"
    rules = make("coin/long", fair=False, weights=[3, 1]).rules
    assert rules == coin_rules.Rules(tosses=100, fair=False, weights=(3, 1))
    hash(rules)


def test_an_id_with_changed_rules_makes_the_same_game(games):
    made = make("coin/long", fair=False, weights=(3, 1))
    assert made.id == "coin/long (fair=False, weights=(3, 1))"
    assert (make(made.id).rules, make(made.id).id) == (made.rules, made.id)
    assert canonical_id("coin (side=tails, fair=false)") == "coin/short (side='tails', fair=False)"
    assert "unknown rule of coin 'fiar'" in message(canonical_id, "coin (fiar=False)")
    assert make("coin (tosses=9)", tosses=8).id == "coin/short (tosses=8)"
    assert registry.versioned_id("coin/long (fair=False)") == "coin/long-v2 (fair=False)"


def test_resolve_gives_entry_and_rules_without_the_game(games):
    entry, rules = resolve("coin/long", side="tails")
    assert entry is games["coin"] and entry.description == "toss a coin"
    assert rules.side == "tails" and rules.tosses == 100


def test_games_lists_the_game_and_its_presets(games):
    assert jaxcards.games() == {
        "coin": "toss a coin (preset short)",
        "coin/short": "three tosses",
        "coin/long": "a hundred tosses",
    }


@pytest.mark.parametrize(
    "id, overrides, words",
    [
        ("coni", {}, ["unknown game 'coni'", "'coin'", "allowed: coin"]),
        ("COIN", {}, ["unknown game 'COIN'", "did you mean 'coin'"]),
        ("", {}, ["unknown game ''", "allowed: coin"]),
        ("long", {}, ["unknown game 'long'; did you mean the preset coin/long?"]),
        (None, {}, ["an id is a text", "not None"]),
        ("coin/lnog", {}, ["unknown preset of coin 'lnog'", "'long'", "short, long"]),
        ("coin/", {}, ["unknown preset of coin ''", "short, long"]),
        ("coin/long/x", {}, ["unknown preset of coin 'long/x'"]),
        ("coin/lnog-v1", {}, ["unknown preset of coin 'lnog'", "short, long"]),
        ("coin/long-v1", {}, ["unknown version '1' of coin/long", "coin/long-v2"]),
        ("coin/short-v2", {}, ["unknown version '2' of coin/short", "coin/short-v1"]),
        ("coin/short-v", {}, ["unknown version '' of coin/short"]),
        ("coin\nx" * 99, {}, ["unknown game", "…"]),
        ("coin (tosses=", {}, ["write changed rules as 'jass (weis=False, target=500)'"]),
        ("coin (3)", {}, ["write changed rules as"]),
        ("coin (**{})", {}, ["unknown rule of coin 'None'"]),
        ("coin (tosses=9) + f(1)", {}, ["write changed rules as"]),
        ("coin (tosses=open('x'))", {}, ["write changed rules as"]),
        ("coin (tosses=0)", {}, ["coin/short: tosses must be at least 1, not 0"]),
        ("coin", {"tosse": 1}, ["unknown rule of coin 'tosse'", "'tosses'", "side, weights"]),
        ("coin", {"tosses": 0}, ["coin/short: tosses must be at least 1, not 0"]),
        ("coin", {"tosses": "3"}, ["tosses must be a whole number, not '3'"]),
        ("coin", {"tosses": True}, ["tosses must be a whole number, not True"]),
        ("coin", {"fair": "no"}, ["fair must be true or false, not 'no'"]),
        ("coin", {"side": "tail"}, ["unknown side 'tail'", "'tails'", "heads, tails"]),
        ("coin", {"weights": 3}, ["weights must be a list of whole numbers, not 3"]),
    ],
)
def test_bad_input_is_one_helpful_line(games, id, overrides, words):
    text = message(make, id, **overrides)
    assert all(word in text for word in words), text


def test_register_takes_a_class_and_a_module(games):
    class Coin:
        def __init__(self, rules, id):
            self.rules, self.id = rules, id

    register("toss", coin_rules, Coin, "the same coin")
    assert isinstance(make("toss/long"), Coin)
    assert make("toss/long").rules.tosses == 100


@pytest.mark.parametrize(
    "name, game, words",
    [
        ("coin", "m:C", "registered already"),
        ("Coin", "m:C", "lower-case"),
        ("a/b", "m:C", "lower-case"),
        ("", "m:C", "lower-case"),
        (3, "m:C", "lower-case"),
        ("other", "module.Class", "'dotted.path:Class'"),
        ("other", ":Class", "'dotted.path:Class'"),
    ],
)
def test_register_refuses(games, name, game, words):
    assert words in message(register, name, "support.fakes.coin_rules", game, "")
    assert set(games) == {"coin"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("jass/seed", "jass/swisslos"),
        ("belote/seed", "belote/belot"),
        ("euchre/seed", "euchre/three_handed"),
        ("euchre/seed_code", "euchre/three_handed_code"),
        ("rikiki/seed", "rikiki/plain"),
        ("sheepshead/seed", "sheepshead/deepsheep"),
        ("sheepshead/seed_3p", "sheepshead/deepsheep_3p"),
    ],
)
def test_old_names_of_presets_mean_the_new_ones(old, new):
    assert canonical_id(old) == new in registry.games() and old not in registry.games()
    assert resolve(old) == resolve(new)
    name, _, preset = old.partition("/")
    said = message(canonical_id, f"{old}x")
    assert f"{preset}," not in said and new.partition("/")[2] in said


def test_a_game_of_an_old_name_has_the_new_id():
    assert make("jass/seed") == make("jass/swisslos") and make("jass/seed").id == "jass/swisslos"
    assert make("jass/seed", weis=False).id == "jass/swisslos (weis=False)"


def test_presets_have_versions(games):
    assert make("coin/short-v1").id == "coin/short" and make("coin/long-v2").id == "coin/long"
    assert registry.versioned_id("coin (tosses=2)") == "coin/short-v1 (tosses=2)"
    assert registry.versioned_id("coin/long match") == "coin/long-v2 match"
    assert registry.versioned_id("poker/holdem") == "poker/holdem"


def test_the_id_of_something_saved():
    assert registry.current_id("jass/swisslos-v1 (weis=False)") == "jass/swisslos (weis=False)"
    assert registry.current_id("jass/seed (weis=False)") == "jass/swisslos (weis=False)"
    for id in ("jass/tournament", "jass/tournament (deals=3)", "poker/seed", "jass/gone", "jass", ""):
        assert registry.current_id(id) == id


@pytest.mark.parametrize("name", GAMES)
def test_built_in_rules_follow_the_contract_without_jax(name):
    code = f"""if True:
        import dataclasses, sys
        from jaxcards import registry
        rules = registry.GAMES[{name!r}].rules()
        assert "jax" not in sys.modules
        assert rules.DEFAULT_PRESET in rules.PRESETS
        old = dict(getattr(rules, "OLD_PRESETS", ()))
        assert set(old.values()) <= set(rules.PRESETS)
        assert not set(old) & set(rules.PRESETS)
        for preset, value in rules.PRESETS.items():
            assert preset == preset.lower() and isinstance(value, rules.Rules)
            assert registry.resolve({name!r} + "/" + preset)[1] == value
            hash(value)
            assert dataclasses.fields(value)
        assert "jax" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_without_a_close_name():
    assert str(unknown("card", "xyzzy", ["ace"])) == "unknown card 'xyzzy' (allowed: ace)"
    assert str(unknown("card", "x", [], "f.toml")) == "f.toml: unknown card 'x' (allowed: none)"


def test_nearest_ignores_case_and_length():
    assert nearest("TOURNAMNT", ["slalom", "tournament"]) == "tournament"
    assert nearest("zzz", ["slalom"]) is None
    assert nearest("slalom" * 10**6, ["slalom"]) is None
    assert len(quote("x" * 1000)) == 60
