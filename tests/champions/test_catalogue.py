"""A shipped player for every preset and for rules of one's own, or one line that says why not."""

import functools
import importlib
import json
import shutil
from pathlib import Path

import jax
import numpy as np
import pytest
from support import quick
from support.marks import by_cost

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.networks import saved
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.search import Belief, WithRolloutPolicy
from jaxcards.champions.catalogue import (
    FOLDER,
    cards,
    files,
    load_agent,
    load_double_dummy,
    load_search,
    player_of,
    with_rollout_policy,
)
from jaxcards.errors import UserError
from jaxcards.games.sheepshead.play import NO_SEAT

MB = 1_000_000
ROOT = Path(__file__).parents[2]
IDS = [id for id in jaxcards.games() if "/" in id]
MATCH = " match"


@functools.cache
def game_of(id: str) -> jaxcards.Game:
    """Return the game of a preset, or of its matches, whose features are listed once."""
    if id.endswith(MATCH):
        return jaxcards.Match(game_of(id.removesuffix(MATCH)))
    return jaxcards.make(id)


def evaluated() -> list[tuple[str, str]]:
    """Every player with the id of a game that it was evaluated on."""
    return [(name, result["game"]) for name, card in cards().items() for result in card["evaluations"]]


@pytest.mark.slow_after(4)
@pytest.mark.parametrize("id", by_cost(IDS, {*IDS} - {card["presets"][0] for card in cards().values()}))
def test_every_preset_has_one_that_fits_its_network(id):
    game = game_of(id)
    agent, params = load_agent(game)
    assert agent.game == game and agent.greedy and agent.precision == "float32"
    expected = jax.eval_shape(lambda: agent.init(jax.random.key(0), game))
    assert jax.tree.map(lambda x: x.shape, params) == jax.tree.map(lambda x: x.shape, expected)
    learned = {id for card in cards().values() for id in card["presets"]}
    name = player_of(game)
    card = cards()[name]
    assert id in card["presets"] or id not in learned
    assert agent.symmetric == card.get("symmetric", False)
    # Its card has the evaluation on this preset, and no other card has one.
    assert [card for card, found in evaluated() if found == id] == [name]
    if game.max_match_deals:
        of_matches = player_of(game_of(id + MATCH))
        assert of_matches == name or (of_matches, id + MATCH) in evaluated()


def test_rules_of_ones_own_get_who_learned_the_nearest():
    assert player_of("jass/slalom") == player_of(jaxcards.make("jass/slalom", match_bonus=0)) == "jass"
    alone = jaxcards.make("jass/differenzler", match_bonus=0)
    assert player_of(alone) == player_of("jass/differenzler") != "jass"
    three = jaxcards.make("rikiki/standard3", schedule=(4, 3))
    agent, params = load_agent(three)
    assert agent.game == three


def test_a_match_gets_who_knows_the_score_else_the_player_of_its_deals(tmp_path):
    game = jaxcards.make("jass")
    folder = copied(tmp_path, "jass")
    agent, params = load_agent(jaxcards.Match(game), folder)
    expected, others = load_agent(game, folder)
    assert agent == expected
    assert all(map(lambda x, y: (x == y).all(), jax.tree.leaves(params), jax.tree.leaves(others)))
    # Of two, a match gets the one of matches, and single deals get the other.
    card = json.loads((folder / "jass.json").read_text())
    shutil.copy(folder / "jass.msgpack", folder / "a.msgpack")
    (folder / "a.json").write_text(json.dumps(card | {"matches": True}))
    assert player_of(jaxcards.Match(game), folder) == "a" and player_of(game, folder) == "jass"
    # Rules that only the player of deals has learned stay with it, in a match too.
    (folder / "a.json").write_text(json.dumps(card | {"matches": True, "presets": ["jass/slalom"]}))
    assert player_of(jaxcards.Match(game), folder) == "jass"
    assert player_of(jaxcards.Match(jaxcards.make("jass/slalom")), folder) == "a"


