"""A shipped player for every preset and for rules of one's own, or one line that says why not."""

import functools
import json
import shutil

import jax
import pytest
from support import quick

import jaxcards
from jaxcards.champions.catalogue import FOLDER, cards, load_agent, player_of
from jaxcards.errors import UserError

MB = 1_000_000
IDS = [id for id in jaxcards.games() if "/" in id]


@functools.cache
def shipped() -> dict[str, str]:
    """The player of every preset."""
    return {id: player_of(id) for id in IDS}


@pytest.mark.parametrize("id", IDS)
def test_every_preset_has_one_that_fits_its_network(id):
    game = jaxcards.make(id)
    agent, params = load_agent(id)
    assert agent.game == game and agent.greedy
    expected = jax.eval_shape(lambda: agent.init(jax.random.key(0), game))
    assert jax.tree.map(lambda x: x.shape, params) == jax.tree.map(lambda x: x.shape, expected)
    learned = {id for card in cards().values() for id in card["presets"]}
    assert id in cards()[shipped()[id]]["presets"] or id not in learned


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
    with pytest.raises(UserError, match="jass.msgpack cannot be read") as error:
        load_agent("jass", tmp_path)
    assert "\n" not in str(error.value)


def test_the_files_are_small_and_hold_no_code():
    networks = list(FOLDER.glob("*.msgpack"))
    assert {path.stem for path in networks} == set(cards())
    sizes = [path.stat().st_size for path in networks]
    assert max(sizes) <= 3 * MB and sum(sizes) <= 12 * MB
    assert {path.suffix for path in FOLDER.iterdir()} == {".msgpack", ".json"}


@pytest.mark.parametrize("name", cards())
def test_a_card_says_how_to_make_the_player_and_how_strong_it_is(name):
    card = cards()[name]
    assert {"commit", "seed", "updates", "deals", "decisions", "minutes", "machine"} <= set(card)
    config = card["command"].removeprefix("jaxcards train --config ")
    assert (FOLDER.parents[2] / config).is_file()
    own = {id for id, player in shipped().items() if player == name}
    assert {result["game"] for result in card["evaluations"]} == own
    assert json.loads(json.dumps(card)) == card


@pytest.mark.slow
@pytest.mark.parametrize("name", cards())
def test_it_plays_as_well_as_its_card_says(name):
    """On other deals the mean is at most twice as far away as the two intervals of 95 % reach."""
    from jaxcards.agents.players import make_player
    from jaxcards.evaluation.duplicate import evaluate

    said = cards()[name]["evaluations"][0]
    game = jaxcards.make(said["game"])
    agent, params = load_agent(game)
    others = [agent, make_player("heuristic", game)]
    found = evaluate(game, others, [params, ()], ["it", "h"], 400, seed=1).pairs[0].difference
    expected = said["pairs"][0]["difference"]
    widths = found.high - found.low + expected["high"] - expected["low"]
    assert abs(found.mean - expected["mean"]) < widths
