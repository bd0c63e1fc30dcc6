"""The game of examples/hearts.py: one file outside of the package, checked and trained."""

import dataclasses
import json
import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
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


def start(hearts, *hands, **rules):
    """Return a deal with these beginnings of hands, filled up; seat 0 is left of the dealer."""
    game = jaxcards.make("plain_hearts", **rules)
    given = [hearts.DECK.cards(hand) for hand in hands]
    rest = iter(sorted(set(range(52)) - {card for hand in given for card in hand}))
    deck = [card for hand in given for card in [*hand, *(next(rest) for _ in range(13 - len(hand)))]]
    return game, game.init_from_deck(np.array(deck), 3)


def legal(game, state):
    return {game.action_to_string(int(a)) for a in jnp.flatnonzero(game.legal_action_mask(state))}


def test_the_two_of_clubs_leads_and_suit_is_followed(hearts):
    diamonds = "2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad"
    game, state = start(hearts, "3c 4c 2h", "2c 3s", diamonds, "Kc 4s")
    assert int(state.current_player) == 1 and legal(game, state) == {"2c"}
    state = game.checked_step(state, "2c")
    assert legal(game, state) == set(diamonds.split())  # void: anything
    state = game.checked_step(game.checked_step(state, "2d"), "Kc")
    assert legal(game, state) <= {f"{rank}c" for rank in "3456789TJQA"}
    state = game.checked_step(state, "3c")
    assert int(state.current_player) == 3  # the king won


def test_hearts_have_to_be_broken(hearts):
    hands = ["2c 3c Ah", "Ac 2h 3h", "4c 4h", "5c 5h"]
    for rule in (True, False):
        game, state = start(hearts, *hands, break_hearts=rule)
        for card in ("2c", "Ac", "4c", "5c"):
            state = game.checked_step(state, card)
        assert int(state.current_player) == 1
        assert ("2h" in legal(game, state)) is not rule


def test_shooting_the_moon(hearts):
    game, state = start(hearts, "2c", "", "", "")
    moon = {(26, 0, 0, 0): [0, 26, 26, 26], (0, 0, 0, 26): [26, 26, 26, 0]}
    moon[25, 1, 0, 0] = [25, 1, 0, 0]
    for taken, want in moon.items():
        packed = sum(points << (5 * seat) for seat, points in enumerate(taken))
        public = dataclasses.replace(state.public, taken=jnp.uint32(packed))
        done = dataclasses.replace(state, public=public)
        assert game.points(done).tolist() == want
        assert jaxcards.make("plain_hearts/plain").points(done).tolist() == list(taken)


def test_every_deal_gives_26_points(hearts):
    game = jaxcards.make("plain_hearts/plain")
    deals = testing.play_deals(game, 100)
    final = jax.tree.map(lambda leaf: leaf[-1], deals.states)
    assert (np.asarray(jax.vmap(game.points)(final)).sum(axis=1) == 26).all()


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
    """Return the members named by the first column of the table below a heading of the page."""
    rows = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    first = "".join(row.split("|")[1] for row in rows.splitlines() if row.startswith("|"))
    return set(re.findall(r"`(\w+)(?:\(.*?\))?`", first))


def test_the_page_names_what_a_game_without_the_kit_writes():
    assert members_named("Work without the kit") >= jaxcards.Game.__abstractmethods__


def test_the_page_names_every_member_of_the_kit():
    members = {name for name in (*vars(TrickGame), *TrickGame.__annotations__) if name[0] != "_"}
    inherited = {"__dict__", "rules", "id"}
    assert {name for name in members - inherited if f"`{name}" not in PAGE} == set()


def test_the_page_quotes_the_examples():
    """Code that does not run by itself is in text blocks, and stands in an example line by line."""
    examples = [FILE, FILE.with_name("spades.py")]
    lines = {line.strip() for file in examples for line in file.read_text("utf-8").splitlines()}
    quoted = re.findall(r"^```text\n(.*?)^```", PAGE, re.M | re.S)
    assert quoted
    assert [line for block in quoted for line in block.splitlines() if line.strip() not in lines] == []