def test_a_search_in_a_match_stands_on_the_player_of_deals(tmp_path):
    game = jaxcards.make("jass")
    folder = copied(tmp_path, "jass")
    described, params = saved.read_network(folder / "jass.msgpack")
    nothing = jax.tree.map(np.zeros_like, params)
    saved.write_network(folder / "a.msgpack", saved.PlayerInfo.from_json(described), nothing)
    card = json.loads((folder / "jass.json").read_text())
    (folder / "a.json").write_text(json.dumps(card | {"matches": True}))
    assert not any(leaf.any() for leaf in jax.tree.leaves(load_agent(jaxcards.Match(game), folder)[1]))
    for load in (load_search, load_double_dummy):
        found, params = load(jaxcards.Match(game), folder)
        assert found.game == game and any(leaf.any() for leaf in jax.tree.leaves(params))


@pytest.mark.slow
def test_a_search_believes_where_that_gains():
    for name in ("jass", "belote", "euchre", "rikiki", "sheepshead"):
        assert load_search(name)[0].belief == Belief()
    assert load_search("rikiki", belief=None)[0].belief is None


@pytest.mark.slow
def test_a_search_searches_calls_where_that_gains():
    assert load_search("rikiki")[0].calls and load_search("rikiki/open_spiel")[0].calls
    assert not load_search("rikiki", calls=False)[0].calls
    assert not any(load_search(name)[0].calls for name in ("jass", "euchre", "sheepshead"))


@pytest.mark.slow
def test_it_plays_legal_actions_as_a_compiled_function():
    game = jaxcards.make("euchre/british")
    agent, params = load_agent(game)
    keys = jax.random.split(jax.random.key(0), 8)

    def play(params, key):
        return jaxcards.rollout(game, agent, params, key).state.terminated

    assert quick.jit(jax.vmap(play, in_axes=(None, 0)))(params, keys).all()


def test_unknown_ids_and_families():
    with pytest.raises(UserError, match="jas"):
        load_agent("jas")
    seven = jaxcards.make("rikiki/standard7")
    folder = FOLDER.parent / "nobody"
    expected = "no shipped player plays rikiki/standard7: none has learned rikiki for 7"
    with pytest.raises(UserError, match=expected) as error:
        load_agent(seven, folder)
    assert "\n" not in str(error.value)


def copied(tmp_path, name):
    for suffix in ("json", "msgpack"):
        shutil.copy(FOLDER / f"{name}.{suffix}", tmp_path)
    return tmp_path


def test_what_a_network_has_not_learned_is_named(tmp_path):
    folder = copied(tmp_path, "jass")
    with pytest.raises(UserError, match="jass.msgpack: .* jass/differenzler: it has not learned"):
        load_agent("jass/differenzler", folder)


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_a_damaged_file(tmp_path, damage):
    path = copied(tmp_path, "jass") / "jass.msgpack"
    path.write_bytes(path.read_bytes()[:1000] if damage is None else damage)
    with pytest.raises(UserError, match="jass.msgpack is damaged") as error:
        load_agent("jass", tmp_path)
    assert "\n" not in str(error.value)


def test_the_files_are_small_and_hold_no_code():
    with_rollout = {f"{name}_rollout" for name, card in cards().items() if "rollout" in card}
    folders = {path.parent for path in files().values()}
    networks = [path for folder in folders for path in folder.glob("*.msgpack")]
    assert {path.stem for path in networks} == set(cards()) | with_rollout
    sizes = {path: path.stat().st_size for path in networks}
    assert max(sizes.values()) <= 3 * MB
    # A wheel has at most 20 MB.
    assert sum(size for path, size in sizes.items() if path.parent == FOLDER) <= 18 * MB
    assert {path.suffix for path in FOLDER.iterdir()} == {".msgpack", ".json"}


def test_more_players_are_found_if_their_package_is_installed(tmp_path, monkeypatch):
    known = jaxcards.make("jass/slalom", weis=False)
    rules = jaxcards.make("jass/slalom", guschti=True)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("jaxcards.champions.catalogue.EXTRA", "more_players")
    assert player_of(known) == "jass"
    with pytest.raises(UserError, match="install jaxcards-players, which has more, or use another"):
        player_of(rules)
    package = tmp_path / "more_players"
    package.mkdir()
    (package / "__init__.py").touch()
    for suffix in ("json", "msgpack"):
        shutil.copy(ROOT / "players" / "jaxcards_players" / f"jass_guschti.{suffix}", package)
    importlib.invalidate_caches()
    assert player_of(known) == "jass" and player_of(rules) == "jass_guschti"
    assert load_agent(rules)[0].game == rules


