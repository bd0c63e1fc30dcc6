"""Endings: worth what plain minimax says, in every family of rules; and a search uses it."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import minimax, quick
from support.marks import by_cost

import jaxcards
from jaxcards import registry
from jaxcards.agent import RandomAgent
from jaxcards.agents.search import endgame
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.analysis import play_out
from jaxcards.errors import UserError
from jaxcards.players import MOST_CARDS
from jaxcards.xla import prng

# Every preset but those where each plays alone, without a look at the games: that takes seconds.
ALONE = ("rikiki/", "jass/differenzler", "hearts/", "spades/solo", "spades/cutthroat")
_SIDED = [id for id in registry.games() if "/" in id and not id.startswith(ALONE)]


@pytest.fixture(autouse=True, scope="module")
def few_lanes():
    """So few that every lane takes up one ending after the other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endgame, "_LANES", 48)
        patch.setattr(endgame, "_TURNS", 4)
        endgame.queue.cache_clear()
        yield
    endgame.queue.cache_clear()


@functools.lru_cache(maxsize=2)
def solver(id: str, cards: int):
    game = jaxcards.make(id)
    return game, quick.jit(jax.vmap(lambda state: endgame.solve(game, state, cards)))


def compare(id: str, cards: int, number: int, seed: int) -> int:
    """Compare all actions of random endings with minimax, and return the number of endings."""
    game, solve = solver(id, cards)
    states = minimax.endings(game, cards, number, seed)
    found = jax.tree.map(np.asarray, solve(states))
    assert found.solved.all()
    expected = minimax.values(game, states)
    assert (found.legal == ~np.isnan(expected)).all()
    own = np.where(found.legal, minimax.worth(game, states, found.returns), np.nan)
    # Returns of Skat are thirds.
    np.testing.assert_allclose(own, expected, rtol=1e-6)
    return len(own)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "id",
    by_cost(
        ["jass/schieber_1000", "euchre/standard", "sheepshead/standard", "spades/standard"],
        {"jass/schieber_1000", "sheepshead/standard"},
    ),
)
def test_endings_are_worth_what_minimax_says(id):
    assert compare(id, 2, 96, seed=1) > 32


@pytest.mark.slow
@pytest.mark.parametrize("cards, number", [(1, 500), (2, 1000), (3, 100)])
@pytest.mark.parametrize("id", _SIDED)
def test_all_rules(id, cards, number):
    assert compare(id, cards, number, seed=2) > number / 4


@pytest.mark.slow
@pytest.mark.parametrize("game", ["jass", "belote", "euchre", "sheepshead", "spades", "bridge"])
def test_ten_thousand_endings(game):
    assert compare(registry.canonical_id(game), 2, 10_000, seed=3) > 9_000


@pytest.mark.slow
def test_what_is_not_solved():
    """Deals before the play, with too many cards, and over; and leasters, with as few cards as any."""
    game, solve = solver("euchre/standard", 2)
    states = minimax.endings(game, 5, 96, seed=4)
    few = np.asarray(jax.vmap(game.cards_to_play)(states)).max(1) <= 2
    assert not few.all() and not np.asarray(solve(states).solved)[~few].any()
    fresh = jax.vmap(game.init)(jax.random.split(jax.random.key(0), 96))
    assert not np.asarray(solve(fresh).solved).any()

    game = jaxcards.make("sheepshead/standard")
    state = game.init(jax.random.key(0))
    step = quick.jit(game.step)
    while not bool(state.terminated):
        legal = game.legal_actions(state)
        passes = game.string_to_action("pass")
        state = step(state, passes if bool(legal.mask()[passes]) else legal.nth(jnp.uint32(0)))
        assert not bool(endgame.is_solvable(game, state, 5))
    assert (np.asarray(game.sides_of(state)) == -1).all()


@pytest.mark.parametrize("id", ["rikiki", "jass/differenzler", "hearts", "spades/solo"])
def test_games_without_sides_are_refused(id):
    game = jaxcards.make(id)
    with pytest.raises(UserError, match="all play alone"):
        endgame.solve(game, game.init(jax.random.key(0)), 2)


@pytest.mark.parametrize("cards", [0, endgame.MOST_CARDS + 1])
def test_numbers_of_cards(cards):
    game = jaxcards.make("euchre")
    with pytest.raises(UserError, match=f"endings of 1 to {MOST_CARDS} cards"):
        endgame.solve(game, game.init(jax.random.key(0)), cards)
    with pytest.raises(UserError, match=f"endings must be from 0 to {endgame.MOST_CARDS}"):
        SearchAgent(game, RandomAgent(), endings=cards - 1 if not cards else cards)


@pytest.mark.slow
def test_a_search_solves_its_worlds():
    """Each world by itself, from two cards on; before that it plays out what it plays out without."""
    game, _ = solver("euchre/standard", 2)
    states = minimax.endings(game, 3, 64, seed=6)
    states = jax.tree.map(lambda leaf: leaf[:24], states)
    few = np.asarray(jax.vmap(game.cards_to_play)(states)).max(1) <= 2
    assert few.any() and not few.all()
    worlds = 3

    def returns(state, key, endings):
        seen = game.observe(state, state.current_player)
        action = game.legal_actions(state).nth(jnp.uint32(0))[None]
        return play_out(
            game, RandomAgent(), (), seen, action, key, worlds=worlds, endings=endings
        ), action[0]

    keys = jax.random.split(jax.random.key(7), 24)
    both = quick.jit(
        lambda states, keys: [
            jax.vmap(functools.partial(returns, endings=cards))(states, keys) for cards in (0, 2)
        ]
    )
    (plain, _), (found, action) = jax.tree.map(np.asarray, both(states, keys))
    np.testing.assert_array_equal(found[~few], plain[~few])

    def draw(state, key, number):
        words = prng.fold(prng.fold(prng.key_words(key), 0), number)
        return game.sample_state(jnp.stack(words), game.observe(state, state.current_player))

    for world in range(worlds):
        drawn = quick.jit(jax.vmap(draw, (0, 0, None)))(states, keys, jnp.uint32(world))
        drawn = jax.tree.map(lambda leaf: np.asarray(leaf)[few], drawn)
        expected = minimax.values(game, drawn)[np.arange(few.sum()), action[few]]
        player = np.asarray(drawn.current_player)
        own = found[few][np.arange(few.sum()), world, 0, player]
        # Two players on a side, and the other side loses as much.
        np.testing.assert_array_equal(4 * own, expected)