@pytest.mark.parametrize("name", by_cost(cards(), {*cards()} - {"euchre", "jass"}))
def test_a_card_says_how_to_make_the_player_and_how_strong_it_is(name):
    card = cards()[name]
    assert {"commit", "seed", "updates", "deals", "decisions", "minutes", "machine"} <= set(card)
    config = card["command"].removeprefix("jaxcards train --config ")
    assert (ROOT / config).is_file()
    own = [id for evaluated_player, id in evaluated() if evaluated_player == name]
    assert own and all(id.endswith(MATCH) == card["matches"] for id in own)
    assert all(player_of(game_of(id)) == name for id in own)
    assert json.loads(json.dumps(card)) == card


def test_a_rollout_policy_plays_the_worlds_of_a_search(tmp_path):
    game = game_of("euchre/standard")
    folder = copied(tmp_path, "euchre_standard")
    agent, params = load_agent(game, folder)
    assert load_search(game, folder)[0].base == agent
    small = NetworkAgent(game, (8,), greedy=True)
    sizes = small.encoding.num_inputs, game.num_actions
    info = saved.PlayerInfo(game.id, *sizes, small.hidden, small.precision)
    path, own = folder / "euchre_standard_rollout.msgpack", small.init(jax.random.key(0), game)
    saved.write_network(path, info, own)
    search, both = load_search(game, folder)
    assert search.base == WithRolloutPolicy.around(agent, small)
    for found, expected in ((both.policy, params), (both.rollout, own)):
        assert all(map(np.array_equal, jax.tree.leaves(found), jax.tree.leaves(expected)))
    assert load_search(jaxcards.Match(game), folder)[0].base == search.base
    assert load_agent(game, folder)[0] == agent
    # Players of matches, and players that are not networks, have none.
    for other in (NetworkAgent(jaxcards.Match(game)), RandomAgent()):
        assert with_rollout_policy(other, (), folder) == (other, ())
    path.write_bytes(b"garbage")
    with pytest.raises(UserError, match="euchre_standard_rollout.msgpack is damaged"):
        load_search(game, folder)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", [name for name, card in cards().items() if "rollout" in card])
def test_a_shipped_rollout_policy_is_a_smaller_network_of_its_player(name):
    card = cards()[name]
    facts = card["rollout"]
    assert {"config", "commit", "seed", "updates", "deals", "minutes", "ahead"} <= set(facts)
    game = game_of(card["presets"][0])
    policy, params = load_search(game)[0].base, load_search(game)[1]
    assert isinstance(policy, WithRolloutPolicy) and policy.rollout.hidden == tuple(facts["hidden"])
    sizes = [sum(x.size for x in jax.tree.leaves(own)) for own in (params.policy, params.rollout)]
    assert sizes[1] < 0.6 * sizes[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", cards())
def test_it_plays_as_well_as_its_card_says(name):
    """On other deals the mean is at most twice as far away as the two intervals of 95 % reach."""
    from jaxcards.agents.players import make_player
    from jaxcards.evaluation.duplicate import evaluate

    card = cards()[name]
    said = card["evaluations"][0]
    game = game_of(said["game"])
    agent, params = load_agent(game)
    others = [agent, make_player("heuristic", game)]
    found = evaluate(game, others, [params, ()], ["it", "h"], 400, seed=1).pairs[0].difference
    expected = next(pair for pair in said["pairs"] if pair["b"] == "heuristic")["difference"]
    widths = found.high - found.low + expected["high"] - expected["low"]
    assert abs(found.mean - expected["mean"]) < widths


@pytest.mark.slow
def test_somebody_picks_in_most_deals_of_sheepshead():
    game = jaxcards.make("sheepshead/standard")
    agent, params = load_agent(game)
    play = quick.jit(
        jax.vmap(lambda key: jaxcards.rollout(game, agent, params, key).state.public.picker)
    )
    nobody = play(jax.random.split(jax.random.key(1), 1024)) == NO_SEAT
    assert 0.05 < nobody.mean() < 0.12  # 0.2 in the trained player, before `pick` was raised
